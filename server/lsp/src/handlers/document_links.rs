//! `textDocument/documentLink`.

use ide::Cancellable;
use lsp_types::{DocumentLink, DocumentLinkParams};
use tower_lsp::jsonrpc::Result;

use super::locations::LocationConverter;
use crate::{RequestFile, Server, Snapshot};

pub(super) async fn document_links(
    server: &Server,
    params: DocumentLinkParams,
) -> Result<Option<Vec<DocumentLink>>> {
    server.ask("textDocument/documentLink", &params.text_document.uri, answer).await
}

fn answer(snapshot: &Snapshot, file: &RequestFile) -> Cancellable<Vec<DocumentLink>> {
    let converter = file.converter(snapshot);
    let location_converter = LocationConverter::new(snapshot);
    let found = snapshot.analysis.document_links(file.id)?;
    let links = found.into_iter().filter_map(|it| {
        let target = Some(location_converter.uri(it.target)?);
        Some(DocumentLink { range: converter.range(it.range), target, tooltip: None, data: None })
    });
    Ok(links.collect())
}
