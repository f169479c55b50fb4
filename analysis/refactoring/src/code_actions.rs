//! Code actions: fixes of diagnostics, and refactorings.

mod additions;
mod advice;
mod corrections;
mod creations;
mod cures;
mod defaults;
mod documentation;
mod fix_all;
mod metadata;
mod moves;
mod qualifications;
mod redactions;
mod rewrites;
mod suppression;
mod syntax_fixes;
mod upgrade;

pub(crate) use creations::autoload_path;
pub use fix_all::fix_workspace;
pub use upgrade::upgrade_actions;

use check::{Diagnostic, Tier};
use project::{Db, File};
use symbols::FileId;
use syntax::TextRange;

use crate::{SourceChange, SourceEdit};

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
    /// True if the change is not computed yet: [`fix_workspace`] fixes the rule of `diagnostic` everywhere.
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

/// Diagnostic to fix, with its context.
struct FixSubject<'a> {
    db: &'a dyn Db,
    file: File,
    text: &'a str,
    diagnostic: &'a Diagnostic,
}

impl FixSubject<'_> {
    fn fix(&self, title: impl Into<String>, change: SourceChange) -> CodeAction {
        CodeAction {
            title: title.into(),
            kind: CodeActionKind::QuickFix,
            is_preferred: false,
            diagnostic: Some((self.diagnostic.code, self.diagnostic.range)),
            change,
            is_for_workspace: false,
        }
    }

    fn edit(&self, title: impl Into<String>, range: TextRange, text: impl Into<String>) -> CodeAction {
        self.fix(title, one_edit(self.file, range, text))
    }
}

fn one_edit(file: File, range: TextRange, text: impl Into<String>) -> SourceChange {
    let edit = SourceEdit { range, text: text.into() };
    SourceChange { edits: vec![(FileId(file), vec![edit])], ..SourceChange::default() }
}

/// Returns the code actions for a range of a file, fixes of its diagnostics first.
pub fn code_actions(db: &dyn Db, file: File, range: TextRange) -> Vec<CodeAction> {
    let Some(text) = project::text(db, file) else { return Vec::new() };
    let mut found: Vec<Diagnostic> = Vec::new();
    for tier in Tier::LIVE {
        found.extend(check::diagnostics(db, file, tier));
    }
    let mut actions = Vec::new();
    for diagnostic in found.iter().filter(|it| it.range.intersects_or_touches(range)) {
        let subject = FixSubject { db, file, text: &text, diagnostic };
        actions.extend(fixes(&subject));
        actions.extend(fix_all::of_rule(&subject, &found));
        actions.extend(fix_all::of_workspace(&subject));
        actions.extend(suppression::suppression(&subject).filter(|it| !is_offered(&actions, it)));
    }
    actions.extend(qualifications::inherited(db, file, range));
    actions.extend(rewrites::aligned_arrows(db, file, &text, range));
    actions.extend(documentation::action(db, file, range));
    actions.extend(crate::assists::assists(db, file, range));
    actions.extend(fix_all::of_file(file, &found));
    actions
}

/// Returns true if there is an action with the same title and edits.
fn is_offered(actions: &[CodeAction], action: &CodeAction) -> bool {
    actions.iter().any(|it| it.title == action.title && it.change.edits == action.change.edits)
}

/// Returns the fixes of a diagnostic, the most likely one first.
fn fixes(subject: &FixSubject<'_>) -> Vec<CodeAction> {
    let mut fixes = corrections::fixes(subject);
    fixes.extend(qualifications::fixes(subject));
    fixes.extend(additions::fixes(subject));
    fixes.extend(creations::fixes(subject));
    fixes.extend(cures::fixes(subject));
    fixes.extend(advice::fixes(subject));
    fixes.extend(defaults::fixes(subject));
    fixes.extend(documentation::fixes(subject));
    if let Some(first) = fixes.first_mut() {
        first.is_preferred = true;
    }
    fixes
}

/// Builds an action that edits a single file and does not belong to a diagnostic.
fn rewrite(file: File, kind: CodeActionKind, title: &str, edits: Vec<SourceEdit>) -> CodeAction {
    CodeAction {
        title: title.to_owned(),
        kind,
        is_preferred: false,
        diagnostic: None,
        change: SourceChange { edits: vec![(FileId(file), edits)], ..SourceChange::default() },
        is_for_workspace: false,
    }
}
