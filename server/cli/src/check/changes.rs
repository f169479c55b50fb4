//! Changed texts of a run, to be shown or written.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use disk::replacement;
use git::unified;

use super::sources::SourcesToCheck;
use crate::files::{FileFailure, display_path};

/// Original contents of the changed files.
#[derive(Default)]
pub(super) struct ChangedTexts {
    pub(super) before: HashMap<PathBuf, Arc<str>>,
}

impl ChangedTexts {
    /// Returns the number of files that differ from disk.
    pub(super) fn count(&self) -> usize {
        self.before.len()
    }

    /// Returns the changes as a diff.
    pub(super) fn diff(&self, sources: &SourcesToCheck) -> String {
        let changed =
            sources.texts.iter().filter_map(|(path, text)| Some((path, self.before.get(path)?, text)));
        let name = |path: &Path| output::visible(&display_path(path)).into_owned();
        changed.map(|(path, old, new)| unified::diff_of_texts(&name(path), old, new)).collect()
    }

    /// Writes the changed files and returns the failures.
    pub(super) fn write(&self, sources: &SourcesToCheck) -> Vec<FileFailure> {
        let changed = sources.texts.iter().filter(|(path, _)| self.before.contains_key(path));
        let write = |(path, text): &(PathBuf, Arc<str>)| {
            let failure = replacement::write(path, text).err()?;
            Some(FileFailure::unwritten(path, &failure))
        };
        changed.filter_map(write).collect()
    }
}
