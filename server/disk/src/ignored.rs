//! Ignore files: `.ignore`, `.gitignore` and Git's `info/exclude`.
//!
//! **They are read like everything that belongs to a repository: regular files only, up to a size limit.**
//! Therefore the crate `ignore` only matches the patterns here; on its own it would read any file.

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

/// Maximum size of an ignore file in bytes.
const MAX_LENGTH: u64 = 128 << 10;

/// Maximum total size of the ignore files of a walk in bytes.
const MAX_TOTAL_LENGTH: u64 = 1 << 20;

/// Rules for which ignore files apply.
#[derive(Clone, Copy)]
pub struct IgnoreRules {
    /// True if `.ignore` applies in addition to Git's own files.
    pub reads_plain: bool,
    /// True if the ignore files of parent folders apply.
    pub from_parents: bool,
    /// True if Git's files only apply inside Git repositories.
    pub requires_git: bool,
}

/// Ignore files that apply below a folder.
pub struct IgnoreFiles {
    rules: IgnoreRules,
    /// The folder as it was named, and its canonical path.
    named: PathBuf,
    root: PathBuf,
    is_in_repository: bool,
    known: Mutex<KnownFolders>,
    user_rules: Gitignore,
    /// Ignore files found, and candidates in the parent folders of the root.
    dependencies: Mutex<Vec<PathBuf>>,
    /// Total number of bytes read.
    read: AtomicU64,
    not_read: Mutex<Vec<(PathBuf, ReadFailure)>>,
}

/// Rules by folder: its own, or those of the nearest parent that has any.
#[derive(Default)]
struct KnownFolders {
    rules: HashMap<PathBuf, Option<Arc<FolderRules>>>,
    /// Most recently requested folder, as it was named. A walk requests the entries of one folder in a row.
    last: Option<(PathBuf, Option<Arc<FolderRules>>)>,
}

/// Rules of one folder that has ignore files or is the root of a repository.
struct FolderRules {
    /// Rules of the nearest such parent folder.
    outer: Option<Arc<FolderRules>>,
    plain: Gitignore,
    of_git: Gitignore,
    excluded: Gitignore,
    is_repository: bool,
}

impl IgnoreFiles {
    /// Creates the matcher for a folder. Ignore files are read on demand, when an entry beside them is
    /// matched.
    pub fn below(folder: &Path, rules: IgnoreRules) -> IgnoreFiles {
        let root = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
        let here = std::env::current_dir().unwrap_or_else(|_| root.clone());
        IgnoreFiles {
            rules,
            named: folder.to_owned(),
            is_in_repository: !rules.requires_git || root.ancestors().any(is_repository),
            root,
            known: Mutex::default(),
            user_rules: GitignoreBuilder::new(here).build_global().0,
            dependencies: Mutex::default(),
            read: AtomicU64::new(0),
            not_read: Mutex::default(),
        }
    }

    /// Returns true if a path below the folder is ignored.
    pub fn is_ignored(&self, path: &Path, is_folder: bool) -> bool {
        self.is_ignored_with(path, is_folder, &|_| true)
    }

    /// Like [`IgnoreFiles::is_ignored`], for an entry of a walk.
    pub fn is_entry_ignored(&self, entry: &Entry) -> bool {
        self.is_ignored_with(entry.path(), entry.is_folder(), &|name| entry.may_have_sibling(name))
    }

