//! `textDocument/hover`.

use ide::Cancellable;
use lsp_types::{Hover, HoverParams, MarkupContent, MarkupKind, Position};
use tower_lsp::jsonrpc::Result;

use crate::lsp::{QuestionFile, Server, Snapshot};

pub(super) async fn hover(server: &Server, params: HoverParams) -> Result<Option<Hover>> {
    let params = params.text_document_position_params;
    let position = params.position;
    let question = move |snapshot: &Snapshot, file: &QuestionFile| answer(snapshot, file, position);
    Ok(server.ask("textDocument/hover", &params.text_document.uri, question).await?.flatten())
}

fn answer(snapshot: &Snapshot, file: &QuestionFile, position: Position) -> Cancellable<Option<Hover>> {
    let converter = file.converter(snapshot);
    let found = snapshot.analysis.hover(file.id, converter.offset(position))?;
    Ok(found.map(|hover| Hover {
        contents: markup(hover.markdown, snapshot.features.hovers_in_markdown).into(),
        range: Some(converter.range(hover.range)),
    }))
}

/// Markdown, or for clients that do not lay it out its text without the fences around code.
pub(super) fn markup(markdown: String, lays_out_markdown: bool) -> MarkupContent {
    if lays_out_markdown {
        return MarkupContent { kind: MarkupKind::Markdown, value: markdown };
    }
    let lines: Vec<&str> = markdown.lines().filter(|line| !line.starts_with("```")).collect();
    MarkupContent { kind: MarkupKind::PlainText, value: lines.join("\n") }
}
