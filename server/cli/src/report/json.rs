//! JSON format: an array with one object per finding and per unchecked part, each on its own line.

use serde::Serialize;
use syntax::LineColumn;

use super::{FileDiagnostics, UnseenPart};
use crate::printed_diagnostic::{FileSpan, severity_name};

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct JsonDiagnostic<'a> {
    file: &'a str,
    range: JsonRange,
    severity: &'static str,
    code: &'static str,
    message: &'a str,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    help: Vec<&'a str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    related: Vec<JsonRelated<'a>>,
}

#[derive(Serialize)]
struct JsonRelated<'a> {
    /// `None` for the file of the finding.
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<&'a str>,
    range: JsonRange,
    message: &'a str,
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
    open: &'a str,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    of: &'a [String],
}

/// Renders a report: findings, followed by the parts that could not be checked.
pub(crate) fn render(files: &[FileDiagnostics], open: &[UnseenPart]) -> serde_json::Result<String> {
    let mut objects = Vec::new();
    for file in files {
        for diagnostic in &file.diagnostics {
            let related = diagnostic.related.iter();
            objects.push(serde_json::to_string(&JsonDiagnostic {
                file: &file.path,
                range: diagnostic.span.into(),
                severity: severity_name(diagnostic.severity),
                code: diagnostic.code.as_str(),
                message: codes::split_message(&diagnostic.message).0,
                help: codes::split_message(&diagnostic.message).1,
                related: related
                    .map(|it| JsonRelated {
                        file: it.path.as_deref(),
                        range: it.span.into(),
                        message: &it.message,
                    })
                    .collect(),
            })?);
        }
    }
    for UnseenPart { what, of } in open {
        objects.push(serde_json::to_string(&JsonOpenPart { open: what, of })?);
    }
    let report =
        if objects.is_empty() { "[]\n".to_owned() } else { format!("[\n{}\n]\n", objects.join(",\n")) };
    Ok(output::escaped_json(&report).into_owned())
}
