//! Output formats for findings, one module each.

pub(super) mod concise;
pub(super) mod github;
pub(super) mod gitlab;
pub(super) mod json;
pub(super) mod junit;
pub(super) mod sarif;
pub(super) mod secrets;
pub(super) mod statistics;
pub(super) mod text;

use catalog_view::text::plural;

use super::ReportFormat;
use super::printed_diagnostic::PrintedDiagnostic;

/// Returns true for formats whose reports are uploaded or shown to others.
pub(super) fn leaves_machine(format: ReportFormat) -> bool {
    !matches!(format, ReportFormat::Text | ReportFormat::Json)
}

/// A file with its findings, sorted by location.
#[derive(Debug)]
pub(super) struct FileDiagnostics {
    /// Display path.
    pub(super) path: String,
    pub(super) diagnostics: Vec<PrintedDiagnostic>,
}

/// A part that a run could not check.
#[derive(Debug)]
pub(super) struct UnseenPart {
    pub(super) what: String,
    /// Affected classes and nodes; empty if it affects the whole run.
    pub(super) of: Vec<String>,
}

impl UnseenPart {
    /// Formats the part on one line, without a line break.
    pub(super) fn line(&self) -> String {
        let what = output::visible(&self.what);
        let Some((first, others)) = self.of.split_first() else { return what.into_owned() };
        let others = match others.len() {
            0 => String::new(),
            count => format!(" and {}", plural(count, "other", "others")),
        };
        format!("open: {what}; in {}{others}", output::visible(first))
    }
}
