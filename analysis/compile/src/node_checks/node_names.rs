//! Names of nodes, derived from the node definitions of the main manifest.

use std::sync::Arc;

use crate::class_checks::requests::DEFAULT_NODE;
use hir::{DefinitionKey, DefinitionKind, Expr, HostMatch, Name};
use project::{Db, DefinitionId, Environment, File};
use scalars::pattern_example::example_of;

/// A matcher in the head of a node definition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NodeHost {
    /// Source text; a pattern is enclosed in slashes.
    pub written: String,
    /// Name of a matching node; `None` for a pattern without an obvious example.
    pub node: Option<Name>,
    /// True if the name was made up to match a pattern.
    pub is_invented: bool,
}

/// Returns the names of nodes that match the node definitions of the main manifest, in source order: literal
/// names, `default`, and examples for patterns that have an obvious one.
pub fn node_names(db: &dyn Db, environment: Environment) -> Vec<Name> {
    node_hosts(db, environment).iter().filter_map(|host| host.node.clone()).collect()
}

/// Display name of the host for all nodes if there is no node definition.
pub const ANY_NODE: &str = "any node";

/// Returns the hosts of the node definitions of the main manifest, in source order. Without node definitions,
/// but with a program that applies to every node, it is a single host for any node.
#[salsa::tracked(returns(clone))]
pub fn node_hosts(db: &dyn Db, environment: Environment) -> Arc<[NodeHost]> {
    let files = environment.main_manifests(db).iter();
    let definitions = files.flat_map(|file| &project::item_summary(db, *file).definitions);
    let nodes = definitions.filter(|it| it.key.kind == DefinitionKind::Node);
    let hosts: Vec<NodeHost> = nodes.flat_map(|it| &it.hosts).filter_map(node_host).collect();
    if hosts.is_empty() && environment.main_manifests(db).iter().any(|file| does_something(db, *file)) {
        let (written, node) = (ANY_NODE.to_owned(), Some(Name::new(DEFAULT_NODE)));
        return [NodeHost { written, node, is_invented: true }].into();
    }
    hosts.into()
}

/// Returns true if a manifest contains more than definitions.
fn does_something(db: &dyn Db, file: File) -> bool {
    let body = project::body(db, DefinitionId::new(db, file, DefinitionKey::main()));
    match &body[body.root] {
        Expr::Block(statements) => {
            statements.iter().any(|it| !matches!(body[*it], Expr::Definition(_) | Expr::Missing))
        }
        other => !matches!(other, Expr::Definition(_) | Expr::Missing),
    }
}

/// Converts a host of a node definition; `None` for one that the static rules refuse.
pub fn node_host(host: &HostMatch) -> Option<NodeHost> {
    let written = match host {
        HostMatch::Name(name) => name.to_string(),
        HostMatch::Default => "default".to_owned(),
        HostMatch::Regex(pattern) => format!("/{pattern}/"),
        HostMatch::Invalid => return None,
    };
    let is_invented = !matches!(host, HostMatch::Name(_));
    Some(NodeHost { written, node: name_of_host(host), is_invented })
}

/// Returns the name of a node that matches a host; `None` for a pattern without an obvious example.
fn name_of_host(host: &HostMatch) -> Option<Name> {
    match host {
        HostMatch::Name(name) => Some(name.clone()),
        HostMatch::Default => Some(Name::new("default")),
        HostMatch::Regex(pattern) => example_of(pattern).map(Name::from),
        HostMatch::Invalid => None,
    }
}
