//! What the nodes are called that the node definitions of the main manifest are for.

use std::sync::Arc;

use hir::{DefinitionKey, DefinitionKind, Expr, HostMatch, Name};
use project::{Db, DefinitionId, Environment, File};
use scalars::pattern_example::example_of;

use crate::class_checks::DEFAULT_NODE;

/// What stands in the head of a node definition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NodeHost {
    /// As it is written; a pattern stands between slashes.
    pub written: String,
    /// The name of a node that fits; `None` for a pattern of which that is not clear.
    pub node: Option<Name>,
    /// Is that name only an example of those that fit?
    pub is_invented: bool,
}

/// The names of nodes that fit the node definitions of the main manifest, in order: those that stand there, `default`, and
/// examples for patterns where there is a clear one.
pub fn node_names(db: &dyn Db, environment: Environment) -> Vec<Name> {
    node_hosts(db, environment).iter().filter_map(|host| host.node.clone()).collect()
}

/// What the host is called that stands for all nodes, where no node definition does.
pub const ANY_NODE: &str = "any node";

/// What stands in the heads of the node definitions of the main manifest, in order. Where there is none, but a program that each node
/// gets, it is one for any node.
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

/// Does a manifest do more than define something?
fn does_something(db: &dyn Db, file: File) -> bool {
    let body = project::body(db, DefinitionId::new(db, file, DefinitionKey::main()));
    match &body[body.root] {
        Expr::Block(statements) => {
            statements.iter().any(|it| !matches!(body[*it], Expr::Definition(_) | Expr::Missing))
        }
        other => !matches!(other, Expr::Definition(_) | Expr::Missing),
    }
}

/// A host of a node definition; `None` for what the static rules refuse.
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

/// What a node may be called that a host of a node definition fits; `None` for a pattern of which that is not clear.
fn name_of_host(host: &HostMatch) -> Option<Name> {
    match host {
        HostMatch::Name(name) => Some(name.clone()),
        HostMatch::Default => Some(Name::new("default")),
        HostMatch::Regex(pattern) => example_of(pattern).map(Name::from),
        HostMatch::Invalid => None,
    }
}
