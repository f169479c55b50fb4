//! LSP representation of diagnostics, shared by pull and push.

use std::sync::LazyLock;

use ide::{DiagnosticTag, FilePath, rule_table};
use lsp_types::{
    CodeDescription, DiagnosticRelatedInformation, DiagnosticSeverity, DiagnosticTag as LspDiagnosticTag,
    Location,
};
use rustc_hash::FxHashMap;
use syntax::TextRange;

use crate::convert::{self, PositionConverter, severity};
use crate::reads::{RequestFile, Snapshot};

/// Descriptions of the rules: links to their pages.
static DESCRIPTIONS: LazyLock<FxHashMap<codes::Code, CodeDescription>> = LazyLock::new(|| {
    let description =
        |rule: &ide::Rule| Some((rule.code, CodeDescription { href: rule.url().parse().ok()? }));
    rule_table().iter().filter_map(description).collect()
});

/// The parts of an LSP diagnostic that depend neither on its location nor on its message.
pub(crate) struct DiagnosticPayload {
    pub(crate) severity: DiagnosticSeverity,
    pub(crate) code: &'static str,
    pub(crate) source: &'static str,
    pub(crate) code_description: Option<&'static CodeDescription>,
    pub(crate) tags: Option<[LspDiagnosticTag; 1]>,
}

impl DiagnosticPayload {
    pub(crate) fn of(found: &ide::Diagnostic) -> DiagnosticPayload {
        let tag = found.tag.map(|tag| match tag {
            DiagnosticTag::Unnecessary => LspDiagnosticTag::Unnecessary,
            DiagnosticTag::Deprecated => LspDiagnosticTag::Deprecated,
        });
        DiagnosticPayload {
            severity: severity(found.severity()),
            code: found.code.as_str(),
            source: "puppet-analyzer",
            code_description: DESCRIPTIONS.get(&found.code),
            tags: tag.map(|tag| [tag]),
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
