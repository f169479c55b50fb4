//! Reading files from disk, in the background.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use ide::{DiskState, FilePath};
use ignore::{DirEntry, WalkBuilder};

/// How many files are read before they are handed over. Each batch is as large as all before it: what a batch costs
/// grows with the files that are known already.
const FIRST_BATCH: usize = 256;

/// Files with more bytes are not even read.
const LARGEST_FILE: u64 = 256 << 20;

/// Folders of a control repository that hold modules. Others install them there, so they are often in ignore files.
const MODULE_FOLDERS: &[&str] = &["modules", "site-modules", "site", "dist", "environments"];

/// Tells a scan to stop.
#[derive(Clone, Default)]
pub(super) struct StopFlag(Arc<AtomicBool>);

impl StopFlag {
    pub(super) fn stop(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    pub(super) fn is_stopped(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// What is on disk at a path.
pub(super) fn read_file(file: &FilePath, path: &Path) -> DiskState {
    if let Ok(metadata) = std::fs::metadata(path) {
        if metadata.is_file() && !ide::wants_text(file, metadata.len()) {
            return DiskState::Unread;
        }
        if metadata.len() > LARGEST_FILE {
            return DiskState::Unreadable("it is too large".to_owned());
        }
    }
    match std::fs::read(path) {
        Ok(bytes) => match String::from_utf8(bytes) {
            Ok(text) => DiskState::Text(text.into()),
            Err(_) => DiskState::NotUtf8,
        },
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => DiskState::Missing,
        // A folder that is called like a file.
        Err(_) if path.is_dir() => DiskState::Missing,
        Err(error) => DiskState::Unreadable(error.to_string()),
    }
}

/// Reads all wanted files below a folder and hands them over in batches. Ignore files count, except in the folders that
/// hold modules (`more_folders` are such folders too).
pub(super) fn scan(
    root: &FilePath,
    more_folders: &[String],
    stop: &StopFlag,
    mut hand_over: impl FnMut(Vec<(FilePath, DiskState)>),
) {
    let _span = tracing::info_span!("scan", root = root.as_str()).entered();
    let root = PathBuf::from(root.to_native());
    let mut seen = HashSet::new();
    let mut batch = Vec::new();
    let mut batch_size = FIRST_BATCH;
    let mut take = |path: &Path| {
        let Some(file) = path.to_str().and_then(FilePath::from_native) else { return };
        if !ide::is_interesting(&file) || !seen.insert(file.clone()) {
            return;
        }
        let state = read_file(&file, path);
        batch.push((file, state));
        if batch.len() >= batch_size {
            batch_size = seen.len();
            hand_over(std::mem::take(&mut batch));
        }
    };
    walk(&root, true, stop, &mut take);
    let fixed = MODULE_FOLDERS.iter().map(|it| root.join(it));
    for folder in fixed.chain(more_folders.iter().map(|it| root.join(it))) {
        if folder.is_dir() {
            walk(&folder, false, stop, &mut take);
        }
    }
    if !batch.is_empty() {
        hand_over(batch);
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

fn walk(folder: &Path, respect_ignore_files: bool, stop: &StopFlag, take: &mut impl FnMut(&Path)) {
    let mut walk = WalkBuilder::new(folder);
    walk.standard_filters(respect_ignore_files).hidden(false).filter_entry(is_visible);
    for entry in walk.build() {
        if stop.is_stopped() {
            return;
        }
        match entry {
            Ok(entry) if entry.file_type().is_some_and(|it| !it.is_dir()) => take(entry.path()),
            Ok(_) => {}
            Err(error) => tracing::warn!("while reading {}: {error}", folder.display()),
        }
    }
}
