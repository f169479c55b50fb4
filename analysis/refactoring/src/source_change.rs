//! Result of a refactoring.

use project::Db;
use project::vfs::FilePath;
use symbols::FileId;
use syntax::TextRange;

use crate::lines::with_line_breaks_of;

/// A set of changes that must be applied as a whole.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct SourceChange {
    /// Edits per file, sorted by path; the edits of a file are sorted by position and do not touch each
    /// other.
    pub edits: Vec<(FileId, Vec<SourceEdit>)>,
    /// Files to move, after their edits.
    pub moves: Vec<(FileId, FilePath)>,
    /// Files to create, with their contents.
    pub creates: Vec<(FilePath, String)>,
}

impl SourceChange {
    /// Returns the change with the line breaks of each edited file in the inserted text.
    pub(crate) fn with_line_breaks(mut self, db: &dyn Db) -> SourceChange {
        for (file, edits) in &mut self.edits {
            if edits.iter().all(|it| !it.text.contains('\n')) {
                continue;
            }
            let Some(text) = project::text(db, file.0) else { continue };
            for edit in edits {
                if let Some(converted) = with_line_breaks_of(&text, &edit.text) {
                    edit.text = converted;
                }
            }
        }
        self
    }
}

/// A replacement of a range.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct SourceEdit {
    pub range: TextRange,
    pub text: String,
}
