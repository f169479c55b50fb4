//! What a refactoring changes.

use project::vfs::FilePath;
use symbols::FileId;
use syntax::TextRange;

/// What changes: all of it, or it makes no sense.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct SourceChange {
    /// By path of the file; the edits of one file by position, none touching another.
    pub edits: Vec<(FileId, Vec<SourceEdit>)>,
    /// Files that get another path, after their edits.
    pub moves: Vec<(FileId, FilePath)>,
    /// Files that do not exist yet, with their texts.
    pub creates: Vec<(FilePath, String)>,
}

/// A text instead of another.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct SourceEdit {
    pub range: TextRange,
    pub text: String,
}
