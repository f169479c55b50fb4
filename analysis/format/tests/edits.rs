//! Minimal edits, range formatting, and unformatted ranges.

use format::{FormatEdit, FormatOptions, UnformattedReason, apply, edits_in_range, format};
use syntax::{Language, Parse, TextRange};

fn edits(text: &str) -> (Parse, Vec<FormatEdit>) {
    let parse = syntax::parse(text, Language::Manifest);
    let edits = format(&parse, &FormatOptions::default()).edits;
    (parse, edits)
}

#[test]
fn edits_are_minimal() {
    let (_, edits) = edits("$a=1\n$b = 2\nf( 'x' )\n");
    let found: Vec<_> = edits.iter().map(|it| (it.start, it.end, it.text.as_str())).collect();
    assert_eq!(found, [(2, 2, " "), (3, 3, " "), (14, 15, ""), (18, 19, "")]);
}

/// Each level of nesting would double the work if an attempt were repeated inside of one that is undone anyway.
#[test]
fn nested_attempts_are_not_repeated() {
    let assignments = (0..100).map(|at| format!("$a{at} =\n")).collect::<String>() + "1\n";
    let lambdas = (0..60).fold("1".to_owned(), |inner, at| format!("f() || {{\n$a{at} =\n{inner}\n}}"));
    let titles = (0..60)
        .fold("'a'".to_owned(), |inner, _| format!("f() || {{\nfile {{ {inner}:\nensure => file }}\n}}"));
    let types = (0..60).fold("Foo".to_owned(), |inner, _| format!("Foo[f() |{inner} $x = 1| {{}}]"));
    let texts = [
        assignments,
        format!("$a =\n{lambdas}\n"),
        format!("file {{ {titles}:\nensure => file }}\n"),
        format!("class x ({types} $x = 1, Foo $y = 2) {{ }}\n"),
    ];
    for text in texts {
        let (_, first) = edits(&text);
        let formatted = apply(&text, &first);
        let (_, second) = edits(&formatted);
        assert_eq!(apply(&formatted, &second), formatted);
    }
}

/// Text with the range between two `^`, and the expected result.
const RANGES: &[(&str, &str)] = &[
    ("$a=1\n^$b=2^\n$c=3\n", "$a=1\n$b = 2\n$c=3\n"),
    ("$a=1\n$b^=2\n$c^=3\n", "$a=1\n$b = 2\n$c = 3\n"),
    ("class a{\n$x=1\n  $y=^2^\n}\n", "class a{\n$x=1\n  $y = 2\n}\n"),
    ("class a{\n^$x=1\n}^\n$b=1\n", "class a {\n  $x = 1\n}\n$b=1\n"),
    ("file{'a':\nensure=>^file^}\n$b=1\n", "file { 'a':\n  ensure => file,\n}\n$b=1\n"),
    ("$a=1\n^^\n", "$a=1\n\n"),
];

#[test]
fn ranges_extend_to_whole_statements() {
    let mut wrong = Vec::new();
    for (marked, expected) in RANGES {
        let start = marked.find('^').expect("a mark") as u32;
        let end = marked.rfind('^').expect("a mark") as u32 - 1;
        let text = marked.replace('^', "");
        let (parse, edits) = edits(&text);
        let found = apply(&text, &edits_in_range(&parse, edits, TextRange::new(start, end)));
        if found != *expected {
            wrong.push(format!("{marked:?}: {found:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn unformatted_ranges_are_reported() {
    let unformatted = |text, language| {
        let formatted = format(&syntax::parse(text, language), &FormatOptions::default());
        formatted.unformatted.into_iter().map(|(range, reason)| (range.start, reason)).collect::<Vec<_>>()
    };
    assert_eq!(unformatted("<%= $a %>", Language::Epp), []);
    assert_eq!(unformatted("<% if { %>", Language::Epp), [(0, UnformattedReason::SyntaxError)]);
    assert_eq!(
        unformatted("$a=1\n$b = = 1\n$c=1\n", Language::Manifest),
        [(5, UnformattedReason::SyntaxError)]
    );
    assert_eq!(unformatted("# format:ignore\n$a=1\n", Language::Manifest), []);
}
