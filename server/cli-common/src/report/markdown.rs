//! Markdown, for issues and pull requests: findings by the effort that they take.

use output::markdown::{code_span, plain};

use super::content::{FileDiagnostics, ReportContent};
use crate::printed_diagnostic::{FixSafety, PrintedDiagnostic, severity_name};

/// Heading of each group, with the fixes of its findings.
const GROUPS: [(&str, Option<FixSafety>); 3] = [
    ("Fixed by `--fix`", Some(FixSafety::Safe)),
    ("Fixed by `--fix --unsafe-fixes`", Some(FixSafety::Unsafe)),
    ("To be fixed by hand", None),
];

/// Renders a list per effort, with values of secrets masked.
pub(super) fn render(content: &ReportContent<'_>) -> String {
    let ReportContent { files, open, failures, secrets, .. } = *content;
    let mut out = String::new();
    for (heading, fix) in GROUPS {
        let of_file = |file: &FileDiagnostics, it: &PrintedDiagnostic| {
            let place = code_span(&format!("{}:{}", file.path, it.span.start.line + 1));
            let message = codes::single_line(&secrets.masked(&it.visible_message()));
            let rule = code_span(it.code.as_str());
            format!("- {place}: {} {rule}: {}\n", severity_name(it.severity), plain(&message))
        };
        let of_group = files.iter().flat_map(|file| {
            file.diagnostics.iter().filter(|it| it.fix == fix).map(move |it| of_file(file, it))
        });
        push_list(&mut out, heading, of_group);
    }
    let parts = open.iter().map(|it| format!("- {}\n", plain(&secrets.masked(&it.line()))));
    let unreadable = failures.iter().map(|it| format!("- {}\n", plain(&it.to_string())));
    push_list(&mut out, "Not checked", parts.chain(unreadable));
    out
}

/// Adds a heading and its items, unless there are none.
fn push_list(out: &mut String, heading: &str, items: impl Iterator<Item = String>) {
    let items: Vec<String> = items.collect();
    if items.is_empty() {
        return;
    }
    if !out.is_empty() {
        out.push('\n');
    }
    out.push_str(&format!("**{heading}** ({})\n\n{}", items.len(), items.concat()));
}
