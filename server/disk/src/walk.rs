//! Finding the files below a folder that say something about Puppet code: which folders are entered, which links followed.

use std::borrow::Cow;
use std::collections::HashSet;
use std::fs::Metadata;
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

use crate::folders::{Entry, Folders, Links, MAX_ENTRIES, WalkFailure};
use crate::ignored::{self, IgnoreFiles, IgnoreRules};
use crate::index::{FinishedWalk, Witness};
use crate::path_policy::{self, ReadFailure, TrustedFolders};
use crate::scan::{NotRead, ScanSettings, StopFlag};
use crate::stamp::Stamp;
use crate::{MODULE_FOLDERS, state_of_failure};
use ide::{DiskState, FilePath};

/// Files at a root that say what its code means, whatever ignore files say of them.
const CONFIGURATION_FILES: [&str; 5] =
    ["environment.conf", "hiera.yaml", "metadata.json", "Puppetfile", "bolt-project.yaml"];

/// Folders of data, which are read whatever ignore files say of them.
const DATA_FOLDERS: [&str; 3] = ["data", "hieradata", "hiera"];

/// A file that was found.
pub(crate) struct FoundFile {
    pub(crate) file: FilePath,
    /// Where it was found, if its own path says it in other words.
    path: Option<Box<Path>>,
    /// Is it known to be a regular file?
    pub(crate) is_regular: bool,
}

impl FoundFile {
    fn at(file: FilePath, path: &Path, is_regular: bool) -> FoundFile {
        let is_own = path.as_os_str() == file.to_native().as_str();
        FoundFile { file, path: (!is_own).then(|| path.into()), is_regular }
    }

    /// The path to read it by.
    pub(crate) fn path(&self) -> Cow<'_, Path> {
        match &self.path {
            Some(path) => Cow::Borrowed(path),
            None => Cow::Owned(PathBuf::from(self.file.to_native())),
        }
    }
}

impl From<FilePath> for FoundFile {
    fn from(file: FilePath) -> FoundFile {
        FoundFile { file, path: None, is_regular: false }
    }
}

/// What lies below a folder.
#[derive(Default)]
pub(crate) struct Found {
    /// The files that say something about Puppet code.
    pub(crate) files: Vec<FoundFile>,
    /// Those that are there, but may not be read.
    pub(crate) refused: Vec<(FilePath, DiskState)>,
    pub(crate) not_read: Vec<NotRead>,
    seen: HashSet<FilePath>,
    /// The folders that were entered, as they were before.
    folders: Vec<(PathBuf, Stamp)>,
    /// The ignore files that say something, and where others may come to be.
    ignore_files: Vec<PathBuf>,
    /// Was there something whose changes do not show in all that: a link, what may not be read, or what was just changing?
    is_open: bool,
}

impl Found {
    /// All that a walk that began at `start` depended on, if every change of it shows.
    pub(crate) fn finished(
        &mut self,
        root: &FilePath,
        settings: &ScanSettings,
        start: SystemTime,
    ) -> Option<FinishedWalk> {
        let native = PathBuf::from(root.to_native());
        let usual = folders_read_anyhow(&native, settings);
        let paths = std::mem::take(&mut self.ignore_files).into_iter().chain(usual);
        let witnesses = paths.map(|path| Witness::since(path, start)).collect::<Option<_>>()?;
        let is_whole = !self.is_open && self.refused.is_empty() && self.not_read.is_empty();
        let files = || {
            let mut files: Vec<FilePath> = self.files.iter().map(|it| it.file.clone()).collect();
            // So they are taken in soonest.
            files.sort_unstable();
            files
        };
        is_whole.then(|| FinishedWalk {
            folders: std::mem::take(&mut self.folders),
            witnesses,
            files: files(),
        })
    }

    /// A folder is entered, which was so before, if it was not just changing.
    fn enter(&mut self, folder: &Path, stamp: Option<Stamp>) {
        match stamp {
            Some(stamp) => self.folders.push((folder.to_owned(), stamp)),
            None => self.is_open = true,
        }
    }

    /// A file is there, and may not be read for this reason.
    fn take(&mut self, path: &Path, is_regular: bool, failure: Option<ReadFailure>) {
        let Some(file) = path.to_str().and_then(FilePath::from_native) else { return };
        if !ide::is_interesting(&file) || !self.seen.insert(file.clone()) {
            return;
        }
        match failure {
            None => self.files.push(FoundFile::at(file, path, is_regular)),
            Some(failure) => self.refused.push((file, state_of_failure(path, failure))),
        }
    }
}

/// What of the settings decides which files a walk finds, as text.
pub(crate) fn walk_settings(settings: &ScanSettings) -> String {
    let ScanSettings { module_folders, excluded, trusted, reads_ignored } = settings;
    let (trusted, ignored_by_user) = (trusted.as_given(), ignored::file_of_user());
    format!("{module_folders:?} {excluded:?} {trusted} {reads_ignored} {ignored_by_user:?}")
}

