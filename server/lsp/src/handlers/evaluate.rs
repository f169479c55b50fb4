//! `puppet-analyzer/evaluate`: evaluates a selection. A protocol extension.

use lsp_types::{Range, TextDocumentIdentifier};
use serde::{Deserialize, Serialize};
use tokio::sync::oneshot;
use tower_lsp::jsonrpc::{Error, Result};

use crate::Server;
use crate::convert::PositionConverter;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct EvaluateParams {
    text_document: TextDocumentIdentifier,
    range: Range,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct EvaluateResult {
    /// Evaluated range: the expression around the requested one, unless that can be evaluated alone.
    range: Range,
    /// Value in Puppet's notation; absent if it is unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) value: Option<String>,
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    pub(super) ty: Option<String>,
    pub(super) logs: Vec<LogMessage>,
    pub(super) errors: Vec<JsonEvaluationDiagnostic>,
}

#[derive(Serialize)]
pub(super) struct LogMessage {
    pub(super) level: &'static str,
    pub(super) message: String,
}

#[derive(Serialize)]
pub(super) struct JsonEvaluationDiagnostic {
    pub(super) code: &'static str,
    pub(super) message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    range: Option<Range>,
}

pub(super) async fn evaluate(server: &Server, params: EvaluateParams) -> Result<Option<EvaluateResult>> {
    evaluate_in(server, params.text_document, params.range).await
}

/// Evaluates a range of a document; an empty range selects the expression around it.
pub(super) async fn evaluate_in(
    server: &Server,
    document: TextDocumentIdentifier,
    range: Range,
) -> Result<Option<EvaluateResult>> {
    let prepared = server
        .ask("puppet-analyzer/evaluate", &document.uri, move |snapshot, file| {
            let range = file.converter(snapshot).text_range(range);
            let range = snapshot.analysis.enclosing_expression(file.id, range)?;
            let prepared = snapshot.analysis.prepare_evaluation(file.id, range)?;
            Ok((prepared, range, file.text.clone(), file.lines.clone(), snapshot.features.column_unit))
        })
        .await?;
    let Some((prepared, evaluated, text, lines, unit)) = prepared else { return Ok(None) };
    // Runs without a snapshot and on a separate thread, so that no write has to wait for it.
    let (sender, answer) = oneshot::channel();
    let run = move || {
        // Fails if the request was cancelled.
        let _ = sender.send(prepared.run());
    };
    let thread = std::thread::Builder::new().name("evaluation".to_owned()).stack_size(ide::STACK_SIZE);
    thread.spawn(run).map_err(|_| Error::internal_error())?;
    let found = answer.await.map_err(|_| Error::internal_error())?;
    let logs = found.logs.into_iter().map(|(level, message)| LogMessage { level, message });
    let converter = PositionConverter::new(&text, &lines, unit);
    let errors = found.diagnostics.into_iter().map(|diagnostic| JsonEvaluationDiagnostic {
        code: diagnostic.code.as_str(),
        message: diagnostic.message,
        range: diagnostic.range.map(|it| converter.range(it)),
    });
    Ok(Some(EvaluateResult {
        range: converter.range(evaluated),
        value: found.value,
        ty: found.ty,
        logs: logs.collect(),
        errors: errors.collect(),
    }))
}
