#![doc = include_str!("page.md")]

use codes::Code;
use compile::{ExprLocation, NodeFinding};
use project::{Db, File, FileRole};

use super::failures::{code_of, diagnostics_at, entries, is_of_project};
use crate::{Breadth, Diagnostic};

/// Returns the failures of nodes whose innermost actionable location is in a file: in the main manifest, or
/// in a module that is part of the project and not installed by its `Puppetfile`.
pub(crate) fn failing_nodes(db: &dyn Db, file: File, breadth: Breadth) -> Vec<Diagnostic> {
    let Some(environment) = file.environments(db).first().copied() else { return Vec::new() };
    if !is_of_project(db, environment, file) || environment.main_manifests(db).is_empty() {
        return Vec::new();
    }
    let is_own = |place: &ExprLocation| is_of_project(db, environment, place.definition.file(db));
    let is_main = *file.role(db) == FileRole::MainManifest;
    let findings = match breadth {
        Breadth::Module if !is_main => return Vec::new(),
        Breadth::Nearby if !is_main => {
            let nodes = &compile::nearby_of_file(db, environment, file).nodes;
            compile::findings_of_nodes(db, environment, &|node| nodes.contains(node))
        }
        _ => compile::node_findings(db, environment).to_vec(),
    };
    let at = |finding: &NodeFinding| {
        let code = code_of(&finding.finding, Code::FailingNode);
        diagnostics_at(db, file, code, &message_of(finding), &finding.finding, is_own)
    };
    findings.iter().flat_map(at).collect()
}

fn message_of(finding: &NodeFinding) -> String {
    let nodes = format!("{} cannot be compiled", entries("node", "nodes", &finding.nodes));
    let facts = match &finding.facts {
        Some(facts) => format!(" with the facts of {facts}"),
        None => String::new(),
    };
    if finding.finding.is_refusal() {
        finding.finding.message.clone()
    } else {
        format!("{nodes}{facts}: {}", finding.finding.message)
    }
}
