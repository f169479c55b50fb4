//! Error recovery: values and findings of malformed files.

use expect_test::{Expect, expect};
use hiera::config::{self, Layer};
use hiera::{DataFormat, data};

fn check(format: DataFormat, text: &str, expected: Expect) {
    let data = data::read(format, text);
    let mut lines = Vec::new();
    for entry in data.entries() {
        let range = |range: syntax::TextRange| text[range.as_range()].replace('\n', "␊");
        lines.push(format!("{} = {}", range(entry.key.range), range(entry.value.range)));
    }
    for finding in &data.findings {
        lines.push(format!("{:?} {}: {}", finding.kind, finding.range, finding.message));
    }
    expected.assert_eq(&lines.join("\n"));
}

#[test]
fn yaml_recovers_after_an_error() {
    check(
        DataFormat::Yaml,
        "---\na::x: 1\na::y: [1, 2\na::z:\n  - b\n  - c\nhalf\nb: {c: 1}\n",
        expect![[r#"
            a::x = 1
            a::y =  [1, 2
            a::z = - b␊  - c
            b = {c: 1}
            Syntax 18..20: unclosed bracket `[`"#]],
    );
}

#[test]
fn yaml_errors_state_the_problem_first() {
    let message = |text: &str| {
        let found = data::read(DataFormat::Yaml, text).findings;
        found.into_iter().next().map(|it| it.message).unwrap_or_default()
    };
    for (text, expected) in [
        ("a: [1 2]\nb: {c d: 1]\n", "mismatched bracket `{` closed by `]`"),
        ("a: [1, 2\n", "unclosed bracket `[`"),
        ("a: {b: 1\n  c: 2}\n", "expected `,` or `}` while parsing a flow mapping"),
        ("a: !<x y\n", "expected `>` while scanning a verbatim tag"),
    ] {
        assert_eq!(message(text), expected, "{text:?}");
    }
}

#[test]
fn json_recovers_after_an_error() {
    check(
        DataFormat::Json,
        "{\"a\": 1, \"b\": nope, \"c\" 5, \"d\": [1 2], \"e\": 6,}",
        expect![[r#"
        "a" = 1
        "b" = nope
        "c" = 5
        "d" = [1 2]
        "e" = 6
        Syntax 14..18: invalid value `nope`
        help: enclose strings in double quotes
        Syntax 24..25: expected `:` after the key
        Syntax 35..36: expected `,` or `]`
        Syntax 45..46: unexpected trailing comma"#]],
    );
}

#[test]
fn duplicate_keys_are_reported() {
    check(
        DataFormat::Yaml,
        "a: 1\nb:\n  c: 1\n  c: 2\na: 3\n",
        expect![[r#"
        a = 1
        b = c: 1␊  c: 2
        a = 3
        DuplicateKey 17..18: duplicate key `c`; the last value wins
        DuplicateKey 22..23: duplicate key `a`; the last value wins"#]],
    );
}

#[test]
fn malformed_files_do_not_panic() {
    for text in [
        "\u{feff}",
        "a: &a [*a]\n",
        "a: !!binary x\n",
        "? ",
        "- ",
        "a: |",
        "\0",
        "[[[[",
        "a: *",
        ": :",
        "{",
        "a:\n b\n\tc",
    ] {
        for format in [DataFormat::Yaml, DataFormat::Json, DataFormat::Hocon] {
            let data = data::read(format, text);
            config::read(&data, &Layer::Environment, false);
            for len in 0..text.len() {
                if let Some(text) = text.get(..len) {
                    data::read(format, text);
                }
            }
        }
    }
    let deep = "[".repeat(100_000);
    for format in [DataFormat::Yaml, DataFormat::Json, DataFormat::Hocon] {
        assert!(!data::read(format, &deep).findings.is_empty());
    }
}

#[test]
fn anchors_and_aliases_begin_a_value() {
    for (text, expected) in [
        ("a: '/dev/*abc'", false),
        ("a: \"x&y\"", false),
        ("- R&D", false),
        ("a: *b", true),
        ("&a b: 1", true),
        ("- &a 1", true),
        ("[*a,*b]", true),
        ("{\"a\":*b}", true),
        ("a:\n  *b", true),
    ] {
        assert_eq!(data::may_have_aliases(text), expected, "{text}");
    }
}
