//! `puppet-analyzer/catalogGraph`: the catalog of a class on a platform as a graph. A protocol extension.

use catalog_view::graph;
use ide::{Cancellable, FileId};
use lsp_types::{Range, Uri};
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
    platforms: Vec<String>,
}

/// Location of the declaration of a node in the graph.
#[derive(Serialize)]
struct GraphNode {
    id: String,
    uri: Uri,
    range: Range,
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
    let picture = graph::render(compiled.catalog());
    let mut location_converter = LocationConverter::new(snapshot);
    let mut nodes = Vec::new();
    for (id, index) in picture.nodes {
        let Some((file, range)) = location_of(snapshot, &found, index)? else { continue };
        if let Some(location) = location_converter.location(file, range)? {
            nodes.push(GraphNode { id, uri: location.uri, range: location.range });
        }
    }
    Ok(GraphAnswer { svg: picture.svg, title: found.title(), nodes, platforms: found.platforms })
}
