//! `textDocument/documentHighlight`.

use ide::{Cancellable, ReferenceAccess};
use lsp_types::{DocumentHighlight, DocumentHighlightKind, DocumentHighlightParams};
use tower_lsp::jsonrpc::Result;

use crate::{RequestFile, Server, Snapshot};

pub(super) async fn document_highlights(
    server: &Server,
    params: DocumentHighlightParams,
) -> Result<Option<Vec<DocumentHighlight>>> {
    let at = params.text_document_position_params;
    server.ask_at("textDocument/documentHighlight", at, answer).await
}

fn answer(snapshot: &Snapshot, file: &RequestFile, offset: u32) -> Cancellable<Vec<DocumentHighlight>> {
    let converter = file.converter(snapshot);
    let found = snapshot.analysis.highlights(file.id, offset)?;
    let highlights = found.into_iter().map(|it| DocumentHighlight {
        range: converter.range(it.range),
        kind: Some(match it.access {
            ReferenceAccess::Declaration | ReferenceAccess::Write => DocumentHighlightKind::Write,
            ReferenceAccess::Read => DocumentHighlightKind::Read,
            ReferenceAccess::Documentation => DocumentHighlightKind::Text,
        }),
    });
    Ok(highlights.collect())
}
