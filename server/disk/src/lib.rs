//! Disk access for the language server and the command line: which files may be read, finding the files of a
//! folder, and reading them.
//!
//! * `path_policy`: the only way to a file that a repository names. **Only regular files below the workspace
//!   and below folders that the user named are read, up to a maximum size; anything outside is unknown, never
//!   missing** (`FileRead::Unknown`, `Environment::lacks_modules`).
//! * `folders`: listings of folders, shared by all walks. `walk` finds files and reports what it skipped;
//!   `scan` reads them, starting with those that an open file names (`read_first`), and walks a folder again only
//!   if it has changed (`ScannedFolder`).
//! * `index`: the cache that the server keeps for large folders: the files of a walk with the stamps of
//!   everything it depends on, and compressed texts; data files are excluded, since they contain secrets.
//!   **An entry counts only while the stamp of its folder or file (size, times, device, inode) is unchanged,
//!   files that were changing while being read are not stored, and a scan with an index returns what one
//!   without it returns** (`index_tests`).
//! * `text_store`: the unnamed temporary file for compressed texts.
//! * `last_work`: the crash journal of a server.
//! * `shown_files`: files for editors that cannot show virtual documents.
//! * `installed`: files of an installed Puppet, after everything else.
//! * `replacement`: atomic replacement of files; `partial` removes incomplete files on interruption.
//! * `config`: settings in layers (defaults, the user's file, `puppet-analyzer.toml`, client), merged to an
//!   immutable `Config`. **Settings of a repository cannot reach outside of it.**

pub mod config;
mod folders;
pub mod ignored;
mod index;
pub mod installed;
pub mod last_work;
pub mod partial;
pub mod path_policy;
pub mod replacement;
mod scan;
pub mod shown_files;
mod stamp;
mod text_store;
mod threads;
mod walk;

use std::path::{Path, PathBuf};

use compile::{FileRead, FileReader, ParsedData};
use ide::{DiskState, FilePath, PackedText, TextOnDisk};

pub use crate::folders::{Entries, Entry, Folders, Links, WalkFailure};
use crate::index::KnownTexts;
pub use crate::index::{IndexUpdate, read_index};
pub use crate::path_policy::{ReadFailure, TrustedFolders};
pub use crate::scan::{
    NotRead, ScanSettings, ScannedFolder, StopFlag, read_first, scan, scan_others, scan_with_index,
};
pub use crate::stamp::{FileClock, Stamp};
pub use crate::text_store::{packed, set_memory_limit};

/// Maximum size of a file in bytes; larger files are not read.
pub const MAX_FILE_SIZE: u64 = 256 << 20;

/// Maximum number of parent folders that are searched for a module.
const MAX_DEPTH: usize = 64;

/// Names of folders in a control repository that contain installed modules or other environments.
const INSTALLED_FOLDERS: [&str; 2] = [".modules", "environments"];

/// Returns the folders of a control repository that contain modules. They are often listed in ignore files,
/// because modules are installed there by tools.
pub fn usual_module_folders() -> impl Iterator<Item = &'static str> {
    ide::MODULE_FOLDERS.into_iter().chain(INSTALLED_FOLDERS)
}

/// Files that mark a folder as an environment.
const ENVIRONMENT_MARKERS: [&str; 3] = ["environment.conf", "Puppetfile", "bolt-project.yaml"];

/// Files that mark a folder as a module, where its location does not.
const MODULE_MARKERS: [&str; 2] = ["metadata.json", ".fixtures.yml"];

/// Reader for templates and other files that an editor does not need, limited to trusted folders. It keeps the data
/// that it parsed, so a command or request creates its own.
pub struct Disk {
    trusted: TrustedFolders,
    parsed: ParsedData,
}

impl Disk {
    pub fn new(trusted: TrustedFolders) -> Disk {
        Disk { trusted, parsed: ParsedData::default() }
    }

    pub fn trusted(&self) -> &TrustedFolders {
        &self.trusted
    }
}

impl FileReader for Disk {
    fn read(&self, path: &str) -> FileRead {
        let Some(path) = FilePath::from_normalised(path) else { return FileRead::Unknown };
        match self.trusted.read(Path::new(&path.to_native()), MAX_FILE_SIZE) {
            Ok(bytes) => FileRead::Content(bytes.into()),
            Err(ReadFailure::Missing) => FileRead::Missing,
            Err(_) => FileRead::Unknown,
        }
    }

    fn parsed_data(&self) -> Option<&ParsedData> {
        Some(&self.parsed)
    }
}

/// Returns the state of a path (given in both its forms), if it may be read. The contents of files that are
/// not needed are not read.
pub fn read_file(file: &FilePath, path: &Path, trusted: &TrustedFolders) -> DiskState {
    match trusted.admit(path) {
        Ok(path) => read_admitted(file, &path),
        Err(failure) => state_of_failure(path, failure),
    }
}

/// Reads the contents of a path, whatever its name.
pub fn read_text(path: &Path, trusted: &TrustedFolders) -> DiskState {
    match trusted.read(path, MAX_FILE_SIZE) {
        Ok(bytes) => DiskState::of_bytes(bytes),
        Err(failure) => state_of_failure(path, failure),
    }
}

