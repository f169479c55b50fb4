//! Changed texts of a run, to be shown or written.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use format::FormatEdit;
use git::lines::changed_runs;
use git::unified;

use super::SourcesToCheck;
use crate::files::{FileFailure, display_path, replacement};

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
        changed.map(|(path, old, new)| unified::diff(&name(path), old, &edits(old, new))).collect()
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

/// Returns the changed lines as edits.
fn edits(old: &str, new: &str) -> Vec<FormatEdit> {
    let old_lines: Vec<&str> = old.split_inclusive('\n').collect();
    let new_lines: Vec<&str> = new.split_inclusive('\n').collect();
    let mut starts = vec![0_u32];
    for line in &old_lines {
        starts.push(starts.last().copied().unwrap_or_default() + line.len() as u32);
    }
    let runs = changed_runs(&old_lines, &new_lines).into_iter();
    runs.map(|(removed, inserted)| FormatEdit {
        start: starts[removed.start],
        end: starts[removed.end],
        text: new_lines[inserted].concat(),
    })
    .collect()
}
