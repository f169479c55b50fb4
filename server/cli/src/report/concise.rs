//! For people and for programs that read lines: one for each finding.

use output::secrets::SecretKeys;
use output::visible;

use super::{FileDiagnostics, UnseenPart};
use crate::printed_diagnostic::severity_name;

/// `path:line:column: level[rule] message`, the column in characters of UTF-16; without the values of `secrets`.
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
                one_line(&secrets.masked(&diagnostic.visible_message())),
            ));
        }
    }
    open.iter().for_each(|part| out.push_str(&format!("{}\n", one_line(&secrets.masked(&part.line())))));
    out
}

fn one_line(text: &str) -> String {
    text.replace('\n', " ")
}
