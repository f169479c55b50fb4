//! `textDocument/inlayHint`, `inlayHint/resolve`.

use ide::{Cancellable, InlayHintKind as Kind, InlayHintSettings};
use lsp_types::{InlayHint, InlayHintKind, InlayHintParams, Label, Position, Range, TextEdit, Tooltip, Uri};
use serde::{Deserialize, Serialize};
use syntax::TextRange;
use tower_lsp::jsonrpc::Result;

use crate::{RequestFile, Server, Snapshot};

/// Data of a hint for `inlayHint/resolve`.
#[derive(Deserialize, Serialize)]
struct HintData {
    uri: Uri,
    version: Option<i32>,
}

pub(super) async fn inlay_hints(server: &Server, params: InlayHintParams) -> Result<Option<Vec<InlayHint>>> {
    let range = params.range;
    let request = move |snapshot: &Snapshot, file: &RequestFile| answer(snapshot, file, range);
    server.ask("textDocument/inlayHint", &params.text_document.uri, request).await
}

/// Adds the edit that inserts a type, and the whole type as a tooltip. A hint of an older version of the document stays as it
/// is.
pub(super) async fn resolve(server: &Server, mut hint: InlayHint) -> Result<InlayHint> {
    let data = hint.data.clone().and_then(|data| serde_json::from_value::<HintData>(data).ok());
    let Some(HintData { uri, version }) = data else { return Ok(hint) };
    let position = hint.position;
    let request = move |snapshot: &Snapshot, file: &RequestFile| {
        if snapshot.version(&snapshot.analysis.path(file.id))? != version {
            return Ok(None);
        }
        let offset = file.converter(snapshot).offset(position);
        let types = InlayHintSettings { types: true, ..InlayHintSettings::default() };
        let found = snapshot.analysis.inlay_hints(file.id, TextRange::empty(offset), types)?;
        Ok(found.into_iter().filter(|it| it.offset == offset).find_map(|it| it.insertion))
    };
    if let Some(ty) = server.ask("inlayHint/resolve", &uri, request).await?.flatten() {
        hint.tooltip = Some(Tooltip::String(ty.clone()));
        hint.text_edits = Some(vec![insertion(position, &ty)]);
    }
    Ok(hint)
}

/// Returns the edit that inserts a type before a parameter.
fn insertion(position: Position, ty: &str) -> TextEdit {
    TextEdit { range: Range { start: position, end: position }, new_text: format!("{ty} ") }
}

fn answer(snapshot: &Snapshot, file: &RequestFile, range: Range) -> Cancellable<Vec<InlayHint>> {
    let converter = file.converter(snapshot);
    let range = converter.text_range(range);
    let found = snapshot.analysis.inlay_hints(file.id, range, snapshot.inlay_hints)?;
    let is_lazy = snapshot.features.resolves_inlay_hints;
    let version = snapshot.version(&snapshot.analysis.path(file.id))?;
    let hints = found.into_iter().map(|hint| {
        let position = converter.position(hint.offset);
        let data = (is_lazy && hint.insertion.is_some()).then(|| HintData { uri: file.uri.clone(), version });
        let edits = hint.insertion.filter(|_| !is_lazy).map(|ty| vec![insertion(position, &ty)]);
        InlayHint {
            position,
            label: Label::String(hint.text),
            kind: matches!(hint.kind, Kind::TypeAfter | Kind::TypeBefore).then_some(InlayHintKind::Type),
            text_edits: edits,
            tooltip: None,
            padding_left: Some(matches!(hint.kind, Kind::Value | Kind::Data | Kind::Platforms)),
            padding_right: Some(hint.kind == Kind::TypeBefore),
            data: data.and_then(|it| serde_json::to_value(it).ok()),
        }
    });
    Ok(hints.collect())
}
