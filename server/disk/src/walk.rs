//! Finding the relevant files below a folder: which folders are entered, and which links are followed.

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
use crate::stamp::{FileClock, Stamp};
use crate::{state_of_failure, usual_module_folders};
use ide::{DiskState, FilePath};

/// Configuration files at the root of a folder, which are read even if they are ignored.
const CONFIGURATION_FILES: [&str; 5] =
    ["environment.conf", "hiera.yaml", "metadata.json", "Puppetfile", "bolt-project.yaml"];

/// Data folders, which are read even if they are ignored.
const DATA_FOLDERS: [&str; 3] = ["data", "hieradata", "hiera"];

/// A file found by a walk.
pub(crate) struct FoundFile {
    pub(crate) file: FilePath,
    /// Native path, if it differs from that of `file`.
    path: Option<Box<Path>>,
    /// True if it is known to be a regular file.
    pub(crate) is_regular: bool,
}

impl FoundFile {
    fn at(file: FilePath, path: &Path, is_regular: bool) -> FoundFile {
        let is_own = path.as_os_str() == file.to_native().as_str();
        FoundFile { file, path: (!is_own).then(|| path.into()), is_regular }
    }

    /// Returns the path for reading the file.
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

/// Result of a walk below a folder.
#[derive(Default)]
pub(crate) struct Found {
    /// Relevant files.
    pub(crate) files: Vec<FoundFile>,
    /// Files that exist but may not be read.
    pub(crate) refused: Vec<(FilePath, DiskState)>,
    pub(crate) not_read: Vec<NotRead>,
    seen: HashSet<FilePath>,
    /// Folders that were entered, with their stamps before that.
    folders: Vec<(PathBuf, Stamp)>,
    /// Ignore files, and paths at which others may be created.
    ignore_files: Vec<PathBuf>,
    links: Vec<FollowedLink>,
    /// True if the walk depends on something whose changes are not detectable: a link at its root, a path that may
    /// not be read, or one that changed just now.
    is_inconclusive: bool,
}

/// A link, with what a walk has learned about it.
#[derive(PartialEq, Eq, Debug)]
struct FollowedLink {
    path: PathBuf,
    /// Canonical path of the target, if it exists.
    target: Option<PathBuf>,
    leads_to_folder: bool,
}

impl FollowedLink {
    fn at(path: &Path) -> FollowedLink {
        let target = path.canonicalize().ok();
        let leads_to_folder = target.as_ref().is_some_and(|it| it.is_dir());
        FollowedLink { path: path.to_owned(), target, leads_to_folder }
    }

    fn is_as_before(&self) -> bool {
        FollowedLink::at(&self.path) == *self
    }
}

/// A finished walk whose result is reused until something that it depends on changes.
#[derive(Debug)]
pub(crate) struct KnownWalk {
    walk: FinishedWalk,
    links: Vec<FollowedLink>,
    /// Relevant settings, as a string.
    settings: String,
}

impl KnownWalk {
    /// Returns the files that a walk with these settings would find; `None` if something has changed. Only on Unix:
    /// some file systems do not update the modification time of a folder when a file is added (FAT on Windows).
    pub(crate) fn files(&self, settings: &ScanSettings) -> Option<&[FilePath]> {
        let is_valid = cfg!(unix)
            && self.settings == walk_settings(settings)
            && self.walk.is_as_before()
            && self.links.iter().all(FollowedLink::is_as_before);
        is_valid.then_some(&self.walk.files)
    }
}

impl Found {
    /// Returns everything that a walk started at `start` depends on, if every change of it is detectable, without
    /// following links.
    pub(crate) fn finished(
        &mut self,
        root: &FilePath,
        settings: &ScanSettings,
        start: SystemTime,
    ) -> Option<FinishedWalk> {
        let known = self.known(root, settings, start)?;
        (known.links.is_empty() && self.refused.is_empty()).then_some(known.walk)
    }

