//! GitLab Code Quality report, shown in merge requests.

use std::collections::HashMap;

use super::content::ReportContent;
use output::visible;
use serde_json::{Value, json};
use syntax::Severity;

/// Renders a report with values of `secrets` masked.
pub fn render(content: &ReportContent<'_>) -> serde_json::Result<String> {
    let ReportContent { files, open, secrets, .. } = *content;
    let mut issues: Vec<Value> = Vec::new();
    // GitLab requires unique fingerprints.
    let mut seen: HashMap<String, usize> = HashMap::new();
    let mut fingerprint = |text: String| {
        let count = seen.entry(text.clone()).or_default();
        *count += 1;
        format!("{text}:{count}")
    };
    for file in files {
        let path = visible(&file.path);
        for diagnostic in &file.diagnostics {
            issues.push(json!({
                "description": codes::single_line(&secrets.masked(&diagnostic.visible_message())),
                "check_name": diagnostic.code.as_str(),
                "fingerprint": fingerprint(format!("{}:{path}", diagnostic.fingerprint)),
                "severity": match diagnostic.severity {
                    Severity::Error => "major",
                    Severity::Warning | Severity::Deprecation => "minor",
                    Severity::Hint => "info",
                },
                "location": { "path": path, "lines": {
                    "begin": diagnostic.span.start.line + 1,
                    "end": diagnostic.span.end.line + 1,
                } },
            }));
        }
    }
    for part in open {
        let line = secrets.masked(&part.line());
        issues.push(json!({
            "description": line,
            "check_name": "not-looked-at",
            "fingerprint": fingerprint(format!("not looked at:{line}")),
            "severity": "info",
            "location": { "path": ".", "lines": { "begin": 1 } },
        }));
    }
    Ok(output::escaped_json(&(serde_json::to_string_pretty(&issues)? + "\n")).into_owned())
}
