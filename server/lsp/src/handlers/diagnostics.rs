//! `textDocument/diagnostic`.

use std::hash::{Hash, Hasher};

use ide::Cancellable;
use lsp_types::{
    Code, Diagnostic, DocumentDiagnosticParams, DocumentDiagnosticReport, FullDocumentDiagnosticReport,
    RelatedFullDocumentDiagnosticReport, RelatedUnchangedDocumentDiagnosticReport,
    UnchangedDocumentDiagnosticReport,
};
use rustc_hash::FxHasher;
use tower_lsp::jsonrpc::Result;

use crate::convert::PositionConverter;
use crate::diagnostic_payload::{DiagnosticPayload, related_information};
use crate::{RequestFile, Server, Snapshot, publish};

pub(super) async fn diagnostics(
    server: &Server,
    params: DocumentDiagnosticParams,
) -> Result<DocumentDiagnosticReport> {
    let uri = &params.text_document.uri;
    let items =
        server.ask_diagnostics("textDocument/diagnostic", uri, file_diagnostics).await?.unwrap_or_default();
    let result_id = result_id(&items);
    if params.previous_result_id.as_ref() == Some(&result_id) {
        let report = UnchangedDocumentDiagnosticReport { result_id };
        return Ok(DocumentDiagnosticReport::from(RelatedUnchangedDocumentDiagnosticReport {
            related_documents: None,
            unchanged_document_diagnostic_report: report,
        }));
    }
    Ok(DocumentDiagnosticReport::from(RelatedFullDocumentDiagnosticReport {
        related_documents: None,
        full_document_diagnostic_report: FullDocumentDiagnosticReport { result_id: Some(result_id), items },
    }))
}

/// Returns all diagnostics of a file; those that need compiles are taken from the last ones.
pub(super) fn file_diagnostics(snapshot: &Snapshot, file: &RequestFile) -> Cancellable<Vec<Diagnostic>> {
    let mut found = publish::pulled(snapshot, file.id, &file.text)?;
    found.extend(snapshot.catalog_diagnostics(&snapshot.analysis.path(file.id), &file.text));
    Ok(to_lsp(snapshot, file, found))
}

/// Converts diagnostics to LSP, by position.
fn to_lsp(snapshot: &Snapshot, file: &RequestFile, mut found: Vec<ide::Diagnostic>) -> Vec<Diagnostic> {
    found.sort_by_key(|it| (it.range.start, it.range.end, it.severity()));
    let converter = file.converter(snapshot);
    found.iter().map(|it| diagnostic(snapshot, file, &converter, it)).collect()
}

fn diagnostic(
    snapshot: &Snapshot,
    file: &RequestFile,
    converter: &PositionConverter<'_>,
    found: &ide::Diagnostic,
) -> Diagnostic {
    let DiagnosticPayload { severity, code, source, code_description, tags } = DiagnosticPayload::of(found);
    let related = related_information(snapshot, file, converter, found);
    Diagnostic {
        range: converter.range(found.range),
        severity: Some(severity),
        code: Some(Code::String(code.to_owned())),
        source: Some(source.to_owned()),
        message: found.message.clone().into(),
        code_description: code_description.cloned(),
        tags: tags.map(Vec::from),
        related_information: (!related.is_empty()).then_some(related),
        ..Diagnostic::default()
    }
}

/// Returns an id that is equal for equal diagnostics, regardless of the text they belong to.
pub(super) fn result_id(items: &[Diagnostic]) -> String {
    format!("{:016x}", fingerprint(items))
}

/// Returns a hash of the diagnostics.
fn fingerprint(items: &[Diagnostic]) -> u64 {
    let mut hasher = FxHasher::default();
    items.hash(&mut hasher);
    hasher.finish()
}