    /// Returns everything that a walk started at `start` depends on, if every change of it is detectable. Files that
    /// may not be read are left out.
    pub(crate) fn known(
        &mut self,
        root: &FilePath,
        settings: &ScanSettings,
        start: SystemTime,
    ) -> Option<KnownWalk> {
        let native = PathBuf::from(root.to_native());
        let usual = unignored_folders(&native, settings);
        let paths = std::mem::take(&mut self.ignore_files).into_iter().chain(usual);
        let witnesses = paths.map(|path| Witness::since(path, start)).collect::<Option<_>>()?;
        let is_whole = !self.is_inconclusive && self.not_read.is_empty();
        let files = || {
            let mut files: Vec<FilePath> = self.files.iter().map(|it| it.file.clone()).collect();
            // Sorted files are inserted fastest.
            files.sort_unstable();
            files
        };
        is_whole.then(|| {
            let folders = std::mem::take(&mut self.folders);
            let walk = FinishedWalk { folders, witnesses, files: files() };
            KnownWalk { walk, links: std::mem::take(&mut self.links), settings: walk_settings(settings) }
        })
    }

    /// Records that a folder is entered; `None` if it changed just now.
    fn enter(&mut self, folder: &Path, stamp: Option<Stamp>) {
        match stamp {
            Some(stamp) => self.folders.push((folder.to_owned(), stamp)),
            None => self.is_inconclusive = true,
        }
    }

    /// Records a file, or the reason why it may not be read.
    fn add(&mut self, path: &Path, is_regular: bool, failure: Option<ReadFailure>) {
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

/// Formats the settings that decide which files a walk finds.
pub(crate) fn walk_settings(settings: &ScanSettings) -> String {
    let ScanSettings { module_folders, excluded, trusted, reads_ignored, clock: _ } = settings;
    let (trusted, ignored_by_user) = (trusted.as_given(), ignored::user_excludes_file());
    format!("{module_folders:?} {excluded:?} {trusted} {reads_ignored} {ignored_by_user:?}")
}

/// Finds the relevant files below a folder. Listings in `folders` are reused.
pub(crate) fn find(root: &FilePath, settings: &ScanSettings, folders: &Folders, stop: &StopFlag) -> Found {
    let root = PathBuf::from(root.to_native());
    let mut found = Found::default();
    let walk = FolderWalk::new(&root, settings, folders, stop);
    let is_all = walk.below(&root, !settings.reads_ignored, &mut found);
    walk.configuration(&root, &mut found);
    for folder in unignored_folders(&root, settings) {
        let is_excluded = walk.excluded.iter().any(|it| folder.starts_with(it));
        let is_known = is_all && is_plain_folder(&root, &folder);
        if !is_excluded && !is_known && folder.is_dir() && walk.may_enter(&folder) {
            walk.below(&folder, false, &mut found);
        }
    }
    for NotRead { path, reason } in walk.unreadable.into_inner().unwrap_or_else(PoisonError::into_inner) {
        let folder = path.to_str().and_then(FilePath::from_native);
        found.refused.extend(folder.map(|it| (it, DiskState::Unreadable(reason))));
    }
    found.not_read = walk.not_read.into_inner().unwrap_or_else(PoisonError::into_inner);
    found
}

/// Returns the folders of modules and data, which are read even if they are ignored.
pub(crate) fn unignored_folders(root: &Path, settings: &ScanSettings) -> Vec<PathBuf> {
    let usual = usual_module_folders().chain(DATA_FOLDERS).chain(["spec/fixtures/modules"]);
    usual.map(|it| root.join(it)).chain(settings.module_folders.iter().map(|it| root.join(it))).collect()
}

/// Returns true if a complete walk through the root covers a separate walk through this folder. Hidden
/// folders and links in fixtures are treated differently at the root of a walk.
fn is_plain_folder(root: &Path, folder: &Path) -> bool {
    let is_plain = |part: Component<'_>| matches!(part, Component::Normal(name) if !name.as_encoded_bytes().starts_with(b".") && name != "fixtures");
    folder.strip_prefix(root).is_ok_and(|below| below.components().all(is_plain))
}

/// Configuration and results of folder walks.
pub(crate) struct FolderWalk<'s> {
    pub(crate) excluded: Arc<[PathBuf]>,
    trusted: TrustedFolders,
    clock: FileClock,
    folders: &'s Folders,
    stop: &'s StopFlag,
    not_read: Mutex<Vec<NotRead>>,
    /// Folders with unknown contents.
    unreadable: Mutex<Vec<NotRead>>,
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
            clock: settings.clock,
            folders,
            stop,
            not_read: Mutex::default(),
            unreadable: Mutex::default(),
        }
    }

