//! Stored result of a walk through a folder, with everything that it depends on: the next walk is skipped if
//! nothing of that has changed.

use std::fs::{self, Metadata};
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use ide::FilePath;
use serde::{Deserialize, Serialize};

use super::checked_file;
use crate::stamp::Stamp;
use crate::threads;
use crate::walk::FoundFile;

/// Result of a walk and all its dependencies, each of which can be checked for changes.
#[derive(Debug)]
pub(crate) struct FinishedWalk {
    /// Visited folders, with their stamps before they were listed.
    pub(crate) folders: Vec<(PathBuf, Stamp)>,
    pub(crate) witnesses: Vec<Witness>,
    pub(crate) files: Vec<FilePath>,
}

impl FinishedWalk {
    /// Returns true if nothing that the walk depends on has changed, except for the targets of links.
    pub(crate) fn is_as_before(&self) -> bool {
        let is_unchanged = |(folder, stamp): &(PathBuf, Stamp)| {
            fs::metadata(folder).is_ok_and(|it| it.is_dir() && Stamp::of(&it) == *stamp)
        };
        let unchanged = threads::map(&self.folders, |folders| vec![folders.iter().all(is_unchanged)]);
        unchanged.into_iter().all(|it| it) && self.witnesses.iter().all(Witness::is_as_before)
    }
}

/// A path that influences a walk besides the visited folders, with its stamp if it exists.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Witness {
    path: PathBuf,
    stamp: Option<Stamp>,
}

/// Serialized form of a walk. Paths are relative to its root, except for those of witnesses.
#[derive(Serialize, Deserialize)]
struct Record<'r> {
    /// Relevant settings, as a string.
    settings: &'r str,
    #[serde(borrow)]
    folders: Vec<(&'r str, Stamp)>,
    witnesses: Vec<Witness>,
    files: Vec<&'r str>,
}

impl Witness {
    /// Records the state of a path, unless it has changed since `time`.
    pub(crate) fn since(path: PathBuf, time: SystemTime) -> Option<Witness> {
        let metadata = fs::metadata(&path).ok();
        let is_stable = metadata.as_ref().is_none_or(|it| Stamp::of(it).is_stable_at(time));
        is_stable.then(|| Witness::new(path, metadata))
    }

    fn new(path: PathBuf, metadata: Option<Metadata>) -> Witness {
        // For a folder only its identity matters.
        let stamp = metadata.map(|it| if it.is_dir() { Stamp::identity(&it) } else { Stamp::of(&it) });
        Witness { path, stamp }
    }

    fn is_as_before(&self) -> bool {
        Witness::new(self.path.clone(), fs::metadata(&self.path).ok()) == *self
    }
}

/// Returns the files that a walk would find; `None` if something has changed.
///
/// # Errors
/// Fails if there is no stored walk, or if it is damaged or belongs to something else.
pub(super) fn known_files(
    path: &Path,
    first_line: &str,
    root: &FilePath,
    settings: &str,
) -> io::Result<Option<Vec<FoundFile>>> {
    let content = checked_file::read(path, first_line)?;
    let record: Record<'_> = postcard::from_bytes(&content).map_err(io::Error::other)?;
    if record.settings != settings || !record.witnesses.iter().all(Witness::is_as_before) {
        return Ok(None);
    }
    let native = PathBuf::from(root.to_native());
    let is_unchanged = |(folder, stamp): &(&str, Stamp)| {
        fs::symlink_metadata(native.join(folder)).is_ok_and(|it| it.is_dir() && Stamp::of(&it) == *stamp)
    };
    let unchanged = threads::map(&record.folders, |folders| vec![folders.iter().all(is_unchanged)]);
    let file = |file: &&str| FoundFile::from(root.join(file));
    let files = || threads::map(&record.files, |files| files.iter().map(file).collect());
    Ok(unchanged.into_iter().all(|it| it).then(files))
}

/// Writes the result of a walk and its dependencies.
///
/// # Errors
/// Fails if the file cannot be written.
pub(super) fn write(
    path: &Path,
    first_line: &str,
    root: &FilePath,
    settings: &str,
    walk: &FinishedWalk,
) -> io::Result<()> {
    let native = PathBuf::from(root.to_native());
    let folders = walk.folders.iter();
    let folders = folders.map(|(folder, stamp)| Some((folder.strip_prefix(&native).ok()?.to_str()?, *stamp)));
    let files = walk.files.iter().map(|it| it.strip_prefix(root));
    // Paths that are not UTF-8 cannot be stored.
    let (Some(folders), Some(files)) = (folders.collect(), files.collect()) else { return Ok(()) };
    let record = Record { settings, folders, witnesses: walk.witnesses.clone(), files };
    let content = postcard::to_allocvec(&record).map_err(io::Error::other)?;
    checked_file::write(path, first_line, |out| out.write_all(&content))
}
