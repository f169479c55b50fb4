//! Findings in all forms: one file each.

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

/// Do others read reports of a format than whoever runs the program?
pub(super) fn leaves_machine(format: ReportFormat) -> bool {
    !matches!(format, ReportFormat::Text | ReportFormat::Json)
}

/// A file with its findings, in the order of their places.
#[derive(Debug)]
pub(super) struct FileDiagnostics {
    /// The path as it is shown.
    pub(super) path: String,
    pub(super) diagnostics: Vec<PrintedDiagnostic>,
}

/// Something that a run did not look at.
#[derive(Debug)]
pub(super) struct UnseenPart {
    pub(super) what: String,
    /// The classes and nodes that it matters to; none where it matters to all that is checked.
    pub(super) of: Vec<String>,
}

impl UnseenPart {
    /// One line, without its end.
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
