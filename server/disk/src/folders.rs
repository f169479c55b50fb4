//! Folder walks. **Each folder is listed only once, no matter how many walks visit it.**

use std::ffi::{OsStr, OsString};
use std::fs::FileType;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use rustc_hash::FxHashMap;

/// Maximum number of entries visited below one folder, and listed in one folder.
pub(crate) const MAX_ENTRIES: usize = 2_000_000;

/// Cache of the folders that were walked, each as it was on the first visit.
#[derive(Default)]
pub struct Folders {
    /// Listings by absolute path. The key is an `OsString` because comparing paths by component takes as long
    /// as reading the disk.
    listed: Mutex<FxHashMap<OsString, Arc<Listing>>>,
}

/// Contents of one folder: names and file types.
#[derive(Default)]
struct Listing {
    entries: Vec<(OsString, FileType)>,
    /// True if some entries could not be listed.
    is_partial: bool,
}

impl Listing {
    /// Lists a folder. Also returns the errors for entries that could not be read.
    fn read(folder: &Path) -> (Listing, Vec<io::Error>) {
        let mut listing = Listing::default();
        let entries = match std::fs::read_dir(folder) {
            Ok(entries) => entries,
            Err(error) => return (Listing { is_partial: true, ..listing }, vec![error]),
        };
        let mut failures = Vec::new();
        for entry in entries {
            if listing.entries.len() > MAX_ENTRIES {
                let message = format!("more than {MAX_ENTRIES} files and folders; the rest is skipped");
                failures.push(io::Error::other(message));
                break;
            }
            match entry.and_then(|entry| Ok((entry.file_name(), entry.file_type()?))) {
                Ok(entry) => listing.entries.push(entry),
                Err(error) => failures.push(error),
            }
        }
        listing.entries.shrink_to_fit();
        listing.is_partial = !failures.is_empty();
        (listing, failures)
    }

    /// Returns false only if no entry has this name. Case is ignored because some file systems do.
    fn may_contain(&self, name: &str) -> bool {
        self.is_partial || self.entries.iter().any(|(it, _)| it.eq_ignore_ascii_case(name))
    }
}

impl Folders {
    /// Starts a walk below a folder. Subfolders are only visited if [`Entries::enter`] is called.
    pub fn walk(&self, folder: &Path, links: Links) -> Entries<'_> {
        let target = folder.canonicalize().ok();
        let mut walk = Entries { folders: self, links, open: Vec::new(), failures: Vec::new() };
        walk.open(folder.to_owned(), target);
        walk
    }

    /// Returns false only if the folder was listed and has no entry with this name.
    pub fn may_contain(&self, folder: &Path, name: &str) -> bool {
        let listed = self.listed.lock().unwrap_or_else(PoisonError::into_inner);
        listed.get(folder.as_os_str()).is_none_or(|it| it.may_contain(name))
    }

    fn list(&self, folder: &Path) -> (Arc<Listing>, Vec<io::Error>) {
        let absolute = if folder.is_absolute() {
            folder.to_owned()
        } else {
            std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned())
        };
        let absolute = absolute.into_os_string();
        let mut listed = self.listed.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = listed.get(&absolute) {
            return (Arc::clone(known), Vec::new());
        }
        let (listing, failures) = Listing::read(folder);
        let listing = Arc::new(listing);
        // Failed listings are not cached, so that they are retried and reported again.
        if failures.is_empty() {
            listed.insert(absolute, Arc::clone(&listing));
        }
        (listing, failures)
    }
}

/// Treatment of symbolic links during a walk.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Links {
    /// Yield the link itself.
    Kept,
    /// Yield the target of the link.
    Followed,
}

/// A walk through folders, parents before children.
pub struct Entries<'f> {
    folders: &'f Folders,
    links: Links,
    open: Vec<OpenFolder>,
    failures: Vec<WalkFailure>,
}

