//! Other words in the place of those that are wrong.

use check::{Code, FixData, UnknownNameKind};
use project::vfs::FilePath;
use symbols::FileId;
use symbols::symbol::{self, Symbol};
use syntax::TextRange;
use validation::ExpectedNamespace;

use super::{CodeAction, FixSubject};
use crate::{SourceChange, SourceEdit};

pub(super) fn fixes(finding: &FixSubject<'_>) -> Vec<CodeAction> {
    let diagnostic = finding.diagnostic;
    match &diagnostic.data {
        Some(FixData::ReplaceWith { range, text }) => {
            vec![finding.edit(format!("Write `{text}`"), *range, text.as_str())]
        }
        Some(FixData::Remove(range)) => vec![finding.edit("Take it away", *range, "")],
        Some(FixData::Edits { edits, is_safe }) => vec![mended(finding, edits, *is_safe)],
        Some(FixData::UnknownName { kind, name, similar }) => {
            similar.iter().filter_map(|similar| misspelt(finding, *kind, name, similar)).collect()
        }
        _ => match diagnostic.code {
            Code::IllegalDefinitionLocation => misplaced(finding),
            Code::UnusedVariable | Code::UnusedParameter => unused(finding).into_iter().collect(),
            _ => Vec::new(),
        },
    }
}

/// What a check of style wants.
fn mended(finding: &FixSubject<'_>, edits: &[(TextRange, impl AsRef<str>)], is_safe: bool) -> CodeAction {
    let edits = edits.iter().map(|(range, text)| SourceEdit { range: *range, text: text.as_ref().into() });
    let change =
        SourceChange { edits: vec![(FileId(finding.file), edits.collect())], ..SourceChange::default() };
    let warning = if is_safe { "" } else { " (this may change what the code does)" };
    finding.fix(format!("Mend `{}`{warning}", finding.diagnostic.code), change)
}

fn misspelt(
    finding: &FixSubject<'_>,
    kind: UnknownNameKind,
    name: &str,
    similar: &str,
) -> Option<CodeAction> {
    // Of a path into a fact its last key is what is wrong.
    let (name, similar) = match kind {
        UnknownNameKind::Fact => (last_key(name), last_key(similar)),
        _ => (name, similar),
    };
    let range = position_of(finding.text, finding.diagnostic.range, name)?;
    Some(finding.edit(format!("Did you mean `{similar}`?"), range, similar))
}

fn last_key(path: &str) -> &str {
    path.rsplit('.').next().unwrap_or(path)
}

/// Where a name stands in a range, in whatever case.
fn position_of(text: &str, range: TextRange, name: &str) -> Option<TextRange> {
    let around = text.get(range.as_range())?;
    let found = around.to_ascii_lowercase().rfind(&name.to_ascii_lowercase())?;
    let start = range.start + found as u32;
    Some(TextRange::new(start, start + name.len() as u32))
}

/// A definition in the wrong file: its name follows the path, or the path its name.
fn misplaced(finding: &FixSubject<'_>) -> Vec<CodeAction> {
    let (db, file) = (finding.db, finding.file);
    let ExpectedNamespace::Module { namespace } = project::file_location(db, file) else { return Vec::new() };
    let definitions = project::defined_names(db, file);
    let [definition] = &definitions[..] else { return Vec::new() };
    let mut fixes = Vec::new();
    let as_written = match definition.kind {
        hir::DefinitionKind::TypeAlias => hir::capitalized(namespace),
        _ => namespace.clone(),
    };
    if let Some(range) = position_of(finding.text, finding.diagnostic.range, &definition.name) {
        fixes.push(finding.edit(format!("Rename it to `{as_written}`"), range, as_written));
    }
    let target = super::creations::autoload_path(db, file, definition.kind, &definition.name);
    if let Some(path) = target.filter(|path: &FilePath| *path != *file.path(db)) {
        let change = SourceChange { moves: vec![(FileId(file), path.clone())], ..SourceChange::default() };
        fixes.push(finding.fix(format!("Move the file to `{}`", path.file_name()), change));
    }
    fixes
}

/// A parameter of a lambda that nobody reads says so with `_`. Names that others may use stay as they are.
fn unused(finding: &FixSubject<'_>) -> Option<CodeAction> {
    let range = finding.diagnostic.range;
    let (symbol, name_range) = symbol::symbol_at(finding.db, finding.file, range.end.saturating_sub(1))?;
    let Symbol::LambdaVariable { name, .. } = symbol else { return None };
    Some(finding.edit(
        format!("Rename it to `$_{name}`"),
        TextRange::empty(name_start(finding.text, name_range)),
        "_",
    ))
}

/// Behind the `$`.
fn name_start(text: &str, range: TextRange) -> u32 {
    let has_sigil = text.get(range.as_range()).is_some_and(|it| it.starts_with('$'));
    range.start + u32::from(has_sigil)
}
