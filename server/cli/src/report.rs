//! Findings as text, JSON, GitHub workflow commands and SARIF: one file each.

pub(super) mod github;
pub(super) mod json;
pub(super) mod sarif;
pub(super) mod text;

use super::printed_diagnostic::PrintedDiagnostic;

/// A file with its findings, in the order of their places.
#[derive(Debug)]
pub(super) struct FileDiagnostics {
    /// The path as it is shown.
    pub(super) path: String,
    pub(super) diagnostics: Vec<PrintedDiagnostic>,
}
