//! `textDocument/references`.

use ide::Cancellable;
use lsp_types::{Location, Position, ReferenceParams};
use tower_lsp::jsonrpc::Result;

use super::locations::LocationConverter;
use crate::{QuestionFile, Server, Snapshot};

pub(super) async fn references(server: &Server, params: ReferenceParams) -> Result<Option<Vec<Location>>> {
    let with_declarations = params.context.include_declaration;
    let params = params.text_document_position_params;
    let position = params.position;
    let question =
        move |snapshot: &Snapshot, file: &QuestionFile| answer(snapshot, file, position, with_declarations);
    Ok(server.ask("textDocument/references", &params.text_document.uri, question).await?.flatten())
}

fn answer(
    snapshot: &Snapshot,
    file: &QuestionFile,
    position: Position,
    with_declarations: bool,
) -> Cancellable<Option<Vec<Location>>> {
    let offset = file.converter(snapshot).offset(position);
    let Some(found) = snapshot.analysis.references(file.id, offset, with_declarations)? else {
        return Ok(None);
    };
    locations(snapshot, &found).map(Some)
}

/// References as locations, in the same order.
pub(super) fn locations(snapshot: &Snapshot, found: &[ide::Reference]) -> Cancellable<Vec<Location>> {
    let mut places = LocationConverter::new(snapshot);
    let mut locations = Vec::new();
    for it in found {
        locations.extend(places.location(it.file, it.range)?);
    }
    Ok(locations)
}
