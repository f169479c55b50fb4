//! GitHub workflow commands, which annotate the lines of a pull request.

use super::content::ReportContent;
use output::visible;
use syntax::Severity;

/// Renders a report with values of `secrets` masked.
pub fn render(content: &ReportContent<'_>) -> String {
    let ReportContent { files, open, secrets, .. } = *content;
    let mut out = String::new();
    for file in files {
        for diagnostic in &file.diagnostics {
            let command = match diagnostic.severity {
                Severity::Error => "error",
                Severity::Warning | Severity::Deprecation => "warning",
                Severity::Hint => "notice",
            };
            let (start, end) = (diagnostic.span.start, diagnostic.span.end);
            // GitHub rejects columns for ranges of several lines.
            let columns = if start.line == end.line {
                format!(",col={},endColumn={}", start.column + 1, end.column.max(start.column + 1) + 1)
            } else {
                String::new()
            };
            out.push_str(&format!(
                "::{command} file={},line={},endLine={}{columns},title={}::{}\n",
                escape_property(&visible(&file.path)),
                start.line + 1,
                end.line + 1,
                escape_property(diagnostic.code.as_str()),
                escape_message(&secrets.masked(&diagnostic.visible_message())),
            ));
        }
    }
    for part in open {
        let message = escape_message(&secrets.masked(&part.line()));
        out.push_str(&format!("::notice title=not looked at::{message}\n"));
    }
    out
}

fn escape_message(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

pub fn escape_property(text: &str) -> String {
    escape_message(text).replace(':', "%3A").replace(',', "%2C")
}
