//! Which files a walk through a folder has found, and all that it depended on: the next one need not walk where nothing of that has
//! changed.

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

/// What a walk has found and all that it depended on: nothing of it can change without its being seen.
#[derive(Debug)]
pub(crate) struct FinishedWalk {
    /// The folders it was in, as they were before it looked into them.
    pub(crate) folders: Vec<(PathBuf, Stamp)>,
    pub(crate) witnesses: Vec<Witness>,
    pub(crate) files: Vec<FilePath>,
}

/// What of the disk decides what a walk finds, besides the folders it is in: what stands at a path, if anything does.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Witness {
    path: PathBuf,
    stamp: Option<Stamp>,
}

/// The record of a walk. Paths are relative to its root, but for those of witnesses.
#[derive(Serialize, Deserialize)]
struct Record<'r> {
    /// The settings that decide, as text.
    settings: &'r str,
    #[serde(borrow)]
    folders: Vec<(&'r str, Stamp)>,
    witnesses: Vec<Witness>,
    files: Vec<&'r str>,
}

impl Witness {
    /// What stands at a path that was looked at from some time on, unless it has changed since.
    pub(crate) fn since(path: PathBuf, time: SystemTime) -> Option<Witness> {
        let metadata = fs::metadata(&path).ok();
        let is_settled = metadata.as_ref().is_none_or(|it| Stamp::of(it).is_settled_at(time));
        is_settled.then(|| Witness::new(path, metadata))
    }

    fn new(path: PathBuf, metadata: Option<Metadata>) -> Witness {
        // Of a folder it only matters which it is.
        let stamp = metadata.map(|it| if it.is_dir() { Stamp::identity(&it) } else { Stamp::of(&it) });
        Witness { path, stamp }
    }

    fn is_as_before(&self) -> bool {
        Witness::new(self.path.clone(), fs::metadata(&self.path).ok()) == *self
    }
}

/// The files below a folder that a walk would find; `None` if that is not known any more.
///
/// # Errors
/// There is no record, or it is damaged, or of something else.
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

/// Writes what a walk has found and what it depended on.
///
/// # Errors
/// It cannot be written.
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
    // What has no name in UTF-8 is not looked for another time.
    let (Some(folders), Some(files)) = (folders.collect(), files.collect()) else { return Ok(()) };
    let record = Record { settings, folders, witnesses: walk.witnesses.clone(), files };
    let content = postcard::to_allocvec(&record).map_err(io::Error::other)?;
    checked_file::write(path, first_line, |out| out.write_all(&content))
}
