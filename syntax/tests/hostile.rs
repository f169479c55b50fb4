//! Hostile texts with a hundred thousand repetitions. Each yields an error without a crash, within the stack
//! of a test thread (2 MiB).

use syntax::{Language, Severity};
use validation::{ValidationSettings, validate};

const TIMES: usize = 100_000;

/// Text that consists of `before`, repetitions of `piece`, and `after`.
struct Hostile {
    before: &'static str,
    piece: &'static str,
    after: &'static str,
}

impl Hostile {
    fn text(&self) -> String {
        let mut text = String::with_capacity(self.piece.len() * TIMES + 64);
        text.push_str(self.before);
        (0..TIMES).for_each(|_| text.push_str(self.piece));
        text.push_str(self.after);
        text
    }
}

const fn just(piece: &'static str) -> Hostile {
    Hostile { before: "", piece, after: "" }
}

const fn row(before: &'static str, piece: &'static str, after: &'static str) -> Hostile {
    Hostile { before, piece, after }
}

/// Texts with at least one error.
const REJECTED: &[Hostile] = &[
    just("("),
    just("["),
    just("{"),
    just("!"),
    just("-"),
    just("*"),
    just("1+"),
    just(".a"),
    just("elsif "),
    just("else "),
    just("if "),
    just("case "),
    row("case a {", "@ ", ""),
    just("$"),
    just("$a = "),
    just("@"),
    just("|"),
    just("?"),
    just("?{"),
    just("->"),
    just("a => "),
    just("<|"),
    just("<<|"),
    just("/* "),
    just("'"),
    just("\"${"),
    just("\"${\"${x}"),
    just("@("),
    just("@(\"END\")\n${"),
    just("@(\"END\") ${@(\"END\")\n"),
    just("@(A) "),
    just("F["),
    just("f("),
    just("f(["),
    just("({["),
    just("$a.b |$c| {"),
    just("file { "),
    just("file { 'a': file { "),
    just("class { "),
    just("class 'a': "),
    just("file 'a': "),
    just("@file { "),
    just("file { $a = "),
    just("file { a:"),
    just("file { 'a': b => "),
    just("class a {"),
    just("class a ("),
    just("if $a {"),
    just("if $a { } elsif $b {"),
    just("unless $a {"),
    just("case $a { b: {"),
    just("$a ? { b => "),
    just("function f("),
    just("type A = "),
    just("type A = B["),
    just("node a {"),
    just("define a { "),
    just("\u{feff}"),
    just(")"),
    just("]"),
    just("}"),
    just("=>"),
    just("\\"),
    row("$a", ".b", ""),
    row("$a", "[0]", ""),
    row("$a", " ? { default => 1 }", ""),
    row("$a", " + 1", ""),
    row("$a", " and $b", ""),
    row("$a", " -> $b", ""),
    row("", "$a = ", "1"),
    row("", "!", "$a"),
    row("if $a { }", " elsif $b { }", ""),
    row("f(", "[", "x"),
    row("$a = \"", "${", "\""),
    row("", "\"${", "x"),
];

/// Long but flat texts without errors.
const FLAT: &[Hostile] = &[
    just(" "),
    just("\n"),
    just("# x\n"),
    just("$a = 1\n"),
    just("notice('x')\n"),
    row("$a = [", "1,", "]"),
    row("$a = {", "1 => 2,", "}"),
    row("$a = \"", "${b} ", "\""),
    row("$a = \"", "$b ", "\""),
    row("case $a {", " b: { }", "}"),
    row("$a = $b ? {", " b => 1,", "}"),
    row("file { ", "'a': b => c;", "}"),
    row("file { 'a': ", "b => c,", "}"),
    row("f(", "1,", ")"),
    row("", "@(A)\nx\n| A\n", ""),
];

/// Returns the number of errors of the parser and the static rules.
fn errors(hostile: &Hostile, language: Language) -> usize {
    let text = hostile.text();
    let parse = syntax::parse(&text, language);
    assert!(parse.syntax().text() == text, "the tree of {:?} is not its text", hostile.piece);
    let findings = validate(&parse, &ValidationSettings::default());
    parse.errors().iter().chain(&findings).filter(|it| it.severity() == Severity::Error).count()
}

#[test]
fn repeated_pieces_are_rejected() {
    let accepted: Vec<&str> =
        REJECTED.iter().filter(|it| errors(it, Language::Manifest) == 0).map(|it| it.piece).collect();
    assert!(accepted.is_empty(), "accepted: {accepted:?}");
}

/// Random short sequences of pieces, repeated many times, do not crash the parser.
#[test]
fn repeated_random_pieces_do_not_crash() {
    const PIECES: &[&str] = &[
        "file ",
        "{ ",
        "'a' ",
        ": ",
        "; ",
        "class ",
        "( ",
        "[",
        "if ",
        "else ",
        "$a ",
        "= ",
        "=> ",
        ", ",
        "| ",
        "} ",
        ") ",
        "@",
        "node ",
        "define ",
        "case ",
        "Foo ",
        "<| ",
        "-> ",
        "function ",
        "\n",
        "\n  ",
        "include ",
        ".f ",
        "\"${",
    ];
    // A linear congruential generator is good enough here.
    let mut state = 20_261_124_u64;
    let mut below = |limit: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % limit
    };
    let count = std::env::var("PIECES").ok().and_then(|it| it.parse().ok()).unwrap_or(60);
    for _ in 0..count {
        let unit: String = (0..2 + below(4)).map(|_| PIECES[below(PIECES.len())]).collect();
        eprintln!("{unit:?}");
        syntax::parse(&unit.repeat(TIMES / 4), Language::Manifest);
    }
}

#[test]
fn long_flat_sources_parse() {
    let rejected: Vec<&str> = FLAT
        .iter()
        .filter(|it| !syntax::parse(&it.text(), Language::Manifest).errors().is_empty())
        .map(|it| it.piece)
        .collect();
    assert!(rejected.is_empty(), "rejected: {rejected:?}");
}

#[test]
fn repeated_pieces_in_templates_and_plans() {
    for piece in
        ["<%", "<%=", "<%-", "<% { ", "<%= ( ", "<% if $a { %>", "<% | ", "%>", "-%>", "<%#", "<%= \"${"]
    {
        errors(&just(piece), Language::Epp);
    }
    for piece in ["plan a {", "apply(a) {", "apply(", "plan a ("] {
        assert!(errors(&just(piece), Language::Plan) > 0, "{piece:?} was accepted");
    }
}

/// The range of a finding about nesting covers whole characters of several bytes.
#[test]
fn nesting_errors_cover_whole_characters() {
    for language in [Language::Manifest, Language::Epp] {
        for levels in 500..530 {
            let text = format!("<% {}\u{202e}", "[".repeat(levels));
            for error in syntax::parse(&text, language).errors() {
                assert!(text.get(error.range.as_range()).is_some(), "{levels} levels: {error:?}");
            }
        }
    }
}
