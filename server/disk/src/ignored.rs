//! Which files ignore files name: `.ignore`, `.gitignore` and Git's `info/exclude`. **They are read like all that a repository brings:
//! regular files only, up to a size.** What they mean is for the crate `ignore` to say, which would read whatever is there.

use std::collections::HashMap;
use std::ffi::OsStr;
use std::fs::Metadata;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};

use crate::folders::Entry;
use crate::path_policy::{self, ReadFailure};

/// How long one such file may be, and all of a walk together.
const MAX_LENGTH: u64 = 128 << 10;
const MAX_TOGETHER_LENGTH: u64 = 1 << 20;

/// Which ignore files count.
#[derive(Clone, Copy)]
pub struct IgnoreRules {
    /// Does `.ignore` count, besides Git's own files?
    pub reads_plain: bool,
    /// Do the files in the folders around it count, too?
    pub from_parents: bool,
    /// Do Git's files count in Git's repositories only?
    pub requires_git: bool,
}

/// What ignore files say of what lies below a folder.
pub struct IgnoreFiles {
    rules: IgnoreRules,
    /// The folder as it was named, and where it is.
    named: PathBuf,
    root: PathBuf,
    is_in_repository: bool,
    known: Mutex<KnownFolders>,
    of_user: Gitignore,
    /// The files that are there, and all that might be in folders around the root.
    asked: Mutex<Vec<PathBuf>>,
    /// How many bytes were read.
    read: AtomicU64,
    not_read: Mutex<Vec<(PathBuf, ReadFailure)>>,
}

/// By folder: what its files say, or those of the nearest folder around it that says something.
#[derive(Default)]
struct KnownFolders {
    rules: HashMap<PathBuf, Option<Arc<FolderRules>>>,
    /// The last folder that was asked for, as it was named: a walk asks for all that lies in one folder.
    last: Option<(PathBuf, Option<Arc<FolderRules>>)>,
}

/// What the files of one folder say, of which one says something, or which is a repository.
struct FolderRules {
    /// The same of the nearest such folder around it.
    outer: Option<Arc<FolderRules>>,
    plain: Gitignore,
    of_git: Gitignore,
    excluded: Gitignore,
    is_repository: bool,
}

impl IgnoreFiles {
    /// The ignore files that count below a folder; they are read when something beside them is looked at.
    pub fn below(folder: &Path, rules: IgnoreRules) -> IgnoreFiles {
        let root = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
        let here = std::env::current_dir().unwrap_or_else(|_| root.clone());
        IgnoreFiles {
            rules,
            named: folder.to_owned(),
            is_in_repository: !rules.requires_git || root.ancestors().any(is_repository),
            root,
            known: Mutex::default(),
            of_user: GitignoreBuilder::new(here).build_global().0,
            asked: Mutex::default(),
            read: AtomicU64::new(0),
            not_read: Mutex::default(),
        }
    }

    /// Do they name something below the folder?
    pub fn name(&self, path: &Path, is_folder: bool) -> bool {
        self.name_beside(path, is_folder, &|_| true)
    }

    /// The same for what a walk has found.
    pub fn name_entry(&self, entry: &Entry) -> bool {
        self.name_beside(entry.path(), entry.is_folder(), &|name| entry.may_be_beside(name))
    }

    /// The same where it is known what `may_be` beside it.
    fn name_beside(&self, path: &Path, is_folder: bool, may_be: &dyn Fn(&str) -> bool) -> bool {
        let below = path.strip_prefix(&self.named).ok().filter(|it| !it.as_os_str().is_empty());
        let Some((below, folder)) = below.zip(path.parent()) else { return false };
        let rules = self.around(folder, below, may_be);
        if rules.is_none() && (!self.is_in_repository || self.of_user.is_empty()) {
            return false;
        }
        let path = self.root.join(below);
        let (mut plain, mut of_git, mut excluded) = (Match::None, Match::None, Match::None);
        let mut is_of_this_repository = true;
        let mut next = rules;
        while let Some(rules) = next {
            let is_decided = |known: &Match<()>| !known.is_none();
            if !is_decided(&plain) {
                plain = rules.plain.matched(&path, is_folder).map(|_| ());
            }
            if is_of_this_repository && !is_decided(&of_git) {
                of_git = rules.of_git.matched(&path, is_folder).map(|_| ());
            }
            if is_of_this_repository && !is_decided(&excluded) {
                excluded = rules.excluded.matched(&path, is_folder).map(|_| ());
            }
            is_of_this_repository &= !(self.rules.requires_git && rules.is_repository);
            next = rules.outer.clone();
        }
        let of_user = match self.is_in_repository {
            true => self.of_user.matched(&path, is_folder).map(|_| ()),
            false => Match::None,
        };
        plain.or(of_git).or(excluded).or(of_user).is_ignore()
    }

    /// What was asked for and decides, besides which files lie in the folders below the root: ignore files there, and what there is
    /// or is not in the folders around it.
    pub(crate) fn asked(&self) -> Vec<PathBuf> {
        let around = self
            .root
            .ancestors()
            .skip(1)
            .flat_map(|it| [".git", ".jj", ".ignore", ".gitignore"].map(|name| it.join(name)));
        let asked = std::mem::take(&mut *self.asked.lock().unwrap_or_else(PoisonError::into_inner));
        asked.into_iter().chain(around).chain(file_of_user()).collect()
    }

