//! What an editor offers to do about a place: fixes of findings, and changes that keep the meaning.

mod additions;
mod corrections;
mod creations;
mod layout;
mod qualifications;

use check::{Diagnostic, FixData, Tier};
use project::{Db, File};
use symbols::FileId;
use syntax::TextRange;

use crate::{SourceChange, SourceEdit};

/// Something that can be done to the text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CodeAction {
    pub title: String,
    pub kind: CodeActionKind,
    /// Is it what most people would do?
    pub is_preferred: bool,
    /// The finding that it fixes: its rule, and where it stands.
    pub finding: Option<(check::Code, TextRange)>,
    pub change: SourceChange,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum CodeActionKind {
    QuickFix,
    RefactorRewrite,
    /// All fixes of a file that are certain, at once.
    SourceFixAll,
}

/// What a fix is made from.
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
            finding: Some((self.diagnostic.code, self.diagnostic.range)),
            change,
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

/// What can be done about a range of a file: the fixes of its findings first.
pub fn code_actions(db: &dyn Db, file: File, range: TextRange) -> Vec<CodeAction> {
    let Some(text) = project::text(db, file) else { return Vec::new() };
    let mut found: Vec<Diagnostic> = Vec::new();
    for tier in Tier::LIVE {
        found.extend(check::diagnostics(db, file, tier));
    }
    let mut actions = Vec::new();
    for diagnostic in found.iter().filter(|it| it.range.intersects_or_touches(range)) {
        let finding = FixSubject { db, file, text: &text, diagnostic };
        let mut fixes = corrections::fixes(&finding);
        fixes.extend(qualifications::fixes(&finding));
        fixes.extend(additions::fixes(&finding));
        fixes.extend(creations::fixes(&finding));
        // Of several the first is the likeliest.
        if let Some(first) = fixes.first_mut() {
            first.is_preferred = true;
        }
        fixes.extend(layout::suppression(&finding));
        actions.extend(fixes);
    }
    actions.extend(qualifications::inherited(db, file, range));
    actions.extend(layout::aligned_arrows(db, file, &text, range));
    actions.extend(all_fixes(file, &found));
    actions
}

/// An action on nothing but the text of one file, which mends no single finding.
fn rewrite(file: File, kind: CodeActionKind, title: &str, edits: Vec<SourceEdit>) -> CodeAction {
    CodeAction {
        title: title.to_owned(),
        kind,
        is_preferred: false,
        finding: None,
        change: SourceChange { edits: vec![(FileId(file), edits)], ..SourceChange::default() },
    }
}

/// The replacements of a file that are certain, none touching another.
fn all_fixes(file: File, found: &[Diagnostic]) -> Option<CodeAction> {
    let mut edits: Vec<SourceEdit> = Vec::new();
    for diagnostic in found {
        let fix = match &diagnostic.data {
            Some(FixData::ReplaceWith { range, text }) => vec![(*range, text.to_string())],
            Some(FixData::Remove(range)) => vec![(*range, String::new())],
            Some(FixData::Edits { edits, is_safe: true }) => {
                edits.iter().map(|(range, text)| (*range, text.to_string())).collect()
            }
            _ => continue,
        };
        let touches = |range: TextRange| edits.iter().any(|it| it.range.intersects_or_touches(range));
        if !fix.iter().any(|(range, _)| touches(*range)) {
            edits.extend(fix.into_iter().map(|(range, text)| SourceEdit { range, text }));
        }
    }
    edits.sort();
    let title = "Fix all that can be fixed for certain";
    (!edits.is_empty()).then(|| rewrite(file, CodeActionKind::SourceFixAll, title, edits))
}
