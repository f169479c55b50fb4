//! What evaluating the definitions of a file shows, their inputs unknown: operations that no value can make succeed.

use std::sync::Arc;

use eval::Certainty;
use project::{Db, File};
use syntax::Severity;

use crate::context::Context;
use crate::{Diagnostic, rules};

/// Names that are not there: the rules on names say so, with more knowledge.
const OF_THE_TIER_OF_NAMES: &[&str] = &[
    "unknown-class",
    "unknown-function",
    "unknown-parameter",
    "unknown-resource-type",
    "unknown-variable",
    "unresolved-type",
];

/// Findings of the evaluator in one file, by position. Nothing for files that are too large, and nothing where the text
/// has a syntax error or a static rule says something already.
#[salsa::tracked(returns(clone))]
pub fn evaluation_diagnostics(db: &dyn Db, file: File) -> Arc<[Diagnostic]> {
    let is_source = project::file_kind(db, file).is_source();
    if !is_source || file.is_large(db) || file.contents(db).text().is_none() {
        return Arc::new([]);
    }
    let known = crate::syntax_diagnostics(db, file);
    let mut diagnostics = Vec::new();
    for definition in project::definitions(db, file) {
        let summary = eval::summary(db, definition);
        if summary.findings.is_empty() {
            continue;
        }
        for (place, finding) in &summary.findings {
            if place.definition.file(db) != file {
                continue;
            }
            let map = project::body_source_map(db, place.definition);
            if OF_THE_TIER_OF_NAMES.contains(&finding.error.code) {
                continue;
            }
            let Some(node) = map.node(place.expr) else { continue };
            if known.iter().any(|it| it.range.start < node.range.end && node.range.start < it.range.end) {
                continue;
            }
            let severity = match finding.certainty {
                Certainty::Certain => Severity::Error,
                Certainty::Possible => Severity::Warning,
            };
            let (code, message) = (finding.error.code, finding.error.message.clone());
            diagnostics.push(Diagnostic::new(code, severity, node.range, message));
        }
    }
    if let Some(mut context) = Context::new(db, file) {
        rules::VALUE_CHECKS.iter().for_each(|check| check(&mut context));
        diagnostics.extend(context.finish().iter().cloned());
    }
    diagnostics.sort_by_key(|it| (it.range.start, it.range.end, it.severity));
    diagnostics.dedup();
    diagnostics.into()
}