    fn note(&self, path: &Path) {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner).push(path.to_owned());
    }

    /// The files that were not read, and why.
    pub fn not_read(&self) -> Vec<(PathBuf, ReadFailure)> {
        std::mem::take(&mut *self.not_read.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// What the files in a folder, as it was named, say of what lies in it and `below` the root.
    fn around(&self, folder: &Path, below: &Path, may_be: &dyn Fn(&str) -> bool) -> Option<Arc<FolderRules>> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((last, rules)) = &known.last
            && last.as_os_str() == folder.as_os_str()
        {
            return rules.clone();
        }
        let parent = below.parent().map(|it| self.root.join(it));
        let rules = parent.and_then(|it| self.of_folder(&it, may_be, &mut known.rules));
        known.last = Some((folder.to_owned(), rules.clone()));
        rules
    }

    /// What the files in a folder say, in which there `may_be` this or that, and those in the folders around it.
    fn of_folder(
        &self,
        folder: &Path,
        may_be: &dyn Fn(&str) -> bool,
        folders: &mut HashMap<PathBuf, Option<Arc<FolderRules>>>,
    ) -> Option<Arc<FolderRules>> {
        let is_around = |it: &&Path| self.rules.from_parents || it.starts_with(&self.root);
        let mut unknown = Vec::new();
        let mut rules = None;
        for around in folder.ancestors().take_while(is_around) {
            if let Some(known) = folders.get(around) {
                rules = known.clone();
                break;
            }
            unknown.push(around);
        }
        for around in unknown.into_iter().rev() {
            let may_be: &dyn Fn(&str) -> bool = if around == folder { may_be } else { &|_| true };
            rules = self.read_folder(around, may_be, rules);
            folders.insert(around.to_owned(), rules.clone());
        }
        rules
    }

    fn read_folder(
        &self,
        folder: &Path,
        may_be: &dyn Fn(&str) -> bool,
        outer: Option<Arc<FolderRules>>,
    ) -> Option<Arc<FolderRules>> {
        let may_be_of_git = |name: &str| self.is_in_repository && may_be(name);
        let git = if may_be_of_git(".git") { folder.join(".git").metadata().ok() } else { None };
        let plain = match self.rules.reads_plain && may_be(".ignore") {
            true => self.read(folder, &folder.join(".ignore")),
            false => Gitignore::empty(),
        };
        let ignored = match may_be_of_git(".gitignore") {
            true => self.read(folder, &folder.join(".gitignore")),
            false => Gitignore::empty(),
        };
        let exclude_file = git.as_ref().and_then(|it| exclude_file(folder, it));
        if git.is_some() {
            self.note(&folder.join(".git"));
            exclude_file.iter().for_each(|it| self.note(it));
        }
        let excluded = exclude_file.map_or_else(Gitignore::empty, |it| self.read(folder, &it));
        let is_repository =
            self.rules.requires_git && (git.is_some() || may_be_of_git(".jj") && folder.join(".jj").exists());
        if !is_repository && [&plain, &ignored, &excluded].into_iter().all(Gitignore::is_empty) {
            return outer;
        }
        Some(Arc::new(FolderRules { outer, plain, of_git: ignored, excluded, is_repository }))
    }

    /// What a file says of the files below `folder`; nothing where it is not there.
    fn read(&self, folder: &Path, path: &Path) -> Gitignore {
        let Ok(metadata) = path.symlink_metadata() else { return Gitignore::empty() };
        self.note(path);
        let room = MAX_TOGETHER_LENGTH.saturating_sub(self.read.load(Ordering::Relaxed));
        let text = match !metadata.is_symlink() || self.may_follow(folder, path) {
            true => path_policy::read_regular(path, MAX_LENGTH.min(room)),
            false => Err(ReadFailure::Outside),
        };
        let text = match text {
            Ok(text) => text,
            Err(ReadFailure::Missing) => return Gitignore::empty(),
            Err(failure) => {
                self.not_read.lock().unwrap_or_else(PoisonError::into_inner).push((path.to_owned(), failure));
                return Gitignore::empty();
            }
        };
        self.read.fetch_add(text.len() as u64, Ordering::Relaxed);
        let mut builder = GitignoreBuilder::new(folder);
        for line in String::from_utf8_lossy(&text).trim_start_matches('\u{feff}').lines() {
            // Git, too, goes on behind a pattern that is none.
            let _ = builder.add_line(None, line);
        }
        builder.build().unwrap_or_else(|_| Gitignore::empty())
    }

    /// May a link be followed? Git does not at all; here it may lead to what lies beside or below it.
    fn may_follow(&self, folder: &Path, path: &Path) -> bool {
        let around = if folder.starts_with(&self.root) { self.root.as_path() } else { folder };
        let is_excluded = path.file_name() == Some(OsStr::new("exclude"));
        // A link to nowhere says nothing.
        path.canonicalize().map_or(true, |target| is_excluded || target.starts_with(around))
    }
}

/// The file in which the user says what Git ignores in all repositories, whether it is there or not.
pub(crate) fn file_of_user() -> Option<PathBuf> {
    ignore::gitignore::gitconfig_excludes_path()
}

fn is_repository(folder: &Path) -> bool {
    folder.join(".git").exists() || folder.join(".jj").exists()
}

/// Where Git keeps what is ignored in this clone alone. `metadata` are those of `.git`.
fn exclude_file(folder: &Path, metadata: &Metadata) -> Option<PathBuf> {
    let git = folder.join(".git");
    if metadata.is_dir() {
        return Some(git.join("info/exclude"));
    }
    let line_of = |path: &Path| path_policy::read_regular_text(path, 1 << 16).ok();
    let named = line_of(&git)?;
    let own = folder.join(named.strip_prefix("gitdir:")?.trim());
    let common = line_of(&own.join("commondir")).map(|it| own.join(it.trim()));
    Some(common.unwrap_or(own).join("info/exclude"))
}

#[cfg(test)]
#[path = "ignored_tests.rs"]
mod tests;
