//! `puppet-analyzer/catalogGraph`: the catalog of a class on a platform as a graph. A protocol extension.

use catalog_view::graph;
use catalog_view::nodes::{NodeKind, ResourceGraph};
use ide::{Cancellable, FileId};
use lsp_types::Location;
use serde::Serialize;
use syntax::TextRange;
use tower_lsp::jsonrpc::Result;

use super::catalog::{CatalogParams, CompiledClassCatalog, catalog_response, compile_requested};
use super::locations::LocationConverter;
use crate::{Server, Snapshot};

#[derive(Serialize)]
pub(super) struct GraphAnswer {
    svg: String,
    title: String,
    nodes: Vec<GraphNode>,
    edges: Vec<GraphEdge>,
    platforms: Vec<String>,
}

/// A resource in the graph.
#[derive(Serialize)]
struct GraphNode {
    id: String,
    #[serde(rename = "type")]
    type_name: String,
    /// Reference, such as `File[/etc/motd]`.
    label: String,
    kind: &'static str,
    /// Id of the container.
    #[serde(skip_serializing_if = "Option::is_none")]
    container: Option<String>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    exported: bool,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    possible: bool,
    /// Location of the declaration.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    location: Option<Location>,
}

/// A relationship, as ids of the earlier and the later resource.
#[derive(Serialize)]
struct GraphEdge {
    from: String,
    to: String,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    notifies: bool,
}

pub(super) async fn catalog_graph(server: &Server, params: CatalogParams) -> Result<Option<GraphAnswer>> {
    let request = move |snapshot: &Snapshot| match compile_requested(snapshot, &params)? {
        Ok(found) => answer(snapshot, found).map(Ok),
        Err(none) => Ok(Err(none)),
    };
    catalog_response(server.ask_workspace("puppet-analyzer/catalogGraph", request).await?)
}

/// Returns the location at which a resource is declared. The requested class itself has no declaration, so
/// its definition is returned.
fn location_of(
    snapshot: &Snapshot,
    found: &CompiledClassCatalog,
    index: usize,
) -> Cancellable<Option<(FileId, TextRange)>> {
    let (analysis, compiled) = (&snapshot.analysis, &found.catalog.compiled);
    let resource = &compiled.catalog().resources[index];
    let is_requested = || {
        let title = resource.title.as_deref().unwrap_or_default();
        resource.is_class() && title.eq_ignore_ascii_case(&found.class.name)
    };
    let location = match resource.place {
        Some(location) => analysis.location_of(compiled, location)?,
        None => None,
    };
    match location.and_then(|location| Some((location.file?, location.range))) {
        None if is_requested() => analysis.head_of_class(&found.class),
        location => Ok(location),
    }
}

fn answer(snapshot: &Snapshot, found: CompiledClassCatalog) -> Cancellable<GraphAnswer> {
    let compiled = &found.catalog.compiled;
    let svg = graph::render(compiled.catalog()).svg;
    let ResourceGraph { nodes, edges } = ResourceGraph::new(compiled.catalog());
    let ids: Vec<String> = nodes.iter().map(|it| graph::node_id(it.index)).collect();
    let edges = edges.into_iter().map(|edge| GraphEdge {
        from: ids[edge.from].clone(),
        to: ids[edge.to].clone(),
        notifies: edge.notifies,
    });
    let edges = edges.collect();
    let mut location_converter = LocationConverter::new(snapshot);
    let mut converted = Vec::new();
    for (node, id) in nodes.into_iter().zip(&ids) {
        let location = match location_of(snapshot, &found, node.index)? {
            Some((file, range)) => location_converter.location(file, range)?,
            None => None,
        };
        let kind = match node.kind {
            NodeKind::Class => "class",
            NodeKind::DefinedType => "definedType",
            NodeKind::Resource => "resource",
        };
        converted.push(GraphNode {
            id: id.clone(),
            type_name: node.type_name,
            label: node.reference,
            kind,
            container: node.container.map(|it| ids[it].clone()),
            exported: node.is_exported,
            possible: node.is_possible,
            location,
        });
    }
    Ok(GraphAnswer { svg, title: found.title(), nodes: converted, edges, platforms: found.platforms })
}