    /// Adds the configuration files of a folder.
    pub(crate) fn configuration(&self, folder: &Path, found: &mut Found) {
        for path in CONFIGURATION_FILES.map(|name| folder.join(name)).into_iter().filter(|it| it.exists()) {
            found.add(&path, false, self.trusted.admit(&path).err());
        }
    }

    fn skip(&self, path: &Path, reason: impl Into<String>) {
        let not_read = NotRead { path: path.to_owned(), reason: reason.into() };
        let mut all = self.not_read.lock().unwrap_or_else(PoisonError::into_inner);
        if !all.contains(&not_read) {
            all.push(not_read);
        }
    }

    /// Returns true if a folder that was named in settings, or that a link leads to, may be read.
    pub(crate) fn may_enter(&self, folder: &Path) -> bool {
        match self.trusted.admit(folder) {
            Ok(_) => true,
            Err(failure) => {
                self.skip(folder, failure.to_string());
                false
            }
        }
    }

    /// Adds the files below a folder, and the reasons for those that may not be read. Returns false if files
    /// other than excluded ones were left out.
    pub(crate) fn below(&self, folder: &Path, respect_ignore_files: bool, found: &mut Found) -> bool {
        let mut is_all = true;
        let mut boundary = Boundary::new(folder, &self.trusted, &self.excluded, self.clock);
        let ignored = respect_ignore_files.then(|| IgnoreFiles::below(folder, IGNORE_RULES));
        let is_link = folder.is_symlink();
        if self.excluded.iter().any(|it| folder == it)
            || is_link && is_needless_link(folder, boundary.root.as_deref())
        {
            return is_all;
        }
        found.is_inconclusive |= is_link;
        found.enter(folder, boundary.stamp);
        let mut walk = self.folders.walk(folder, Links::Followed);
        while let Some(next) = walk.next() {
            if self.stop.is_stopped() {
                break;
            }
            if boundary.entries == MAX_ENTRIES {
                self.skip(folder, format!("more than {MAX_ENTRIES} files and folders; the rest is skipped"));
                is_all = false;
                break;
            }
            match next {
                Err(failure) => self.add_failure(failure, folder, found),
                Ok(entry) if !is_visible(&entry) || !boundary.contains(&entry) => {}
                Ok(entry) if ignored.as_ref().is_some_and(|it| it.is_entry_ignored(&entry)) => is_all = false,
                Ok(entry) if entry.is_folder() => {
                    found.enter(entry.path(), boundary.stamp);
                    walk.enter(&entry);
                }
                Ok(entry) => self.add_file(&entry, found),
            }
        }
        is_all &= boundary.skipped.is_empty();
        self.skip_folders(boundary.skipped);
        found.links.append(&mut boundary.links);
        found.is_inconclusive |= self.stop.is_stopped();
        found.ignore_files.extend(ignored.iter().flat_map(|it| it.dependencies()));
        for (path, failure) in ignored.iter().flat_map(|it| it.not_read()) {
            self.skip(&path, failure.to_string());
        }
        is_all
    }

    /// Records folders that were not entered, with the reason.
    fn skip_folders(&self, folders: Vec<(PathBuf, String)>) {
        for (path, reason) in folders {
            if reason != LINK_TO_PARENT {
                let mut unreadable = self.unreadable.lock().unwrap_or_else(PoisonError::into_inner);
                unreadable.push(NotRead { path: path.clone(), reason: reason.clone() });
            }
            self.skip(&path, reason);
        }
    }

    fn add_file(&self, file: &Entry, found: &mut Found) {
        let failure = if file.is_link() { self.trusted.admit(file.path()).err() } else { None };
        found.add(file.path(), file.file_type().is_file() && !file.is_link(), failure);
    }

    /// Records an entry that could not be read.
    fn add_failure(&self, failure: WalkFailure, folder: &Path, found: &mut Found) {
        let WalkFailure { path, error } = failure;
        match error {
            None => found.links.push(FollowedLink::at(&path)),
            Some(_) if is_link_to_nowhere(&path) => {
                found.links.push(FollowedLink::at(&path));
                found.add(&path, false, self.trusted.admit(&path).err());
            }
            Some(error) => {
                found.is_inconclusive = true;
                tracing::warn!("while reading {}: {}: {error}", folder.display(), path.display())
            }
        }
    }
}

/// Same as Git: its files only apply inside repositories.
pub(crate) const IGNORE_RULES: IgnoreRules =
    IgnoreRules { reads_plain: true, from_parents: true, requires_git: true };

