//! Finding the files below a folder that say something about Puppet code, and reading them.

use std::collections::HashSet;
use std::path::{Component, Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use ide::{DiskState, FilePath};
use walkdir::{DirEntry, WalkDir};

use crate::door::{self, ReadFailure, TrustedFolders};
use crate::ignored::{IgnoreFiles, IgnoreRules};
use crate::{MODULE_FOLDERS, read_admitted, state_of_failure};

/// How many files are read before they are handed over. Each batch is as large as all before it: what a batch costs
/// grows with the files that are known already.
const FIRST_BATCH: usize = 256;

/// So many files and folders are looked at below one folder.
const MOST_ENTRIES: usize = 2_000_000;

/// Files at a root that say what its code means, whatever ignore files say of them.
const CONFIGURATION_FILES: [&str; 5] =
    ["environment.conf", "hiera.yaml", "metadata.json", "Puppetfile", "bolt-project.yaml"];

/// Folders of data, which are read whatever ignore files say of them.
const DATA_FOLDERS: [&str; 3] = ["data", "hieradata", "hiera"];

/// Of a module, the folders in which there is what other files name.
const FIRST_FOLDERS: [&str; 6] = ["manifests", "functions", "types", "plans", "lib", "data"];

/// For an open file, so many words of it are looked for, so many modules are read first, and so many files, one module more
/// or less.
const MOST_WORDS: usize = 1000;
const MOST_FIRST_MODULES: usize = 50;
const MOST_FIRST_FILES: usize = 2000;

/// How many threads read files at a time.
const MOST_READERS: usize = 4;

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
    scan_beside(root, settings, stop, |_| false, hand_over)
}

/// The same without the files that are known already.
pub fn scan_beside(
    root: &FilePath,
    settings: &ScanSettings,
    stop: &StopFlag,
    is_known: impl Fn(&FilePath) -> bool,
    mut hand_over: impl FnMut(Vec<(FilePath, DiskState)>),
) -> Vec<NotRead> {
    let _span = tracing::info_span!("scan", root = root.as_str()).entered();
    let Found { mut files, refused, not_read, .. } = find(root, settings, stop);
    files.retain(|(file, _)| !is_known(file));
    if !refused.is_empty() && !stop.is_stopped() {
        hand_over(refused);
    }
    let mut rest = files.as_slice();
    let mut batch_size = FIRST_BATCH;
    while !rest.is_empty() && !stop.is_stopped() {
        let (batch, after) = rest.split_at(batch_size.min(rest.len()));
        rest = after;
        hand_over(read_files(batch));
        batch_size = files.len() - rest.len();
    }
    not_read
}

/// Reads files in the order of the list, several at a time.
fn read_files(files: &[(FilePath, PathBuf)]) -> Vec<(FilePath, DiskState)> {
    let threads = std::thread::available_parallelism().map_or(1, |it| it.get()).min(MOST_READERS);
    let read = |files: &[(FilePath, PathBuf)]| -> Vec<_> {
        files.iter().map(|(file, path)| (file.clone(), read_admitted(file, path))).collect()
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
    let walk = FolderWalk::new(&root, settings, &stop);
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
        if found.files.len() > MOST_FIRST_FILES {
            break;
        }
    }
    read_files(&found.files)
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
        text.split(|c| !is_of_word(c)).filter(|it| !it.is_empty() && seen.insert(*it)).take(MOST_WORDS);
    let others = words.flat_map(|word| places.iter().map(move |it| it.join(word)).find(|it| it.is_dir()));
    own.map(Path::to_owned).into_iter().chain(others).take(MOST_FIRST_MODULES).collect()
}

/// What lies below a folder.
#[derive(Default)]
struct Found {
    /// The files that say something about Puppet code.
    files: Vec<(FilePath, PathBuf)>,
    /// Those that are there, but may not be read.
    refused: Vec<(FilePath, DiskState)>,
    not_read: Vec<NotRead>,
    seen: HashSet<FilePath>,
}

impl Found {
    /// A file is there, and may not be read for this reason.
    fn take(&mut self, path: &Path, failure: Option<ReadFailure>) {
        let Some(file) = path.to_str().and_then(FilePath::from_native) else { return };
        if !ide::is_interesting(&file) || !self.seen.insert(file.clone()) {
            return;
        }
        match failure {
            None => self.files.push((file, path.to_owned())),
            Some(failure) => self.refused.push((file, state_of_failure(path, failure))),
        }
    }
}

