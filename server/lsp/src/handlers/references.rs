//! `textDocument/references`.

use ide::Cancellable;
use lsp_types::{Location, ReferenceParams};
use tower_lsp::jsonrpc::Result;

use super::locations::LocationConverter;
use crate::{RequestFile, Server, Snapshot};

pub(super) async fn references(server: &Server, params: ReferenceParams) -> Result<Option<Vec<Location>>> {
    let with_declarations = params.context.include_declaration;
    let request = move |snapshot: &Snapshot, file: &RequestFile, offset: u32| {
        let found = snapshot.analysis.references(file.id, offset, with_declarations)?;
        found.map(|found| locations(snapshot, &found)).transpose()
    };
    let at = params.text_document_position_params;
    Ok(server.ask_at("textDocument/references", at, request).await?.flatten())
}

/// Converts references to locations, in the same order.
pub(super) fn locations(snapshot: &Snapshot, found: &[ide::Reference]) -> Cancellable<Vec<Location>> {
    let mut location_converter = LocationConverter::new(snapshot);
    let mut locations = Vec::new();
    for it in found {
        locations.extend(location_converter.location(it.file, it.range)?);
    }
    Ok(locations)
}
