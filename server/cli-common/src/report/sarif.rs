//! SARIF 2.1.0 for code scanning, reduced to the properties that findings in files need.

use std::collections::BTreeSet;

use output::secrets::SecretKeys;
use output::{escaped_json, visible_message};
use serde::Serialize;
use syntax::Severity;

use super::content::ReportContent;
use crate::files::display_path;
use crate::printed_diagnostic::{FileSpan, PrintedDiagnostic};

#[derive(Serialize)]
struct Log {
    #[serde(rename = "$schema")]
    schema: &'static str,
    version: &'static str,
    runs: [Run; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Run {
    tool: Tool,
    column_kind: &'static str,
    invocations: [Invocation; 1],
    results: Vec<SarifResult>,
}

#[derive(Serialize)]
struct Tool {
    driver: Driver,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Driver {
    name: &'static str,
    version: &'static str,
    information_uri: &'static str,
    rules: Vec<ReportingDescriptor>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ReportingDescriptor {
    id: &'static str,
    short_description: Message<&'static str>,
    help_uri: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    properties: Option<RuleProperties>,
}

/// Properties by which code scanning recognizes and ranks security findings.
#[derive(Serialize)]
struct RuleProperties {
    tags: Vec<String>,
    #[serde(rename = "security-severity")]
    security_severity: &'static str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Invocation {
    execution_successful: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tool_execution_notifications: Vec<Notification>,
}

#[derive(Serialize)]
struct Notification {
    level: &'static str,
    message: Message<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    locations: Vec<Location>,
}

#[derive(Serialize)]
struct Message<T> {
    text: T,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SarifResult {
    rule_id: &'static str,
    rule_index: usize,
    level: &'static str,
    message: Message<String>,
    locations: [Location; 1],
    #[serde(skip_serializing_if = "Vec::is_empty")]
    related_locations: Vec<RelatedLocation>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct RelatedLocation {
    id: usize,
    physical_location: PhysicalLocation,
    message: Message<String>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Location {
    physical_location: PhysicalLocation,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct PhysicalLocation {
    artifact_location: ArtifactLocation,
    #[serde(skip_serializing_if = "Option::is_none")]
    region: Option<Region>,
}

#[derive(Serialize)]
struct ArtifactLocation {
    uri: String,
}

/// Range in a file. Lines and columns start at 1, with columns in UTF-16 code units (the `columnKind` of the
/// run); the end is exclusive.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Region {
    start_line: u32,
    start_column: u32,
    end_line: u32,
    end_column: u32,
    byte_offset: u32,
    byte_length: u32,
}

impl From<FileSpan> for Region {
    fn from(place: FileSpan) -> Region {
        Region {
            start_line: place.start.line + 1,
            start_column: place.start.column + 1,
            end_line: place.end.line + 1,
            end_column: place.end.column + 1,
            byte_offset: place.range.start,
            byte_length: place.range.len(),
        }
    }
}

fn location(path: &str, place: Option<FileSpan>) -> PhysicalLocation {
    PhysicalLocation {
        artifact_location: ArtifactLocation { uri: uri_reference(path) },
        region: place.map(Region::from),
    }
}

/// Converts a path to a URI reference. Relative paths stay relative, as code scanning expects.
fn uri_reference(path: &str) -> String {
    let mut uri = String::with_capacity(path.len());
    for byte in path.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                uri.push(byte as char)
            }
            _ => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    if path.starts_with('/') { format!("file://{uri}") } else { uri }
}

fn sarif_rule(code: codes::Code) -> ReportingDescriptor {
    let rule = ide::rule(code);
    ReportingDescriptor {
        id: code.as_str(),
        short_description: Message { text: rule.title() },
        help_uri: rule.url(),
        properties: code.cwe().map(|cwe| RuleProperties {
            tags: vec!["security".to_owned(), format!("external/cwe/cwe-{cwe:03}")],
            security_severity: security_severity(cwe),
        }),
    }
}

/// Returns the score of a weakness between 0 and 10, by which GitHub tells low (below 4), medium (below 7), high
/// (below 9), and critical findings apart.
fn security_severity(cwe: u16) -> &'static str {
    match cwe {
        78 | 259 | 321 | 494 | 798 => "8.0",
        258 | 319 | 327 | 328 | 347 | 353 | 532 | 732 => "6.0",
        _ => "3.0",
    }
}

/// Converts a finding. `codes` are the sorted rules of the report.
fn sarif_result(
    path: &str,
    diagnostic: &PrintedDiagnostic,
    codes: &[codes::Code],
    secrets: &SecretKeys,
) -> SarifResult {
    let related = diagnostic.related.iter().enumerate().map(|(id, it)| RelatedLocation {
        id,
        physical_location: location(it.path.as_deref().unwrap_or(path), Some(it.span)),
        message: Message { text: secrets.masked(&visible_message(&it.message)) },
    });
    SarifResult {
        rule_id: diagnostic.code.as_str(),
        rule_index: codes.partition_point(|it| *it < diagnostic.code),
        level: match diagnostic.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Deprecation | Severity::Hint => "note",
        },
        message: Message { text: secrets.masked(&diagnostic.visible_message()) },
        locations: [Location { physical_location: location(path, Some(diagnostic.span)) }],
        related_locations: related.collect(),
    }
}

/// Renders a report, including unchecked parts, with values of `secrets` masked.
pub fn render(content: &ReportContent<'_>) -> serde_json::Result<String> {
    let ReportContent { files, open, failures, secrets, .. } = *content;
    let codes: BTreeSet<codes::Code> =
        files.iter().flat_map(|it| &it.diagnostics).map(|it| it.code).collect();
    let codes: Vec<codes::Code> = codes.into_iter().collect();

    let results = files.iter().flat_map(|file| {
        file.diagnostics.iter().map(|diagnostic| sarif_result(&file.path, diagnostic, &codes, secrets))
    });
    let results = results.collect();
    let notifications = failures.iter().map(|failure| Notification {
        level: "error",
        message: Message { text: visible_message(&failure.to_string()).into_owned() },
        locations: vec![Location { physical_location: location(&display_path(&failure.path), None) }],
    });
    let unseen = open.iter().map(|part| Notification {
        level: "note",
        message: Message { text: secrets.masked(&part.line()) },
        locations: Vec::new(),
    });
    let log = Log {
        schema: "https://json.schemastore.org/sarif-2.1.0.json",
        version: "2.1.0",
        runs: [Run {
            tool: Tool {
                driver: Driver {
                    name: "puppet-analyzer",
                    version: env!("CARGO_PKG_VERSION"),
                    information_uri: env!("CARGO_PKG_REPOSITORY"),
                    rules: codes.iter().map(|&id| sarif_rule(id)).collect(),
                },
            },
            column_kind: "utf16CodeUnits",
            invocations: [Invocation {
                execution_successful: failures.is_empty(),
                tool_execution_notifications: notifications.chain(unseen).collect(),
            }],
            results,
        }],
    };
    Ok(escaped_json(&(serde_json::to_string_pretty(&log)? + "\n")).into_owned())
}