    /// Like [`IgnoreFiles::is_ignored`]; `may_exist` returns false for names that the folder of the path does
    /// not contain.
    fn is_ignored_with(&self, path: &Path, is_folder: bool, may_exist: &dyn Fn(&str) -> bool) -> bool {
        let below = path.strip_prefix(&self.named).ok().filter(|it| !it.as_os_str().is_empty());
        let Some((below, folder)) = below.zip(path.parent()) else { return false };
        let rules = self.around(folder, below, may_exist);
        if rules.is_none() && (!self.is_in_repository || self.user_rules.is_empty()) {
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
        let user_rules = if self.is_in_repository {
            self.user_rules.matched(&path, is_folder).map(|_| ())
        } else {
            Match::None
        };
        plain.or(of_git).or(excluded).or(user_rules).is_ignore()
    }

    /// Takes the paths that influence the result apart from the entries of the folders below the root: the
    /// ignore files found there, and everything that exists or may come to exist in parent folders.
    pub(crate) fn dependencies(&self) -> Vec<PathBuf> {
        let around = self
            .root
            .ancestors()
            .skip(1)
            .flat_map(|it| [".git", ".jj", ".ignore", ".gitignore"].map(|name| it.join(name)));
        let dependencies =
            std::mem::take(&mut *self.dependencies.lock().unwrap_or_else(PoisonError::into_inner));
        dependencies.into_iter().chain(around).chain(user_excludes_file()).collect()
    }

    fn note(&self, path: &Path) {
        self.dependencies.lock().unwrap_or_else(PoisonError::into_inner).push(path.to_owned());
    }

    /// Takes the ignore files that were not read, with the reason.
    pub fn not_read(&self) -> Vec<(PathBuf, ReadFailure)> {
        std::mem::take(&mut *self.not_read.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Returns the rules for the entries of `folder` (as it was named), which is `below` the root.
    fn around(
        &self,
        folder: &Path,
        below: &Path,
        may_exist: &dyn Fn(&str) -> bool,
    ) -> Option<Arc<FolderRules>> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((last, rules)) = &known.last
            && last.as_os_str() == folder.as_os_str()
        {
            return rules.clone();
        }
        let parent = below.parent().map(|it| self.root.join(it));
        let rules = parent.and_then(|it| self.of_folder(&it, may_exist, &mut known.rules));
        known.last = Some((folder.to_owned(), rules.clone()));
        rules
    }

    /// Returns the rules of a folder and its parents. `may_exist` applies to the names in the folder itself.
    fn of_folder(
        &self,
        folder: &Path,
        may_exist: &dyn Fn(&str) -> bool,
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
            let may_exist: &dyn Fn(&str) -> bool = if around == folder { may_exist } else { &|_| true };
            rules = self.read_folder(around, may_exist, rules);
            folders.insert(around.to_owned(), rules.clone());
        }
        rules
    }

    fn read_folder(
        &self,
        folder: &Path,
        may_exist: &dyn Fn(&str) -> bool,
        outer: Option<Arc<FolderRules>>,
    ) -> Option<Arc<FolderRules>> {
        let may_exist_for_git = |name: &str| self.is_in_repository && may_exist(name);
        let git = if may_exist_for_git(".git") { folder.join(".git").metadata().ok() } else { None };
        let plain = if self.rules.reads_plain && may_exist(".ignore") {
            self.read(folder, &folder.join(".ignore"))
        } else {
            Gitignore::empty()
        };
        let ignored = if may_exist_for_git(".gitignore") {
            self.read(folder, &folder.join(".gitignore"))
        } else {
            Gitignore::empty()
        };
        let exclude_file = git.as_ref().and_then(|it| exclude_file(folder, it));
        if git.is_some() {
            self.note(&folder.join(".git"));
            exclude_file.iter().for_each(|it| self.note(it));
        }
        let excluded = exclude_file.map_or_else(Gitignore::empty, |it| self.read(folder, &it));
        let is_repository = self.rules.requires_git
            && (git.is_some() || may_exist_for_git(".jj") && folder.join(".jj").exists());
        if !is_repository && [&plain, &ignored, &excluded].into_iter().all(Gitignore::is_empty) {
            return outer;
        }
        Some(Arc::new(FolderRules { outer, plain, of_git: ignored, excluded, is_repository }))
    }

    /// Reads an ignore file whose patterns are relative to `folder`; empty if it does not exist.
    fn read(&self, folder: &Path, path: &Path) -> Gitignore {
        let Ok(metadata) = path.symlink_metadata() else { return Gitignore::empty() };
        self.note(path);
        let room = MAX_TOTAL_LENGTH.saturating_sub(self.read.load(Ordering::Relaxed));
        let text = if !metadata.is_symlink() || self.may_follow(folder, path) {
            path_policy::read_regular(path, MAX_LENGTH.min(room))
        } else {
            Err(ReadFailure::Outside)
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
            // Git also ignores invalid patterns and continues.
            let _ = builder.add_line(None, line);
        }
        builder.build().unwrap_or_else(|_| Gitignore::empty())
    }

    /// Returns true if a linked ignore file may be read. Git never follows such links. Here the target must
    /// be below the root, or below `folder` if that is outside of the root; `info/exclude` belongs to Git and
    /// may lead anywhere.
    fn may_follow(&self, folder: &Path, path: &Path) -> bool {
        let around = if folder.starts_with(&self.root) { self.root.as_path() } else { folder };
        let is_excluded = path.file_name() == Some(OsStr::new("exclude"));
        // A dangling link has no patterns.
        path.canonicalize().map_or(true, |target| is_excluded || target.starts_with(around))
    }
}

/// Returns the path of the user's global excludes file of Git, existing or not.
pub(crate) fn user_excludes_file() -> Option<PathBuf> {
    ignore::gitignore::gitconfig_excludes_path()
}

fn is_repository(folder: &Path) -> bool {
    folder.join(".git").exists() || folder.join(".jj").exists()
}

/// Returns the path of Git's `info/exclude` for this clone. `metadata` is that of `.git`.
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
