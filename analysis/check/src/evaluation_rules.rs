//! Findings from evaluating the definitions of a file with unknown inputs: operations that fail for every
//! possible value.

use codes::{Code, DowngradeReason};
use std::cell::LazyCell;
use std::sync::Arc;

use eval::Certainty;
use project::{Db, DefinitionId, File, FilePart};
use syntax::{Severity, TextRange};

use crate::context::{RuleContext, Section};
use crate::{Diagnostic, FixData, findings, rules};

/// Unknown names, which the rules of [`crate::Tier::Names`] report with more information.
const REPORTED_BY_NAME_RULES: &[Code] = &[
    Code::UnknownClass,
    Code::UnknownFunction,
    Code::UnknownParameter,
    Code::UnknownResourceType,
    Code::UnknownVariable,
    Code::UnresolvedType,
];

/// Returns the findings of the evaluator in one file, by position.
///
/// Omits files that are too large, statements with a syntax error, and locations at which a static rule
/// reports something.
#[salsa::tracked(returns(clone), lru = 0)]
pub fn evaluation_diagnostics(db: &dyn Db, file: File) -> Arc<[Diagnostic]> {
    let _span = tracing::info_span!("evaluation_diagnostics").entered();
    let is_source = project::file_kind(db, file).is_source();
    if !is_source || file.is_large(db) || !file.contents(db).has_text() {
        return Arc::new([]);
    }
    let known = crate::syntax_diagnostics(db, file);
    let broken = LazyCell::new(|| Section::Whole(file).broken_statements(db));
    let is_covered = |range: TextRange| {
        known.iter().any(|it| it.range.start < range.end && range.start < it.range.end)
            || !known.is_empty() && broken.iter().any(|it| it.intersects_or_touches(range))
    };
    let mut diagnostics = summary_findings(db, file, project::definitions(db, file), is_covered);
    for section in Section::of_file(db, file) {
        let start = section.start(db);
        diagnostics.extend(value_findings(db, section).iter().map(|it| it.shifted(start)));
    }
    diagnostics.sort_by_key(|it| (it.range.start, it.range.end, it.severity()));
    diagnostics.dedup();
    diagnostics.into()
}

/// Returns the findings of the evaluator in definitions of a file, except at ranges that are `is_covered`.
fn summary_findings(
    db: &dyn Db,
    file: File,
    definitions: Vec<DefinitionId>,
    is_covered: impl Fn(TextRange) -> bool,
) -> Vec<Diagnostic> {
    let mut diagnostics = Vec::new();
    for definition in definitions {
        let summary = compile::summary(db, definition);
        if summary.findings.is_empty() {
            continue;
        }
        for (location, finding) in &summary.findings {
            if location.definition.file(db) != file {
                continue;
            }
            let map = project::body_source_map(db, location.definition);
            if REPORTED_BY_NAME_RULES.contains(&finding.error.code) {
                continue;
            }
            let Some(node) = map.node(location.expr) else { continue };
            if is_covered(node.range) {
                continue;
            }
            let (code, message) = (finding.error.code, finding.error.message.clone());
            let part = finding.error.parts.first().filter(|part| part.unit == finding.error.place.unit);
            let range = match part.and_then(|part| map.node(part.expr)) {
                Some(part) if finding.error.is_about_names() => {
                    compile::name_of_attribute(db, file, part.range)
                }
                part => part.map_or(node.range, |part| part.range),
            };
            let mut diagnostic = Diagnostic::new(code, range, message);
            let earlier = finding.error.earlier.first().filter(|it| it.unit == finding.error.place.unit);
            if let Some(earlier) = earlier.and_then(|it| map.node(it.expr)) {
                diagnostic = diagnostic.with_related(earlier.range, code.earlier_label());
            }
            if code == Code::NumericCoercion {
                diagnostic.data = numeric_fix(db, file, range);
            }
            diagnostics.push(match finding.certainty {
                Certainty::Certain => diagnostic,
                Certainty::Possible => diagnostic.downgraded(DowngradeReason::Uncertain, Severity::Warning),
            });
        }
    }
    diagnostics
}

/// Returns the findings about values in the code of a plan in YAML, with ranges in that code.
pub(crate) fn yaml_plan_values(db: &dyn Db, file: File) -> Vec<Diagnostic> {
    let mut found = summary_findings(db, file, project::yaml_plan_definitions(db, file), |_| false);
    found.extend(find_by_values(db, Section::YamlPlan(file)));
    found
}

/// Returns the fix for a string operand that is converted to a number: the number itself for a literal, an
/// explicit conversion for a variable or an element of one.
fn numeric_fix(db: &dyn Db, file: File, range: TextRange) -> Option<FixData> {
    let text = project::text(db, file)?;
    let found = text.get(range.as_range())?;
    // The range of a negation is that of the whole expression.
    let operand = found.strip_prefix('-').map_or(found, str::trim_start);
    let quoted = |quote: char| operand.strip_prefix(quote)?.strip_suffix(quote);
    let number = quoted('\'').or_else(|| quoted('"')).filter(|it| is_number(it));
    let is_variable = operand.starts_with('$')
        && operand.bytes().all(|it| it.is_ascii_alphanumeric() || b"$_:['].".contains(&it));
    let new = match number {
        Some(number) => number.to_owned(),
        None if is_variable => format!("Numeric({operand})"),
        None => return None,
    };
    let start = range.end - operand.len() as u32;
    let edits = vec![(TextRange::new(start, range.end), new.into())];
    Some(FixData::Edits { edits, is_safe: number.is_some() })
}

/// Returns true for the text of an unsigned literal number.
fn is_number(text: &str) -> bool {
    let is_decimal = |it: &str| !it.is_empty() && it.bytes().all(|it| it.is_ascii_digit());
    let (whole, fraction) = text.split_once('.').map_or((text, None), |(whole, it)| (whole, Some(it)));
    let has_leading_zero = whole.len() > 1 && whole.starts_with('0');
    is_decimal(whole) && !has_leading_zero && fraction.is_none_or(is_decimal)
}

/// Sets the LRU capacity of the queries in this module.
pub(crate) fn set_lru_capacities(db: &mut dyn Db, files: usize) {
    evaluation_diagnostics::set_lru_capacity(db, files);
}

fn value_findings<'db>(db: &'db dyn Db, section: Section<'db>) -> Arc<[Diagnostic]> {
    match section {
        Section::Part(part) => part_value_findings(db, part),
        Section::Whole(_) | Section::Main(_) | Section::YamlPlan(_) => find_by_values(db, section).into(),
    }
}

/// A query per part, so that an edit elsewhere in the file does not invalidate it.
#[salsa::tracked(returns(clone))]
fn part_value_findings<'db>(db: &'db dyn Db, part: FilePart<'db>) -> Arc<[Diagnostic]> {
    find_by_values(db, Section::Part(part)).into()
}

fn find_by_values<'db>(db: &'db dyn Db, section: Section<'db>) -> Vec<Diagnostic> {
    let Some(mut context) = RuleContext::new(db, section) else { return Vec::new() };
    rules::VALUE_CHECKS.iter().for_each(|check| check(&mut context));
    let mut found = context.finish().diagnostics;
    findings::sort(&mut found);
    found
}