fn find(root: &FilePath, settings: &ScanSettings, stop: &StopFlag) -> Found {
    let root = PathBuf::from(root.to_native());
    let mut found = Found::default();
    let walk = FolderWalk::new(&root, settings, stop);
    let is_all = walk.below(&root, !settings.reads_ignored, &mut found);
    walk.configuration(&root, &mut found);
    for folder in folders_read_anyhow(&root, settings) {
        let is_excluded = walk.excluded.iter().any(|it| folder.starts_with(it));
        let is_known = is_all && is_plain_folder(&root, &folder);
        if !is_excluded && !is_known && folder.is_dir() && walk.may_enter(&folder) {
            walk.below(&folder, false, &mut found);
        }
    }
    for NotRead { path, reason } in walk.closed.into_inner().unwrap_or_else(PoisonError::into_inner) {
        let folder = path.to_str().and_then(FilePath::from_native);
        found.refused.extend(folder.map(|it| (it, DiskState::Unreadable(reason))));
    }
    found.not_read = walk.not_read.into_inner().unwrap_or_else(PoisonError::into_inner);
    found
}

/// The folders of modules and data, which are read whatever ignore files say of them.
fn folders_read_anyhow(root: &Path, settings: &ScanSettings) -> Vec<PathBuf> {
    let usual = MODULE_FOLDERS.iter().chain(&DATA_FOLDERS).copied().chain(["spec/fixtures/modules"]);
    usual.chain(settings.module_folders.iter().map(String::as_str)).map(|it| root.join(it)).collect()
}

/// Does a walk through the root that leaves nothing out see all that one through this folder would? Hidden folders and links in
/// fixtures are looked at differently where a walk begins.
fn is_plain_folder(root: &Path, folder: &Path) -> bool {
    let is_plain = |part: Component<'_>| matches!(part, Component::Normal(name) if !name.as_encoded_bytes().starts_with(b".") && name != "fixtures");
    folder.strip_prefix(root).is_ok_and(|below| below.components().all(is_plain))
}

/// How folders are walked.
struct FolderWalk<'s> {
    excluded: Arc<[PathBuf]>,
    trusted: TrustedFolders,
    stop: &'s StopFlag,
    not_read: Mutex<Vec<NotRead>>,
    /// The folders in which there is what nobody knows.
    closed: Mutex<Vec<NotRead>>,
}

impl FolderWalk<'_> {
    fn new<'s>(root: &Path, settings: &ScanSettings, stop: &'s StopFlag) -> FolderWalk<'s> {
        FolderWalk {
            excluded: settings.excluded.iter().map(|it| root.join(it)).collect(),
            trusted: settings.trusted.clone(),
            stop,
            not_read: Mutex::default(),
            closed: Mutex::default(),
        }
    }

    /// Takes the files of a folder that say what its code means.
    fn configuration(&self, folder: &Path, found: &mut Found) {
        for path in CONFIGURATION_FILES.map(|name| folder.join(name)).into_iter().filter(|it| it.exists()) {
            found.take(&path, self.trusted.admit(&path).err());
        }
    }

    fn pass_over(&self, path: &Path, reason: impl Into<String>) {
        let not_read = NotRead { path: path.to_owned(), reason: reason.into() };
        let mut all = self.not_read.lock().unwrap_or_else(PoisonError::into_inner);
        if !all.contains(&not_read) {
            all.push(not_read);
        }
    }

    /// May a folder be entered that is not there by itself, but because it was named, or a link leads there?
    fn may_enter(&self, folder: &Path) -> bool {
        match self.trusted.admit(folder) {
            Ok(_) => true,
            Err(failure) => {
                self.pass_over(folder, failure.to_string());
                false
            }
        }
    }

    /// Takes the files below a folder, and those of them that may not be read with the reason. Were those all there are, but for
    /// what is excluded?
    fn below(&self, folder: &Path, respect_ignore_files: bool, found: &mut Found) -> bool {
        let mut is_all = true;
        let boundary = Boundary::new(folder, &self.trusted, &self.excluded);
        let ignored = respect_ignore_files.then(|| IgnoreFiles::below(folder, IGNORE_RULES));
        let walk = WalkDir::new(folder).follow_links(true).into_iter().filter_entry(|entry| {
            if !is_visible(entry) || !boundary.is_inside(entry) {
                return false;
            }
            let is_ignored = ignored.as_ref().is_some_and(|it| it.name_entry(entry));
            is_all &= !is_ignored;
            !is_ignored
        });
        for entry in walk {
            if self.stop.is_stopped() {
                break;
            }
            match entry {
                Ok(entry) if !entry.file_type().is_dir() => {
                    let is_link = entry.path_is_symlink();
                    let failure = if is_link { self.trusted.admit(entry.path()).err() } else { None };
                    found.take(entry.path(), failure);
                }
                Ok(_) => {}
                // A link to a folder around it.
                Err(error) if error.loop_ancestor().is_some() => {}
                Err(error) => match link_to_nowhere(&error) {
                    Some(link) => found.take(link, self.trusted.admit(link).err()),
                    None => tracing::warn!("while reading {}: {error}", folder.display()),
                },
            }
            if boundary.entries.load(Ordering::Relaxed) > MOST_ENTRIES {
                self.pass_over(
                    folder,
                    format!("only the first {MOST_ENTRIES} files and folders in it were looked at"),
                );
                is_all = false;
                break;
            }
        }
        for (path, reason) in boundary.passed_over.lock().unwrap_or_else(PoisonError::into_inner).drain(..) {
            if reason != LEADS_AROUND {
                let mut closed = self.closed.lock().unwrap_or_else(PoisonError::into_inner);
                closed.push(NotRead { path: path.clone(), reason: reason.clone() });
            }
            self.pass_over(&path, reason);
            is_all = false;
        }
        for (path, failure) in ignored.iter().flat_map(|it| it.not_read()) {
            self.pass_over(&path, failure.to_string());
        }
        is_all
    }
}

