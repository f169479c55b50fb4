//! Fixes of all diagnostics of a file or workspace.

use check::{Code, Diagnostic, FixData, Tier};
use project::vfs::FilePath;
use project::{Db, File};
use symbols::FileId;

use super::subject::{FixSubject, rewrite};
use crate::{CodeAction, CodeActionKind, SourceChange, SourceEdit};

/// Collects the safe fixes of a file.
pub(super) fn of_file(file: File, found: &[Diagnostic]) -> Option<CodeAction> {
    let edits = safe_edits(found.iter());
    let title = "Fix all auto-fixable problems";
    (!edits.is_empty()).then(|| rewrite(file, CodeActionKind::SourceFixAll, title, edits))
}

/// Maximum number of diagnostics of a file that are fixed together.
const MAX_FIXED: usize = 1_000;

/// Returns a fix of all diagnostics of the same rule in the file, if there are several.
pub(super) fn of_rule(subject: &FixSubject<'_>, found: &[Diagnostic]) -> Option<CodeAction> {
    let code = subject.diagnostic.code;
    let same: Vec<&Diagnostic> = found.iter().filter(|it| it.code == code).take(MAX_FIXED).collect();
    if same.len() < 2 {
        return None;
    }
    let subjects = same.iter().map(|diagnostic| FixSubject { diagnostic, ..*subject });
    let edits = without_overlaps(subjects.filter_map(|it| edits_of(&it, super::fixes(&it).first())));
    if subject.diagnostic.data.is_none() && !is_sound(subject, &edits) {
        return None;
    }
    let change = SourceChange { edits: vec![(FileId(subject.file), edits)], ..SourceChange::default() };
    let warning = warning(subject.diagnostic);
    Some(subject.fix(format!("Fix all `{code}` in this file{warning}"), change))
}

/// Returns true if edits cause no syntax error.
fn is_sound(subject: &FixSubject<'_>, edits: &[SourceEdit]) -> bool {
    let parse = project::parse(subject.db, subject.file);
    let edited = parse.edited(&crate::assists::apply(subject.text, edits).into());
    edited.errors().len() <= parse.errors().len()
}

/// Returns the end of the title of a fix that may change behavior.
fn warning(diagnostic: &Diagnostic) -> &'static str {
    match diagnostic.data {
        Some(FixData::Edits { is_safe: false, .. }) => " (may change behavior)",
        _ => "",
    }
}

/// Returns an action without a change that fixes all diagnostics of the same rule in the workspace.
/// [`fix_workspace`] computes the change.
pub(super) fn of_workspace(subject: &FixSubject<'_>) -> CodeAction {
    let code = subject.diagnostic.code;
    let warning = warning(subject.diagnostic);
    let title = format!("Fix all `{code}` in the workspace{warning}");
    let mut action = subject.fix(title, SourceChange::default());
    action.is_for_workspace = true;
    action
}

/// Fixes all diagnostics of a rule in the environments of a file. `roots` are the folders whose files may be
/// changed; if empty, all files may be. Modules that a `Puppetfile` installs are left alone, except for that of the file.
pub fn fix_workspace(db: &dyn Db, roots: &[FilePath], file: File, code: Code) -> SourceChange {
    let mut files: Vec<File> = vec![file];
    for environment in file.environments(db).iter() {
        files.extend(environment.main_manifests(db).iter());
        let installed = project::expected_modules(db, *environment);
        let own = environment.modules(db).iter().filter(|(name, _)| !installed.contains(name));
        for (_, module) in own {
            files.extend(module.files(db).values());
        }
    }
    files.sort_by(|a, b| a.path(db).cmp(b.path(db)));
    files.dedup();
    let is_inside = |file: &File| {
        let path = file.path(db);
        roots.is_empty() || file.is_open_in_editor(db) || roots.iter().any(|it| path.starts_with(it))
    };
    let mut change = SourceChange::default();
    for file in files.into_iter().filter(is_inside) {
        let found: Vec<Diagnostic> = Tier::LIVE
            .into_iter()
            .flat_map(|tier| check::diagnostics(db, file, tier))
            .filter(|it| it.code == code)
            .take(MAX_FIXED)
            .collect();
        let Some(text) = project::text(db, file).filter(|_| !found.is_empty()) else { continue };
        let subjects = found.iter().map(|diagnostic| FixSubject { db, file, text: &text, diagnostic });
        let edits = without_overlaps(subjects.filter_map(|it| edits_of(&it, super::fixes(&it).first())));
        if !edits.is_empty() {
            change.edits.push((FileId(file), edits));
        }
    }
    change.with_line_breaks(db)
}

