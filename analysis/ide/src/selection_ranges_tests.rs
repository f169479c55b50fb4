use expect_test::{Expect, expect};
use syntax::Language;

use super::*;

/// The cursor is at the `^` in `text`.
fn check(language: Language, text: &str, expected: Expect) {
    let offset = text.find('^').expect("a cursor");
    let text = text.replacen('^', "", 1);
    let parse = syntax::parse(&text, language);
    let ranges = selection_ranges(&parse, &[offset as u32]).remove(0);
    for pair in ranges.windows(2) {
        assert!(pair[1].contains_range(pair[0]) && pair[0] != pair[1], "{ranges:?}");
    }
    assert_eq!(ranges.last().copied(), Some(parse.syntax().text_range()));
    let found: String = ranges.iter().map(|it| format!("{:?}\n", &text[it.as_range()])).collect();
    expected.assert_eq(&found);
}

#[test]
fn from_the_word_to_the_file() {
    check(
        Language::Manifest,
        "class a {\n  file { '/etc/mo^td': mode => '1' }\n}\n",
        expect![[r#"
                "motd"
                "/etc/motd"
                "'/etc/motd'"
                "'/etc/motd': mode => '1'"
                "file { '/etc/motd': mode => '1' }"
                "{\n  file { '/etc/motd': mode => '1' }\n}"
                "class a {\n  file { '/etc/motd': mode => '1' }\n}"
                "class a {\n  file { '/etc/motd': mode => '1' }\n}\n"
            "#]],
    );
    check(
        Language::Manifest,
        "$x = f(1, [$^y + 2, 3])",
        expect![[r#"
                "$y"
                "$y + 2"
                "$y + 2, 3"
                "[$y + 2, 3]"
                "1, [$y + 2, 3]"
                "(1, [$y + 2, 3])"
                "f(1, [$y + 2, 3])"
                "$x = f(1, [$y + 2, 3])"
            "#]],
    );
}

#[test]
fn inside_strings_and_comments() {
    check(
        Language::Manifest,
        "$x = \"one ${tw^o} three\"",
        expect![[r#"
                "two"
                "${two}"
                "one ${two} three"
                "\"one ${two} three\""
                "$x = \"one ${two} three\""
            "#]],
    );
    check(
        Language::Manifest,
        "$a = 1\n# first wo^rd\n# second\n\n# third\n",
        expect![[r##"
                "word"
                "# first word"
                "# first word\n# second"
                "$a = 1\n# first word\n# second\n\n# third\n"
            "##]],
    );
    check(
        Language::Manifest,
        "$x = @(\"E\")\n  a ${b} c^c\n  | E\n",
        expect![[r#"
                "cc"
                " cc\n"
                "  a ${b} cc\n  | E\n"
                "$x = @(\"E\")\n  a ${b} cc\n  | E\n"
            "#]],
    );
    check(
        Language::Epp,
        "one\ntw^o three\n<%= $x %>",
        expect![[r#"
                "two"
                "two three"
                "one\ntwo three\n"
                "one\ntwo three\n<%= $x %>"
            "#]],
    );
}

#[test]
fn between_tokens_and_in_broken_files() {
    check(
        Language::Manifest,
        "f($x)^",
        expect![[r#"
                ")"
                "($x)"
                "f($x)"
            "#]],
    );
    check(
        Language::Manifest,
        "class a {\n ^ \n  $x = \n",
        expect![[r#"
                "{\n  \n  $x ="
                "class a {\n  \n  $x ="
                "class a {\n  \n  $x = \n"
            "#]],
    );
    check(
        Language::Manifest,
        "'abc\u{e4}^",
        expect![[r#"
                "abcä"
                "'abcä"
            "#]],
    );
}
