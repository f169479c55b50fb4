//! For programs: a JSON array with one object per finding, each on a line of its own.

use serde::Serialize;
use syntax::LineColumn;

use super::FileFindings;
use crate::cli::finding::{Place, severity_name};

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct JsonFinding<'a> {
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

impl From<Place> for JsonRange {
    fn from(place: Place) -> JsonRange {
        JsonRange {
            start: place.start.into(),
            end: place.end.into(),
            start_byte: place.range.start,
            end_byte: place.range.end,
        }
    }
}

/// The whole report.
pub(in crate::cli) fn render(files: &[FileFindings]) -> serde_json::Result<String> {
    let mut objects = Vec::new();
    for file in files {
        for finding in &file.findings {
            let related = finding.related.iter();
            objects.push(serde_json::to_string(&JsonFinding {
                file: &file.path,
                range: finding.place.into(),
                severity: severity_name(finding.severity),
                code: finding.code.as_str(),
                message: &finding.message,
                related: related
                    .map(|it| JsonRelated {
                        file: it.path.as_deref(),
                        range: it.place.into(),
                        message: &it.message,
                    })
                    .collect(),
            })?);
        }
    }
    Ok(if objects.is_empty() { "[]\n".to_owned() } else { format!("[\n{}\n]\n", objects.join(",\n")) })
}