/// As for Git: its files count in its repositories only.
const IGNORE_RULES: IgnoreRules = IgnoreRules { reads_plain: true, from_parents: true, requires_git: true };

/// Why a link is not followed behind which there is only what is read anyhow.
const LEADS_AROUND: &str = "it leads to a folder around it";

/// Where a walk ends.
struct Boundary {
    /// The folder that is walked, without links.
    root: Option<PathBuf>,
    device: Option<u64>,
    excluded: Arc<[PathBuf]>,
    trusted: TrustedFolders,
    /// The links that were followed.
    followed: Mutex<Vec<PathBuf>>,
    passed_over: Mutex<Vec<(PathBuf, String)>>,
    /// How many files and folders were looked at.
    entries: AtomicUsize,
}

impl Boundary {
    fn new(folder: &Path, trusted: &TrustedFolders, excluded: &Arc<[PathBuf]>) -> Boundary {
        let root = folder.canonicalize().ok();
        Boundary {
            device: root.as_deref().and_then(device),
            root,
            excluded: Arc::clone(excluded),
            trusted: trusted.clone(),
            followed: Mutex::default(),
            passed_over: Mutex::default(),
            entries: AtomicUsize::new(0),
        }
    }

    fn is_inside(&self, entry: &DirEntry) -> bool {
        if self.entries.fetch_add(1, Ordering::Relaxed) > MOST_ENTRIES {
            return false;
        }
        let path = entry.path();
        if self.excluded.iter().any(|it| path == it) || is_needless_link(entry, self.root.as_deref()) {
            return false;
        }
        if !entry.file_type().is_dir() || entry.depth() == 0 {
            return true;
        }
        match self.refusal(entry) {
            None => true,
            Some(reason) => {
                let mut all = self.passed_over.lock().unwrap_or_else(PoisonError::into_inner);
                all.push((path.to_owned(), reason));
                false
            }
        }
    }

    /// Why a folder is not entered.
    fn refusal(&self, entry: &DirEntry) -> Option<String> {
        let path = entry.path();
        if entry.path_is_symlink() {
            let target = match self.trusted.admit(path).map(|path| path.canonicalize()) {
                Ok(Ok(target)) => target,
                Ok(Err(error)) => return Some(error.to_string()),
                Err(failure) => return Some(failure.to_string()),
            };
            if door::is_system_folder(&target) {
                return Some("it leads to files of the system".to_owned());
            }
            if self.root.as_ref().is_some_and(|root| root.starts_with(&target)) {
                return Some(LEADS_AROUND.to_owned());
            }
            self.followed.lock().unwrap_or_else(PoisonError::into_inner).push(path.to_owned());
            return None;
        }
        if door::is_system_folder(path) {
            return Some("it holds files of the system".to_owned());
        }
        let is_other = device(path).zip(self.device).is_some_and(|(here, root)| here != root);
        let is_behind_link = || {
            let followed = self.followed.lock().unwrap_or_else(PoisonError::into_inner);
            followed.iter().any(|link| path.starts_with(link))
        };
        (is_other && !is_behind_link()).then(|| "it lies on another file system".to_owned())
    }
}

/// The file system that a folder lies on.
#[cfg(unix)]
fn device(folder: &Path) -> Option<u64> {
    use std::os::unix::fs::MetadataExt;
    std::fs::metadata(folder).ok().map(|it| it.dev())
}

#[cfg(not(unix))]
fn device(_folder: &Path) -> Option<u64> {
    None
}

/// The hidden files that say which modules a module or a control repository needs, and where they lie.
const TOLD_BY_HIDDEN_FILES: [&str; 4] = [".fixtures.yml", ".fixtures.yaml", ".gitmodules", ".modules"];

/// Hidden files count where modules hand them out, and where they say what is needed.
fn is_visible(entry: &DirEntry) -> bool {
    let name = entry.file_name().to_string_lossy();
    if entry.depth() == 0 || !name.starts_with('.') || TOLD_BY_HIDDEN_FILES.contains(&&*name) {
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

/// The link that a walk could not follow, if that is why it failed.
fn link_to_nowhere(error: &walkdir::Error) -> Option<&Path> {
    error.path().filter(|path| path.is_symlink() && !path.exists())
}

#[cfg(test)]
#[path = "scan_tests.rs"]
mod tests;
