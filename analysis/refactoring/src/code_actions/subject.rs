//! Diagnostic to fix, and actions that change a single file.

use check::Diagnostic;
use project::{Db, File};
use symbols::FileId;
use syntax::TextRange;

use crate::{CodeAction, CodeActionKind, SourceChange, SourceEdit};

/// Diagnostic to fix, with its context.
pub(super) struct FixSubject<'a> {
    pub(super) db: &'a dyn Db,
    pub(super) file: File,
    pub(super) text: &'a str,
    pub(super) diagnostic: &'a Diagnostic,
}

impl FixSubject<'_> {
    pub(super) fn fix(&self, title: impl Into<String>, change: SourceChange) -> CodeAction {
        CodeAction {
            title: title.into(),
            kind: CodeActionKind::QuickFix,
            is_preferred: false,
            diagnostic: Some((self.diagnostic.code, self.diagnostic.range)),
            change,
            is_for_workspace: false,
        }
    }

    pub(super) fn edit(
        &self,
        title: impl Into<String>,
        range: TextRange,
        text: impl Into<String>,
    ) -> CodeAction {
        self.fix(title, one_edit(self.file, range, text))
    }
}

pub(super) fn one_edit(file: File, range: TextRange, text: impl Into<String>) -> SourceChange {
    let edit = SourceEdit { range, text: text.into() };
    SourceChange { edits: vec![(FileId(file), vec![edit])], ..SourceChange::default() }
}

/// Builds an action that edits a single file and does not belong to a diagnostic.
pub(super) fn rewrite(file: File, kind: CodeActionKind, title: &str, edits: Vec<SourceEdit>) -> CodeAction {
    CodeAction {
        title: title.to_owned(),
        kind,
        is_preferred: false,
        diagnostic: None,
        change: SourceChange { edits: vec![(FileId(file), edits)], ..SourceChange::default() },
        is_for_workspace: false,
    }
}
