//! Nodes of the main manifest, compiled with the user's fact files or else the facts of the main platforms,
//! which an editor checks on save.
//!
//! A node's data may be elsewhere, and so may the rest of its facts: failures that are only due to unknown
//! input are left out.

mod node_names;

use std::sync::Arc;

use hir::{DefinitionKind, Name};
use project::{Db, Environment};
use smol_str::SmolStr;

use crate::checked_facts::{FactSetId, checked_facts, facts_of_any_node, named_facts};

use crate::compile_request::{CompileRequest, EntryPoint, compile_for_errors};

use crate::class_checks::finding::{CompileFinding, CompileOutcome};
use crate::class_checks::outcomes::{excluded_outcome, is_excluded, outcome};
use crate::class_checks::requests::{Extent, part_request};
pub use node_names::{ANY_NODE, NodeHost, node_host, node_hosts, node_names};

/// Reason why nodes cannot be compiled.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NodeFinding {
    pub finding: CompileFinding,
    pub nodes: Vec<Name>,
    /// Name of the fact set with which the nodes fail; `None` if they fail with all of them.
    pub facts: Option<SmolStr>,
}

/// Returns the outcome of compiling a node with one of its possible fact sets.
pub(crate) fn node_outcome(
    db: &dyn Db,
    environment: Environment,
    node: Name,
    facts: FactSetId,
) -> CompileOutcome {
    if is_excluded(db, environment, DefinitionKind::Node, node.clone()) {
        excluded_outcome()
    } else {
        compiled_node(db, environment, node, facts).0
    }
}

/// Compiles a node; returns the outcome and the amount of work.
#[salsa::tracked(returns(clone))]
pub(crate) fn compiled_node(
    db: &dyn Db,
    environment: Environment,
    node: Name,
    facts: FactSetId,
) -> (CompileOutcome, u64) {
    match checked_facts(db, environment, facts) {
        Some((_, facts)) => {
            let entry = EntryPoint::MainManifest;
            let has_invented_node = is_invented(db, environment, &node);
            let request = part_request(db, environment, entry, node, facts, Extent::AllResources);
            let request = CompileRequest { has_invented_node, ..request };
            let compiled = compile_for_errors(db, environment, &request, None);
            (outcome(&compiled), compiled.work())
        }
        None => (CompileOutcome::Inconclusive(Arc::default()), 0),
    }
}

/// Maximum number of nodes of the main manifest that are compiled; the others are inconclusive.
const MAX_NODES: usize = 1000;

/// Returns the compiles that [`node_findings`] certainly needs: names of nodes, with their fact sets.
pub(crate) fn first_compiles(db: &dyn Db, environment: Environment) -> Vec<(Name, FactSetId)> {
    let named = named_facts(db, environment);
    let of_named = named.iter().enumerate().filter_map(|(index, set)| {
        let node = set.node_name.as_ref()?;
        Some((node.clone(), FactSetId::of_file(index)?))
    });
    let first = facts_of_any_node(db, environment).first().copied();
    let is_other = |node: &Name| !named.iter().any(|set| set.node_name.as_ref() == Some(node));
    let others = node_names(db, environment).into_iter().take(MAX_NODES).filter(is_other);
    of_named.chain(others.filter_map(|node| Some((node, first?)))).collect()
}

/// Returns the inconclusive node definitions of an environment, as written, each with the reasons for the
/// first of its fact sets. These include nodes that compile with none of the fact sets in the project's
/// current state, although external input may help: data, or input without which the code fails deliberately.
pub fn inconclusive_nodes(db: &dyn Db, environment: Environment) -> Vec<(String, Vec<String>)> {
    let compiles = first_compiles(db, environment);
    let failing = node_findings(db, environment);
    let mut inconclusive = Vec::new();
    let mut compiled = 0;
    for host in node_hosts(db, environment).iter() {
        let Some(node) = &host.node else {
            inconclusive.push((host.written.clone(), vec!["no matching node name is known".to_owned()]));
            continue;
        };
        compiled += 1;
        if compiled > MAX_NODES {
            let reason = format!("only the first {MAX_NODES} nodes of the main manifest are compiled");
            inconclusive.push((host.written.clone(), vec![reason]));
            continue;
        }
        let Some((_, facts)) = compiles.iter().find(|(name, _)| name == node) else { continue };
        match node_outcome(db, environment, node.clone(), *facts) {
            CompileOutcome::Inconclusive(parts) => inconclusive.push((host.written.clone(), parts.to_vec())),
            // Failures are reported at their location.
            _ if failing.iter().any(|it| it.nodes.contains(node)) => {}
            _ => inconclusive.extend(
                reasons_in_isolation(db, environment, node, *facts)
                    .map(|parts| (host.written.clone(), parts)),
            ),
        }
    }
    inconclusive
}

