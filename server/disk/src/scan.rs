//! Scans: reading the relevant files below a folder.

use std::borrow::Cow;
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use ide::{DiskState, FilePath};

use crate::folders::Folders;
use crate::ignored::IgnoreFiles;
use crate::index::{FolderIndex, IndexUpdate, KnownTexts, ReadText, TextsFile};
use crate::path_policy::TrustedFolders;
use crate::stamp::Stamp;
use crate::walk::{
    FolderWalk, Found, FoundFile, IGNORE_RULES, KnownWalk, find, unignored_folders, walk_settings,
};
use crate::{FileClock, ReadFile, read_admitted, read_or_reuse, threads, usual_module_folders};

/// Number of files in the first batch. Each later batch is as large as all before it, because the cost of a
/// batch grows with the number of known files.
const FIRST_BATCH: usize = 256;

/// Folders of a module with definitions that other files refer to.
const FIRST_FOLDERS: [&str; 6] = ["manifests", "functions", "types", "plans", "lib", "data"];

/// Maximum number of words of an open file that are looked up as module names.
const MAX_WORDS: usize = 1000;

/// Maximum number of modules that are read first for an open file.
const MAX_FIRST_MODULES: usize = 50;

/// Number of files read first for an open file after which no further module is added.
const MAX_FIRST_FILES: usize = 2000;

/// Flag that cancels a scan.
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

/// An existing path that a scan skipped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotRead {
    pub path: PathBuf,
    pub reason: String,
}

/// Settings of a scan. Paths are absolute, or relative to the scanned folder.
#[derive(Clone, Default)]
pub struct ScanSettings {
    /// Additional folders that contain modules.
    pub module_folders: Vec<String>,
    /// Paths to skip.
    pub excluded: Vec<String>,
    /// Folders that may be read.
    pub trusted: TrustedFolders,
    /// Disables ignore files, because the scanned folder itself contains modules.
    pub reads_ignored: bool,
    /// Clock that decides which files have changed just now.
    pub clock: FileClock,
}

/// Reads all relevant files below a folder and passes them to `hand_over` in batches. Returns the paths that
/// were skipped because they may not be read.
///
/// Ignore files only apply to files that are checked: not to folders of modules or data, nor to configuration
/// files.
pub fn scan(
    root: &FilePath,
    settings: &ScanSettings,
    stop: &StopFlag,
    hand_over: impl FnMut(Vec<(FilePath, DiskState)>),
) -> Vec<NotRead> {
    scan_others(root, settings, &Folders::default(), stop, |_| false, hand_over)
}

/// Like [`scan`], but skips files that are already known and reuses the listings of earlier walks.
pub fn scan_others(
    root: &FilePath,
    settings: &ScanSettings,
    folders: &Folders,
    stop: &StopFlag,
    is_known: impl Fn(&FilePath) -> bool,
    mut hand_over: impl FnMut(Vec<(FilePath, DiskState)>),
) -> Vec<NotRead> {
    let _span = tracing::info_span!("scan", root = root.as_str()).entered();
    let Found { mut files, refused, not_read, .. } = find(root, settings, folders, stop);
    files.retain(|it| !is_known(&it.file));
    if !refused.is_empty() && !stop.is_stopped() {
        hand_over(refused);
    }
    read_batches(&files, None, settings.clock, stop, |batch| {
        hand_over(batch.into_iter().map(|(file, read)| (file, read.state)).collect());
    });
    not_read
}

/// A folder that is scanned repeatedly.
pub struct ScannedFolder {
    root: FilePath,
    settings: ScanSettings,
    /// The last walk, if every change of what it depends on is detectable.
    known: Mutex<Option<KnownWalk>>,
}

impl ScannedFolder {
    pub fn new(root: FilePath, settings: ScanSettings) -> ScannedFolder {
        ScannedFolder { root, settings, known: Mutex::default() }
    }

    /// Returns the stamps of the files that [`scan`] would read. The folder is walked only if something has changed
    /// since the last call.
    pub fn stamps(&self) -> Vec<(FilePath, Stamp)> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(files) = known.as_ref().and_then(|it| it.files(&self.settings)) {
            return stamps(files, |it| (it, Cow::Owned(PathBuf::from(it.to_native()))));
        }
        let start = self.settings.clock.now();
        let mut found = find(&self.root, &self.settings, &Folders::default(), &StopFlag::default());
        *known = found.known(&self.root, &self.settings, start);
        stamps(&found.files, |it| (&it.file, it.path()))
    }
}

