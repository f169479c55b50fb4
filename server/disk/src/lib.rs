//! What is on disk: what may be read of it, finding the files of a folder and reading them. For the language server, in the
//! background, and for the command line.

pub mod config;
mod folders;
pub mod ignored;
mod index;
pub mod installed;
pub mod last_work;
pub mod path_policy;
mod scan;
mod stamp;
mod text_store;
mod threads;
mod walk;

use std::path::{Path, PathBuf};

use compile::{FileRead, FileReader};
use ide::{DiskState, FilePath, PackedText, TextOnDisk};

pub use crate::folders::{Entries, Entry, Folders, Links, WalkFailure};
use crate::index::KnownTexts;
pub use crate::index::ToKeep;
pub use crate::path_policy::{ReadFailure, TrustedFolders};
pub use crate::scan::{NotRead, ScanSettings, StopFlag, read_first, scan, scan_again, scan_beside};
use crate::stamp::Stamp;
pub use crate::text_store::{leave_in_memory, packed};

/// Files with more bytes are not even read.
pub const MAX_FILE_SIZE: u64 = 256 << 20;

/// Above this many folders nobody looks for a module.
const MAX_DEPTH: usize = 64;

/// Folders of a control repository that hold modules. Others install them there, so they are often in ignore files.
pub const MODULE_FOLDERS: [&str; 6] = ["modules", "site-modules", "site", "dist", ".modules", "environments"];

/// Files that say that a folder is an environment.
const ENVIRONMENT_MARKERS: [&str; 3] = ["environment.conf", "Puppetfile", "bolt-project.yaml"];

/// Files and folders that say that a folder is a module, where it is not certain by its place.
const MODULE_MARKERS: [&str; 2] = ["metadata.json", ".fixtures.yml"];

/// The folders of a module whose manifests Puppet loads by name.
const AUTOLOAD_FOLDERS: [&str; 4] = ["manifests", "functions", "types", "plans"];

/// Reads the disk: templates and files whose texts an editor does not need, in the folders that may be read.
pub struct Disk(pub TrustedFolders);

impl FileReader for Disk {
    fn read(&self, path: &str) -> FileRead {
        let Some(path) = FilePath::from_normalised(path) else { return FileRead::Unknown };
        match self.0.read(Path::new(&path.to_native()), MAX_FILE_SIZE) {
            Ok(bytes) => FileRead::Content(bytes.into()),
            Err(ReadFailure::Missing) => FileRead::Missing,
            Err(_) => FileRead::Unknown,
        }
    }
}

/// What is on disk at a path (in both its forms), if it may be read. The text of files whose text does not matter is not read.
pub fn read_file(file: &FilePath, path: &Path, trusted: &TrustedFolders) -> DiskState {
    match trusted.admit(path) {
        Ok(path) => read_admitted(file, &path),
        Err(failure) => state_of_failure(path, failure),
    }
}

/// What is on disk at a path: its text, whatever it is called.
pub fn read_text(path: &Path, trusted: &TrustedFolders) -> DiskState {
    match trusted.read(path, MAX_FILE_SIZE) {
        Ok(bytes) => DiskState::of_bytes(bytes),
        Err(failure) => state_of_failure(path, failure),
    }
}

fn read_admitted(file: &FilePath, path: &Path) -> DiskState {
    read_again(file, path, None).state
}

/// What was found at a path.
struct ReadFile {
    state: DiskState,
    /// What a text's file says of itself, if the text may be kept and every change shows.
    stamp: Option<Stamp>,
    /// Was it kept since the last time?
    is_kept: bool,
}

impl From<DiskState> for ReadFile {
    fn from(state: DiskState) -> ReadFile {
        ReadFile { state, stamp: None, is_kept: false }
    }
}

/// The same as [`read_admitted`], by what is known of texts where that is still true.
fn read_again(file: &FilePath, path: &Path, known: Option<&KnownTexts<'_>>) -> ReadFile {
    if let Some(late) = late_text(file, path) {
        return late.into();
    }
    if !ide::wants_text(file, 0) && std::fs::metadata(path).is_ok_and(|it| it.is_file()) {
        return DiskState::Unread.into();
    }
    if let Some((state, stamp)) = known.and_then(|it| it.text(file, path)) {
        return ReadFile { state, stamp: Some(stamp), is_kept: true };
    }
    let mut stamp = None;
    let read = path_policy::read_wanted(path, MAX_FILE_SIZE, |metadata| {
        stamp = Stamp::settled(metadata).filter(|_| ide::may_be_copied(file));
        ide::wants_text(file, metadata.len())
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

/// A text that is read when it is asked for, if it may be: a link might lead elsewhere by then.
fn late_text(file: &FilePath, path: &Path) -> Option<DiskState> {
    if !ide::is_read_late(file) || path.as_os_str() != file.to_native().as_str() {
        return None;
    }
    let metadata = std::fs::symlink_metadata(path).ok().filter(std::fs::Metadata::is_file)?;
    let length = u32::try_from(metadata.len()).ok().filter(|_| ide::wants_text(file, metadata.len()))?;
    let read = |path: &FilePath| {
        path_policy::read_unlinked(Path::new(&path.to_native()), MAX_FILE_SIZE).ok().flatten()
    };
    let text = TextOnDisk { path: file.clone(), modified: metadata.modified().ok(), read };
    Some(DiskState::Packed(PackedText::in_file(length, text)))
}

fn state_of_failure(path: &Path, failure: ReadFailure) -> DiskState {
    match failure {
        // What it would hold is not known: its author's machine has it.
        ReadFailure::Missing if path.is_symlink() => {
            DiskState::Unreadable("it is a link that leads nowhere".to_owned())
        }
        ReadFailure::Missing => DiskState::Missing,
        // A folder that is called like a file.
        ReadFailure::NotRegular(_) | ReadFailure::Io(_) if path.is_dir() => DiskState::Missing,
        failure => DiskState::Unreadable(failure.to_string()),
    }
}

/// The folder to read with a file that lies in none of the folders that are known: the environment around it, or a folder
/// of modules, or the module. `None` for a loose file.
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
        let inside = folders().filter(|it| has_name(it, &AUTOLOAD_FOLDERS)).last()?;
        // Not the root of the file system, nor a folder like `/home`.
        inside.parent().filter(|it| it.ancestors().nth(2).is_some())
    };
    let module = by_marker.or_else(by_folders)?;
    let parent = module.parent()?;
    let holds_modules = parent.file_name().is_some_and(|it| MODULE_FOLDERS.iter().any(|name| it == *name));
    Some(if holds_modules { parent } else { module }.to_owned())
}
