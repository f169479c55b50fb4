//! `textDocument/diagnostic`.

use std::hash::{Hash, Hasher};
use std::sync::LazyLock;

use ide::{Cancellable, DiagnosticMark, FilePath, rule_table};
use lsp_types::{
    Code, CodeDescription, Diagnostic, DiagnosticRelatedInformation, DiagnosticSeverity, DiagnosticTag,
    DocumentDiagnosticParams, DocumentDiagnosticReport, FullDocumentDiagnosticReport, Location,
    RelatedFullDocumentDiagnosticReport, RelatedUnchangedDocumentDiagnosticReport,
    UnchangedDocumentDiagnosticReport, Uri,
};
use rustc_hash::{FxHashMap, FxHasher};
use serde::Serialize;
use syntax::TextRange;
use tower_lsp::jsonrpc::Result;

use crate::convert::{PositionConverter, severity};
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

/// All diagnostics of a file; those that need compiles are what the last ones found.
pub(super) fn file_diagnostics(snapshot: &Snapshot, file: &QuestionFile) -> Cancellable<Vec<Diagnostic>> {
    let mut found = snapshot.analysis.all_diagnostics(file.id)?;
    found.extend(snapshot.catalog_diagnostics(&snapshot.analysis.path(file.id), &file.text));
    Ok(for_client(snapshot, file, found))
}

/// Findings in the client's words, by position.
fn for_client(snapshot: &Snapshot, file: &QuestionFile, mut found: Vec<ide::Diagnostic>) -> Vec<Diagnostic> {
    found.sort_by_key(|it| (it.range.start, it.range.end, it.severity()));
    let converter = file.converter(snapshot);
    found.iter().map(|it| diagnostic(snapshot, file, &converter, it)).collect()
}

/// The pages of the rules, by code.
static PAGES: LazyLock<FxHashMap<codes::Code, Uri>> = LazyLock::new(|| {
    let page = |rule: &ide::Rule| Some((rule.code, rule.url().parse().ok()?));
    rule_table().iter().filter_map(page).collect()
});

fn diagnostic(
    snapshot: &Snapshot,
    file: &QuestionFile,
    converter: &PositionConverter<'_>,
    found: &ide::Diagnostic,
) -> Diagnostic {
    let DiagnosticWords { severity, code, source, message, code_description, tags } =
        DiagnosticWords::of(found);
    let related = related_information(snapshot, file, converter, found);
    Diagnostic {
        range: converter.range(found.range),
        severity: Some(severity),
        code: Some(Code::String(code.to_owned())),
        source: Some(source.to_owned()),
        message: message.to_owned().into(),
        code_description,
        tags,
        related_information: (!related.is_empty()).then_some(related),
        ..Diagnostic::default()
    }
}

/// What a diagnostic says, wherever it stands.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct DiagnosticWords<'d> {
    severity: DiagnosticSeverity,
    code: &'static str,
    source: &'static str,
    message: &'d str,
    #[serde(skip_serializing_if = "Option::is_none")]
    code_description: Option<CodeDescription>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tags: Option<Vec<DiagnosticTag>>,
}

impl<'d> DiagnosticWords<'d> {
    pub(crate) fn of(found: &'d ide::Diagnostic) -> DiagnosticWords<'d> {
        let severity = severity(found.severity());
        let tag = found.tag.map(|tag| match tag {
            DiagnosticMark::Unnecessary => DiagnosticTag::Unnecessary,
            DiagnosticMark::Deprecated => DiagnosticTag::Deprecated,
        });
        let page = PAGES.get(&found.code).cloned();
        DiagnosticWords {
            severity,
            code: found.code.as_str(),
            source: "puppet-analyzer",
            message: &found.message,
            code_description: page.map(|href| CodeDescription { href }),
            tags: tag.map(|tag| vec![tag]),
        }
    }
}

/// The places that belong to a finding, if the client shows them.
pub(crate) fn related_information(
    snapshot: &Snapshot,
    file: &QuestionFile,
    converter: &PositionConverter<'_>,
    found: &ide::Diagnostic,
) -> Vec<DiagnosticRelatedInformation> {
    let related = found.related.iter().filter(|_| snapshot.features.shows_related_information);
    let related = related.filter_map(|it| {
        let location = match &it.path {
            None => Location { uri: file.uri.clone(), range: converter.range(it.range) },
            Some(path) => location_in(snapshot, path, it.range)?,
        };
        Some(DiagnosticRelatedInformation { location, message: it.message.clone() })
    });
    related.collect()
}

/// A place in another file, as that file is in this snapshot.
fn location_in(snapshot: &Snapshot, path: &FilePath, range: TextRange) -> Option<Location> {
    let id = snapshot.analysis.file_id(path)?;
    let text = snapshot.analysis.text(id).ok()??;
    let lines = snapshot.lines(path, id, &text).ok()?;
    let converter = PositionConverter::new(&text, &lines, snapshot.features.column_unit);
    Some(Location { uri: path.to_uri().parse().ok()?, range: converter.range(range) })
}

/// The same for the same diagnostics, whatever text they came from.
pub(super) fn result_id(items: &[Diagnostic]) -> String {
    format!("{:016x}", fingerprint(items))
}

/// A number that is the same for the same diagnostics.
fn fingerprint(items: &[Diagnostic]) -> u64 {
    let mut hasher = FxHasher::default();
    items.hash(&mut hasher);
    hasher.finish()
}