/// The files below a folder; what lies in the folders may be known already.
pub(crate) fn find(root: &FilePath, settings: &ScanSettings, folders: &Folders, stop: &StopFlag) -> Found {
    let root = PathBuf::from(root.to_native());
    let mut found = Found::default();
    let walk = FolderWalk::new(&root, settings, folders, stop);
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
pub(crate) fn folders_read_anyhow(root: &Path, settings: &ScanSettings) -> Vec<PathBuf> {
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
pub(crate) struct FolderWalk<'s> {
    pub(crate) excluded: Arc<[PathBuf]>,
    trusted: TrustedFolders,
    folders: &'s Folders,
    stop: &'s StopFlag,
    not_read: Mutex<Vec<NotRead>>,
    /// The folders in which there is what nobody knows.
    closed: Mutex<Vec<NotRead>>,
}

impl FolderWalk<'_> {
    pub(crate) fn new<'s>(
        root: &Path,
        settings: &ScanSettings,
        folders: &'s Folders,
        stop: &'s StopFlag,
    ) -> FolderWalk<'s> {
        FolderWalk {
            excluded: settings.excluded.iter().map(|it| root.join(it)).collect(),
            trusted: settings.trusted.clone(),
            folders,
            stop,
            not_read: Mutex::default(),
            closed: Mutex::default(),
        }
    }

    /// Takes the files of a folder that say what its code means.
    pub(crate) fn configuration(&self, folder: &Path, found: &mut Found) {
        for path in CONFIGURATION_FILES.map(|name| folder.join(name)).into_iter().filter(|it| it.exists()) {
            found.take(&path, false, self.trusted.admit(&path).err());
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
    pub(crate) fn may_enter(&self, folder: &Path) -> bool {
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
    pub(crate) fn below(&self, folder: &Path, respect_ignore_files: bool, found: &mut Found) -> bool {
        let mut is_all = true;
        let mut boundary = Boundary::new(folder, &self.trusted, &self.excluded);
        let ignored = respect_ignore_files.then(|| IgnoreFiles::below(folder, IGNORE_RULES));
        let is_link = folder.is_symlink();
        if self.excluded.iter().any(|it| folder == it)
            || is_link && is_needless_link(folder, boundary.root.as_deref())
        {
            return is_all;
        }
        found.is_open |= is_link;
        found.enter(folder, boundary.stamp);
        let mut walk = self.folders.walk(folder, Links::Followed);
        while let Some(next) = walk.next() {
            if self.stop.is_stopped() {
                break;
            }
            if boundary.entries == MAX_ENTRIES {
                self.pass_over(
                    folder,
                    format!("only the first {MAX_ENTRIES} files and folders in it were looked at"),
                );
                is_all = false;
                break;
            }
            match next {
                Err(failure) => self.take_failure(failure, folder, found),
                Ok(entry) if !is_visible(&entry) || !boundary.has_inside(&entry) => {}
                Ok(entry) if ignored.as_ref().is_some_and(|it| it.name_entry(&entry)) => is_all = false,
                Ok(entry) if entry.is_folder() => {
                    found.is_open |= entry.is_link();
                    found.enter(entry.path(), boundary.stamp);
                    walk.enter(&entry);
                }
                Ok(entry) => self.take_file(&entry, found),
            }
        }
        is_all &= boundary.passed_over.is_empty();
        self.pass_over_folders(boundary.passed_over);
        found.is_open |= boundary.has_links || self.stop.is_stopped();
        found.ignore_files.extend(ignored.iter().flat_map(|it| it.asked()));
        for (path, failure) in ignored.iter().flat_map(|it| it.not_read()) {
            self.pass_over(&path, failure.to_string());
        }
        is_all
    }

    /// Folders were not entered, each for a reason.
    fn pass_over_folders(&self, folders: Vec<(PathBuf, String)>) {
        for (path, reason) in folders {
            if reason != LEADS_AROUND {
                let mut closed = self.closed.lock().unwrap_or_else(PoisonError::into_inner);
                closed.push(NotRead { path: path.clone(), reason: reason.clone() });
            }
            self.pass_over(&path, reason);
        }
    }

    fn take_file(&self, file: &Entry, found: &mut Found) {
        let failure = if file.is_link() { self.trusted.admit(file.path()).err() } else { None };
        found.is_open |= file.is_link();
        found.take(file.path(), file.file_type().is_file() && !file.is_link(), failure);
    }

    /// What a walk below a folder could not look at.
    fn take_failure(&self, failure: WalkFailure, folder: &Path, found: &mut Found) {
        found.is_open = true;
        let WalkFailure { path, error } = failure;
        match error {
            None => {}
            Some(_) if is_link_to_nowhere(&path) => found.take(&path, false, self.trusted.admit(&path).err()),
            Some(error) => {
                tracing::warn!("while reading {}: {}: {error}", folder.display(), path.display())
            }
        }
    }
}

/// As for Git: its files count in its repositories only.
pub(crate) const IGNORE_RULES: IgnoreRules =
    IgnoreRules { reads_plain: true, from_parents: true, requires_git: true };

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
    followed: Vec<PathBuf>,
    passed_over: Vec<(PathBuf, String)>,
    /// How many files and folders were looked at.
    entries: usize,
    /// The folder that is entered next, as it is now, if it is not just changing.
    stamp: Option<Stamp>,
    /// Were links passed over?
    has_links: bool,
}

impl Boundary {
    fn new(folder: &Path, trusted: &TrustedFolders, excluded: &Arc<[PathBuf]>) -> Boundary {
        let metadata = folder.metadata().ok();
        Boundary {
            root: folder.canonicalize().ok(),
            device: metadata.as_ref().and_then(device),
            excluded: Arc::clone(excluded),
            trusted: trusted.clone(),
            followed: Vec::new(),
            passed_over: Vec::new(),
            entries: 0,
            stamp: metadata.as_ref().and_then(Stamp::settled),
            has_links: false,
        }
    }

    fn has_inside(&mut self, entry: &Entry) -> bool {
        self.entries += 1;
        let path = entry.path();
        self.has_links |= entry.is_link();
        if self.excluded.iter().any(|it| path == it)
            || entry.is_link() && is_needless_link(path, self.root.as_deref())
        {
            return false;
        }
        if !entry.is_folder() {
            return true;
        }
        let metadata = path.metadata().ok();
        self.stamp = metadata.as_ref().and_then(Stamp::settled);
        match self.refusal(entry, metadata.as_ref()) {
            None => true,
            Some(reason) => {
                self.passed_over.push((path.to_owned(), reason));
                false
            }
        }
    }

    /// Why a folder is not entered.
    fn refusal(&mut self, entry: &Entry, metadata: Option<&Metadata>) -> Option<String> {
        let path = entry.path();
        if entry.is_link() {
            let target = match self.trusted.admit(path).map(|path| path.canonicalize()) {
                Ok(Ok(target)) => target,
                Ok(Err(error)) => return Some(error.to_string()),
                Err(failure) => return Some(failure.to_string()),
            };
            if path_policy::is_system_folder(&target) {
                return Some("it leads to files of the system".to_owned());
            }
            if self.root.as_ref().is_some_and(|root| root.starts_with(&target)) {
                return Some(LEADS_AROUND.to_owned());
            }
            self.followed.push(path.to_owned());
            return None;
        }
        if path_policy::is_system_folder(path) {
            return Some("it holds files of the system".to_owned());
        }
        let is_other = metadata.and_then(device).zip(self.device).is_some_and(|(here, root)| here != root);
        let is_behind_link = || self.followed.iter().any(|link| path.starts_with(link));
        (is_other && !is_behind_link()).then(|| "it lies on another file system".to_owned())
    }
}

/// The file system that something lies on.
#[cfg(unix)]
fn device(metadata: &Metadata) -> Option<u64> {
    use std::os::unix::fs::MetadataExt;
    Some(metadata.dev())
}

#[cfg(not(unix))]
fn device(_metadata: &Metadata) -> Option<u64> {
    None
}

/// The hidden files that say which modules a module or a control repository needs, and where they lie.
const TOLD_BY_HIDDEN_FILES: [&str; 4] = [".fixtures.yml", ".fixtures.yaml", ".gitmodules", ".modules"];

/// Hidden files count where modules hand them out, and where they say what is needed.
fn is_visible(entry: &Entry) -> bool {
    let name = entry.file_name();
    if !name.as_encoded_bytes().starts_with(b".") || TOLD_BY_HIDDEN_FILES.iter().any(|it| name == *it) {
        return true;
    }
    let mut folders = entry.path().ancestors().skip(1).take(entry.depth());
    name != ".git" && folders.any(|it| it.file_name().is_some_and(|it| it == "files" || it == "templates"))
}

/// Tests have links to the modules they use; those that are read anyway, by their own paths, are read once.
fn is_needless_link(link: &Path, root: Option<&Path>) -> bool {
    if !link.ancestors().skip(1).any(|it| it.ends_with("spec/fixtures")) {
        return false;
    }
    let target = link.canonicalize();
    root.is_some_and(|root| target.is_ok_and(|target| target.starts_with(root) || root.starts_with(&target)))
}

fn is_link_to_nowhere(path: &Path) -> bool {
    path.is_symlink() && !path.exists()
}
