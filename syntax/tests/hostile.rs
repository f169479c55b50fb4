//! Texts that mean harm: a hundred thousand of the same. Each is an error and no crash, with no more stack than a test
//! thread has (2 MiB).

use syntax::{Language, Severity};
use validation::{ValidationSettings, validate};

const TIMES: usize = 100_000;

/// `before`, then `piece` over and over, then `after`.
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

/// Each must give at least one error.
const REFUSED: &[Hostile] = &[
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

/// Long but flat: no error is called for, and none is wanted.
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

/// How many errors the parser and the static rules find.
fn errors(hostile: &Hostile, language: Language) -> usize {
    let text = hostile.text();
    let parse = syntax::parse(&text, language);
    assert!(parse.syntax().text() == text, "the tree of {:?} is not its text", hostile.piece);
    let findings = validate(&parse, &ValidationSettings::default());
    parse.errors().iter().chain(&findings).filter(|it| it.severity() == Severity::Error).count()
}

#[test]
fn a_hundred_thousand_of_the_same_is_an_error() {
    let accepted: Vec<&str> =
        REFUSED.iter().filter(|it| errors(it, Language::Manifest) == 0).map(|it| it.piece).collect();
    assert!(accepted.is_empty(), "accepted: {accepted:?}");
}

/// What any few pieces make, one behind the other, over and over: no crash.
#[test]
fn any_pieces_over_and_over() {
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
    // A generator of numbers that is good enough here.
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
fn a_long_flat_text_parses() {
    let refused: Vec<&str> = FLAT
        .iter()
        .filter(|it| !syntax::parse(&it.text(), Language::Manifest).errors().is_empty())
        .map(|it| it.piece)
        .collect();
    assert!(refused.is_empty(), "refused: {refused:?}");
}

#[test]
fn templates_and_plans_are_no_weaker() {
    for piece in
        ["<%", "<%=", "<%-", "<% { ", "<%= ( ", "<% if $a { %>", "<% | ", "%>", "-%>", "<%#", "<%= \"${"]
    {
        errors(&just(piece), Language::Epp);
    }
    for piece in ["plan a {", "apply(a) {", "apply(", "plan a ("] {
        assert!(errors(&just(piece), Language::Plan) > 0, "{piece:?} was accepted");
    }
}

/// What lies too deep may be a letter of several bytes: a finding names all of it.
#[test]
fn what_lies_too_deep_is_a_whole_letter() {
    for language in [Language::Manifest, Language::Epp] {
        for levels in 500..530 {
            let text = format!("<% {}\u{202e}", "[".repeat(levels));
            for error in syntax::parse(&text, language).errors() {
                assert!(text.get(error.range.as_range()).is_some(), "{levels} levels: {error:?}");
            }
        }
    }
}
