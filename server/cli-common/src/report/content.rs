//! Contents of a report, in any format.

use crate::files::FileFailure;
use crate::printed_diagnostic::PrintedDiagnostic;
use catalog_view::text::plural;
use clap::ValueEnum;
use output::secrets::SecretKeys;

/// Order of the findings in a report.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum SortOrder {
    /// Errors first, then everything else; each by path and location
    Level,
    /// By path and location
    Path,
}

/// A file with its findings, sorted by location.
#[derive(Debug)]
pub struct FileDiagnostics {
    /// Display path.
    pub path: String,
    pub diagnostics: Vec<PrintedDiagnostic>,
}

/// Contents of a report.
pub struct ReportContent<'r> {
    pub files: &'r [FileDiagnostics],
    /// Parts that could not be checked.
    pub open: &'r [UnseenPart],
    /// Files that could not be read.
    pub failures: &'r [FileFailure],
    /// Keys whose values are masked in formats that leave the machine.
    pub secrets: &'r SecretKeys,
    pub order: SortOrder,
}

/// A part that a run could not check.
#[derive(Debug)]
pub struct UnseenPart {
    pub what: String,
    /// Affected classes and nodes; empty if it affects the whole run.
    pub of: Vec<String>,
}

impl UnseenPart {
    /// Formats the part on one line, without a line break.
    pub fn line(&self) -> String {
        match self.of.as_slice() {
            [] => output::visible(&self.what).into_owned(),
            of => UnseenPart::open_line(&self.what, of),
        }
    }

    /// Formats an inconclusive part with the affected names on one line, without a line break.
    pub(super) fn open_line(what: &str, of: &[String]) -> String {
        let what = output::visible(what);
        let Some((first, others)) = of.split_first() else { return format!("open: {what}") };
        let others = match others.len() {
            0 => String::new(),
            count => format!(" and {}", plural(count, "other", "others")),
        };
        format!("open: {what}; in {}{others}", output::visible(first))
    }
}
