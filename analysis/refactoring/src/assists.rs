//! Refactorings at the cursor or for a selection. They preserve the catalog: `tests/catalogs` compiles real
//! classes before and after each kind.
//!
//! Each kind checks what could change the result and is not offered then. The edited text must parse without
//! errors.

mod conditionals;
mod expressions;
mod extract_definition;
mod extract_variable;
mod includes;
mod inline_variable;
mod quotes;

use project::{Db, File};
use symbols::FileId;
use syntax::{Language, Parse, SyntaxKind, SyntaxNode, SyntaxToken, TextRange};

use crate::code_actions::{CodeAction, CodeActionKind};
use crate::{SourceChange, SourceEdit};

/// Position or selection to refactor, with its file.
struct AssistContext<'a> {
    db: &'a dyn Db,
    file: File,
    parse: Parse,
    root: SyntaxNode,
    /// Selection without surrounding whitespace.
    range: TextRange,
}

impl AssistContext<'_> {
    fn text(&self) -> &str {
        self.parse.text()
    }

    fn slice(&self, range: TextRange) -> &str {
        self.text().get(range.as_range()).unwrap_or_default()
    }

    /// Returns the token at the start of the selection, the one after the cursor if two touch it.
    fn token(&self) -> Option<SyntaxToken> {
        let mut tokens: Vec<SyntaxToken> = self.root.tokens_at(self.range.start).collect();
        // At the end of a name, the cursor still means the name.
        if tokens.last().is_some_and(|it| it.kind() == SyntaxKind::WHITESPACE) && tokens.len() > 1 {
            tokens.pop();
        }
        tokens.pop()
    }

    /// Returns the innermost node of a kind around the cursor.
    fn around(&self, kind: SyntaxKind) -> Option<SyntaxNode> {
        self.token()?.ancestors().find(|it| it.kind() == kind)
    }

    /// Returns an action for this file, if the edited text has no syntax errors.
    fn action(
        &self,
        kind: CodeActionKind,
        title: impl Into<String>,
        edits: Vec<SourceEdit>,
    ) -> Option<CodeAction> {
        let change = SourceChange { edits: vec![(FileId(self.file), edits)], ..SourceChange::default() };
        self.change(kind, title, change)
    }

    /// Returns an action whose change edits this file, if the edited text has no syntax errors.
    fn change(
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

/// Returns the refactorings for a range of a manifest or plan without syntax errors.
pub fn assists(db: &dyn Db, file: File, range: TextRange) -> Vec<CodeAction> {
    let parse = project::parse(db, file);
    if parse.language() == Language::Epp || !parse.errors().is_empty() {
        return Vec::new();
    }
    let root = parse.syntax();
    let range = trimmed(parse.text(), range);
    let ctx = AssistContext { db, file, parse, root, range };
    let mut actions = Vec::new();
    actions.extend(extract_variable::extract_variable(&ctx));
    actions.extend(extract_definition::extract_definition(&ctx));
    actions.extend(inline_variable::inline_variable(&ctx));
    actions.extend(conditionals::rewrites(&ctx));
    actions.extend(includes::rewrites(&ctx));
    actions.extend(quotes::rewrites(&ctx));
    actions
}

/// Returns a range without the whitespace at its ends.
fn trimmed(text: &str, range: TextRange) -> TextRange {
    let Some(selected) = text.get(range.as_range()) else { return TextRange::empty(range.start) };
    let body = selected.trim();
    if body.is_empty() {
        return TextRange::empty(range.start);
    }
    let start = range.start + (selected.len() - selected.trim_start().len()) as u32;
    TextRange::new(start, start + body.len() as u32)
}
