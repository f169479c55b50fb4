//! Nodes of the main manifest compiled with the facts that the user names, else with those of the main platforms: what an
//! editor says on save.
//!
//! A node's data may lie elsewhere, and so may the rest of its facts: what fails only because something is not known here
//! is left out.

use std::sync::Arc;

use hir::Name;
use project::{Db, Environment};
use smol_str::SmolStr;

use crate::checked_facts::{FactSetId, checked_facts, facts_of_any_node, named_facts};
use crate::class_checks::{CompileFailure, CompileOutcome, Extent, outcome, part_request};
use crate::compile_request::{EntryPoint, compile_for_errors};
use crate::node_names::node_names;

/// Why nodes cannot be compiled.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NodeFailure {
    pub failure: CompileFailure,
    pub nodes: Vec<Name>,
    /// The name of the facts with which it fails; `None` where it does with all of them.
    pub facts: Option<SmolStr>,
}

/// What comes of compiling a node with some of its possible facts.
#[salsa::tracked(returns(clone))]
pub(crate) fn node_outcome(
    db: &dyn Db,
    environment: Environment,
    node: Name,
    facts: FactSetId,
) -> CompileOutcome {
    match checked_facts(db, environment, facts) {
        Some((_, facts)) => {
            let entry = EntryPoint::MainManifest;
            let request = part_request(db, environment, entry, node, facts, Extent::AllResources);
            outcome(&compile_for_errors(db, environment, &request, None))
        }
        None => CompileOutcome::Unclear,
    }
}

/// The compiles that are certainly needed for [`node_failures`]: names of nodes, with their facts.
pub(crate) fn first_compiles(db: &dyn Db, environment: Environment) -> Vec<(Name, FactSetId)> {
    let named = named_facts(db, environment);
    let of_named = named.iter().enumerate().filter_map(|(index, set)| {
        let node = set.node_name.as_ref()?;
        Some((node.clone(), FactSetId::of_file(index)?))
    });
    let first = facts_of_any_node(db, environment).first().copied();
    let is_other = |node: &Name| !named.iter().any(|set| set.node_name.as_ref() == Some(node));
    let others = node_names(db, environment).into_iter().filter(is_other);
    of_named.chain(others.filter_map(|node| Some((node, first?)))).collect()
}

/// How the compiles of nodes fail: of those whose facts the user names, and of those of node definitions, if they compile
/// with no facts at all. Of these the failure that most facts lead to is told, unless that is on purpose.
#[salsa::tracked(returns(clone))]
pub fn node_failures(db: &dyn Db, environment: Environment) -> Arc<[NodeFailure]> {
    let mut found: Vec<NodeFailure> = Vec::new();
    let mut add = |node: &Name, failure: &CompileFailure, facts: Option<&SmolStr>| {
        let known = found.iter_mut().find(|it| it.failure.is_like(failure) && it.facts.as_ref() == facts);
        match known {
            Some(known) => known.nodes.push(node.clone()),
            None => found.push(NodeFailure {
                failure: failure.clone(),
                nodes: vec![node.clone()],
                facts: facts.cloned(),
            }),
        }
    };
    let named = named_facts(db, environment);
    for (index, set) in named.iter().enumerate() {
        if let (Some(node), Some(id)) = (&set.node_name, FactSetId::of_file(index))
            && let CompileOutcome::Fails(failure) = node_outcome(db, environment, node.clone(), id)
        {
            add(node, &failure, Some(&set.name));
        }
    }
    for node in node_names(db, environment) {
        if named.iter().any(|set| set.node_name.as_ref() == Some(&node)) {
            continue;
        }
        if let Some(failure) = failure_with_any_facts(db, environment, &node) {
            add(&node, &failure, None);
        }
    }
    found.into()
}

/// Why a node compiles with no facts at all; `None` where it may compile with some, or fails on purpose only.
fn failure_with_any_facts(db: &dyn Db, environment: Environment, node: &Name) -> Option<Arc<CompileFailure>> {
    let mut failures: Vec<(Arc<CompileFailure>, usize)> = Vec::new();
    for facts in facts_of_any_node(db, environment) {
        let CompileOutcome::Fails(failure) = node_outcome(db, environment, node.clone(), facts) else {
            return None;
        };
        match failures.iter_mut().find(|(known, _)| known.is_like(&failure)) {
            Some((_, count)) => *count += 1,
            None => failures.push((failure, 1)),
        }
    }
    failures.retain(|(failure, _)| failure.code != eval::DELIBERATE_FAILURE);
    // The first of those that are as frequent.
    failures.into_iter().rev().max_by_key(|(_, count)| *count).map(|(failure, _)| failure)
}
