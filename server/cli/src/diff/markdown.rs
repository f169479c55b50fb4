//! Rendering of differences as a comment on a merge request: what a reviewer reads, within limits.

use std::fmt::Write;

use catalog_view::text::plural;
use output::markdown::{code_block, code_span, plain};

use super::render::{DifferenceGroup, groups, lines, open_sections, possible_lines, summary};

use super::report::{DiffReport, on_platform};
use comparison::compare::Difference;

/// Maximum number of lines of a difference that are shown without a click.
const MAX_OPEN_LINES: usize = 12;

/// Maximum number of lines of one difference.
const MAX_LINES_OF_GROUP: usize = 80;

/// Maximum number of lines of all differences, and of the reasons why catalogs were not compared.
const MAX_LINES: usize = 300;

/// Maximum length in bytes of all differences. GitHub accepts comments of 65,536 characters.
pub(super) const MAX_LENGTH: usize = 50_000;

/// Maximum number of names and of platforms that are listed.
const MAX_NAMED: usize = 5;

/// Renders a report.
pub(super) fn render(report: &DiffReport, base: &str) -> String {
    let mut out = format!("### Catalogs compared with {}\n\n{}.\n", code_span(base), summary(report));
    let groups = groups(report);
    let (mut shown_lines, mut left_groups) = (0, 0);
    for group in &groups {
        let body = lines(group.difference);
        let count = body.len().min(MAX_LINES_OF_GROUP);
        let text = limited(&body);
        if shown_lines + count > MAX_LINES || out.len() + text.len() > MAX_LENGTH {
            left_groups += 1;
            continue;
        }
        shown_lines += count;
        out.push('\n');
        out.push_str(&section(&title(group), &code_block("diff", &text), body.len()));
    }
    if left_groups > 0 {
        let all = plural(left_groups, "more difference", "more differences");
        let _ = writeln!(
            out,
            "\n{all} left out of this comment; `puppet-analyzer diff --base {}` prints everything.",
            plain(base)
        );
    }
    let possible = possible_lines(report);
    if !possible.is_empty() {
        let title = "**Possible changes, unless the data of a node takes precedence**";
        out.push('\n');
        out.push_str(&section(title, &code_block("diff", &limited(&possible)), possible.len()));
    }
    for (name, lines) in open_sections(report, false) {
        let left = lines.len().saturating_sub(MAX_LINES_OF_GROUP);
        let mut text: String = lines.iter().take(MAX_LINES_OF_GROUP).map(|it| format!("{it}\n")).collect();
        if left > 0 {
            let _ = writeln!(text, "… {}", plural(left, "more line", "more lines"));
        }
        out.push('\n');
        out.push_str(&section(&format!("**{name}**"), &code_block("text", &text), lines.len()));
    }
    out
}

/// Renders a part of the report, which is collapsed if it has many lines. `title` is Markdown.
pub(super) fn section(title: &str, body: &str, lines: usize) -> String {
    if lines <= MAX_OPEN_LINES {
        format!("{title}\n\n{body}\n")
    } else {
        format!("{title}\n\n<details><summary>{lines} lines</summary>\n\n{body}\n\n</details>\n")
    }
}

/// Names the entries and platforms of a difference, and its size.
fn title(group: &DifferenceGroup<'_>) -> String {
    let subject = |(names, platforms): &(Vec<&str>, Vec<&str>)| {
        let platforms: Vec<String> = platforms.iter().map(|it| plain(it).to_string()).collect();
        let names: Vec<String> = names.iter().map(|it| code_span(it)).collect();
        let names = format!("**{}**", listed(&names, "catalogs"));
        on_platform(&names, &listed(&platforms, "platforms"))
    };
    let mut subjects: Vec<String> = group.subjects.iter().take(MAX_NAMED).map(subject).collect();
    if group.subjects.len() > MAX_NAMED {
        subjects.push(format!("{} more", group.subjects.len() - MAX_NAMED));
    }
    let size = match group.difference {
        Difference::Resources(changes) => format!(" ({})", plural(changes.len(), "resource", "resources")),
        _ => String::new(),
    };
    format!("{}{size}", subjects.join("; "))
}

/// Lists names, or counts them if there are many.
fn listed(names: &[String], noun: &str) -> String {
    if names.len() > MAX_NAMED {
        format!("{} and {} more {noun}", names[..MAX_NAMED].join(", "), names.len() - MAX_NAMED)
    } else {
        names.join(", ")
    }
}

/// Joins lines with their signs; `~` is shown as `!`, which diff blocks highlight.
pub(super) fn limited(lines: &[(char, String)]) -> String {
    let sign = |sign: char| if sign == '~' { '!' } else { sign };
    let shown = lines.iter().take(MAX_LINES_OF_GROUP);
    let mut text: String = shown.map(|(it, line)| format!("{} {line}\n", sign(*it))).collect();
    if lines.len() > MAX_LINES_OF_GROUP {
        let _ = writeln!(text, "… {}", plural(lines.len() - MAX_LINES_OF_GROUP, "more line", "more lines"));
    }
    text
}