/// Reason for not following a link to a parent folder, whose files are read anyway.
const LINK_TO_PARENT: &str = "link to a parent folder";

/// Limits of a walk.
struct Boundary {
    /// Canonical path of the walked folder.
    root: Option<PathBuf>,
    device: Option<u64>,
    excluded: Arc<[PathBuf]>,
    trusted: TrustedFolders,
    /// Links that were followed.
    followed: Vec<PathBuf>,
    skipped: Vec<(PathBuf, String)>,
    /// Number of files and folders visited.
    entries: usize,
    /// Stamp of the folder that is entered next, unless it changed just now.
    stamp: Option<Stamp>,
    clock: FileClock,
    /// Links that the walk came across.
    links: Vec<FollowedLink>,
}

impl Boundary {
    fn new(folder: &Path, trusted: &TrustedFolders, excluded: &Arc<[PathBuf]>, clock: FileClock) -> Boundary {
        let metadata = folder.metadata().ok();
        Boundary {
            root: folder.canonicalize().ok(),
            device: metadata.as_ref().and_then(device),
            excluded: Arc::clone(excluded),
            trusted: trusted.clone(),
            followed: Vec::new(),
            skipped: Vec::new(),
            entries: 0,
            stamp: metadata.as_ref().and_then(|it| Stamp::if_stable(it, clock)),
            clock,
            links: Vec::new(),
        }
    }

    fn contains(&mut self, entry: &Entry) -> bool {
        self.entries += 1;
        let path = entry.path();
        if entry.is_link() {
            self.links.push(FollowedLink::at(path));
        }
        if self.excluded.iter().any(|it| path == it)
            || entry.is_link() && is_needless_link(path, self.root.as_deref())
        {
            return false;
        }
        if !entry.is_folder() {
            return true;
        }
        let metadata = path.metadata().ok();
        self.stamp = metadata.as_ref().and_then(|it| Stamp::if_stable(it, self.clock));
        match self.refusal(entry, metadata.as_ref()) {
            None => true,
            Some(reason) => {
                self.skipped.push((path.to_owned(), reason));
                false
            }
        }
    }

    /// Returns the reason for not entering a folder, if there is one.
    fn refusal(&mut self, entry: &Entry, metadata: Option<&Metadata>) -> Option<String> {
        let path = entry.path();
        if entry.is_link() {
            let target = match self.trusted.admit(path).map(|path| path.canonicalize()) {
                Ok(Ok(target)) => target,
                Ok(Err(error)) => return Some(error.to_string()),
                Err(failure) => return Some(failure.to_string()),
            };
            if path_policy::is_system_folder(&target) {
                return Some("link to a system folder".to_owned());
            }
            if self.root.as_ref().is_some_and(|root| root.starts_with(&target)) {
                return Some(LINK_TO_PARENT.to_owned());
            }
            self.followed.push(path.to_owned());
            return None;
        }
        if path_policy::is_system_folder(path) {
            return Some("system folder".to_owned());
        }
        let is_other = metadata.and_then(device).zip(self.device).is_some_and(|(here, root)| here != root);
        let is_linked = || self.followed.iter().any(|link| path.starts_with(link));
        (is_other && !is_linked()).then(|| "on another file system".to_owned())
    }
}

/// Returns the device number of the file system.
#[cfg(unix)]
fn device(metadata: &Metadata) -> Option<u64> {
    use std::os::unix::fs::MetadataExt;
    Some(metadata.dev())
}

#[cfg(not(unix))]
fn device(_metadata: &Metadata) -> Option<u64> {
    None
}

/// Hidden files that list the modules that a module or control repository needs.
const HIDDEN_DEPENDENCY_FILES: [&str; 4] = [".fixtures.yml", ".fixtures.yaml", ".gitmodules", ".modules"];

/// Returns true for files that are not hidden, and for hidden ones that a module distributes or that list
/// dependencies.
fn is_visible(entry: &Entry) -> bool {
    let name = entry.file_name();
    if !name.as_encoded_bytes().starts_with(b".") || HIDDEN_DEPENDENCY_FILES.iter().any(|it| name == *it) {
        return true;
    }
    let mut folders = entry.path().ancestors().skip(1).take(entry.depth());
    name != ".git" && folders.any(|it| it.file_name().is_some_and(|it| it == "files" || it == "templates"))
}

/// Returns true for links in fixtures to modules that are read anyway by their own path.
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
