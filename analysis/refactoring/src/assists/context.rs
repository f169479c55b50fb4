//! Position or selection to refactor.

use project::{Db, File};
use symbols::FileId;
use syntax::{Parse, SyntaxKind, SyntaxNode, SyntaxToken, TextRange};

use crate::code_action::{CodeAction, CodeActionKind};
use crate::{SourceChange, SourceEdit};

/// Position or selection to refactor, with its file.
pub(super) struct AssistContext<'a> {
    pub(super) db: &'a dyn Db,
    pub(super) file: File,
    pub(super) parse: Parse,
    pub(super) root: SyntaxNode,
    /// Selection without surrounding whitespace.
    pub(super) range: TextRange,
}

impl AssistContext<'_> {
    pub(super) fn text(&self) -> &str {
        self.parse.text()
    }

    pub(super) fn slice(&self, range: TextRange) -> &str {
        self.text().get(range.as_range()).unwrap_or_default()
    }

    /// Returns the token at the start of the selection, the one after the cursor if two touch it.
    pub(super) fn token(&self) -> Option<SyntaxToken> {
        let mut tokens: Vec<SyntaxToken> = self.root.tokens_at(self.range.start).collect();
        // At the end of a name, the cursor still means the name.
        if tokens.last().is_some_and(|it| it.kind() == SyntaxKind::WHITESPACE) && tokens.len() > 1 {
            tokens.pop();
        }
        tokens.pop()
    }

    /// Returns the innermost node of a kind around the cursor.
    pub(super) fn around(&self, kind: SyntaxKind) -> Option<SyntaxNode> {
        self.token()?.ancestors().find(|it| it.kind() == kind)
    }

    /// Returns an action for this file, if the edited text has no syntax errors.
    pub(super) fn action(
        &self,
        kind: CodeActionKind,
        title: impl Into<String>,
        edits: Vec<SourceEdit>,
    ) -> Option<CodeAction> {
        let change = SourceChange { edits: vec![(FileId(self.file), edits)], ..SourceChange::default() };
        self.change(kind, title, change)
    }

    /// Returns an action whose change edits this file, if the edited text has no syntax errors.
    pub(super) fn change(
        &self,
        kind: CodeActionKind,
        title: impl Into<String>,
        mut change: SourceChange,
    ) -> Option<CodeAction> {
        let (_, edits) = change.edits.first_mut()?;
        edits.sort();
        edits.dedup();
        if edits.is_empty() {
            return None;
        }
        let edited = self.parse.edited(&apply(self.text(), edits).into());
        if !edited.errors().is_empty() {
            return None;
        }
        Some(CodeAction {
            title: title.into(),
            kind,
            is_preferred: false,
            diagnostic: None,
            change,
            is_for_workspace: false,
        })
    }
}

/// Applies sorted edits to a text.
pub(crate) fn apply(text: &str, edits: &[SourceEdit]) -> String {
    let mut edited = text.to_owned();
    for edit in edits.iter().rev() {
        edited.replace_range(edit.range.as_range(), &edit.text);
    }
    edited
}
