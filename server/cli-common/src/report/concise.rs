//! Concise format: one line per finding.

use output::visible;

use syntax::Severity;

use super::content::{ReportContent, SortOrder};
use crate::printed_diagnostic::severity_name;

/// Renders `path:line:column: level[rule] message`, with the column in UTF-16 code units and values of
/// `secrets` masked.
pub fn render(content: &ReportContent<'_>) -> String {
    let ReportContent { files, open, secrets, order, .. } = *content;
    let mut lines: Vec<(bool, String)> = Vec::new();
    for file in files {
        for diagnostic in &file.diagnostics {
            let start = diagnostic.span.start;
            let line = format!(
                "{}:{}:{}: {}[{}] {}\n",
                visible(&file.path),
                start.line + 1,
                start.column + 1,
                severity_name(diagnostic.severity),
                diagnostic.code,
                one_line(&codes::single_line(&secrets.masked(&diagnostic.visible_message()))),
            );
            lines.push((diagnostic.severity != Severity::Error, line));
        }
    }
    if order == SortOrder::Level {
        lines.sort_by_key(|(is_milder, _)| *is_milder);
    }
    let mut out: String = lines.into_iter().map(|(_, line)| line).collect();
    open.iter().for_each(|part| out.push_str(&format!("{}\n", one_line(&secrets.masked(&part.line())))));
    out
}

fn one_line(text: &str) -> String {
    text.replace('\n', " ")
}
