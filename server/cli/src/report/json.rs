//! For programs: a JSON array with one object per finding, and one per thing that was not looked at, each on a line of its own.

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
    related: Vec<JsonRelated<'a>>,
}

#[derive(Serialize)]
struct JsonRelated<'a> {
    /// Where it is another one.
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<&'a str>,
    range: JsonRange,
    message: &'a str,
}

/// Lines and characters count from 0, characters in code units of UTF-16, as in LSP; bytes from the file's start.
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

/// Something that was not looked at.
#[derive(Serialize)]
struct JsonOpenPart<'a> {
    open: &'a str,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    of: &'a [String],
}

/// The whole report: findings, and behind them what was not looked at.
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
                message: &diagnostic.message,
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