/// Returns the stamps of the files that exist.
fn stamps<T: Sync>(
    files: &[T],
    paths: impl Fn(&T) -> (&FilePath, Cow<'_, Path>) + Sync,
) -> Vec<(FilePath, Stamp)> {
    let stamp = |it: &T| {
        let (file, path) = paths(it);
        Some((file.clone(), Stamp::of(&std::fs::metadata(path).ok()?)))
    };
    threads::map(files, |files| files.iter().filter_map(stamp).collect())
}

/// Like [`scan`], but reuses the index of the folder in `cache`. Also returns the new contents of the index,
/// which take some time to write.
pub fn scan_with_index(
    root: &FilePath,
    settings: &ScanSettings,
    cache: &Path,
    stop: &StopFlag,
    mut hand_over: impl FnMut(Vec<(FilePath, DiskState)>),
) -> (Vec<NotRead>, Option<IndexUpdate>) {
    let _span = tracing::info_span!("scan", root = root.as_str()).entered();
    let start = settings.clock.now();
    let index = FolderIndex::of(cache, root);
    let walk_settings = walk_settings(settings);
    let (texts, known_files) = std::thread::scope(|scope| {
        let texts = scope.spawn(|| index.texts());
        let files = index.files(&walk_settings);
        (texts.join().unwrap_or_default(), files)
    });
    let known = texts.as_ref().map(TextsFile::known);
    let (files, not_read, walk) = match known_files {
        Some(files) => (files, Vec::new(), None),
        None => {
            let mut found = find(root, settings, &Folders::default(), stop);
            if !found.refused.is_empty() && !stop.is_stopped() {
                hand_over(std::mem::take(&mut found.refused));
            }
            let walk = found.finished(root, settings, start).map(|walk| (walk, walk_settings));
            (found.files, found.not_read, walk)
        }
    };
    let (mut read_texts, mut kept) = (Vec::new(), 0);
    read_batches(&files, known.as_ref(), settings.clock, stop, |batch| {
        for (path, read) in &batch {
            if let Some(stamp) = read.stamp {
                read_texts.push(ReadText { path: path.clone(), stamp, state: read.state.clone() });
                kept += usize::from(read.is_kept);
            }
        }
        hand_over(batch.into_iter().map(|(file, read)| (file, read.state)).collect());
    });
    (not_read, (!stop.is_stopped()).then(|| index.update(walk, read_texts, kept)))
}

/// Reads files in batches, reusing texts from the index that are still up to date.
fn read_batches(
    files: &[FoundFile],
    known: Option<&KnownTexts<'_>>,
    clock: FileClock,
    stop: &StopFlag,
    mut hand_over: impl FnMut(Vec<(FilePath, ReadFile)>),
) {
    let mut rest = files;
    let mut batch_size = FIRST_BATCH;
    while !rest.is_empty() && !stop.is_stopped() {
        let (batch, after) = rest.split_at(batch_size.min(rest.len()));
        rest = after;
        let read = |found: &FoundFile| {
            let read = if found.is_regular && !ide::needs_text(&found.file, 0) {
                DiskState::Unread.into()
            } else {
                read_or_reuse(&found.file, &found.path(), known, clock)
            };
            (found.file.clone(), read)
        };
        hand_over(threads::map(batch, |files| files.iter().map(read).collect()));
        batch_size = if known.is_some() { rest.len() } else { files.len() - rest.len() };
    }
}

/// Reads the most important files for an open file while its folder is still being scanned: its own module,
/// and the modules whose names occur in its text.
pub fn read_first(
    root: &FilePath,
    settings: &ScanSettings,
    file: &FilePath,
    text: &str,
) -> Vec<(FilePath, DiskState)> {
    let _span = tracing::info_span!("read_first", file = file.as_str()).entered();
    let stop = StopFlag::default();
    let root = PathBuf::from(root.to_native());
    let mut found = Found::default();
    let folders_on_disk = Folders::default();
    let walk = FolderWalk::new(&root, settings, &folders_on_disk, &stop);
    let ignored = IgnoreFiles::below(&root, IGNORE_RULES);
    let file = PathBuf::from(file.to_native());
    let folders: Vec<&Path> = file.ancestors().skip(1).take_while(|it| it.starts_with(&root)).collect();
    let modules = first_modules(&root, settings, &folders, text);
    for folder in folders {
        walk.configuration(folder, &mut found);
    }
    let never_ignored = unignored_folders(&root, settings);
    for module in modules {
        let reads_ignored = settings.reads_ignored || never_ignored.iter().any(|it| module.starts_with(it));
        let mut around = module.ancestors().take_while(|it| **it != root);
        let is_excluded = walk.excluded.iter().any(|it| module.starts_with(it))
            || !reads_ignored && around.any(|it| ignored.is_ignored(it, true));
        if is_excluded || !walk.may_enter(&module) {
            continue;
        }
        walk.configuration(&module, &mut found);
        for folder in FIRST_FOLDERS.map(|name| module.join(name)).into_iter().filter(|it| it.is_dir()) {
            walk.below(&folder, false, &mut found);
        }
        if found.files.len() > MAX_FIRST_FILES {
            break;
        }
    }
    threads::map(&found.files, |files| {
        files.iter().map(|it| (it.file.clone(), read_admitted(&it.file, &it.path()))).collect()
    })
}

/// Returns the module that contains `folders` (innermost first), followed by those whose name is a word of
/// `text`.
fn first_modules(root: &Path, settings: &ScanSettings, folders: &[&Path], text: &str) -> Vec<PathBuf> {
    let is_loaded =
        |it: &&&Path| it.file_name().is_some_and(|name| FIRST_FOLDERS.iter().any(|it| name == *it));
    let own = folders.iter().rfind(is_loaded).and_then(|it| it.parent()).filter(|it| it.starts_with(root));
    let siblings = own.and_then(Path::parent).filter(|it| it.starts_with(root));
    let usual = folders.iter().flat_map(|folder| usual_module_folders().map(|name| folder.join(name)));
    let named = settings.module_folders.iter().map(|it| root.join(it));
    let module_folders: Vec<PathBuf> =
        siblings.map(Path::to_owned).into_iter().chain(usual).chain(named).filter(|it| it.is_dir()).collect();
    let is_of_word = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
    let mut seen = HashSet::new();
    let words =
        text.split(|c| !is_of_word(c)).filter(|it| !it.is_empty() && seen.insert(*it)).take(MAX_WORDS);
    let others =
        words.flat_map(|word| module_folders.iter().map(move |it| it.join(word)).find(|it| it.is_dir()));
    own.map(Path::to_owned).into_iter().chain(others).take(MAX_FIRST_MODULES).collect()
}

#[cfg(test)]
#[path = "scan_tests.rs"]
mod tests;
