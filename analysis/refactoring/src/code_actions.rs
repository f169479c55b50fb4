//! Code actions: fixes of diagnostics, and refactorings.

mod additions;
mod advice;
mod corrections;
mod creations;
mod cures;
mod data_fixes;
mod defaults;
mod documentation;
mod fix_all;
mod metadata;
mod moves;
mod qualifications;
mod redactions;
mod subject;
mod suppression;
mod syntax_fixes;
mod upgrade;
mod value_fixes;

pub(crate) use creations::autoload_path;
pub use fix_all::fix_workspace;
pub use upgrade::upgrade_actions;

use check::{Code, Diagnostic, FixData, Tier};
use project::{Db, File};
use syntax::{Severity, TextRange};

use self::subject::FixSubject;
use crate::CodeAction;

/// Maximum number of diagnostics in a selection for which suppression comments are offered; each is a parse.
const MAX_SUPPRESSIONS: usize = 20;

/// Returns the code actions for a range of a file, fixes of its diagnostics first.
pub fn code_actions(db: &dyn Db, file: File, range: TextRange) -> Vec<CodeAction> {
    let Some(text) = project::text(db, file) else { return Vec::new() };
    let mut found: Vec<Diagnostic> = Vec::new();
    for tier in Tier::LIVE {
        found.extend(check::diagnostics(db, file, tier));
    }
    let mut actions = Vec::new();
    let touches = |it: &&Diagnostic| it.range.intersects_or_touches(range);
    let mut offered: Vec<Code> = Vec::new();
    let hides = found.iter().filter(touches).count() <= MAX_SUPPRESSIONS;
    for diagnostic in found.iter().filter(touches) {
        let subject = FixSubject { db, file, text: &text, diagnostic };
        let fixes = fixes(&subject);
        let is_fixed_with_others = fix_all::edits_of(&subject, fixes.first()).is_some();
        actions.extend(fixes);
        if is_fixed_with_others && !offered.contains(&diagnostic.code) {
            offered.push(diagnostic.code);
            actions.extend(fix_all::of_rule(&subject, &found));
            actions.push(fix_all::of_workspace(&subject));
        }
        let hidden = if hides { suppression::suppression(&subject) } else { None };
        actions.extend(hidden.filter(|it| !is_offered(&actions, it)));
    }
    actions.extend(qualifications::inherited(db, file, range));
    actions.extend(additions::aligned_arrows(db, file, &text, range));
    actions.extend(documentation::action(db, file, range));
    actions.extend(crate::assists::assists(db, file, range));
    actions.extend(fix_all::of_file(file, &found));
    for action in &mut actions {
        action.change = std::mem::take(&mut action.change).with_line_breaks(db);
    }
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
    fixes.extend(data_fixes::fixes(subject));
    fixes.extend(metadata::fixes(subject));
    fixes.extend(value_fixes::fixes(subject));
    fixes.extend(defaults::fixes(subject));
    fixes.extend(documentation::fixes(subject));
    if let Some(first) = fixes.first_mut() {
        first.is_preferred = has_obvious_fix(subject.diagnostic);
    }
    fixes
}

/// Returns true if the first fix of a diagnostic is very likely the intended one. Editors apply such fixes
/// without a question, so that they must not remove or add code for which there are alternatives, and must not
/// change what working code does.
fn has_obvious_fix(diagnostic: &Diagnostic) -> bool {
    match &diagnostic.data {
        Some(FixData::Edits { is_safe, .. }) => return *is_safe,
        // They may break what works: nothing was tested or fetched yet.
        Some(_) => return !matches!(diagnostic.code, Code::MetadataVersionBound | Code::PuppetfileSource),
        None => {}
    }
    let (_, help) = codes::split_message(&diagnostic.message);
    if diagnostic.code == Code::UnrecognizedEscape || help.iter().any(|it| it.starts_with("did you mean")) {
        return true;
    }
    let has_alternatives = help
        .iter()
        .any(|it| it.starts_with("keep only one") || it.starts_with("use `") && it.matches('`').count() > 2);
    let is_choice = matches!(
        diagnostic.code,
        Code::AppendsDeletesNoLongerSupported
            | Code::DuplicateDefault
            | Code::DuplicateKey
            | Code::DuplicateParameter
            | Code::IdemExpressionNotLast
            | Code::IdemNotAllowedLast
            | Code::IllegalDefinitionLocation
            | Code::IllegalIndexedAssignment
            | Code::IllegalNodeInheritance
            | Code::ParameterLikeMetaparameter
            | Code::ResourceWithoutTitle
    );
    diagnostic.severity() == Severity::Error && !has_alternatives && !is_choice
}
