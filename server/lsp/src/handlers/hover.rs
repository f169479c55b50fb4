//! `textDocument/hover`.

use std::time::Duration;

use ide::Cancellable;
use lsp_types::{Hover, HoverParams, MarkupContent, MarkupKind, Position};
use tower_lsp::jsonrpc::Result;

use crate::{QuestionFile, Server, Snapshot};

/// What compiles for a hover may take.
const MOST_TIME: Duration = Duration::from_millis(if cfg!(debug_assertions) { 5_000 } else { 50 });

pub(super) async fn hover(server: &Server, params: HoverParams) -> Result<Option<Hover>> {
    let params = params.text_document_position_params;
    let position = params.position;
    let question = move |snapshot: &Snapshot, file: &QuestionFile| answer(snapshot, file, position);
    Ok(server.ask("textDocument/hover", &params.text_document.uri, question).await?.flatten())
}

fn answer(snapshot: &Snapshot, file: &QuestionFile, position: Position) -> Cancellable<Option<Hover>> {
    let converter = file.converter(snapshot);
    let offset = converter.offset(position);
    let Some(mut hover) = snapshot.analysis.hover(file.id, offset)? else { return Ok(None) };
    // Once the classes were compiled most of what they need is at hand.
    if snapshot.class_statuses(&snapshot.analysis.path(file.id)).is_some_and(|it| !it.is_empty())
        && let Some(values) = snapshot.analysis.values_by_platform(file.id, offset, MOST_TIME)?
    {
        hover.markdown.push_str(&format!("\n\n{values}"));
    }
    Ok(Some(Hover {
        contents: markup(hover.markdown, snapshot.features.hovers_in_markdown).into(),
        range: Some(converter.range(hover.range)),
    }))
}

/// Markdown, or for clients that do not lay it out its text without the fences around code. Whatever a repository says in it, it
/// runs and loads nothing.
pub(super) fn markup(markdown: String, lays_out_markdown: bool) -> MarkupContent {
    let markdown = if lays_out_markdown { output::markdown::inert(&markdown) } else { markdown };
    if lays_out_markdown {
        return MarkupContent { kind: MarkupKind::Markdown, value: markdown };
    }
    let lines: Vec<&str> = markdown.lines().filter(|line| !line.starts_with("```")).collect();
    MarkupContent { kind: MarkupKind::PlainText, value: lines.join("\n") }
}
