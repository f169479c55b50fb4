//! Formatted code has no findings of the layout checks of puppet-lint and its plugins, and formatting is
//! idempotent.
//!
//! `PUPPET_CORPUS=FOLDER cargo test --release -p format --test format-tests style` checks real manifests.
//! Without a corpus, the test checks the cases.

use std::path::{Path, PathBuf};

use format::{FormatOptions, UnformattedReason, apply, format};
use lint::{Options, StyleFinding};
use syntax::SyntaxKind::{ARGUMENT_LIST, DQ_STRING, HEREDOC_BODY, INTERPOLATED_STRING, SQ_STRING};
use syntax::{Language, Parse, SyntaxElement, TextRange};

/// Checks that depend on formatting alone.
const CHECKS: &[&str] = &[
    "trailing_whitespace",
    "hard_tabs",
    "2sp_soft_tabs",
    "strict_indent",
    "arrow_alignment",
    "hash_arrow_alignment",
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
    let found = lint::lint(&parse, "init.pp", &Options::default(), |it| is_layout(it.name));
    let is_indent = |it: &StyleFinding| it.check == "strict_indent";
    if !found.iter().any(is_indent) {
        return found;
    }
    // Versions of the check require different indentations, and either one is kept.
    let options = Options { indents_each_bracket: true, ..Options::default() };
    let other = lint::lint(&parse, "init.pp", &options, |it| it.name == "strict_indent");
    let is_wrong = |it: &StyleFinding| !is_indent(it) || other.iter().any(|other| other.line == it.line);
    found.into_iter().filter(is_wrong).collect()
}

/// Returns true if the arrow of this line is not aligned at all, or is in a column with that of the nearest line with
/// the same indentation.
fn has_own_column(parse: &Parse, line: u32) -> bool {
    let text = |line: u32| &parse.text()[parse.lines().line_range(line).as_range()];
    let indent = |line: u32| text(line).len() - text(line).trim_start().len();
    let arrow = |line: u32| text(line).find("=>").filter(|_| indent(line) > 0);
    let Some(column) = arrow(line) else { return false };
    let is_beside = |it: &u32| indent(*it) == indent(line) && arrow(*it).is_some();
    let nearest = [(0..line).rev().find(is_beside), (line + 1..parse.lines().line_count()).find(is_beside)];
    !text(line)[..column].ends_with("  ") || nearest.into_iter().flatten().any(|it| arrow(it) == Some(column))
}

/// Returns true if formatting can fix a finding. It does not change strings and heredocs, comments after a
/// bracket, statements that begin with a bracket, or empty blocks of conditionals, it indents the further names
/// of `include a,`, and it keeps columns of arrows.
fn is_fixable_by_formatting(parse: &Parse, finding: &StyleFinding) -> bool {
    let line = parse.lines().line_range(finding.line - 1);
    let text = parse.text()[line.as_range()].trim();
    match finding.check {
        "strict_indent" => !parse
            .syntax()
            .descendants_with_tokens()
            .any(|it| is_text_at(&it, line) || is_continued_at(&it, line)),
        "hash_arrow_alignment" => !has_own_column(parse, finding.line - 1),
        "manifest_whitespace_closing_brace_before" => !text.contains("{ }"),
        "manifest_whitespace_opening_bracket_after" => !text.contains("[ #"),
        "manifest_whitespace_opening_brace_before" => !text.starts_with('{'),
        "manifest_whitespace_opening_bracket_before" => {
            !text.starts_with('[') && !text.contains("{ [") && !text.contains("${[")
        }
        _ => true,
    }
}

/// Returns true for arguments without parentheses that continue on this line.
fn is_continued_at(element: &SyntaxElement, line: TextRange) -> bool {
    let range = element.text_range();
    element.kind() == ARGUMENT_LIST
        && range.start < line.start
        && line.start < range.end
        && !element.as_node().is_some_and(|it| it.text().starts_with(['(', '[']))
}

/// Returns true for a multi-line string that covers this line, and for the text of a heredoc.
fn is_text_at(element: &SyntaxElement, line: TextRange) -> bool {
    let range = element.text_range();
    let holds = |offset| range.start < offset && offset < range.end;
    match element.kind() {
        SQ_STRING | DQ_STRING | INTERPOLATED_STRING => holds(line.start) || holds(line.end),
        HEREDOC_BODY => range.start <= line.start && line.start < range.end,
        _ => false,
    }
}

