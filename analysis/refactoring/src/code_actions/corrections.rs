//! Fixes that replace text.

use check::{Code, FixData, UnknownNameKind};
use project::vfs::FilePath;
use symbols::FileId;
use symbols::symbol::{self, Symbol};
use syntax::TextRange;
use validation::ExpectedNamespace;

use super::subject::FixSubject;
use crate::{CodeAction, SourceChange, SourceEdit};

/// Maximum length of code that a title shows, in bytes.
const MAX_SHOWN_LENGTH: usize = 40;

pub(super) fn fixes(subject: &FixSubject<'_>) -> Vec<CodeAction> {
    let diagnostic = subject.diagnostic;
    match &diagnostic.data {
        Some(FixData::ReplaceWith { range, text }) => {
            vec![subject.edit(format!("Replace with `{text}`"), *range, text.as_str())]
        }
        Some(FixData::Remove(range)) => vec![removal(subject, *range)],
        Some(FixData::Edits { edits, is_safe }) => vec![rule_fix(subject, edits, *is_safe)],
        Some(FixData::UnknownName { kind, name, similar }) => {
            similar.iter().filter_map(|similar| misspelled(subject, *kind, name, similar)).collect()
        }
        _ => match diagnostic.code {
            Code::IllegalDefinitionLocation => misplaced(subject),
            Code::UnusedVariable | Code::UnusedParameter => unused(subject).into_iter().collect(),
            _ => Vec::new(),
        },
    }
}

/// Removes a range, which the title shows if it is short.
fn removal(subject: &FixSubject<'_>, range: TextRange) -> CodeAction {
    let removed = subject.text.get(range.as_range()).unwrap_or_default().trim();
    let is_short = !removed.is_empty() && removed.len() <= MAX_SHOWN_LENGTH && !removed.contains('\n');
    let title = if is_short { format!("Remove `{removed}`") } else { "Remove this code".to_owned() };
    subject.edit(title, range, "")
}

/// Returns the fix that a rule provides as a list of edits.
fn rule_fix(subject: &FixSubject<'_>, edits: &[(TextRange, impl AsRef<str>)], is_safe: bool) -> CodeAction {
    let edits = edits.iter().map(|(range, text)| SourceEdit { range: *range, text: text.as_ref().into() });
    let change =
        SourceChange { edits: vec![(FileId(subject.file), edits.collect())], ..SourceChange::default() };
    let warning = if is_safe { "" } else { " (may change behavior)" };
    subject.fix(format!("Fix `{}`{warning}", subject.diagnostic.code), change)
}

fn misspelled(
    subject: &FixSubject<'_>,
    kind: UnknownNameKind,
    name: &str,
    similar: &str,
) -> Option<CodeAction> {
    // In a path into a structured fact, only the last key is wrong.
    let (name, similar) = match kind {
        UnknownNameKind::Fact => (last_key(name), last_key(similar)),
        _ => (name, similar),
    };
    let range = position_of(subject.text, subject.diagnostic.range, name)?;
    Some(subject.edit(format!("Replace with `{similar}`"), range, similar))
}

fn last_key(path: &str) -> &str {
    path.rsplit('.').next().unwrap_or(path)
}

/// Finds a name in a range, ignoring case.
fn position_of(text: &str, range: TextRange, name: &str) -> Option<TextRange> {
    let around = text.get(range.as_range())?;
    let found = around.to_ascii_lowercase().rfind(&name.to_ascii_lowercase())?;
    let start = range.start + found as u32;
    Some(TextRange::new(start, start + name.len() as u32))
}

/// Returns the fixes for a definition in the wrong file: rename it according to the path, or move the file
/// according to the name.
fn misplaced(subject: &FixSubject<'_>) -> Vec<CodeAction> {
    let (db, file) = (subject.db, subject.file);
    let ExpectedNamespace::Module { namespace } = project::file_location(db, file) else { return Vec::new() };
    let definitions = project::defined_names(db, file);
    let [definition] = &definitions[..] else { return Vec::new() };
    let mut fixes = Vec::new();
    let as_written = match definition.kind {
        hir::DefinitionKind::TypeAlias => hir::capitalized(namespace),
        _ => namespace.clone(),
    };
    if let Some(range) = position_of(subject.text, subject.diagnostic.range, &definition.name) {
        fixes.push(subject.edit(format!("Rename to `{as_written}`"), range, as_written));
    }
    let target = super::creations::autoload_path(db, file, definition.kind, &definition.name);
    if let Some(path) = target.filter(|path: &FilePath| *path != *file.path(db)) {
        let change = SourceChange { moves: vec![(FileId(file), path.clone())], ..SourceChange::default() };
        fixes.push(subject.fix(format!("Move file to `{}`", path.file_name()), change));
    }
    fixes
}

/// Prefixes an unused lambda parameter with `_`. Names that are visible elsewhere are not changed.
fn unused(subject: &FixSubject<'_>) -> Option<CodeAction> {
    let range = subject.diagnostic.range;
    let (symbol, name_range) = symbol::symbol_at(subject.db, subject.file, range.end.saturating_sub(1))?;
    let Symbol::LambdaVariable { name, .. } = symbol else { return None };
    Some(subject.edit(
        format!("Rename to `$_{name}`"),
        TextRange::empty(name_start(subject.text, name_range)),
        "_",
    ))
}

/// Returns the offset after the `$`.
fn name_start(text: &str, range: TextRange) -> u32 {
    let has_sigil = text.get(range.as_range()).is_some_and(|it| it.starts_with('$'));
    range.start + u32::from(has_sigil)
}
