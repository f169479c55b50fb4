//! LSP representation of diagnostics, shared by pull and push.

use std::sync::LazyLock;

use ide::{DiagnosticTag, FilePath, rule_table};
use lsp_types::{
    CodeDescription, DiagnosticRelatedInformation, DiagnosticSeverity, DiagnosticTag as LspDiagnosticTag,
    Location, Uri,
};
use rustc_hash::FxHashMap;
use serde::Serialize;
use syntax::TextRange;

use crate::convert::{self, PositionConverter, severity};
use crate::reads::{RequestFile, Snapshot};

/// URLs of the rule pages by code.
static PAGES: LazyLock<FxHashMap<codes::Code, Uri>> = LazyLock::new(|| {
    let page = |rule: &ide::Rule| Some((rule.code, rule.url().parse().ok()?));
    rule_table().iter().filter_map(page).collect()
});

/// The parts of an LSP diagnostic that do not depend on its location.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct DiagnosticPayload<'d> {
    pub(crate) severity: DiagnosticSeverity,
    pub(crate) code: &'static str,
    pub(crate) source: &'static str,
    pub(crate) message: &'d str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) code_description: Option<CodeDescription>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) tags: Option<Vec<LspDiagnosticTag>>,
}

impl<'d> DiagnosticPayload<'d> {
    pub(crate) fn of(found: &'d ide::Diagnostic) -> DiagnosticPayload<'d> {
        let severity = severity(found.severity());
        let tag = found.tag.map(|tag| match tag {
            DiagnosticTag::Unnecessary => LspDiagnosticTag::Unnecessary,
            DiagnosticTag::Deprecated => LspDiagnosticTag::Deprecated,
        });
        let page = PAGES.get(&found.code).cloned();
        DiagnosticPayload {
            severity,
            code: found.code.as_str(),
            source: "puppet-analyzer",
            message: &found.message,
            code_description: page.map(|href| CodeDescription { href }),
            tags: tag.map(|tag| vec![tag]),
        }
    }
}

/// Returns the related locations of a diagnostic, if the client shows them.
pub(crate) fn related_information(
    snapshot: &Snapshot,
    file: &RequestFile,
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

/// Converts a range in another file, using the text of that file in this snapshot.
fn location_in(snapshot: &Snapshot, path: &FilePath, range: TextRange) -> Option<Location> {
    let id = snapshot.analysis.file_id(path)?;
    let text = snapshot.analysis.text(id).ok()??;
    let lines = snapshot.lines(path, id, &text).ok()?;
    let converter = PositionConverter::new(&text, &lines, snapshot.features.column_unit);
    Some(Location { uri: convert::uri(path)?, range: converter.range(range) })
}
