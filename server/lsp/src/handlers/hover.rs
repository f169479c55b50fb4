//! `textDocument/hover`.

use ide::{Cancellable, PlatformClass};
use lsp_types::{Hover, HoverParams, MarkupContent, MarkupKind};
use tower_lsp::jsonrpc::Result;

use crate::{RequestFile, Server, Snapshot};

pub(super) async fn hover(server: &Server, params: HoverParams) -> Result<Option<Hover>> {
    let at = params.text_document_position_params;
    let answer = server.ask_at("textDocument/hover", at, answer).await?.flatten();
    let Some((hover, wanted)) = answer else { return Ok(None) };
    if let Some(class) = wanted {
        server.request_platform_values(class);
    }
    Ok(Some(hover))
}

/// Returns the hover, and the class that has to be compiled to complete it. Compiling happens in the
/// background.
fn answer(
    snapshot: &Snapshot,
    file: &RequestFile,
    offset: u32,
) -> Cancellable<Option<(Hover, Option<PlatformClass>)>> {
    let converter = file.converter(snapshot);
    let analysis = &snapshot.analysis;
    let Some(mut hover) = analysis.hover(file.id, offset)? else { return Ok(None) };
    let mut wanted = None;
    // Until the classes have been compiled once, it is not known whether they can be.
    if snapshot.class_statuses(&analysis.path(file.id)).is_some_and(|it| !it.is_empty())
        && let Some(class) = analysis.class_with_values(file.id, offset)?
    {
        let values = match snapshot.platform_values.get(&class) {
            Some(values) => analysis.values_by_platform(file.id, offset, values)?,
            // Shown by the next hover; they are computed in the background.
            None => {
                wanted = Some(class);
                None
            }
        };
        hover.markdown.extend(values.map(|values| format!("\n\n{values}")));
    }
    let contents = markup(hover.markdown, snapshot.features.hovers_in_markdown).into();
    Ok(Some((Hover { contents, range: Some(converter.range(hover.range)) }, wanted)))
}

/// Wraps Markdown, or strips the code fences for clients that only show plain text. Links and images from
/// repository contents are made inert.
pub(super) fn markup(markdown: String, renders_markdown: bool) -> MarkupContent {
    let markdown = if renders_markdown { output::markdown::inert(&markdown) } else { markdown };
    if renders_markdown {
        return MarkupContent { kind: MarkupKind::Markdown, value: markdown };
    }
    let markdown = output::markdown::with_line_breaks(&markdown);
    let lines: Vec<&str> = markdown.lines().filter(|line| !line.starts_with("```")).collect();
    MarkupContent { kind: MarkupKind::PlainText, value: lines.join("\n") }
}
