//! What is on disk: finding the files of a folder and reading them. For the language server, in the background, and for
//! the command line.

pub mod config;
pub mod installed;

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use compile::FileReader;
use ide::{DiskState, FilePath};
use ignore::{DirEntry, WalkBuilder};

/// How many files are read before they are handed over. Each batch is as large as all before it: what a batch costs
/// grows with the files that are known already.
const FIRST_BATCH: usize = 256;

/// Files with more bytes are not even read.
const LARGEST_FILE: u64 = 256 << 20;

/// How many threads read files at a time.
const MOST_READERS: usize = 4;

/// Above this many folders nobody looks for a module.
const MAX_DEPTH: usize = 64;

/// Folders of a control repository that hold modules. Others install them there, so they are often in ignore files.
const MODULE_FOLDERS: [&str; 6] = ["modules", "site-modules", "site", "dist", ".modules", "environments"];

/// Files that say that a folder is an environment.
const ENVIRONMENT_MARKERS: [&str; 3] = ["environment.conf", "Puppetfile", "bolt-project.yaml"];

/// Files and folders that say that a folder is a module, where it is not certain by its place.
const MODULE_MARKERS: [&str; 2] = ["metadata.json", ".fixtures.yml"];

/// The folders of a module whose manifests Puppet loads by name.
const AUTOLOAD_FOLDERS: [&str; 4] = ["manifests", "functions", "types", "plans"];

/// Reads the disk: templates and files whose texts an editor does not need.
pub struct Disk;

impl FileReader for Disk {
    fn read(&self, path: &str) -> Option<Arc<[u8]>> {
        let path = FilePath::from_normalised(path)?;
        std::fs::read(path.to_native()).ok().map(Arc::from)
    }
}

/// Tells a scan to stop.
#[derive(Clone, Default)]
pub struct StopFlag(Arc<AtomicBool>);

