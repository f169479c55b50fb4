//! `textDocument/inlayHint`.

use ide::{Cancellable, InlayHintKind as Kind};
use lsp_types::{InlayHint, InlayHintKind, InlayHintParams, Label, Range};
use tower_lsp::jsonrpc::Result;

use crate::{RequestFile, Server, Snapshot};

pub(super) async fn inlay_hints(server: &Server, params: InlayHintParams) -> Result<Option<Vec<InlayHint>>> {
    let range = params.range;
    let request = move |snapshot: &Snapshot, file: &RequestFile| answer(snapshot, file, range);
    server.ask("textDocument/inlayHint", &params.text_document.uri, request).await
}

fn answer(snapshot: &Snapshot, file: &RequestFile, range: Range) -> Cancellable<Vec<InlayHint>> {
    let converter = file.converter(snapshot);
    let range = converter.text_range(range);
    let found = snapshot.analysis.inlay_hints(file.id, range, snapshot.inlay_hints)?;
    let hints = found.into_iter().map(|hint| InlayHint {
        position: converter.position(hint.offset),
        label: Label::String(hint.text),
        kind: matches!(hint.kind, Kind::TypeAfter | Kind::TypeBefore).then_some(InlayHintKind::Type),
        text_edits: None,
        tooltip: None,
        padding_left: Some(matches!(hint.kind, Kind::Value | Kind::Data | Kind::Platforms)),
        padding_right: Some(hint.kind == Kind::TypeBefore),
        data: None,
    });
    Ok(hints.collect())
}
