//! A finding as it is printed: with lines and columns, free of the tree it came from.

use std::borrow::Cow;
use std::path::Path;
use std::sync::Arc;

use ide::{Diagnostic, FilePath, Related};
use sha2::{Digest, Sha256};
use syntax::{ColumnUnit, LineColumn, LineMap, Severity, TextRange};

use super::files::display_path;

/// A place in a file, as bytes and as lines and columns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct FileSpan {
    pub(super) range: TextRange,
    /// From 0, the column in code units of UTF-16.
    pub(super) start: LineColumn,
    /// From 0, the column in code units of UTF-16.
    pub(super) end: LineColumn,
}

impl FileSpan {
    fn new(text: &str, lines: &LineMap, range: TextRange) -> FileSpan {
        let at = |offset| lines.line_column(text, offset, ColumnUnit::Utf16);
        FileSpan { range, start: at(range.start), end: at(range.end) }
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct PrintedDiagnostic {
    pub(super) span: FileSpan,
    pub(super) severity: Severity,
    pub(super) code: codes::Code,
    pub(super) message: String,
    pub(super) related: Vec<RelatedPlace>,
    /// The same for the same rule on a line that says the same, wherever that line is.
    pub(super) fingerprint: String,
}

impl PrintedDiagnostic {
    /// What it says, for people: nothing in it steers what shows it.
    pub(super) fn visible_message(&self) -> Cow<'_, str> {
        match self.code == eval::DELIBERATE_FAILURE {
            // All of it are words of the code.
            true => output::visible(&self.message),
            false => output::visible_message(&self.message),
        }
    }

    /// Is its place a value that must not be shown, as something sensitive is wanted there?
    pub(super) fn hides_source(&self, source: &str) -> bool {
        let is_mismatch = matches!(
            self.code,
            codes::Code::DataTypeMismatch | codes::Code::ValueMismatch | codes::Code::TypeMismatch
        );
        let written = source.trim().trim_matches(['\'', '"']);
        is_mismatch && self.message.contains("Sensitive") && !self.message.contains(written)
    }
}

/// A place that belongs to a finding.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct RelatedPlace {
    /// The path as it is shown; `None` for the file of the finding.
    pub(super) path: Option<String>,
    pub(super) span: FileSpan,
    pub(super) message: String,
}

/// What a file's diagnostics say, in the order of their places. `text_of` gives the texts of other files.
pub(super) fn printed(
    text: &str,
    mut diagnostics: Vec<Diagnostic>,
    text_of: &dyn Fn(&FilePath) -> Option<Arc<str>>,
) -> Vec<PrintedDiagnostic> {
    if diagnostics.is_empty() {
        return Vec::new();
    }
    diagnostics.sort_by_key(|it| (it.range, it.severity(), it.code));
    let lines = LineMap::new(text);
    let place = |range| FileSpan::new(text, &lines, range);
    let related = |it: Related| {
        let Some(path) = it.path else {
            return Some(RelatedPlace { path: None, span: place(it.range), message: it.message });
        };
        let text = text_of(&path)?;
        let place = FileSpan::new(&text, &LineMap::new(&text), it.range);
        Some(RelatedPlace { path: Some(shown_path(&path)), span: place, message: it.message })
    };
    diagnostics
        .into_iter()
        .map(|it| PrintedDiagnostic {
            span: place(it.range),
            severity: it.severity(),
            code: it.code,
            fingerprint: fingerprint(it.code, line_of(text, it.range.start)),
            message: it.message,
            related: it.related.into_iter().filter_map(related).collect(),
        })
        .collect()
}

/// Shows the places in other files from the root, as the file itself was named, too.
pub(super) fn show_from_root(diagnostics: &mut [PrintedDiagnostic]) {
    let related = diagnostics.iter_mut().flat_map(|it| &mut it.related);
    let mut paths = related.filter_map(|it| it.path.as_mut()).peekable();
    let Some(here) = paths.peek().and_then(|_| std::env::current_dir().ok()) else { return };
    for path in paths {
        *path = display_path(&here.join(&*path));
    }
}

/// The line of a text that an offset is on.
fn line_of(text: &str, offset: u32) -> &str {
    let (before, behind) = text.split_at_checked(offset as usize).unwrap_or((text, ""));
    let start = before.rfind('\n').map_or(0, |it| it + 1);
    let end = behind.find('\n').map_or(text.len(), |it| before.len() + it);
    &text[start..end]
}

fn fingerprint(code: codes::Code, line: &str) -> String {
    let digest = Sha256::digest(format!("{code}\0{}", line.trim()));
    digest.iter().take(12).map(|it| format!("{it:02x}")).collect()
}

/// A path as short as it can be said in the current folder.
fn shown_path(path: &FilePath) -> String {
    let native = path.to_native();
    let here = std::env::current_dir().ok();
    let below = here.as_deref().and_then(|here| Path::new(&native).strip_prefix(here).ok());
    display_path(below.unwrap_or(Path::new(&native)))
}

/// The word for a severity in every format of ours.
pub(super) fn severity_name(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Deprecation => "deprecation",
        Severity::Hint => "hint",
    }
}
