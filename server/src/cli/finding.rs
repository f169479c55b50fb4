//! A finding as it is printed: with lines and columns, free of the tree it came from.

use syntax::{ColumnUnit, Diagnostic, LineColumn, LineMap, Severity, TextRange};

/// A place in a file, as bytes and as lines and columns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Place {
    pub(super) range: TextRange,
    /// From 0, the column in code units of UTF-16.
    pub(super) start: LineColumn,
    /// From 0, the column in code units of UTF-16.
    pub(super) end: LineColumn,
}

impl Place {
    fn new(text: &str, lines: &LineMap, range: TextRange) -> Place {
        let at = |offset| lines.line_column(text, offset, ColumnUnit::Utf16);
        Place { range, start: at(range.start), end: at(range.end) }
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Finding {
    pub(super) place: Place,
    pub(super) severity: Severity,
    pub(super) code: &'static str,
    pub(super) message: String,
    pub(super) related: Vec<(Place, String)>,
}

/// What a file's diagnostics say, in the order of their places.
pub(super) fn findings(text: &str, mut diagnostics: Vec<Diagnostic>) -> Vec<Finding> {
    if diagnostics.is_empty() {
        return Vec::new();
    }
    diagnostics.sort_by(|a, b| (a.range, a.severity, a.code).cmp(&(b.range, b.severity, b.code)));
    let lines = LineMap::new(text);
    let place = |range| Place::new(text, &lines, range);
    diagnostics
        .into_iter()
        .map(|it| Finding {
            place: place(it.range),
            severity: it.severity,
            code: it.code,
            message: it.message,
            related: it.related.into_iter().map(|(range, message)| (place(range), message)).collect(),
        })
        .collect()
}

/// The word for a severity in every format of ours.
pub(super) fn severity_name(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Deprecation => "deprecation",
    }
}
