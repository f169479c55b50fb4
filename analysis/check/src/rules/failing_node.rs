#![doc = include_str!("failing_node.md")]

use eval::{Located, NodeFailure};
use project::{Db, File, FilePlace};
use syntax::Severity;

use super::documented_rule;
use super::failing_class::diagnostic_at;
use crate::{Diagnostic, Rule};

pub(super) const RULE: Rule = documented_rule!("failing-node", "failing_node", Error, []);

/// The failures of nodes whose innermost place in the main manifest lies in a file.
pub(crate) fn failing_nodes(db: &dyn Db, file: File) -> Vec<Diagnostic> {
    if *file.place(db) != FilePlace::MainManifest {
        return Vec::new();
    }
    let Some(environment) = file.environments(db).first().copied() else { return Vec::new() };
    let is_own = |place: &Located| *place.definition.file(db).place(db) == FilePlace::MainManifest;
    let failures = eval::node_failures(db, environment);
    let found = failures.iter().filter_map(|failure| {
        let severity = if failure.is_deliberate { Severity::Warning } else { Severity::Error };
        let found = diagnostic_at(db, file, RULE.code, message_of(failure), &failure.failure, is_own)?;
        Some(Diagnostic { severity, ..found })
    });
    found.collect()
}

fn message_of(failure: &NodeFailure) -> String {
    let nodes = match failure.nodes.as_slice() {
        [only] => format!("the node {only} cannot be compiled"),
        [first, rest @ ..] => format!("{first} and {} more nodes cannot be compiled", rest.len()),
        [] => String::from("this cannot be compiled"),
    };
    let facts = match &failure.facts {
        Some(facts) => format!(" with the facts of {facts}"),
        None => String::new(),
    };
    format!("{nodes}{facts}: {}", failure.failure.message)
}
