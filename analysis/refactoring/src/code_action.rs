//! Code actions as data.

use syntax::TextRange;

use crate::SourceChange;

/// A change offered to the user.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CodeAction {
    pub title: String,
    pub kind: CodeActionKind,
    /// True for the most likely fix of a diagnostic.
    pub is_preferred: bool,
    /// Rule and range of the diagnostic that it fixes.
    pub diagnostic: Option<(check::Code, TextRange)>,
    pub change: SourceChange,
    /// True if the change is not computed yet: [`crate::fix_workspace`] fixes the rule of `diagnostic` everywhere.
    pub is_for_workspace: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum CodeActionKind {
    QuickFix,
    RefactorExtract,
    RefactorInline,
    RefactorRewrite,
    /// All safe fixes of a file at once.
    SourceFixAll,
    /// All fixes of a file that prepare it for a later version.
    SourceUpgrade,
}
