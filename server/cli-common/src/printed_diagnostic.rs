//! Printable findings, with lines and columns and independent of the syntax tree.

use std::borrow::Cow;
use std::sync::Arc;

pub use disk::shown_path;
use ide::{Diagnostic, FilePath, FixData, Related};
use sha2::{Digest, Sha256};
use syntax::{ColumnUnit, LineColumn, LineMap, Severity, TextRange};

use super::files::display_path;

/// Range in a file, as bytes and as lines and columns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FileSpan {
    pub range: TextRange,
    /// Start, from 0; the column is in UTF-16 code units.
    pub start: LineColumn,
    /// End, from 0; the column is in UTF-16 code units.
    pub end: LineColumn,
    /// Column of the start, from 1, in characters.
    pub column: u32,
    /// Column of the end, from 1, in characters.
    pub end_column: u32,
}

impl FileSpan {
    fn new(text: &str, lines: &LineMap, range: TextRange) -> FileSpan {
        let at = |offset| lines.line_column(text, offset, ColumnUnit::Utf16);
        let column = |offset| lines.line_column(text, offset, ColumnUnit::Utf32).column + 1;
        FileSpan {
            range,
            start: at(range.start),
            end: at(range.end),
            column: column(range.start),
            end_column: column(range.end),
        }
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PrintedDiagnostic {
    pub span: FileSpan,
    pub severity: Severity,
    pub code: codes::Code,
    pub message: String,
    pub related: Vec<RelatedPlace>,
    /// Identity of the rule and the contents of the line, independent of the line number.
    pub fingerprint: String,
    /// Fix that `check --fix` applies.
    pub fix: Option<FixSafety>,
    /// Names of the nodes of a fleet that a failure concerns.
    pub nodes: Vec<String>,
}

/// Safety of a fix.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FixSafety {
    Safe,
    /// Fix that may change behavior, and is only applied with `--unsafe-fixes`.
    Unsafe,
}

impl PrintedDiagnostic {
    /// Returns the message with control characters escaped.
    pub fn visible_message(&self) -> Cow<'_, str> {
        if self.code == eval::DELIBERATE_FAILURE {
            // The whole message comes from the code.
            output::visible(&self.message)
        } else {
            output::visible_message(&self.message)
        }
    }

    /// Returns true if the source at the location must be masked, because a sensitive value is expected
    /// there.
    pub fn hides_source(&self, source: &str) -> bool {
        let is_mismatch = matches!(
            self.code,
            codes::Code::DataTypeMismatch | codes::Code::ValueMismatch | codes::Code::TypeMismatch
        );
        let written = source.trim().trim_matches(['\'', '"']);
        is_mismatch && self.message.contains("Sensitive") && !self.message.contains(written)
    }
}

/// A related location of a finding.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RelatedPlace {
    /// Display path; `None` for the file of the finding.
    pub path: Option<String>,
    pub span: FileSpan,
    pub message: String,
}

/// Converts the diagnostics of a file and sorts them by location. `text_of` returns the contents of other
/// files.
pub fn printed(
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
            fix: fix_safety(&it),
            nodes: Vec::new(),
            message: it.message,
            related: it.related.into_iter().filter_map(related).collect(),
        })
        .collect()
}

/// Returns the safety of the fix of a finding; `None` if `--fix` cannot apply one.
pub fn fix_safety(diagnostic: &Diagnostic) -> Option<FixSafety> {
    match diagnostic.data.as_ref()? {
        FixData::Edits { is_safe: true, .. } => Some(FixSafety::Safe),
        FixData::Edits { .. } | FixData::ReplaceWith { .. } | FixData::Remove(_) => Some(FixSafety::Unsafe),
        _ => None,
    }
}

/// Makes the paths of related locations absolute, like that of the file itself.
pub fn show_from_root(diagnostics: &mut [PrintedDiagnostic]) {
    let related = diagnostics.iter_mut().flat_map(|it| &mut it.related);
    let mut paths = related.filter_map(|it| it.path.as_mut()).peekable();
    let Some(here) = paths.peek().and_then(|_| std::env::current_dir().ok()) else { return };
    for path in paths {
        *path = display_path(&here.join(&*path));
    }
}

/// Returns the line that contains an offset.
fn line_of(text: &str, offset: u32) -> &str {
    let (before, after) = text.split_at_checked(offset as usize).unwrap_or((text, ""));
    let start = before.rfind('\n').map_or(0, |it| it + 1);
    let end = after.find('\n').map_or(text.len(), |it| before.len() + it);
    &text[start..end]
}

fn fingerprint(code: codes::Code, line: &str) -> String {
    let digest = Sha256::digest(format!("{code}\0{}", line.trim()));
    digest.iter().take(12).map(|it| format!("{it:02x}")).collect()
}

/// Returns the name of a severity in all output formats.
pub fn severity_name(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Deprecation => "deprecation",
        Severity::Hint => "hint",
    }
}
