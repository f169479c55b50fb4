//! `textDocument/documentHighlight`.

use ide::{Cancellable, ReferenceAccess};
use lsp_types::{DocumentHighlight, DocumentHighlightKind, DocumentHighlightParams, Position};
use tower_lsp::jsonrpc::Result;

use crate::{QuestionFile, Server, Snapshot};

pub(super) async fn document_highlights(
    server: &Server,
    params: DocumentHighlightParams,
) -> Result<Option<Vec<DocumentHighlight>>> {
    let params = params.text_document_position_params;
    let position = params.position;
    let question = move |snapshot: &Snapshot, file: &QuestionFile| answer(snapshot, file, position);
    server.ask("textDocument/documentHighlight", &params.text_document.uri, question).await
}

fn answer(
    snapshot: &Snapshot,
    file: &QuestionFile,
    position: Position,
) -> Cancellable<Vec<DocumentHighlight>> {
    let converter = file.converter(snapshot);
    let found = snapshot.analysis.highlights(file.id, converter.offset(position))?;
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
