//! What the nodes are called that the node definitions of the main manifest are for.

use std::sync::Arc;

use hir::{DefinitionKind, HostMatch, Name};
use project::{Db, Environment};
use scalars::pattern_example::example_of;

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

/// What stands in the heads of the node definitions of the main manifest, in order.
#[salsa::tracked(returns(clone))]
pub fn node_hosts(db: &dyn Db, environment: Environment) -> Arc<[NodeHost]> {
    let files = environment.main_manifests(db).iter();
    let definitions = files.flat_map(|file| &project::item_summary(db, *file).definitions);
    let nodes = definitions.filter(|it| it.key.kind == DefinitionKind::Node);
    nodes.flat_map(|it| &it.hosts).filter_map(node_host).collect()
}

fn node_host(host: &HostMatch) -> Option<NodeHost> {
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