struct OpenFolder {
    path: PathBuf,
    /// Canonical path, for the root of the walk and for folders reached by a link.
    target: Option<PathBuf>,
    listing: Arc<Listing>,
    next: usize,
}

/// An entry found by a walk.
pub struct Entry {
    path: PathBuf,
    file_type: FileType,
    is_link: bool,
    depth: usize,
    /// Target of a link to a folder.
    target: Option<PathBuf>,
    /// Listing of the folder that contains the entry.
    siblings: Arc<Listing>,
}

/// An entry or folder that could not be read.
#[derive(Debug)]
pub struct WalkFailure {
    pub path: PathBuf,
    /// `None` for a link to an ancestor folder.
    pub error: Option<io::Error>,
}

impl Entry {
    pub fn path(&self) -> &Path {
        &self.path
    }

    pub fn into_path(self) -> PathBuf {
        self.path
    }

    pub fn file_name(&self) -> &OsStr {
        self.path.file_name().unwrap_or_default()
    }

    /// Returns the file type; for a followed link that of its target.
    pub fn file_type(&self) -> FileType {
        self.file_type
    }

    pub fn is_folder(&self) -> bool {
        self.file_type.is_dir()
    }

    /// Returns true for symbolic links, followed or not.
    pub fn is_link(&self) -> bool {
        self.is_link
    }

    /// Returns the depth of the entry: 1 for entries of the root folder of the walk.
    pub fn depth(&self) -> usize {
        self.depth
    }

    /// Returns false only if the containing folder has no entry with this name.
    pub fn may_have_sibling(&self, name: &str) -> bool {
        self.siblings.may_contain(name)
    }
}

impl Entries<'_> {
    /// Descends into a folder: its entries are yielded next.
    pub fn enter(&mut self, entry: &Entry) {
        self.open(entry.path.clone(), entry.target.clone());
    }

    fn open(&mut self, path: PathBuf, target: Option<PathBuf>) {
        let (listing, failures) = self.folders.list(&path);
        let failures = failures.into_iter().map(|it| WalkFailure { path: path.clone(), error: Some(it) });
        self.failures.extend(failures);
        self.open.push(OpenFolder { path, target, listing, next: 0 });
    }

    /// Returns true if `target` is an ancestor of the folder that is being walked.
    fn is_ancestor(&self, target: &Path) -> bool {
        let Some(here) = self.open.last() else { return false };
        let followed = self.open.iter().filter_map(|it| Some((&it.path, it.target.as_ref()?)));
        let mut named = followed.filter_map(|(path, at)| Some(path.join(target.strip_prefix(at).ok()?)));
        named.any(|it| here.path.starts_with(it))
    }
}

impl Iterator for Entries<'_> {
    type Item = Result<Entry, WalkFailure>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(failure) = self.failures.pop() {
                return Some(Err(failure));
            }
            let depth = self.open.len();
            let folder = self.open.last_mut()?;
            let Some((name, file_type)) = folder.listing.entries.get(folder.next) else {
                self.open.pop();
                continue;
            };
            folder.next += 1;
            let path = folder.path.join(name);
            let is_link = file_type.is_symlink();
            let siblings = Arc::clone(&folder.listing);
            let mut entry = Entry { path, file_type: *file_type, is_link, depth, target: None, siblings };
            if !is_link || self.links == Links::Kept {
                return Some(Ok(entry));
            }
            match std::fs::metadata(&entry.path) {
                Ok(metadata) => entry.file_type = metadata.file_type(),
                Err(error) => return Some(Err(WalkFailure { path: entry.path, error: Some(error) })),
            }
            if entry.is_folder() {
                entry.target = entry.path.canonicalize().ok();
                if entry.target.as_ref().is_some_and(|it| self.is_ancestor(it)) {
                    return Some(Err(WalkFailure { path: entry.path, error: None }));
                }
            }
            return Some(Ok(entry));
        }
    }
}

#[cfg(test)]
#[path = "folders_tests.rs"]
mod tests;
