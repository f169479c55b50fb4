//! After formatting nothing is left for the checks of layout: those of puppet-lint and of its plugins.

use format::{FormatOptions, apply, format};
use lint::{Options, StyleFinding};
use syntax::Language;

/// What the layout of a text decides, and nothing else.
const CHECKS: &[&str] = &[
    "trailing_whitespace",
    "hard_tabs",
    "2sp_soft_tabs",
    "strict_indent",
    "arrow_alignment",
    "arrow_on_right_operand_line",
    "space_before_arrow",
    "trailing_comma",
    "double_quoted_strings",
];

fn findings(text: &str) -> Vec<StyleFinding> {
    let is_layout = |name: &str| CHECKS.contains(&name) || name.starts_with("manifest_whitespace");
    let parse = syntax::parse(text, Language::Manifest);
    if !parse.errors().is_empty() {
        return Vec::new();
    }
    lint::lint(&parse, "init.pp", &Options::default(), |it| is_layout(it.name))
}

/// In the texts of strings and heredocs, which stay as they are, the checks find indentations.
fn is_of_layout(text: &str, finding: &StyleFinding) -> bool {
    let has_lines_in_strings = text.contains("@(") || text.contains("\\n");
    finding.check != "strict_indent" || !has_lines_in_strings
}

#[test]
fn nothing_is_left_for_the_checks_of_layout() {
    let (mut wrong, mut found_before) = (Vec::new(), 0);
    let cases = include_str!("cases.md").split("\n## ").skip(1);
    for case in cases.filter(|it| !it.contains("```options")) {
        let manifest = case.split("```puppet\n").nth(1).and_then(|it| it.split("```").next());
        let text = manifest.unwrap_or_default().replace('¶', "\r");
        let parse = syntax::parse(&text, Language::Manifest);
        let formatted = format(&parse, &FormatOptions::default());
        if !formatted.left.is_empty() || text.contains("format:") || text.contains("/*") {
            continue;
        }
        found_before += findings(&text).len();
        let out = apply(&text, &formatted.edits);
        let left = findings(&out).into_iter().filter(|it| is_of_layout(&out, it));
        wrong.extend(
            left.map(|it| {
                format!("{}: {} {}", case.lines().next().unwrap_or_default(), it.check, it.message)
            }),
        );
    }
    assert!(found_before > 50, "only {found_before} findings before");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
