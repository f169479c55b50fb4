//! Commands that show catalogs, graphs, and values in editors without the client commands.
//!
//! Clients that support `window/showDocument` are asked to show a file with the text, unless the argument has `show: false`.
//! The response has the text in any case.

use std::fmt::Write;

use catalog_view::{dot, graph, outline};
use ide::Cancellable;
use lsp_types::{Command, MessageType, Range, ShowDocumentParams, TextDocumentIdentifier, Uri};
use serde::{Deserialize, Serialize};
use serde_json::json;
use tower_lsp::jsonrpc::{Error, Result};

use super::catalog::{CatalogParams, CompiledClassCatalog, catalog_text, compile_requested, document_uri};
use super::evaluate::{self, EvaluateResult};
use super::rename::request_failed;
use crate::server_commands::{EVALUATE, SHOW_CATALOG, SHOW_GRAPH};
use crate::{Server, Snapshot};

/// Argument of [`SHOW_CATALOG`] and [`SHOW_GRAPH`].
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ShowParams {
    #[serde(flatten)]
    target: CatalogParams,
    /// Format of a graph.
    #[serde(default)]
    format: GraphFormat,
    #[serde(default = "enabled")]
    show: bool,
}

/// Format of a graph.
#[derive(Clone, Copy, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
enum GraphFormat {
    /// Graphviz.
    #[default]
    Dot,
    Svg,
    /// Indented outline with the relationships of each resource.
    Text,
}

fn enabled() -> bool {
    true
}

/// Text that the client shows.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ShownText {
    /// File with the text, or a virtual document.
    uri: Uri,
    title: String,
    text: String,
    platforms: Vec<String>,
}

/// Text with the extension of its file.
struct RenderedText {
    title: String,
    text: String,
    extension: &'static str,
    /// URI of a virtual document, for clients that show the response themselves.
    uri: String,
    platforms: Vec<String>,
}

pub(super) async fn show_catalog(server: &Server, params: ShowParams) -> Result<ShownText> {
    let render = |snapshot: &Snapshot, found: &CompiledClassCatalog| {
        Ok((catalog_text(snapshot, &found.catalog)?, "txt"))
    };
    show_rendered(server, params, render).await
}

pub(super) async fn show_graph(server: &Server, params: ShowParams) -> Result<ShownText> {
    let format = params.format;
    let render = move |_: &Snapshot, found: &CompiledClassCatalog| {
        let catalog = found.catalog.compiled.catalog();
        Ok(match format {
            GraphFormat::Dot => (dot::render(catalog), "dot"),
            GraphFormat::Svg => (graph::render(catalog).svg, "svg"),
            GraphFormat::Text => (outline::render(catalog), "txt"),
        })
    };
    show_rendered(server, params, render).await
}

async fn show_rendered<F>(server: &Server, params: ShowParams, render: F) -> Result<ShownText>
where
    F: Fn(&Snapshot, &CompiledClassCatalog) -> Cancellable<(String, &'static str)> + Send + 'static,
{
    let mut target = params.target;
    if target.is_empty()
        && let Some(last) = server.position_in_use()
    {
        target.set_position(last);
    }
    let request = move |snapshot: &Snapshot| {
        let found = match compile_requested(snapshot, &target)? {
            Ok(found) => found,
            Err(none) => return Ok(Err(none.message())),
        };
        let (text, extension) = render(snapshot, &found)?;
        let (title, uri) = (found.title(), document_uri(&found.catalog, extension));
        Ok(Ok(RenderedText { title, text, extension, uri, platforms: found.platforms }))
    };
    let rendered = server.ask_workspace("workspace/executeCommand", request).await?;
    let RenderedText { title, text, extension, uri, platforms } = rendered.map_err(request_failed)?;
    let can_show = server.features().is_some_and(|it| it.shows_documents);
    let file = if can_show && params.show {
        server.write_shown_file(title.clone(), extension, text.clone()).await
    } else {
        None
    };
    if let Some(uri) = &file {
        // Editors show an SVG as text.
        let external = (extension == "svg").then_some(true);
        let take_focus = Some(true);
        server.show_document(ShowDocumentParams { uri: uri.clone(), external, take_focus, selection: None });
    }
    let uri = file.or_else(|| uri.parse().ok()).ok_or_else(Error::internal_error)?;
    Ok(ShownText { uri, title, text, platforms })
}

/// Argument of [`EVALUATE`].
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct EvaluateArgument {
    text_document: Option<TextDocumentIdentifier>,
    /// An empty range selects the expression around it.
    range: Option<Range>,
    #[serde(default = "enabled")]
    show: bool,
}

/// Evaluates a range and shows the result as a message.
pub(super) async fn evaluate(server: &Server, argument: EvaluateArgument) -> Result<EvaluateResult> {
    let (text_document, range) = match (argument.text_document, argument.range) {
        (Some(text_document), Some(range)) => (text_document, range),
        (None, None) => {
            let last = server.position_in_use().ok_or_else(|| request_failed(NO_DOCUMENT.to_owned()))?;
            (last.text_document, Range { start: last.position, end: last.position })
        }
        _ => {
            let message = format!("invalid argument of `{EVALUATE}`: expected `textDocument` and `range`");
            return Err(Error::invalid_params(message));
        }
    };
    let found = evaluate::evaluate_in(server, text_document, range).await?;
    let result = found.ok_or_else(|| request_failed("file is not known to the server".to_owned()))?;
    if argument.show {
        let kind = if result.errors.is_empty() { MessageType::Info } else { MessageType::Warning };
        server.show(kind, message(&result)).await;
    }
    Ok(result)
}

const NO_DOCUMENT: &str = "no open document; pass `textDocument` and `range`";

/// Formats a result for a message: value and type, log messages, errors.
fn message(result: &EvaluateResult) -> String {
    let mut out = match (&result.value, &result.ty) {
        (Some(value), Some(ty)) => format!("{value} : {ty}"),
        (Some(value), None) => value.clone(),
        (None, Some(ty)) => format!("unknown value : {ty}"),
        (None, None) => String::new(),
    };
    let logs = result.logs.iter().map(|log| format!("{}: {}", log.level, log.message));
    for line in
        logs.chain(result.errors.iter().map(|error| format!("error[{}]: {}", error.code, error.message)))
    {
        let separator = if out.is_empty() { "" } else { "\n" };
        let _ = write!(out, "{separator}{line}");
    }
    out
}

/// Returns the commands that show a class, with their titles.
pub(super) fn commands_of(class: &str) -> [Command; 2] {
    [("catalog", SHOW_CATALOG), ("graph", SHOW_GRAPH)].map(|(noun, command)| Command {
        title: format!("Show {noun} of `{class}`"),
        tooltip: None,
        command: command.to_owned(),
        arguments: Some(vec![json!({ "class": class })]),
    })
}
