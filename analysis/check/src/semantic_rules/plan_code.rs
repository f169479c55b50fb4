//! Puppet code in plans in YAML: names, arguments, and values.

use codes::{Code, DowngradeReason, Severity};
use hir::{Access, NameUse, NameUseKind};
use project::{Db, File, PlanCode};
use validation::validate;

use crate::bolt_rules::findings::first_line;
use crate::context::Section;
use crate::evaluation_rules::yaml_plan_values;
use crate::sections::section_findings;
use crate::{Diagnostic, FixData};

/// Rules that do not apply to the calls of steps, and advice on the form of the code.
const IGNORED: [Code; 4] =
    [Code::DuplicateKey, Code::UnusedVariable, Code::UnusedParameter, Code::MissingModule];

/// Adds the findings in the code, except where a value already has one.
pub(super) fn check(db: &dyn Db, file: File, found: &mut Vec<Diagnostic>) {
    let Some(plan) = project::yaml_plan(db, file) else { return };
    let Some(text) = project::text(db, file) else { return };
    let errors = plan.code.errors.iter();
    found.extend(
        errors.map(|(range, message)| {
            Diagnostic::new(Code::YamlPlan, first_line(*range, &text), message.clone())
        }),
    );
    let settings = project::validation_settings(db, file);
    let mut inner: Vec<Diagnostic> = validate(&plan.parse, &settings).iter().map(Diagnostic::from).collect();
    inner.extend(section_findings(db, Section::YamlPlan(file)).diagnostics.iter().cloned());
    inner.extend(yaml_plan_values(db, file));
    inner.extend(reads_of_later_steps(&plan.name_uses));
    inner.retain(|it| {
        it.severity() <= Severity::Warning && !it.code.is_style() && !IGNORED.contains(&it.code)
    });
    let first = found.len();
    for diagnostic in inner {
        let Some(mut diagnostic) = in_file(diagnostic, &plan.code) else { continue };
        diagnostic.range = first_line(diagnostic.range, &text);
        let is_covered = |it: &Diagnostic| it.range.intersects(diagnostic.range);
        if !found[..first].iter().any(is_covered) && !found[first..].contains(&diagnostic) {
            found.push(diagnostic);
        }
    }
    found.sort_by_key(|it| (it.range.start, it.range.end, it.code));
}

/// Reports variables that a step reads before the step of that name.
fn reads_of_later_steps(uses: &[NameUse]) -> impl Iterator<Item = Diagnostic> {
    let is_of =
        |it: &NameUse, access: Access| matches!(it.kind, NameUseKind::Variable(_)) && it.access == access;
    uses.iter().filter(move |it| is_of(it, Access::Read)).filter_map(move |read| {
        let mut writes = uses.iter().filter(|it| is_of(it, Access::Write) && it.name == read.name);
        // Code of a step may set a variable of the same name.
        let (Some(write), None) = (writes.next(), writes.next()) else { return None };
        (read.range.end < write.range.start).then(|| {
            let message = format!("`${}` is read before the step of that name", read.name);
            let diagnostic = Diagnostic::new(Code::UnknownVariable, read.range, message);
            let diagnostic = diagnostic.downgraded(DowngradeReason::Uncertain, Severity::Warning);
            diagnostic.with_related(write.range, "set here")
        })
    })
}

/// Returns a finding of the code with ranges in the file; `None` for code that is not in the file.
fn in_file(mut diagnostic: Diagnostic, code: &PlanCode) -> Option<Diagnostic> {
    let is_copy = code.is_copy(diagnostic.range);
    diagnostic.range = code.original(diagnostic.range)?;
    diagnostic.related.retain_mut(|it| {
        let original = if it.path.is_none() { code.original(it.range) } else { Some(it.range) };
        it.range = original.unwrap_or(it.range);
        original.is_some()
    });
    diagnostic.data = match diagnostic.data {
        Some(FixData::ReplaceWith { range, text }) if code.is_copy(range) => {
            Some(FixData::ReplaceWith { range: code.original(range)?, text })
        }
        Some(data @ FixData::UnknownName { .. }) if is_copy => Some(data),
        _ => None,
    };
    Some(diagnostic)
}