impl StopFlag {
    pub fn stop(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    pub fn is_stopped(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// What is on disk at a path (in both its forms). The text of files whose text does not matter is not read.
pub fn read_file(file: &FilePath, path: &Path) -> DiskState {
    if std::fs::metadata(path).is_ok_and(|it| it.is_file() && !ide::wants_text(file, it.len())) {
        return DiskState::Unread;
    }
    read_text(path)
}

/// What is on disk at a path: its text, whatever it is called.
pub fn read_text(path: &Path) -> DiskState {
    if std::fs::metadata(path).is_ok_and(|metadata| metadata.len() > LARGEST_FILE) {
        return DiskState::Unreadable("it is too large".to_owned());
    }
    match std::fs::read(path) {
        Ok(bytes) => DiskState::of_bytes(bytes),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => DiskState::Missing,
        // A folder that is called like a file.
        Err(_) if path.is_dir() => DiskState::Missing,
        Err(error) => DiskState::Unreadable(error.to_string()),
    }
}

/// What a scan has to know of the settings: paths that are relative to the folder it reads, or absolute.
#[derive(Clone, Default)]
pub struct ScanSettings {
    /// Folders that hold modules, beside the usual ones.
    pub module_folders: Vec<String>,
    /// What is as good as absent.
    pub excluded: Vec<String>,
}

/// Reads all files below a folder that say something about Puppet code and hands them over in batches. Ignore files
/// count, except in the folders that hold modules.
pub fn scan(
    root: &FilePath,
    settings: &ScanSettings,
    stop: &StopFlag,
    mut hand_over: impl FnMut(Vec<(FilePath, DiskState)>),
) {
    let _span = tracing::info_span!("scan", root = root.as_str()).entered();
    let files = find(root, settings, stop);
    let mut rest = files.as_slice();
    let mut batch_size = FIRST_BATCH;
    while !rest.is_empty() && !stop.is_stopped() {
        let (batch, after) = rest.split_at(batch_size.min(rest.len()));
        rest = after;
        hand_over(read_files(batch));
        batch_size = files.len() - rest.len();
    }
}

/// Reads files in the order of the list, several at a time.
fn read_files(files: &[(FilePath, PathBuf)]) -> Vec<(FilePath, DiskState)> {
    let threads = std::thread::available_parallelism().map_or(1, |it| it.get()).min(MOST_READERS);
    let read = |files: &[(FilePath, PathBuf)]| -> Vec<_> {
        files.iter().map(|(file, path)| (file.clone(), read_file(file, path))).collect()
    };
    if threads == 1 || files.len() < FIRST_BATCH {
        return read(files);
    }
    std::thread::scope(|scope| {
        let parts: Vec<_> = files.chunks(files.len().div_ceil(threads)).collect();
        let readers: Vec<_> = parts.iter().map(|part| scope.spawn(|| read(part))).collect();
        let parts = readers.into_iter().zip(parts);
        // A reader that has ended early has read nothing that this one cannot read.
        parts.flat_map(|(reader, part)| reader.join().unwrap_or_else(|_| read(part))).collect()
    })
}

/// The files below a folder that say something about Puppet code.
fn find(root: &FilePath, settings: &ScanSettings, stop: &StopFlag) -> Vec<(FilePath, PathBuf)> {
    let root = PathBuf::from(root.to_native());
    let excluded: Arc<[PathBuf]> = settings.excluded.iter().map(|it| root.join(it)).collect();
    let mut seen = HashSet::new();
    let mut found = Vec::new();
    let mut take = |path: &Path| {
        let Some(file) = path.to_str().and_then(FilePath::from_native) else { return };
        if ide::is_interesting(&file) && seen.insert(file.clone()) {
            found.push((file, path.to_owned()));
        }
    };
    walk(&root, true, &excluded, stop, &mut take);
    let usual = MODULE_FOLDERS.iter().map(|it| root.join(it)).chain([root.join("spec/fixtures/modules")]);
    for folder in usual.chain(settings.module_folders.iter().map(|it| root.join(it))) {
        if folder.is_dir() {
            walk(&folder, false, &excluded, stop, &mut take);
        }
    }
    found
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

fn walk(
    folder: &Path,
    respect_ignore_files: bool,
    excluded: &Arc<[PathBuf]>,
    stop: &StopFlag,
    take: &mut impl FnMut(&Path),
) {
    let excluded = Arc::clone(excluded);
    let root = folder.canonicalize().ok();
    let mut walk = WalkBuilder::new(folder);
    walk.standard_filters(respect_ignore_files).hidden(false).follow_links(true);
    walk.filter_entry(move |entry| {
        let is_excluded = excluded.iter().any(|it| entry.path() == it);
        is_visible(entry) && !is_excluded && !is_needless_link(entry, root.as_deref())
    });
    for entry in walk.build() {
        if stop.is_stopped() {
            return;
        }
        match entry {
            Ok(entry) if entry.file_type().is_some_and(|it| !it.is_dir()) => take(entry.path()),
            Ok(_) => {}
            // A link to a folder around it.
            Err(error) if is_loop(&error) => {}
            Err(error) => tracing::warn!("while reading {}: {error}", folder.display()),
        }
    }
}

/// Hidden files count where modules hand them out, and where they say what a module needs.
fn is_visible(entry: &DirEntry) -> bool {
    let name = entry.file_name().to_string_lossy();
    if entry.depth() == 0 || !name.starts_with('.') || name == ".fixtures.yml" || name == ".modules" {
        return true;
    }
    let mut folders = entry.path().ancestors().skip(1).take(entry.depth());
    name != ".git" && folders.any(|it| it.file_name().is_some_and(|it| it == "files" || it == "templates"))
}

/// Tests have links to the modules they use; those that are read anyway, by their own paths, are read once.
fn is_needless_link(entry: &DirEntry, root: Option<&Path>) -> bool {
    if !entry.path_is_symlink() || !entry.path().ancestors().skip(1).any(|it| it.ends_with("spec/fixtures")) {
        return false;
    }
    let target = entry.path().canonicalize();
    root.is_some_and(|root| target.is_ok_and(|target| target.starts_with(root) || root.starts_with(&target)))
}

fn is_loop(error: &ignore::Error) -> bool {
    match error {
        ignore::Error::Loop { .. } => true,
        ignore::Error::WithPath { err, .. } | ignore::Error::WithDepth { err, .. } => is_loop(err),
        _ => false,
    }
}
