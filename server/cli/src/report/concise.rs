//! Concise format: one line per finding.

use output::secrets::SecretKeys;
use output::visible;

use super::{FileDiagnostics, UnseenPart};
use crate::printed_diagnostic::severity_name;

/// Renders `path:line:column: level[rule] message`, with the column in UTF-16 code units and values of
/// `secrets` masked.
pub(crate) fn render(files: &[FileDiagnostics], open: &[UnseenPart], secrets: &SecretKeys) -> String {
    let mut out = String::new();
    for file in files {
        for diagnostic in &file.diagnostics {
            let start = diagnostic.span.start;
            out.push_str(&format!(
                "{}:{}:{}: {}[{}] {}\n",
                visible(&file.path),
                start.line + 1,
                start.column + 1,
                severity_name(diagnostic.severity),
                diagnostic.code,
                one_line(&codes::single_line(&secrets.masked(&diagnostic.visible_message()))),
            ));
        }
    }
    open.iter().for_each(|part| out.push_str(&format!("{}\n", one_line(&secrets.masked(&part.line())))));
    out
}

fn one_line(text: &str) -> String {
    text.replace('\n', " ")
}