/// Returns the reasons why a node compiles with none of its possible fact sets; `None` if it compiles with
/// one.
fn reasons_in_isolation(
    db: &dyn Db,
    environment: Environment,
    node: &Name,
    first: FactSetId,
) -> Option<Vec<String>> {
    let others = if named_facts(db, environment).iter().any(|set| set.node_name.as_ref() == Some(node)) {
        Vec::new()
    } else {
        facts_of_any_node(db, environment)
    };
    let mut reasons = None;
    for facts in std::iter::once(first).chain(others.into_iter().filter(|it| *it != first)) {
        let found = match isolated_node_outcome(db, environment, node.clone(), facts) {
            CompileOutcome::Compiles => return None,
            CompileOutcome::Inconclusive(parts) => parts.to_vec(),
            CompileOutcome::Fails(finding) => {
                vec![format!("fails without external data: {}", finding.message)]
            }
        };
        reasons.get_or_insert(found);
    }
    reasons
}

/// Returns the outcome of compiling a node on a server that has nothing but the project.
#[salsa::tracked(returns(clone))]
pub(crate) fn isolated_node_outcome(
    db: &dyn Db,
    environment: Environment,
    node: Name,
    facts: FactSetId,
) -> CompileOutcome {
    let Some((_, set)) = checked_facts(db, environment, facts) else {
        return CompileOutcome::Inconclusive(Arc::default());
    };
    let whole = CompileRequest {
        facts: set,
        has_invented_node: is_invented(db, environment, &node),
        node_name: node,
        ..CompileRequest::new(EntryPoint::MainManifest)
    };
    let found = compile_for_errors(db, environment, &whole, None);
    match outcome(&found) {
        CompileOutcome::Fails(_) if !found.inconclusive_reasons().is_empty() => {
            let incomplete = CompileRequest { is_incomplete: true, ..whole };
            outcome(&compile_for_errors(db, environment, &incomplete, None))
        }
        found => found,
    }
}

/// Returns true if the name of a node was made up to match a pattern.
fn is_invented(db: &dyn Db, environment: Environment, node: &Name) -> bool {
    let is_named = named_facts(db, environment).iter().any(|set| set.node_name.as_ref() == Some(node));
    let is_invented = |host: &NodeHost| host.is_invented && host.node.as_ref() == Some(node);
    !is_named && node_hosts(db, environment).iter().any(is_invented)
}

/// Returns the failures of nodes: those with the user's fact files, and those of node definitions that
/// compile with no fact set at all. For the latter, the most frequent failure is reported, unless it is
/// deliberate.
#[salsa::tracked(returns(clone))]
pub fn node_findings(db: &dyn Db, environment: Environment) -> Arc<[NodeFinding]> {
    findings_of_nodes(db, environment, &|_| true).into()
}

/// Returns the [`node_findings`] of some of the nodes.
pub fn findings_of_nodes(
    db: &dyn Db,
    environment: Environment,
    is_included: &dyn Fn(&Name) -> bool,
) -> Vec<NodeFinding> {
    let mut found: Vec<NodeFinding> = Vec::new();
    let mut add = |node: &Name, finding: &CompileFinding, facts: Option<&SmolStr>| {
        let known = found.iter_mut().find(|it| it.finding.is_like(finding) && it.facts.as_ref() == facts);
        match known {
            Some(known) => known.nodes.push(node.clone()),
            None => found.push(NodeFinding {
                finding: CompileFinding { further: Vec::new(), ..finding.clone() },
                nodes: vec![node.clone()],
                facts: facts.cloned(),
            }),
        }
    };
    let named = named_facts(db, environment);
    for (index, set) in named.iter().enumerate() {
        if let (Some(node), Some(id)) = (&set.node_name, FactSetId::of_file(index))
            && is_included(node)
            && let CompileOutcome::Fails(finding) = node_outcome(db, environment, node.clone(), id)
        {
            finding.all().for_each(|it| add(node, it, Some(&set.name)));
        }
    }
    for node in node_names(db, environment).into_iter().take(MAX_NODES) {
        if !is_included(&node) || named.iter().any(|set| set.node_name.as_ref() == Some(&node)) {
            continue;
        }
        if let Some(finding) = finding_with_any_facts(db, environment, &node) {
            finding.all().for_each(|it| add(&node, it, None));
        }
    }
    found
}

/// Returns the most frequent failure of a node that compiles with no fact set at all; `None` if it may
/// compile with one, or fails only deliberately.
fn finding_with_any_facts(db: &dyn Db, environment: Environment, node: &Name) -> Option<Arc<CompileFinding>> {
    let mut findings: Vec<(Arc<CompileFinding>, usize)> = Vec::new();
    for facts in facts_of_any_node(db, environment) {
        let CompileOutcome::Fails(finding) = node_outcome(db, environment, node.clone(), facts) else {
            return None;
        };
        match findings.iter_mut().find(|(known, _)| known.is_like(&finding)) {
            Some((_, count)) => *count += 1,
            None => findings.push((finding, 1)),
        }
    }
    findings.retain(|(finding, _)| finding.code != eval::DELIBERATE_FAILURE);
    // The first among equally frequent ones.
    findings.into_iter().rev().max_by_key(|(_, count)| *count).map(|(finding, _)| finding)
}
