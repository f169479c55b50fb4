//! Walks through folders. **What lies in a folder is asked of the disk once, however many walks come by.**

use std::ffi::{OsStr, OsString};
use std::fs::FileType;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use rustc_hash::FxHashMap;

/// So many files and folders are looked at below one folder, and in one.
pub(crate) const MAX_ENTRIES: usize = 2_000_000;

/// What lies in the folders that were walked through, as it was when the first walk came by.
#[derive(Default)]
pub struct Folders {
    /// By absolute path. To compare paths part by part would take as long as to ask the disk.
    listed: Mutex<FxHashMap<OsString, Arc<Listing>>>,
}

/// What lies in one folder: names, and what has them.
#[derive(Default)]
struct Listing {
    entries: Vec<(OsString, FileType)>,
    /// Is there more, of which nothing is known?
    is_partial: bool,
}

impl Listing {
    /// What lies in a folder, and what of it could not be read.
    fn read(folder: &Path) -> (Listing, Vec<io::Error>) {
        let mut listing = Listing::default();
        let entries = match std::fs::read_dir(folder) {
            Ok(entries) => entries,
            Err(error) => return (Listing { is_partial: true, ..listing }, vec![error]),
        };
        let mut failures = Vec::new();
        for entry in entries {
            if listing.entries.len() > MAX_ENTRIES {
                let message = format!(
                    "it holds more than {MAX_ENTRIES} files and folders; the others were not looked at"
                );
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

    /// May there be something of this name? Some systems take capital letters for small ones.
    fn may_hold(&self, name: &str) -> bool {
        self.is_partial || self.entries.iter().any(|(it, _)| it.eq_ignore_ascii_case(name))
    }
}

impl Folders {
    /// A walk through all that is below a folder and that [`Entries::enter`] is asked for.
    pub fn walk(&self, folder: &Path, links: Links) -> Entries<'_> {
        let target = folder.canonicalize().ok();
        let mut walk = Entries { folders: self, links, open: Vec::new(), failures: Vec::new() };
        walk.open(folder.to_owned(), target);
        walk
    }

    /// May there be something of this name in a folder? It is known where a walk came by.
    pub fn may_hold(&self, folder: &Path, name: &str) -> bool {
        let listed = self.listed.lock().unwrap_or_else(PoisonError::into_inner);
        listed.get(folder.as_os_str()).is_none_or(|it| it.may_hold(name))
    }

    fn list(&self, folder: &Path) -> (Arc<Listing>, Vec<io::Error>) {
        let absolute = match folder.is_absolute() {
            true => folder.to_owned(),
            false => std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned()),
        };
        let absolute = absolute.into_os_string();
        let mut listed = self.listed.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = listed.get(&absolute) {
            return (Arc::clone(known), Vec::new());
        }
        let (listing, failures) = Listing::read(folder);
        let listing = Arc::new(listing);
        // What could not be read is tried again, and told again.
        if failures.is_empty() {
            listed.insert(absolute, Arc::clone(&listing));
        }
        (listing, failures)
    }
}

/// What a walk takes links for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Links {
    /// For themselves.
    Kept,
    /// For what they lead to.
    Followed,
}

/// A walk through folders. It is in each before it is in those below it.
pub struct Entries<'f> {
    folders: &'f Folders,
    links: Links,
    open: Vec<OpenFolder>,
    failures: Vec<WalkFailure>,
}

struct OpenFolder {
    path: PathBuf,
    /// Where it is, if it is the first one, or a link led to it.
    target: Option<PathBuf>,
    listing: Arc<Listing>,
    next: usize,
}

/// What a walk has found.
pub struct Entry {
    path: PathBuf,
    file_type: FileType,
    is_link: bool,
    depth: usize,
    /// Where a link to a folder leads.
    target: Option<PathBuf>,
    /// What lies beside it.
    beside: Arc<Listing>,
}

/// What a walk could not look at.
#[derive(Debug)]
pub struct WalkFailure {
    pub path: PathBuf,
    /// `None` for a link to a folder around it.
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

    /// What it is; for a link that is followed, what that leads to.
    pub fn file_type(&self) -> FileType {
        self.file_type
    }

    pub fn is_folder(&self) -> bool {
        self.file_type.is_dir()
    }

    /// Is it a link, followed or not?
    pub fn is_link(&self) -> bool {
        self.is_link
    }

    /// How many folders of the walk it lies in: 1 in the folder where the walk began.
    pub fn depth(&self) -> usize {
        self.depth
    }

    /// May there be something of this name beside it?
    pub fn may_be_beside(&self, name: &str) -> bool {
        self.beside.may_hold(name)
    }
}

impl Entries<'_> {
    /// From here on, what lies in this folder is walked through, before all else.
    pub fn enter(&mut self, entry: &Entry) {
        self.open(entry.path.clone(), entry.target.clone());
    }

    fn open(&mut self, path: PathBuf, target: Option<PathBuf>) {
        let (listing, failures) = self.folders.list(&path);
        let failures = failures.into_iter().map(|it| WalkFailure { path: path.clone(), error: Some(it) });
        self.failures.extend(failures);
        self.open.push(OpenFolder { path, target, listing, next: 0 });
    }

    /// Is this one of the folders around what is found next?
    fn is_around(&self, target: &Path) -> bool {
        let Some(here) = self.open.last() else { return false };
        let followed = self.open.iter().filter_map(|it| Some((&it.path, it.target.as_ref()?)));
        let mut as_named = followed.filter_map(|(path, at)| Some(path.join(target.strip_prefix(at).ok()?)));
        as_named.any(|it| here.path.starts_with(it))
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
            let beside = Arc::clone(&folder.listing);
            let mut entry = Entry { path, file_type: *file_type, is_link, depth, target: None, beside };
            if !is_link || self.links == Links::Kept {
                return Some(Ok(entry));
            }
            match std::fs::metadata(&entry.path) {
                Ok(metadata) => entry.file_type = metadata.file_type(),
                Err(error) => return Some(Err(WalkFailure { path: entry.path, error: Some(error) })),
            }
            if entry.is_folder() {
                entry.target = entry.path.canonicalize().ok();
                if entry.target.as_ref().is_some_and(|it| self.is_around(it)) {
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
