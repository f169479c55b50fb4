//! Result of a refactoring.

use project::vfs::FilePath;
use symbols::FileId;
use syntax::TextRange;

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

/// A replacement of a range.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct SourceEdit {
    pub range: TextRange,
    pub text: String,
}
