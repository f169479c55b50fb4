//! After formatting nothing is left for the checks of layout: those of puppet-lint and of its plugins. What was formatted stays.
//!
//! `PUPPET_CORPUS=FOLDER cargo test --release -p format --test format-tests style` looks at real manifests; without a corpus it is
//! the cases that are looked at.

use std::path::{Path, PathBuf};

use format::{FormatOptions, LeftReason, apply, format};
use lint::{Options, StyleFinding};
use syntax::SyntaxKind::{DQ_STRING, HEREDOC_BODY, INTERPOLATED_STRING, SQ_STRING};
use syntax::{Language, Parse, SyntaxElement, TextRange};

/// What the layout of a text decides, and nothing else.
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
    lint::lint(&parse, "init.pp", &Options::default(), |it| is_layout(it.name))
}

/// What a layout cannot mend: what strings and heredocs hold stays as it is; a comment stays behind its bracket; a value that
/// is a statement of its own begins with its bracket.
fn is_of_layout(parse: &Parse, finding: &StyleFinding) -> bool {
    let line = parse.lines().line_range(finding.line - 1);
    let text = parse.text()[line.as_range()].trim();
    match finding.check {
        "strict_indent" => !parse.syntax().descendants_with_tokens().any(|it| is_text_at(&it, line)),
        "manifest_whitespace_opening_bracket_after" => !text.contains("[ #"),
        "manifest_whitespace_opening_brace_before" => !text.starts_with('{'),
        "manifest_whitespace_opening_bracket_before" => {
            !text.starts_with('[') && !text.contains("{ [") && !text.contains("${[")
        }
        _ => true,
    }
}

/// Is it a string that begins in this line, or goes on in it, and has several, or the text of a heredoc?
fn is_text_at(element: &SyntaxElement, line: TextRange) -> bool {
    let range = element.text_range();
    let holds = |offset| range.start < offset && offset < range.end;
    match element.kind() {
        SQ_STRING | DQ_STRING | INTERPOLATED_STRING => holds(line.start) || holds(line.end),
        HEREDOC_BODY => range.start <= line.start && line.start < range.end,
        _ => false,
    }
}

/// Manifests with their names: those below the folder that `PUPPET_CORPUS` names, else those of the cases.
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

/// What is wrong with what becomes of a manifest.
fn complaints(text: &str) -> Vec<String> {
    let formatted = format(&syntax::parse(text, Language::Manifest), &FormatOptions::default());
    if formatted.left.iter().any(|(_, reason)| *reason == LeftReason::Meaning) {
        return vec!["another layout would change what it means".to_owned()];
    }
    let out = apply(text, &formatted.edits);
    let parse = syntax::parse(&out, Language::Manifest);
    let mut wrong = Vec::new();
    if !format(&parse, &FormatOptions::default()).edits.is_empty() {
        wrong.push("changes again".to_owned());
    }
    let is_switched = out.contains("format:") || out.contains("/*");
    if formatted.left.is_empty() && !is_switched {
        let left = findings(&out).into_iter().filter(|it| is_of_layout(&parse, it));
        wrong.extend(left.map(|it| format!("line {}: {} {}", it.line, it.check, it.message)));
    }
    wrong
}

/// A manifest after the safe fixes of all checks, made in rounds as `check --fix` makes them.
fn mended(text: &str) -> String {
    let mut text = text.to_owned();
    for _ in 0..10 {
        let parse = syntax::parse(&text, Language::Manifest);
        // Comments are moved by the formatter, and then have another form.
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

/// What is wrong where fixes and the formatter come one behind the other: neither undoes the other.
fn quarrels(text: &str) -> Vec<&'static str> {
    let formatted = |text: &str| {
        let edits = format(&syntax::parse(text, Language::Manifest), &FormatOptions::default()).edits;
        apply(text, &edits)
    };
    let mut wrong = Vec::new();
    let settled = formatted(&mended(text));
    if formatted(&mended(&settled)) != settled {
        wrong.push("what was mended and formatted changes again");
    }
    // A fix may make a key longer or shorter: the column around it follows with the next layout.
    let settled = mended(&formatted(&mended(&formatted(text))));
    if mended(&formatted(&settled)) != settled {
        wrong.push("what was formatted and mended changes again");
    }
    wrong
}

#[test]
fn fixes_and_formatting_do_not_undo_each_other() {
    let mut wrong = Vec::new();
    for (name, text) in manifests() {
        if syntax::parse(&text, Language::Manifest).errors().is_empty() {
            wrong.extend(quarrels(&text).into_iter().map(|it| format!("{name}: {it}")));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn nothing_is_left_for_the_checks_of_layout() {
    let (mut wrong, mut found_before) = (Vec::new(), 0);
    for (name, text) in manifests() {
        found_before += findings(&text).len();
        wrong.extend(complaints(&text).into_iter().map(|it| format!("{name}: {it}")));
    }
    assert!(found_before > 50, "only {found_before} findings before");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
