//! `puppet-analyzer/catalogGraph`: what a class compiles to on a platform, as a picture. Not part of the protocol.

use catalog_view::graph;
use ide::{Cancellable, FileId};
use lsp_types::{Range, Uri};
use serde::Serialize;
use syntax::TextRange;
use tower_lsp::jsonrpc::Result;

use super::catalog::{CatalogParams, CompiledClassCatalog, answer_of, find};
use super::locations::LocationConverter;
use crate::{Server, Snapshot};

#[derive(Serialize)]
pub(super) struct GraphAnswer {
    svg: String,
    title: String,
    nodes: Vec<GraphNode>,
    platforms: Vec<String>,
}

/// Where what a box stands for is declared.
#[derive(Serialize)]
struct GraphNode {
    id: String,
    uri: Uri,
    range: Range,
}

pub(super) async fn catalog_graph(server: &Server, params: CatalogParams) -> Result<Option<GraphAnswer>> {
    let question = move |snapshot: &Snapshot| match find(snapshot, &params)? {
        Ok(found) => answer(snapshot, found).map(Ok),
        Err(none) => Ok(Err(none)),
    };
    answer_of(server.ask_workspace("puppet-analyzer/catalogGraph", question).await?)
}

/// Where a resource is declared; the class that is asked about is declared by nobody, and leads to its definition.
fn place_of(
    snapshot: &Snapshot,
    found: &CompiledClassCatalog,
    index: usize,
) -> Cancellable<Option<(FileId, TextRange)>> {
    let (analysis, compiled) = (&snapshot.analysis, &found.catalog.compiled);
    let resource = &compiled.catalog().resources[index];
    let is_asked = || {
        let title = resource.title.as_deref().unwrap_or_default();
        resource.is_class() && title.eq_ignore_ascii_case(&found.class.name)
    };
    let place = match resource.place {
        Some(place) => analysis.place_of(compiled, place)?,
        None => None,
    };
    match place.and_then(|place| Some((place.file?, place.range))) {
        None if is_asked() => analysis.head_of_class(&found.class),
        place => Ok(place),
    }
}

fn answer(snapshot: &Snapshot, found: CompiledClassCatalog) -> Cancellable<GraphAnswer> {
    let compiled = &found.catalog.compiled;
    let picture = graph::render(compiled.catalog());
    let mut places = LocationConverter::new(snapshot);
    let mut nodes = Vec::new();
    for (id, index) in picture.nodes {
        let Some((file, range)) = place_of(snapshot, &found, index)? else { continue };
        if let Some(location) = places.location(file, range)? {
            nodes.push(GraphNode { id, uri: location.uri, range: location.range });
        }
    }
    Ok(GraphAnswer { svg: picture.svg, title: found.title(), nodes, platforms: found.platforms })
}