/// Returns manifests with their names: those in the directory `PUPPET_CORPUS`, or else those of the cases.
fn manifests() -> Vec<(String, String)> {
    let Some(corpus) = std::env::var_os("PUPPET_CORPUS") else {
        let cases = include_str!("cases.md").split("\n## ").skip(1);
        let plain = cases.filter(|it| !it.contains("```options") && !it.contains("```epp"));
        return plain
            .map(|case| {
                let manifest = case.split("```puppet\n").nth(1).and_then(|it| it.split("```").next());
                let name = case.lines().next().unwrap_or_default().to_owned();
                (name, manifest.unwrap_or_default().replace('¶', "\r"))
            })
            .collect();
    };
    let mut files = Vec::new();
    collect(Path::new(&corpus), &mut files);
    let text = |path: &PathBuf| Some((path.display().to_string(), std::fs::read_to_string(path).ok()?));
    files.iter().filter_map(text).collect()
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|it| it == "pp") {
            files.push(path);
        }
    }
}

/// Returns descriptions of the failures for a manifest.
fn failures(text: &str) -> Vec<String> {
    let formatted = format(&syntax::parse(text, Language::Manifest), &FormatOptions::default());
    if formatted.unformatted.iter().any(|(_, reason)| *reason == UnformattedReason::Meaning) {
        return vec!["formatting would change the meaning".to_owned()];
    }
    let out = apply(text, &formatted.edits);
    let parse = syntax::parse(&out, Language::Manifest);
    let mut wrong = Vec::new();
    if !format(&parse, &FormatOptions::default()).edits.is_empty() {
        wrong.push("changes again".to_owned());
    }
    let is_switched = out.contains("format:") || out.contains("/*");
    if formatted.unformatted.is_empty() && !is_switched {
        let unformatted = findings(&out).into_iter().filter(|it| is_fixable_by_formatting(&parse, it));
        wrong.extend(unformatted.map(|it| format!("line {}: {} {}", it.line, it.check, it.message)));
    }
    wrong
}

/// Applies the safe fixes of all checks to a manifest, in rounds like `check --fix`.
fn fixed(text: &str) -> String {
    let mut text = text.to_owned();
    for _ in 0..10 {
        let parse = syntax::parse(&text, Language::Manifest);
        // The formatter moves comments, which may change their kind.
        let is_wanted = |it: &lint::StyleCheck| it.fix.is_safe() && it.name != "star_comments";
        let found = lint::lint(&parse, "/m/manifests/init.pp", &Options::default(), is_wanted);
        let next = lint::apply(&text, found.iter().filter(|it| it.ignored.is_none()));
        if next == text || !syntax::parse(&next, Language::Manifest).errors().is_empty() {
            break;
        }
        text = next;
    }
    text
}

/// Returns descriptions of the conflicts between fixes and formatting.
fn conflicts(text: &str) -> Vec<&'static str> {
    let formatted = |text: &str| {
        let edits = format(&syntax::parse(text, Language::Manifest), &FormatOptions::default()).edits;
        apply(text, &edits)
    };
    let mut wrong = Vec::new();
    let result = formatted(&fixed(text));
    if formatted(&fixed(&result)) != result {
        wrong.push("fixing after formatting changes the result");
    }
    // A fix may change the length of a key. The next formatting realigns its column.
    let result = fixed(&formatted(&fixed(&formatted(text))));
    if fixed(&formatted(&result)) != result {
        wrong.push("formatting after fixing changes the result");
    }
    wrong
}

#[test]
fn fixes_and_formatting_do_not_undo_each_other() {
    let mut wrong = Vec::new();
    for (name, text) in manifests() {
        if syntax::parse(&text, Language::Manifest).errors().is_empty() {
            wrong.extend(conflicts(&text).into_iter().map(|it| format!("{name}: {it}")));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn formatted_code_has_no_layout_findings() {
    let (mut wrong, mut found_before) = (Vec::new(), 0);
    for (name, text) in manifests() {
        found_before += findings(&text).len();
        wrong.extend(failures(&text).into_iter().map(|it| format!("{name}: {it}")));
    }
    assert!(found_before > 50, "only {found_before} findings before");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
