//! Result of checking a file.

use std::path::PathBuf;

use super::unseen::UnseenOfFile;
use crate::printed_diagnostic::PrintedDiagnostic;

/// Result of checking a file.
pub(super) struct Checked {
    pub(super) path: PathBuf,
    /// True if the code of the file was evaluated.
    pub(super) is_evaluated: bool,
    pub(super) diagnostics: Vec<PrintedDiagnostic>,
    /// Number of findings below the level of `--min-level`.
    pub(super) hidden: usize,
    pub(super) rendered: RenderedFile,
    pub(super) unseen: UnseenOfFile,
}

/// Text report of a file: the findings to print first, and the others.
#[derive(Default)]
pub(super) struct RenderedFile {
    pub(super) first: String,
    pub(super) rest: String,
}
