//! Nodes of the main manifest compiled with the facts that the user names, else with those of the main platforms: what an
//! editor says on save.
//!
//! A node's data may lie elsewhere, and so may the rest of its facts: what fails only because something is not known here
//! is left out.

mod node_names;

use std::sync::Arc;

use hir::{DefinitionKind, Name};
use project::{Db, Environment};
use smol_str::SmolStr;

use crate::checked_facts::{FactSetId, checked_facts, facts_of_any_node, named_facts};
use crate::class_checks::{
    CompileFinding, CompileOutcome, Extent, is_left_out, left_out, outcome, part_request,
};
use crate::compile_request::{CompileRequest, EntryPoint, compile_for_errors};

pub use node_names::{ANY_NODE, NodeHost, node_host, node_hosts, node_names};

/// Why nodes cannot be compiled.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NodeFinding {
    pub finding: CompileFinding,
    pub nodes: Vec<Name>,
    /// The name of the facts with which it fails; `None` where it does with all of them.
    pub facts: Option<SmolStr>,
}

/// What comes of compiling a node with some of its possible facts.
pub(crate) fn node_outcome(
    db: &dyn Db,
    environment: Environment,
    node: Name,
    facts: FactSetId,
) -> CompileOutcome {
    match is_left_out(db, environment, DefinitionKind::Node, node.clone()) {
        true => left_out(),
        false => compiled_node(db, environment, node, facts).0,
    }
}

/// What comes of it, and how much work it is.
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
        None => (CompileOutcome::Open(Arc::default()), 0),
    }
}

/// So many nodes of the main manifest are compiled; those behind them are open.
const MAX_NODES: usize = 1000;

/// The compiles that are certainly needed for [`node_findings`]: names of nodes, with their facts.
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

/// The node definitions of an environment that cannot be judged wholly, as they are written, each with what was not looked at
/// with the first of the facts that it is compiled with. So are those that compile with none of the facts as things are here,
/// although something elsewhere may help: data, or what is refused on purpose.
pub fn open_nodes(db: &dyn Db, environment: Environment) -> Vec<(String, Vec<String>)> {
    let compiles = first_compiles(db, environment);
    let failing = node_findings(db, environment);
    let mut open = Vec::new();
    let mut compiled = 0;
    for host in node_hosts(db, environment).iter() {
        let Some(node) = &host.node else {
            open.push((host.written.clone(), vec!["no name of a node is known that it fits".to_owned()]));
            continue;
        };
        compiled += 1;
        if compiled > MAX_NODES {
            let reason = format!("only the first {MAX_NODES} nodes of the main manifest are compiled");
            open.push((host.written.clone(), vec![reason]));
            continue;
        }
        let Some((_, facts)) = compiles.iter().find(|(name, _)| name == node) else { continue };
        match node_outcome(db, environment, node.clone(), *facts) {
            CompileOutcome::Open(parts) => open.push((host.written.clone(), parts.to_vec())),
            // What fails is told where it fails.
            _ if failing.iter().any(|it| it.nodes.contains(node)) => {}
            _ => open.extend(
                open_as_it_is(db, environment, node, *facts).map(|parts| (host.written.clone(), parts)),
            ),
        }
    }
    open
}

/// Why a node compiles with none of the facts that it may have; `None` where it does with some.
fn open_as_it_is(
    db: &dyn Db,
    environment: Environment,
    node: &Name,
    first: FactSetId,
) -> Option<Vec<String>> {
    let others = match named_facts(db, environment).iter().any(|set| set.node_name.as_ref() == Some(node)) {
        true => Vec::new(),
        false => facts_of_any_node(db, environment),
    };
    let mut reasons = None;
    for facts in std::iter::once(first).chain(others.into_iter().filter(|it| *it != first)) {
        let found = match node_as_it_is(db, environment, node.clone(), facts) {
            CompileOutcome::Compiles => return None,
            CompileOutcome::Open(parts) => parts.to_vec(),
            CompileOutcome::Fails(finding) => {
                vec![format!("as things are here it fails: {}", finding.message)]
            }
        };
        reasons.get_or_insert(found);
    }
    reasons
}

/// What comes of compiling a node as a server would that has nothing but what is here.
#[salsa::tracked(returns(clone))]
pub(crate) fn node_as_it_is(
    db: &dyn Db,
    environment: Environment,
    node: Name,
    facts: FactSetId,
) -> CompileOutcome {
    let Some((_, set)) = checked_facts(db, environment, facts) else {
        return CompileOutcome::Open(Arc::default());
    };
    let whole = CompileRequest {
        facts: set,
        has_invented_node: is_invented(db, environment, &node),
        node_name: node,
        ..CompileRequest::new(EntryPoint::MainManifest)
    };
    let found = compile_for_errors(db, environment, &whole, None);
    match outcome(&found) {
        CompileOutcome::Fails(_) if !found.open_words().is_empty() => {
            let incomplete = CompileRequest { is_incomplete: true, ..whole };
            outcome(&compile_for_errors(db, environment, &incomplete, None))
        }
        found => found,
    }
}

/// Is the name of a node an example only?
fn is_invented(db: &dyn Db, environment: Environment, node: &Name) -> bool {
    let is_named = named_facts(db, environment).iter().any(|set| set.node_name.as_ref() == Some(node));
    let is_invented = |host: &NodeHost| host.is_invented && host.node.as_ref() == Some(node);
    !is_named && node_hosts(db, environment).iter().any(is_invented)
}

/// How the compiles of nodes fail: of those whose facts the user names, and of those of node definitions, if they compile
/// with no facts at all. Of these the failure that most facts lead to is told, unless that is on purpose.
#[salsa::tracked(returns(clone))]
pub fn node_findings(db: &dyn Db, environment: Environment) -> Arc<[NodeFinding]> {
    findings_of_nodes(db, environment, &|_| true).into()
}

/// The same for some of the nodes.
pub fn findings_of_nodes(
    db: &dyn Db,
    environment: Environment,
    is_asked: &dyn Fn(&Name) -> bool,
) -> Vec<NodeFinding> {
    let mut found: Vec<NodeFinding> = Vec::new();
    let mut add = |node: &Name, finding: &CompileFinding, facts: Option<&SmolStr>| {
        let known = found.iter_mut().find(|it| it.finding.is_like(finding) && it.facts.as_ref() == facts);
        match known {
            Some(known) => known.nodes.push(node.clone()),
            None => found.push(NodeFinding {
                finding: finding.clone(),
                nodes: vec![node.clone()],
                facts: facts.cloned(),
            }),
        }
    };
    let named = named_facts(db, environment);
    for (index, set) in named.iter().enumerate() {
        if let (Some(node), Some(id)) = (&set.node_name, FactSetId::of_file(index))
            && is_asked(node)
            && let CompileOutcome::Fails(finding) = node_outcome(db, environment, node.clone(), id)
        {
            add(node, &finding, Some(&set.name));
        }
    }
    for node in node_names(db, environment).into_iter().take(MAX_NODES) {
        if !is_asked(&node) || named.iter().any(|set| set.node_name.as_ref() == Some(&node)) {
            continue;
        }
        if let Some(finding) = finding_with_any_facts(db, environment, &node) {
            add(&node, &finding, None);
        }
    }
    found
}

/// Why a node compiles with no facts at all; `None` where it may compile with some, or fails on purpose only.
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
    // The first of those that are as frequent.
    findings.into_iter().rev().max_by_key(|(_, count)| *count).map(|(finding, _)| finding)
}