fn read_admitted(file: &FilePath, path: &Path) -> DiskState {
    read_or_reuse(file, path, None, FileClock::System).state
}

/// Result of reading a path.
struct ReadFile {
    state: DiskState,
    /// Stamp of the file, if its text may be stored in the index and every later change is detectable.
    stamp: Option<Stamp>,
    /// True if the text came from the index.
    is_kept: bool,
}

impl From<DiskState> for ReadFile {
    fn from(state: DiskState) -> ReadFile {
        ReadFile { state, stamp: None, is_kept: false }
    }
}

/// Like [`read_admitted`], but reuses texts from the index that are still up to date.
fn read_or_reuse(file: &FilePath, path: &Path, known: Option<&KnownTexts<'_>>, clock: FileClock) -> ReadFile {
    if let Some(late) = lazy_text(file, path) {
        return late.into();
    }
    if !ide::needs_text(file, 0) && std::fs::metadata(path).is_ok_and(|it| it.is_file()) {
        return DiskState::Unread.into();
    }
    if let Some((state, stamp)) = known.and_then(|it| it.text(file, path)) {
        return ReadFile { state, stamp: Some(stamp), is_kept: true };
    }
    let mut stamp = None;
    let read = path_policy::read_if(path, MAX_FILE_SIZE, |metadata| {
        stamp = Stamp::if_stable(metadata, clock).filter(|_| ide::may_be_copied(file));
        ide::needs_text(file, metadata.len())
    });
    match read {
        Ok(Some(bytes)) => {
            let state = packed(DiskState::of_bytes(bytes), file);
            ReadFile { state, stamp, is_kept: false }
        }
        Ok(None) => DiskState::Unread.into(),
        Err(failure) => state_of_failure(path, failure).into(),
    }
}

/// Returns a text that is read on first use, if allowed. Not for links, whose target may have changed by
/// then.
fn lazy_text(file: &FilePath, path: &Path) -> Option<DiskState> {
    if !ide::is_read_lazily(file) || path.as_os_str() != file.to_native().as_str() {
        return None;
    }
    let metadata = std::fs::symlink_metadata(path).ok().filter(std::fs::Metadata::is_file)?;
    let length = u32::try_from(metadata.len()).ok().filter(|_| ide::needs_text(file, metadata.len()))?;
    let read = |path: &FilePath| {
        path_policy::read_unlinked(Path::new(&path.to_native()), MAX_FILE_SIZE).ok().flatten()
    };
    let text = TextOnDisk { path: file.clone(), modified: metadata.modified().ok(), read };
    Some(DiskState::Packed(PackedText::in_file(length, text)))
}

fn state_of_failure(path: &Path, failure: ReadFailure) -> DiskState {
    match failure {
        // The target's contents are unknown: it only exists on its author's machine.
        ReadFailure::Missing if path.is_symlink() => DiskState::Unreadable("dangling link".to_owned()),
        ReadFailure::Missing => DiskState::Missing,
        // A folder with the name of a source file.
        ReadFailure::NotRegular(_) | ReadFailure::Io(_) if path.is_dir() => DiskState::Missing,
        failure => DiskState::Unreadable(failure.to_string()),
    }
}

/// Returns the folder to read for a file outside of all known folders: the environment, the folder of modules
/// or the module that contains it. `None` for a standalone file.
pub fn project_around(file: &Path) -> Option<PathBuf> {
    let is_marked = |folder: &Path, markers: &[&str]| markers.iter().any(|it| folder.join(it).is_file());
    let folders = || file.ancestors().skip(1).take(MAX_DEPTH);
    if let Some(environment) = folders().filter(|it| is_marked(it, &ENVIRONMENT_MARKERS)).last() {
        return Some(environment.to_owned());
    }
    let by_marker = folders().filter(|it| is_marked(it, &MODULE_MARKERS)).last();
    let by_folders = || {
        let has_name =
            |it: &Path, names: &[&str]| it.file_name().is_some_and(|it| names.iter().any(|n| it == *n));
        let inside = folders().filter(|it| has_name(it, &ide::AUTOLOAD_FOLDERS)).last()?;
        // Neither the root of the file system nor a folder like `/home`.
        inside.parent().filter(|it| it.ancestors().nth(2).is_some())
    };
    let module = by_marker.or_else(by_folders)?;
    let parent = module.parent()?;
    let holds_modules = parent.file_name().is_some_and(|it| usual_module_folders().any(|name| it == name));
    Some(if holds_modules { parent } else { module }.to_owned())
}

/// Returns a path as shown in findings: without a leading `./`, separated by `/`.
pub fn display_path(path: &Path) -> String {
    let text = path.strip_prefix(".").ok().filter(|it| !it.as_os_str().is_empty()).unwrap_or(path);
    let text = text.to_string_lossy();
    if cfg!(windows) { text.replace('\\', "/") } else { text.into_owned() }
}

/// Returns a path relative to the current folder, if it is below.
pub fn shown_path(path: &FilePath) -> String {
    let native = path.to_native();
    let here = std::env::current_dir().ok();
    let below = here.as_deref().and_then(|here| Path::new(&native).strip_prefix(here).ok());
    display_path(below.unwrap_or(Path::new(&native)))
}
