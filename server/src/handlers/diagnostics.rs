//! `textDocument/diagnostic`.

use std::hash::{Hash, Hasher};

use ide::Cancellable;
use lsp_types::{
    Code, Diagnostic, DiagnosticRelatedInformation, DiagnosticSeverity, DiagnosticTag,
    DocumentDiagnosticParams, DocumentDiagnosticReport, FullDocumentDiagnosticReport, Location,
    RelatedFullDocumentDiagnosticReport, RelatedUnchangedDocumentDiagnosticReport,
    UnchangedDocumentDiagnosticReport,
};
use rustc_hash::FxHasher;
use syntax::Severity;
use tower_lsp::jsonrpc::Result;

use crate::convert::Converter;
use crate::lsp::{QuestionFile, Server, Snapshot};

pub(super) async fn diagnostics(
    server: &Server,
    params: DocumentDiagnosticParams,
) -> Result<DocumentDiagnosticReport> {
    let uri = &params.text_document.uri;
    let items = server.ask("textDocument/diagnostic", uri, file_diagnostics).await?.unwrap_or_default();
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

/// All diagnostics of a file: of its syntax, and what evaluation finds.
fn file_diagnostics(snapshot: &Snapshot, file: &QuestionFile) -> Cancellable<Vec<Diagnostic>> {
    let mut found = snapshot.analysis.syntax_diagnostics(file.id)?;
    found.extend(snapshot.analysis.evaluation_diagnostics(file.id)?);
    Ok(for_client(snapshot, file, found))
}

/// Findings in the client's words, by position.
pub(crate) fn for_client(
    snapshot: &Snapshot,
    file: &QuestionFile,
    mut found: Vec<syntax::Diagnostic>,
) -> Vec<Diagnostic> {
    found.sort_by_key(|it| (it.range.start, it.range.end, it.severity));
    let converter = file.converter(snapshot);
    found.iter().map(|it| diagnostic(snapshot, file, &converter, it)).collect()
}

fn diagnostic(
    snapshot: &Snapshot,
    file: &QuestionFile,
    converter: &Converter<'_>,
    found: &syntax::Diagnostic,
) -> Diagnostic {
    let severity = match found.severity {
        Severity::Error => DiagnosticSeverity::Error,
        Severity::Warning | Severity::Deprecation => DiagnosticSeverity::Warning,
    };
    let related = found.related.iter().map(|(range, message)| DiagnosticRelatedInformation {
        location: Location { uri: file.uri.clone(), range: converter.range(*range) },
        message: message.clone(),
    });
    let related: Vec<_> = related.filter(|_| snapshot.features.shows_related_information).collect();
    Diagnostic {
        range: converter.range(found.range),
        severity: Some(severity),
        code: Some(Code::String(found.code.to_owned())),
        source: Some("puppet-analyzer".to_owned()),
        message: found.message.clone().into(),
        tags: (found.severity == Severity::Deprecation).then(|| vec![DiagnosticTag::Deprecated]),
        related_information: (!related.is_empty()).then_some(related),
        ..Diagnostic::default()
    }
}

/// The same for the same diagnostics, whatever text they came from.
fn result_id(items: &[Diagnostic]) -> String {
    format!("{:016x}", fingerprint(items))
}

/// A number that is the same for the same diagnostics.
pub(crate) fn fingerprint(items: &[Diagnostic]) -> u64 {
    let mut hasher = FxHasher::default();
    items.hash(&mut hasher);
    hasher.finish()
}
