//! Documentation comments.

use check::{Tier, diagnostics};
use project::testing::TestWorkspace;

/// Returns the findings about the comment of a class with the parameters `String $a, Integer[1, 5] $b`.
fn findings(comment: &str) -> String {
    let text =
        format!("{comment}\nclass a (\n  String $a,\n  Integer[1, 5] $b,\n) {{\n  notice($a, $b)\n}}\n");
    let fixture =
        format!("//- environment: roots=/ module_path=/modules\n//- /modules/a/manifests/init.pp\n{text}");
    let workspace = TestWorkspace::new(&fixture);
    let found = diagnostics(&workspace.db, workspace.file("/modules/a/manifests/init.pp"), Tier::Names);
    let lines = found.iter().map(|it| {
        format!("{} `{}`: {}", it.code, &text[it.range.as_range()], codes::single_line(&it.message))
    });
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn comments() {
    let cases = [
        ("# A class\n#\n# @param a first\n# @param b [Integer[1,5]] second", ""),
        ("# Copyright me@example.com\n\n# @summary x\n# @param a first\n# @param b second", ""),
        ("# @summary x\n# @!group y\n# @api private\n# @param a mail to me@x\n# @param b\n#   @nothing", ""),
        ("# @example A title\n#   include a\n# @param a x\n# @param b x", ""),
        (
            "# @sumary x\n# @param a x\n# @param b x",
            "unknown-doc-tag `@sumary`: unknown documentation tag `@sumary` (help: did you mean `@summary`?)",
        ),
        (
            "# @frobnicate x\n# @param a x",
            "unknown-doc-tag `@frobnicate`: unknown documentation tag `@frobnicate`",
        ),
        (
            "# @param a [Integer] x\n# @param [String] b x",
            "param-tag-type `[Integer]`: parameter `a` has the type `String`, not `Integer` (help: remove the type from the comment)\n\
             param-tag-type `[String]`: parameter `b` has the type `Integer[1,5]`, not `String` (help: remove the type from the \
             comment)",
        ),
        (
            "# @example\n#   include a\n# @param a x",
            "untitled-example `@example`: `@example` without a title (help: add a title after the tag)",
        ),
        (
            "# x\n# @param a first\n\n# @summary x\n# @param b second",
            "detached-documentation `@param`: a blank line separates `@param` from the documentation of `a` (help: remove the blank \
             line)",
        ),
        (
            "# @summary x\n",
            "detached-documentation `@summary`: a blank line separates `@summary` from the documentation of `a` (help: remove the \
             blank line)",
        ),
    ];
    for (comment, expected) in cases {
        assert_eq!(findings(comment), expected, "{comment}");
    }
}

#[test]
fn functions() {
    let long = "x".repeat(141);
    let cases = [
        ("# @return [Array[String]] names", String::new()),
        ("# @return names", String::new()),
        (
            "# @return [String] names",
            "return-tag-type `[String]`: function `a::f` has the return type `Array[String]`, not `String` (help: write \
             `[Array[String]]`)"
                .to_owned(),
        ),
        (
            &format!("# @summary {long}\n# @return x"),
            "long-summary `@summary`: summary has 141 characters; Puppet Strings recommends at most 140".to_owned(),
        ),
        ("# @summary a\n#   b\n# @return x", String::new()),
    ];
    for (comment, expected) in cases {
        let text = format!("{comment}\nfunction a::f() >> Array[String] {{\n  ['x']\n}}\n");
        let path = "/modules/a/functions/f.pp";
        let fixture = format!("//- environment: roots=/ module_path=/modules\n//- {path}\n{text}");
        let workspace = TestWorkspace::new(&fixture);
        let found = diagnostics(&workspace.db, workspace.file(path), Tier::Names);
        let lines = found.iter().map(|it| {
            format!("{} `{}`: {}", it.code, &text[it.range.as_range()], codes::single_line(&it.message))
        });
        assert_eq!(lines.collect::<Vec<_>>().join("\n"), expected, "{comment}");
    }
}
