//! Nodes of the main manifest compiled with the facts that the user names, else with those of the main platforms: what an
//! editor says on save.
//!
//! A node's data may lie elsewhere, and so may the rest of its facts: what fails only because something is not known here
//! is left out.

use std::sync::Arc;

use hir::{DefinitionKind, HostMatch, Name};
use project::{Contents, Db, Environment};
use smol_str::SmolStr;
use types::{HashValue, Value};

use crate::class_checks::{
    CompileFailure, CompileOutcome, outcome, part_request, platform_facts, puppet_version,
};
use crate::compile_request::{EntryPoint, Facts};
use crate::functions;

/// Why nodes cannot be compiled.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NodeFailure {
    pub failure: CompileFailure,
    pub nodes: Vec<Name>,
    /// The name of the facts with which it fails; `None` where it does with all of them.
    pub facts: Option<SmolStr>,
    /// Did the code say so itself, with `fail()`?
    pub is_deliberate: bool,
}

/// The facts of a file that the user names.
#[derive(Clone, PartialEq, Eq, Debug)]
struct NamedFacts {
    name: SmolStr,
    /// The node that they are of.
    node_name: Option<Name>,
    facts: Arc<HashValue>,
}

#[salsa::tracked(returns(clone))]
fn named_facts(db: &dyn Db, environment: Environment) -> Arc<[NamedFacts]> {
    let version = puppet_version(db, environment);
    let sets = environment.fact_files(db).iter().filter_map(|file| {
        let Contents::Text(text) = file.contents(db) else { return None };
        let set = facts::read(file.path(db).as_str(), text).ok()?;
        let facts = facts::complete(set.facts, version);
        let text = |value: Option<&Value>| value.and_then(Value::as_str).map(str::to_lowercase);
        let networking = facts.get_text("networking").and_then(Value::as_hash);
        let node_name = text(facts.get_text("clientcert"))
            .or_else(|| text(networking?.get_text("fqdn")))
            .or_else(|| text(facts.get_text("fqdn")));
        Some(NamedFacts { name: set.name, node_name: node_name.map(Name::from), facts: Arc::new(facts) })
    });
    sets.collect()
}

/// The facts that nodes are compiled with: those of files, else those of the main platforms.
fn facts_of_nodes(db: &dyn Db, environment: Environment) -> Vec<Facts> {
    let named = named_facts(db, environment);
    if named.is_empty() {
        let platforms = facts::supported(None).platforms;
        return platforms.into_iter().map(|it| platform_facts(db, environment, it)).collect();
    }
    let given = |it: &NamedFacts| Facts::Platform { facts: it.facts.clone(), of_modules: Arc::default() };
    named.iter().map(given).collect()
}

/// What comes of compiling a node with some of its possible facts.
#[salsa::tracked(returns(clone))]
pub(crate) fn node_outcome(db: &dyn Db, environment: Environment, node: Name, facts: u16) -> CompileOutcome {
    match facts_of_nodes(db, environment).into_iter().nth(usize::from(facts)) {
        Some(facts) => {
            let request = part_request(db, environment, EntryPoint::MainManifest, node, facts);
            outcome(db, environment, &request)
        }
        None => CompileOutcome::Unclear,
    }
}

/// The names that node definitions of the main manifest give.
fn names_of_nodes(db: &dyn Db, environment: Environment) -> Vec<Name> {
    let files = environment.main_manifests(db).iter();
    let definitions = files.flat_map(|file| &project::item_summary(db, *file).definitions);
    let nodes = definitions.filter(|it| it.key.kind == DefinitionKind::Node);
    let names = nodes.flat_map(|it| &it.hosts).filter_map(|host| match host {
        HostMatch::Name(name) => Some(name.clone()),
        HostMatch::Regex(_) | HostMatch::Default | HostMatch::Invalid => None,
    });
    names.collect()
}

/// The compiles that are certainly needed for [`node_failures`]: names of nodes with the numbers of facts.
pub(crate) fn first_compiles(db: &dyn Db, environment: Environment) -> Vec<(Name, u16)> {
    let named = named_facts(db, environment);
    let mut found: Vec<(Name, u16)> = Vec::new();
    for (index, set) in named.iter().enumerate() {
        if let (Some(node), Ok(index)) = (&set.node_name, u16::try_from(index)) {
            found.push((node.clone(), index));
        }
    }
    let others = names_of_nodes(db, environment).into_iter();
    let is_other = |node: &Name| !named.iter().any(|set| set.node_name.as_ref() == Some(node));
    found.extend(others.filter(is_other).map(|node| (node, 0)));
    found
}

/// How the compiles of nodes fail: of those whose facts the user names, and of those that node definitions name, if they
/// fail whatever the facts are, and not on purpose.
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
                is_deliberate: failure.code == functions::DELIBERATE_FAILURE,
            }),
        }
    };
    let named = named_facts(db, environment);
    for (index, set) in named.iter().enumerate() {
        if let (Some(node), Ok(index)) = (&set.node_name, u16::try_from(index))
            && let CompileOutcome::Fails(failure) = node_outcome(db, environment, node.clone(), index)
        {
            add(node, &failure, Some(&set.name));
        }
    }
    let count = facts_of_nodes(db, environment).len();
    for node in names_of_nodes(db, environment) {
        if named.iter().any(|set| set.node_name.as_ref() == Some(&node)) {
            continue;
        }
        let mut first: Option<Arc<CompileFailure>> = None;
        let fails_alike = (0..count).filter_map(|index| u16::try_from(index).ok()).all(|index| {
            match node_outcome(db, environment, node.clone(), index) {
                CompileOutcome::Fails(failure) => first.get_or_insert(failure.clone()).is_like(&failure),
                _ => false,
            }
        });
        if let Some(failure) = first.filter(|it| fails_alike && it.code != functions::DELIBERATE_FAILURE) {
            add(&node, &failure, None);
        }
    }
    found.into()
}