/// Returns the edits of the fix of a diagnostic: that of its rule, or `first`, its first fix, if that is obvious and
/// only changes the file. Syntax errors depend on each other, and similar names are checked one by one.
pub(super) fn edits_of(subject: &FixSubject<'_>, first: Option<&CodeAction>) -> Option<Vec<SourceEdit>> {
    if let Some(edits) = edits_of_rule(subject.diagnostic) {
        return Some(edits);
    }
    let diagnostic = subject.diagnostic;
    if diagnostic.data.is_some() || diagnostic.code.is_fixed() || diagnostic.message.contains("did you mean")
    {
        return None;
    }
    let change = &first.filter(|it| it.is_preferred)?.change;
    match change.edits.as_slice() {
        [(file, edits)] if file.0 == subject.file && change.moves.is_empty() && change.creates.is_empty() => {
            Some(edits.clone())
        }
        _ => None,
    }
}

/// Collects the safe, non-overlapping fixes, by position.
fn safe_edits<'d>(found: impl Iterator<Item = &'d Diagnostic>) -> Vec<SourceEdit> {
    without_overlaps(found.filter(|it| has_safe_fix(it)).filter_map(edits_of_rule))
}

/// Collects the non-overlapping fixes without those that the rule itself calls unsafe, by position.
pub(super) fn replacements<'d>(found: impl Iterator<Item = &'d Diagnostic>) -> Vec<SourceEdit> {
    let is_safe = |it: &&Diagnostic| !matches!(it.data, Some(FixData::Edits { is_safe: false, .. }));
    without_overlaps(found.filter(is_safe).filter_map(edits_of_rule))
}

/// Collects the fixes that do not overlap with earlier ones, by position.
fn without_overlaps(fixes: impl Iterator<Item = Vec<SourceEdit>>) -> Vec<SourceEdit> {
    let mut edits: Vec<SourceEdit> = Vec::new();
    for fix in fixes {
        let touches = |fix: &SourceEdit| edits.iter().any(|it| it.range.intersects_or_touches(fix.range));
        if !fix.iter().any(touches) {
            edits.extend(fix);
        }
    }
    edits.sort();
    edits
}

/// Returns true if the fix of a diagnostic does not change behavior: replacements of names and comments do not,
/// in contrast to those of misspelled names.
fn has_safe_fix(diagnostic: &Diagnostic) -> bool {
    let is_neutral = || {
        matches!(
            diagnostic.code,
            Code::LegacyFact
                | Code::DetachedDocumentation
                | Code::ParamTagType
                | Code::ReturnTagType
                | Code::UnknownDocTag
        )
    };
    match &diagnostic.data {
        Some(FixData::Edits { is_safe, .. }) => *is_safe,
        Some(FixData::ReplaceWith { .. } | FixData::Remove(_)) => is_neutral(),
        _ => false,
    }
}

/// Returns the edits that the rule of a diagnostic provides.
fn edits_of_rule(diagnostic: &Diagnostic) -> Option<Vec<SourceEdit>> {
    match diagnostic.data.as_ref()? {
        FixData::ReplaceWith { range, text } => {
            Some(vec![SourceEdit { range: *range, text: text.to_string() }])
        }
        FixData::Remove(range) => Some(vec![SourceEdit { range: *range, text: String::new() }]),
        FixData::Edits { edits, .. } => Some(
            edits.iter().map(|(range, text)| SourceEdit { range: *range, text: text.to_string() }).collect(),
        ),
        _ => None,
    }
}
