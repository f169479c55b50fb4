//! Nodes and edges of a catalog's graph, for clients that draw it themselves.

use eval::{Catalog, CatalogResource, CatalogResourceKind};
use output::visible;

use super::values::{reference, relationships};

/// Maximum number of nodes; the remaining resources are left out.
pub const MAX_NODES: usize = 20_000;

/// Resources and relationships of a catalog.
pub struct ResourceGraph {
    pub nodes: Vec<ResourceNode>,
    pub edges: Vec<ResourceEdge>,
}

/// A resource in the graph.
pub struct ResourceNode {
    /// Index of the resource in the catalog.
    pub index: usize,
    /// Name of the resource type, such as `File`.
    pub type_name: String,
    /// Reference, such as `File[/etc/motd]`.
    pub reference: String,
    pub kind: NodeKind,
    /// Position of the container in [`ResourceGraph::nodes`].
    pub container: Option<usize>,
    pub is_exported: bool,
    /// True if the resource may be absent.
    pub is_possible: bool,
}

/// Kind of a resource in the graph.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NodeKind {
    /// Class, stage, or node definition.
    Class,
    DefinedType,
    Resource,
}

/// A relationship between two resources, as positions in [`ResourceGraph::nodes`].
pub struct ResourceEdge {
    pub from: usize,
    pub to: usize,
    /// True if the first resource notifies the second.
    pub notifies: bool,
}

impl ResourceGraph {
    /// Selects the resources of a catalog, without those that every catalog has.
    pub fn new(catalog: &Catalog) -> ResourceGraph {
        let shown = catalog.resources.iter().enumerate().filter(|(_, it)| !is_implicit(catalog, it));
        let shown: Vec<usize> = shown.map(|(index, _)| index).take(MAX_NODES).collect();
        let mut position = vec![None; catalog.resources.len()];
        for (at, index) in shown.iter().enumerate() {
            position[*index] = Some(at);
        }
        let containers = containers(catalog, &position);
        let nodes = shown.iter().map(|index| node(&catalog.resources[*index], *index, containers[*index]));
        let nodes = nodes.collect();
        let edges = relationships(catalog).into_iter().filter_map(|(from, to, notifies)| {
            Some(ResourceEdge { from: position[from]?, to: position[to]?, notifies })
        });
        ResourceGraph { nodes, edges: edges.collect() }
    }
}

fn node(resource: &CatalogResource, index: usize, container: Option<usize>) -> ResourceNode {
    let kind = match resource.kind() {
        CatalogResourceKind::Class | CatalogResourceKind::Stage | CatalogResourceKind::Node => {
            NodeKind::Class
        }
        CatalogResourceKind::OfType if resource.type_name.contains("::") => NodeKind::DefinedType,
        CatalogResourceKind::OfType => NodeKind::Resource,
    };
    ResourceNode {
        index,
        type_name: visible(&resource.type_name).into_owned(),
        reference: visible(&reference(resource)).into_owned(),
        kind,
        container,
        is_exported: resource.is_exported,
        is_possible: resource.is_possible,
    }
}

/// Returns the position of each resource's container. A class that several classes contain is in the first one, and one that
/// contains its own container, directly or not, has none.
fn containers(catalog: &Catalog, position: &[Option<usize>]) -> Vec<Option<usize>> {
    let mut container: Vec<Option<usize>> = vec![None; catalog.resources.len()];
    for (from, to) in &catalog.edges {
        let is_known = position[*from].is_some() && position[*to].is_some() && container[*to].is_none();
        if is_known && !is_inside(&container, *from, *to) {
            container[*to] = Some(*from);
        }
    }
    container.into_iter().map(|it| position[it?]).collect()
}

/// Returns whether `inner` is `outer` or is contained in it.
fn is_inside(container: &[Option<usize>], inner: usize, outer: usize) -> bool {
    let mut at = Some(inner);
    while let Some(index) = at {
        if index == outer {
            return true;
        }
        at = container[index];
    }
    false
}

/// Returns whether the resource is one that every catalog has.
pub(super) fn is_implicit(catalog: &Catalog, resource: &CatalogResource) -> bool {
    resource.is_main_stage()
        || resource.is_settings_class()
        || resource.is_main_class() && !contains_resources(catalog, resource)
}

/// Returns whether the resource contains anything other than classes.
fn contains_resources(catalog: &Catalog, resource: &CatalogResource) -> bool {
    let is_meant = |index: usize| std::ptr::eq(&catalog.resources[index], resource);
    catalog.edges.iter().any(|(from, to)| is_meant(*from) && !catalog.resources[*to].is_class())
}

#[cfg(test)]
#[path = "nodes_tests.rs"]
mod tests;
