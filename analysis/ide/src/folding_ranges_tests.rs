use expect_test::{Expect, expect};
use syntax::Language;

use super::*;

/// Prints 1-based lines with the visible rest of the first and the last line.
fn check(language: Language, text: &str, expected: Expect) {
    let parse = syntax::parse(text, language);
    let lines = LineMap::new(text);
    let mut found = String::new();
    for FoldingRange { range, kind } in folding_ranges(&parse, text) {
        let (first, last) = (lines.line(range.start), lines.line(range.end));
        let before = &text[lines.line_start(first) as usize..range.start as usize];
        let after = &text[range.end as usize..lines.line_range(last).end as usize];
        found.push_str(&format!("{}-{} {kind:?}: {before:?} ... {after:?}\n", first + 1, last + 1));
    }
    expected.assert_eq(&found);
}

#[test]
fn brackets_of_every_kind() {
    check(
        Language::Manifest,
        "class a (\n  $x = [\n    1,\n  ],\n) {\n  if $x {\n    f(\n      1)\n  } else {\n    $y = { 'a' => 1,\n    }\n  }\n}\n",
        expect![[r#"
                1-5 Code: "class a (" ... ") {\n"
                2-4 Code: "  $x = [" ... "],\n"
                5-13 Code: ") {" ... "}\n"
                6-9 Code: "  if $x {" ... "} else {\n"
                7-8 Code: "    f(" ... ")\n"
                9-12 Code: "  } else {" ... "}\n"
                10-11 Code: "    $y = {" ... "}\n"
            "#]],
    );
    check(
        Language::Manifest,
        "file {\n  'a':\n    mode => 1;\n  'b':\n    mode => $x ? {\n      1 => 2,\n    },\n}\ncase $x {\n  1: {\n  }\n}\nfile { 'c': mode => 1 }\nFile <|\n |> {\n}\n",
        expect![[r#"
                1-8 Code: "file {" ... "}\n"
                2-3 Code: "  'a':" ... ";\n"
                4-7 Code: "  'b':" ... "\n"
                5-7 Code: "    mode => $x ? {" ... "},\n"
                9-12 Code: "case $x {" ... "}\n"
                10-11 Code: "  1: {" ... "}\n"
                14-15 Code: "File <|" ... "|> {\n"
                15-16 Code: " |> {" ... "}\n"
            "#]],
    );
}

#[test]
fn comments_and_regions() {
    check(
        Language::Manifest,
        "# one\n# two\n\n# alone\n$x = 1 # beside\n  # three\n  # four\n/* five\n six */\n# region a\n#region\n$y = 1\n#endregion\n# endregion\n# endregion\n# regional\n",
        expect![[r##"
                1-2 Comment: "" ... "\n"
                6-7 Comment: "  " ... "\n"
                8-9 Comment: "" ... "\n"
                10-14 Region: "# region a" ... "\n"
                11-13 Region: "#region" ... "\n"
            "##]],
    );
}

#[test]
fn heredocs_and_templates() {
    check(
        Language::Manifest,
        "$x = @(A)\n  text\n  | A\nf(@(B), @(C))\nb\nB\nc\nC\n",
        expect![[r#"
                1-3 Code: "$x = @(A)" ... "\n"
                4-6 Code: "f(@(B), @(C))" ... "\n"
                6-8 Code: "B" ... "\n"
            "#]],
    );
    check(
        Language::Epp,
        "<%# one\ntwo %>\n<% if $x { -%>\ntext\n<% } else { -%>\nother\n<% } -%>\n",
        expect![[r#"
                1-2 Comment: "" ... "\n"
                3-5 Code: "<% if $x {" ... "} else { -%>\n"
                5-7 Code: "<% } else {" ... "} -%>\n"
            "#]],
    );
}

#[test]
fn unclosed_brackets_do_not_fold() {
    check(Language::Manifest, "class a {\n  file { 'x':\n    mode => (\n", expect![[""]]);
}
