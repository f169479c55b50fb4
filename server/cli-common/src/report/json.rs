//! JSON format: an array with one object per finding and per unchecked part, each on its own line.

use serde::Serialize;
use syntax::LineColumn;

use super::content::{ReportContent, UnseenPart};
use crate::printed_diagnostic::{FileSpan, severity_name};

/// Version of the objects. Keys are added without a new version.
const VERSION: u32 = 1;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct JsonDiagnostic<'a> {
    version: u32,
    file: &'a str,
    #[serde(flatten)]
    location: JsonLocation,
    range: JsonRange,
    severity: &'static str,
    code: &'static str,
    message: &'a str,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    help: Vec<&'a str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    related: Vec<JsonRelated<'a>>,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    nodes: &'a [String],
}

#[derive(Serialize)]
struct JsonRelated<'a> {
    /// `None` for the file of the finding.
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<&'a str>,
    #[serde(flatten)]
    location: JsonLocation,
    range: JsonRange,
    message: &'a str,
}

/// Range in a file as all commands print it. Lines and columns start at 1, with columns in characters.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct JsonLocation {
    line: u32,
    column: u32,
    end_line: u32,
    end_column: u32,
}

impl From<FileSpan> for JsonLocation {
    fn from(FileSpan { start, end, column, end_column, .. }: FileSpan) -> JsonLocation {
        JsonLocation { line: start.line + 1, column, end_line: end.line + 1, end_column }
    }
}

/// Range in a file. Lines and characters start at 0, with characters in UTF-16 code units as in LSP; bytes
/// are file offsets.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct JsonRange {
    start: JsonPosition,
    end: JsonPosition,
    start_byte: u32,
    end_byte: u32,
}

#[derive(Serialize)]
struct JsonPosition {
    line: u32,
    character: u32,
}

impl From<LineColumn> for JsonPosition {
    fn from(at: LineColumn) -> JsonPosition {
        JsonPosition { line: at.line, character: at.column }
    }
}

impl From<FileSpan> for JsonRange {
    fn from(place: FileSpan) -> JsonRange {
        JsonRange {
            start: place.start.into(),
            end: place.end.into(),
            start_byte: place.range.start,
            end_byte: place.range.end,
        }
    }
}

/// A part that could not be checked.
#[derive(Serialize)]
struct JsonOpenPart<'a> {
    version: u32,
    open: &'a str,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    of: &'a [String],
}

/// Renders a report: findings, followed by the parts that could not be checked.
pub fn render(content: &ReportContent<'_>) -> serde_json::Result<String> {
    let ReportContent { files, open, .. } = *content;
    let mut objects = Vec::new();
    for file in files {
        for diagnostic in &file.diagnostics {
            let related = diagnostic.related.iter();
            objects.push(serde_json::to_string(&JsonDiagnostic {
                version: VERSION,
                file: &file.path,
                location: diagnostic.span.into(),
                range: diagnostic.span.into(),
                severity: severity_name(diagnostic.severity),
                code: diagnostic.code.as_str(),
                message: codes::split_message(&diagnostic.message).0,
                help: codes::split_message(&diagnostic.message).1,
                related: related
                    .map(|it| JsonRelated {
                        file: it.path.as_deref(),
                        location: it.span.into(),
                        range: it.span.into(),
                        message: &it.message,
                    })
                    .collect(),
                nodes: &diagnostic.nodes,
            })?);
        }
    }
    for UnseenPart { what, of } in open {
        objects.push(serde_json::to_string(&JsonOpenPart { version: VERSION, open: what, of })?);
    }
    let report =
        if objects.is_empty() { "[]\n".to_owned() } else { format!("[\n{}\n]\n", objects.join(",\n")) };
    Ok(output::escaped_json(&report).into_owned())
}
