//! Conversions between LSP types and ours: positions, ranges, URIs, severities. Columns are only computed
//! here.

use std::cell::Cell;

use ide::FilePath;
use lsp_types::{DiagnosticSeverity, Position, PositionEncodingKind, Range, Uri};
use syntax::{ColumnUnit, LineColumn, LineMap, Severity, TextRange};

/// Returns the path of a document's URI. Documents that are not files have one as well.
pub(crate) fn file_path(uri: &Uri) -> Option<FilePath> {
    FilePath::from_uri(uri.as_str())
}

/// Returns the URI of a path; `None` if the path has none.
pub(crate) fn uri(path: &FilePath) -> Option<Uri> {
    Uri::parse(&path.to_uri()).ok()
}

/// Converts a severity.
pub(crate) fn severity(severity: Severity) -> DiagnosticSeverity {
    match severity {
        Severity::Error => DiagnosticSeverity::Error,
        Severity::Warning | Severity::Deprecation => DiagnosticSeverity::Warning,
        Severity::Hint => DiagnosticSeverity::Hint,
    }
}

/// Returns the unit of columns: UTF-8 if the client supports it, otherwise UTF-16, which is mandatory.
pub(crate) fn column_unit(offered: Option<&[PositionEncodingKind]>) -> ColumnUnit {
    let offered = offered.unwrap_or_default();
    if offered.contains(&PositionEncodingKind::UTF8) {
        ColumnUnit::Utf8
    } else if offered.contains(&PositionEncodingKind::UTF32)
        && !offered.contains(&PositionEncodingKind::UTF16)
    {
        ColumnUnit::Utf32
    } else {
        ColumnUnit::Utf16
    }
}

pub(crate) fn position_encoding(unit: ColumnUnit) -> PositionEncodingKind {
    match unit {
        ColumnUnit::Utf8 => PositionEncodingKind::UTF8,
        ColumnUnit::Utf16 => PositionEncodingKind::UTF16,
        ColumnUnit::Utf32 => PositionEncodingKind::UTF32,
    }
}

/// Converts positions in a text. Fast if positions are converted in order, even on very long lines.
pub(crate) struct PositionConverter<'a> {
    text: &'a str,
    lines: &'a LineMap,
    unit: ColumnUnit,
    /// Last converted position: offset, line, column.
    last: Cell<(u32, u32, u32)>,
}

impl<'a> PositionConverter<'a> {
    pub(crate) fn new(text: &'a str, lines: &'a LineMap, unit: ColumnUnit) -> PositionConverter<'a> {
        PositionConverter { text, lines, unit, last: Cell::new((0, 0, 0)) }
    }

    /// Returns the position of a byte offset. An offset inside a character maps to its start, and an offset
    /// past the end of the text to the end.
    pub(crate) fn position(&self, offset: u32) -> Position {
        let mut end = (offset as usize).min(self.text.len());
        while !self.text.is_char_boundary(end) {
            end -= 1;
        }
        let (last_offset, last_line, last_column) = self.last.get();
        let line = self.lines.line_near(end as u32, last_line);
        let (from, column) = if line == last_line && last_offset as usize <= end {
            (last_offset as usize, last_column)
        } else {
            (self.lines.line_start(line) as usize, 0)
        };
        let column = column + self.length(&self.text[from..end]);
        self.last.set((end as u32, line, column));
        Position { line, character: column }
    }

    pub(crate) fn range(&self, range: TextRange) -> Range {
        Range { start: self.position(range.start), end: self.position(range.end) }
    }

    /// Returns the byte offset of a position; a position that does not exist maps to the nearest one before
    /// it.
    pub(crate) fn offset(&self, position: Position) -> u32 {
        offset(self.text, self.lines, position, self.unit)
    }

    /// Converts a range; a reversed range is normalized.
    pub(crate) fn text_range(&self, range: Range) -> TextRange {
        let (start, end) = (self.offset(range.start), self.offset(range.end));
        TextRange::new(start.min(end), start.max(end))
    }

    /// Returns the width of a text, in columns.
    pub(crate) fn length(&self, text: &str) -> u32 {
        let length = match self.unit {
            ColumnUnit::Utf8 => text.len(),
            _ if text.is_ascii() => text.len(),
            ColumnUnit::Utf16 => text.chars().map(char::len_utf16).sum(),
            ColumnUnit::Utf32 => text.chars().count(),
        };
        length as u32
    }

    /// Splits a range into its lines, without line breaks and empty parts.
    pub(crate) fn split_at_lines(&self, range: TextRange) -> impl Iterator<Item = TextRange> + use<'a> {
        let (text, lines) = (self.text, self.lines);
        let last_line = lines.line(range.end);
        (lines.line(range.start)..=last_line).filter_map(move |line| {
            let whole = lines.line_range(line);
            let start = whole.start.max(range.start);
            let part = text.get(start as usize..whole.end.min(range.end) as usize)?;
            let length = part.trim_end_matches(['\n', '\r']).len() as u32;
            (length > 0).then_some(TextRange::new(start, start + length))
        })
    }
}

/// Returns the byte offset of a position in a text.
pub(crate) fn offset(text: &str, lines: &LineMap, position: Position, unit: ColumnUnit) -> u32 {
    lines.offset(text, LineColumn { line: position.line, column: position.character }, unit)
}

#[cfg(test)]
#[path = "convert_tests.rs"]
mod tests;
