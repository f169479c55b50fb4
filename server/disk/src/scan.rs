//! Reading the files below a folder that say something about Puppet code.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::SystemTime;

use ide::{DiskState, FilePath};

use crate::folders::Folders;
use crate::ignored::IgnoreFiles;
use crate::index::{FolderIndex, KnownTexts, ReadText, TextsFile, ToKeep};
use crate::path_policy::TrustedFolders;
use crate::walk::{FolderWalk, Found, FoundFile, IGNORE_RULES, find, folders_read_anyhow, walk_settings};
use crate::{MODULE_FOLDERS, ReadFile, read_admitted, read_again, threads};

/// How many files are read before they are handed over. Each batch is as large as all before it: what a batch costs
/// grows with the files that are known already.
const FIRST_BATCH: usize = 256;

/// Of a module, the folders in which there is what other files name.
const FIRST_FOLDERS: [&str; 6] = ["manifests", "functions", "types", "plans", "lib", "data"];

/// For an open file, so many words of it are looked for, so many modules are read first, and so many files, one module more
/// or less.
const MAX_WORDS: usize = 1000;
const MAX_FIRST_MODULES: usize = 50;
const MAX_FIRST_FILES: usize = 2000;

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

/// What a scan has passed over, though it is there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotRead {
    pub path: PathBuf,
    pub reason: String,
}

/// What a scan has to know of the settings: paths that are relative to the folder it reads, or absolute.
#[derive(Clone, Default)]
pub struct ScanSettings {
    /// Folders that hold modules, beside the usual ones.
    pub module_folders: Vec<String>,
    /// What is as good as absent.
    pub excluded: Vec<String>,
    /// What may be read.
    pub trusted: TrustedFolders,
    /// Do ignore files not count, as the folder itself holds modules?
    pub reads_ignored: bool,
}

/// Reads all files below a folder that say something about Puppet code and hands them over in batches. Ignore files
/// count for what is judged only, so not in the folders that hold modules or data, nor for what says what code means. Gives
/// what was passed over because it may not be read.
pub fn scan(
    root: &FilePath,
    settings: &ScanSettings,
    stop: &StopFlag,
    hand_over: impl FnMut(Vec<(FilePath, DiskState)>),
) -> Vec<NotRead> {
    scan_beside(root, settings, (&Folders::default(), stop), |_| false, hand_over)
}

/// The same without the files that are known already, for one who has walked through some folders already.
pub fn scan_beside(
    root: &FilePath,
    settings: &ScanSettings,
    (folders, stop): (&Folders, &StopFlag),
    is_known: impl Fn(&FilePath) -> bool,
    mut hand_over: impl FnMut(Vec<(FilePath, DiskState)>),
) -> Vec<NotRead> {
    let _span = tracing::info_span!("scan", root = root.as_str()).entered();
    let Found { mut files, refused, not_read, .. } = find(root, settings, folders, stop);
    files.retain(|it| !is_known(&it.file));
    if !refused.is_empty() && !stop.is_stopped() {
        hand_over(refused);
    }
    read_batches(&files, None, stop, |batch| {
        hand_over(batch.into_iter().map(|(file, read)| (file, read.state)).collect());
    });
    not_read
}

/// The same as [`scan`] of a folder of which something may be kept since the last time, below the folder of the cache. Gives also
/// what is to be kept from now on, which takes its time to write.
pub fn scan_again(
    root: &FilePath,
    settings: &ScanSettings,
    cache: &Path,
    stop: &StopFlag,
    mut hand_over: impl FnMut(Vec<(FilePath, DiskState)>),
) -> (Vec<NotRead>, Option<ToKeep>) {
    let _span = tracing::info_span!("scan", root = root.as_str()).entered();
    let start = SystemTime::now();
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
    read_batches(&files, known.as_ref(), stop, |batch| {
        for (path, read) in &batch {
            if let Some(stamp) = read.stamp {
                read_texts.push(ReadText { path: path.clone(), stamp, state: read.state.clone() });
                kept += usize::from(read.is_kept);
            }
        }
        hand_over(batch.into_iter().map(|(file, read)| (file, read.state)).collect());
    });
    (not_read, (!stop.is_stopped()).then(|| index.keeping(walk, read_texts, kept)))
}

/// Reads files, by what is known of their texts where that is still true, and hands them over in batches.
fn read_batches(
    files: &[FoundFile],
    known: Option<&KnownTexts<'_>>,
    stop: &StopFlag,
    mut hand_over: impl FnMut(Vec<(FilePath, ReadFile)>),
) {
    let mut rest = files;
    let mut batch_size = FIRST_BATCH;
    while !rest.is_empty() && !stop.is_stopped() {
        let (batch, after) = rest.split_at(batch_size.min(rest.len()));
        rest = after;
        let read = |found: &FoundFile| {
            let read = match found.is_regular && !ide::wants_text(&found.file, 0) {
                true => DiskState::Unread.into(),
                false => read_again(&found.file, &found.path(), known),
            };
            (found.file.clone(), read)
        };
        hand_over(threads::map(batch, |files| files.iter().map(read).collect()));
        batch_size = if known.is_some() { rest.len() } else { files.len() - rest.len() };
    }
}

/// Reads what is needed first of a folder that is still being read, for a file in it that is open: what is there of its own
/// module and of those that have the name of a word of its text.
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
    let never_ignored = folders_read_anyhow(&root, settings);
    for module in modules {
        let reads_ignored = settings.reads_ignored || never_ignored.iter().any(|it| module.starts_with(it));
        let mut around = module.ancestors().take_while(|it| **it != root);
        let is_left_out = walk.excluded.iter().any(|it| module.starts_with(it))
            || !reads_ignored && around.any(|it| ignored.name(it, true));
        if is_left_out || !walk.may_enter(&module) {
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

/// The module that folders lie in, innermost first, and then those with the name of a word.
fn first_modules(root: &Path, settings: &ScanSettings, folders: &[&Path], text: &str) -> Vec<PathBuf> {
    let is_loaded =
        |it: &&&Path| it.file_name().is_some_and(|name| FIRST_FOLDERS.iter().any(|it| name == *it));
    let own = folders.iter().rfind(is_loaded).and_then(|it| it.parent()).filter(|it| it.starts_with(root));
    let beside = own.and_then(Path::parent).filter(|it| it.starts_with(root));
    let usual = folders.iter().flat_map(|folder| MODULE_FOLDERS.iter().map(|name| folder.join(name)));
    let named = settings.module_folders.iter().map(|it| root.join(it));
    let places: Vec<PathBuf> =
        beside.map(Path::to_owned).into_iter().chain(usual).chain(named).filter(|it| it.is_dir()).collect();
    let is_of_word = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
    let mut seen = HashSet::new();
    let words =
        text.split(|c| !is_of_word(c)).filter(|it| !it.is_empty() && seen.insert(*it)).take(MAX_WORDS);
    let others = words.flat_map(|word| places.iter().map(move |it| it.join(word)).find(|it| it.is_dir()));
    own.map(Path::to_owned).into_iter().chain(others).take(MAX_FIRST_MODULES).collect()
}

#[cfg(test)]
#[path = "scan_tests.rs"]
mod tests;
