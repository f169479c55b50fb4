//! Fixes of all diagnostics of a file or workspace.

use check::{Code, Diagnostic, FixData, Tier};
use project::vfs::FilePath;
use project::{Db, File};
use symbols::FileId;

use super::{CodeAction, CodeActionKind, FixSubject, rewrite};
use crate::{SourceChange, SourceEdit};

/// Collects the safe fixes of a file.
pub(super) fn of_file(file: File, found: &[Diagnostic]) -> Option<CodeAction> {
    let edits = safe_edits(found.iter());
    let title = "Fix all auto-fixable problems";
    (!edits.is_empty()).then(|| rewrite(file, CodeActionKind::SourceFixAll, title, edits))
}

/// Returns a fix of all diagnostics of the same rule in the file, if there are several.
pub(super) fn of_rule(subject: &FixSubject<'_>, found: &[Diagnostic]) -> Option<CodeAction> {
    let code = subject.diagnostic.code;
    safe_fix(subject.diagnostic)?;
    let same: Vec<&Diagnostic> = found.iter().filter(|it| it.code == code).collect();
    if same.len() < 2 {
        return None;
    }
    let change = SourceChange {
        edits: vec![(FileId(subject.file), safe_edits(same.into_iter()))],
        ..SourceChange::default()
    };
    Some(subject.fix(format!("Fix all `{code}` in this file"), change))
}

/// Returns an action without a change that fixes all diagnostics of the same rule in the workspace.
/// [`fix_workspace`] computes the change.
pub(super) fn of_workspace(subject: &FixSubject<'_>) -> Option<CodeAction> {
    let code = subject.diagnostic.code;
    safe_fix(subject.diagnostic)?;
    let mut action = subject.fix(format!("Fix all `{code}` in the workspace"), SourceChange::default());
    action.is_for_workspace = true;
    Some(action)
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
            .collect();
        let edits = safe_edits(found.iter());
        if !edits.is_empty() {
            change.edits.push((FileId(file), edits));
        }
    }
    change
}

/// Collects the safe, non-overlapping fixes, by position.
pub(super) fn safe_edits<'d>(found: impl Iterator<Item = &'d Diagnostic>) -> Vec<SourceEdit> {
    let mut edits: Vec<SourceEdit> = Vec::new();
    for fix in found.filter_map(safe_fix) {
        let touches = |fix: &SourceEdit| edits.iter().any(|it| it.range.intersects_or_touches(fix.range));
        if !fix.iter().any(touches) {
            edits.extend(fix);
        }
    }
    edits.sort();
    edits
}

/// Returns the fix of a diagnostic that does not change behavior.
fn safe_fix(diagnostic: &Diagnostic) -> Option<Vec<SourceEdit>> {
    match diagnostic.data.as_ref()? {
        FixData::ReplaceWith { range, text } => {
            Some(vec![SourceEdit { range: *range, text: text.to_string() }])
        }
        FixData::Remove(range) => Some(vec![SourceEdit { range: *range, text: String::new() }]),
        FixData::Edits { edits, is_safe: true } => Some(
            edits.iter().map(|(range, text)| SourceEdit { range: *range, text: text.to_string() }).collect(),
        ),
        _ => None,
    }
}
