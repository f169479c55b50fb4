//! Edits of a rename, and the reason for refusing one.

use std::collections::BTreeMap;
use std::fmt;

use project::vfs::FilePath;
use project::{Db, File};
use symbols::FileId;
use syntax::TextRange;

use crate::{SourceChange, SourceEdit};

/// Reason why a symbol cannot be renamed, shown to the user.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct RenameRefusal(pub String);

impl fmt::Display for RenameRefusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for RenameRefusal {}

pub(super) fn refuse<T>(reason: impl Into<String>) -> Result<T, RenameRefusal> {
    Err(RenameRefusal(reason.into()))
}

/// Edits collected so far, by file.
#[derive(Default)]
pub(super) struct Edits {
    by_file: BTreeMap<FilePath, (File, Vec<SourceEdit>)>,
}

impl Edits {
    pub(super) fn add(&mut self, db: &dyn Db, file: File, range: TextRange, text: String) {
        let path = file.path(db).clone();
        self.by_file.entry(path).or_insert((file, Vec::new())).1.push(SourceEdit { range, text });
    }

    pub(super) fn finish(self, moves: Vec<(FileId, FilePath)>) -> SourceChange {
        let edits = self.by_file.into_values().map(|(file, mut edits)| {
            edits.sort();
            edits.dedup();
            (FileId(file), edits)
        });
        SourceChange { edits: edits.collect(), moves, creates: Vec::new() }
    }
}
