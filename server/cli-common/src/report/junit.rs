//! JUnit XML for CI servers: a test per file, and a failure per finding.

use output::visible;
use syntax::Severity;

use super::content::{FileDiagnostics, ReportContent};
use crate::printed_diagnostic::{PrintedDiagnostic, severity_name};

/// Renders a report with values of `secrets` masked.
pub fn render(content: &ReportContent<'_>) -> String {
    let ReportContent { files, open, failures, secrets, .. } = *content;
    let found = |file: &FileDiagnostics| file.diagnostics.iter().filter(|it| counts(it)).count();
    let failed: usize = files.iter().map(found).sum();
    let tests = files.iter().map(|it| found(it).max(1)).sum::<usize>() + failures.len();
    let mut out = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n<testsuite name=\"puppet-analyzer\" tests=\"{tests}\" \
         failures=\"{failed}\" errors=\"{}\">\n",
        failures.len()
    );
    for file in files {
        let path = escaped(&visible(&file.path));
        for diagnostic in file.diagnostics.iter().filter(|it| counts(it)) {
            let (line, code) = (diagnostic.span.start.line + 1, diagnostic.code);
            let message = escaped(&codes::single_line(&secrets.masked(&diagnostic.visible_message())));
            let level = severity_name(diagnostic.severity);
            out.push_str(&format!(
                "<testcase classname=\"{path}\" name=\"{code} on line {line}\">\
                 <failure type=\"{level}\" message=\"{message}\">{path}:{line}: {level}[{code}] {message}</failure></testcase>\n"
            ));
        }
        if found(file) == 0 {
            out.push_str(&format!("<testcase classname=\"{path}\" name=\"check\"/>\n"));
        }
    }
    for failure in failures {
        let text = escaped(&visible(&failure.to_string()));
        out.push_str(&format!("<testcase name=\"read\"><error message=\"{text}\"/></testcase>\n"));
    }
    if !open.is_empty() {
        let lines: Vec<String> = open.iter().map(|it| escaped(&secrets.masked(&it.line()))).collect();
        out.push_str(&format!("<system-out>{}</system-out>\n", lines.join("\n")));
    }
    out + "</testsuite>\n</testsuites>\n"
}

/// Returns true for findings that are failures; hints are not.
fn counts(diagnostic: &PrintedDiagnostic) -> bool {
    diagnostic.severity != Severity::Hint
}

fn escaped(text: &str) -> String {
    let text = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;");
    text.chars().filter(|it| !it.is_control() || matches!(it, '\n' | '\t')).collect()
}
