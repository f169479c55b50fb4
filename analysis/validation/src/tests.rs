//! Static rules with rejected and accepted sources. The rejections were recorded with Puppet 7.23.

use super::{ExpectedNamespace, Strict, ValidationSettings, validate};
use syntax::{Language, Severity, parse};

/// Sources, each with its expected findings in source order: code of the rule and covered text.
type Table<'a> = &'a [(&'a str, &'a [(&'a str, &'a str)])];

fn check(language: Language, settings: &ValidationSettings, table: Table<'_>) {
    for (source, expected) in table {
        let parsed = parse(source, language);
        let found = validate(&parsed, settings);
        let found: Vec<(&str, &str)> =
            found.iter().map(|it| (it.code.as_str(), &source[it.range.as_range()])).collect();
        assert_eq!(found, *expected, "in {source:?} ({:?})", parsed.errors());
    }
}

fn check_manifests(table: Table<'_>) {
    for (source, _) in table {
        assert_eq!(parse(source, Language::Manifest).errors(), [], "{source:?}");
    }
    check(Language::Manifest, &ValidationSettings::default(), table);
}

#[test]
fn assignments() {
    check_manifests(&[
        ("$a = 1", &[]),
        ("$a = $b = 1", &[]),
        ("[$a, [$b, $c]] = [1, [2, 3]]", &[]),
        ("1 = 2", &[("illegal-assignment", "1")]),
        ("foo() = 2", &[("illegal-assignment", "foo()")]),
        ("[$a, ['b', $c]] = 2", &[("illegal-assignment", "'b'")]),
        ("[a => $a] = 1", &[("illegal-assignment", "a => $a")]),
        ("$a['b'] = 1", &[("illegal-indexed-assignment", "$a['b']")]),
        ("$1 = 1", &[("illegal-numeric-assignment", "$1")]),
        ("$0 = 1", &[("illegal-numeric-assignment", "$0")]),
        ("$a::b = 1", &[("cross-scope-assignment", "$a::b")]),
        ("$::b = 1", &[("cross-scope-assignment", "$::b")]),
        ("$a += 1", &[("appends-deletes-no-longer-supported", "+=")]),
        ("$a -= 1", &[("appends-deletes-no-longer-supported", "-=")]),
        ("class a($b = ($c = 1)) { }", &[("illegal-assignment-context", "$c = 1")]),
        ("class a($b = [foo(\"${$c = 1}\")]) { }", &[("illegal-assignment-context", "$c = 1")]),
        ("class a($b = foo() |$x| { $y = $x }) { }", &[]),
        ("class a($b = foo() |$x = ($y = 1)| { 1 }) { }", &[("illegal-assignment-context", "$y = 1")]),
        ("function f($b = @(\"E\")) { }\n  ${$c = 1}\n  | E\n", &[("illegal-assignment-context", "$c = 1")]),
    ]);
}

#[test]
fn statements_without_effect() {
    let idem = "idem-expression-not-last";
    check_manifests(&[
        ("$a", &[]),
        ("notice(1) $a", &[]),
        ("$a\nnotice(1)", &[("idem-expression-not-last", "$a")]),
        ("1 'a' [1]; {a => 1} $a[1] $a + 1 !$a -$a \"${a}\"; ($a) $a ? { 1 => 2 } notice(1)", &[(idem, "1")]),
        ("1 notice(1) 2 3 notice(4)", &[(idem, "1"), (idem, "2")]),
        ("if $a { 1 } else { $b } notice(1)", &[(idem, "if $a { 1 } else { $b }")]),
        ("if $a { } notice(1)", &[(idem, "if $a { }")]),
        ("if foo() { } notice(1)", &[]),
        ("if $a =~ /x/ { } notice(1)", &[]),
        ("unless $a { notice(1) 2 } notice(1)", &[]),
        ("case $a { 1: { 2 } } notice(1)", &[(idem, "case $a { 1: { 2 } }")]),
        ("case $a { 1: { 2 } default: { notice(1) } } notice(1)", &[]),
        ("if $a { 1 notice(1) }", &[(idem, "1")]),
        ("foo() |$x| { $x notice(1) }", &[(idem, "$x")]),
        ("$a = @(E)\n  text\n  | E\n@(E)\n  text\n  | E\nnotice(1)", &[(idem, "@(E)")]),
        ("$a -> $b notice(1)", &[]),
        ("$a =~ /x/ notice(1)", &[]),
        ("class a { notice(1) }", &[]),
        ("class a { }", &[]),
        ("class a { $b }", &[("idem-not-allowed-last", "$b")]),
        ("define a { notice(1) 'x' }", &[("idem-not-allowed-last", "'x'")]),
        ("node a { if $b { 1 } }", &[("idem-not-allowed-last", "if $b { 1 }")]),
        ("function a { $b }", &[]),
        ("foo() |$x| { $x }", &[]),
    ]);
}

#[test]
fn resources() {
    check_manifests(&[
        ("file { 'a': ensure => file, * => $a }", &[]),
        ("foo { a => 1 }", &[("resource-without-title", "foo")]),
        (
            "class a { foo { a => 1 } bar { } }",
            &[("resource-without-title", "foo"), ("resource-without-title", "bar")],
        ),
        ("$a = foo { a => 1 }", &[("resource-without-title", "foo")]),
        ("foo; { a => 1 }", &[("resource-without-title", "foo")]),
        ("foo; { a => 1 } notice(1)", &[("idem-expression-not-last", "foo")]),
        ("notice { a => 1 }", &[]),
        ("notice { a => 1, a => 2 }", &[("duplicate-key", "a")]),
        ("file { 'a': * => $a, b => 1, * => $c }", &[("multiple-attributes-unfold", "* => $c")]),
        ("file { 'a': * => $a; 'b': * => $c }", &[]),
        ("File['a'] { * => $a, * => $c }", &[]),
        ("file { 'a': b +> 1 }", &[("illegal-attribute-append", "+>")]),
        ("File { b +> 1 }", &[("illegal-attribute-append", "+>")]),
        ("File['a'] { b +> 1 }", &[]),
        ("File <| |> { b +> 1 }", &[]),
        ("@file { 'a': }", &[]),
        ("@class { 'a': }", &[("class-not-virtualizable", "class")]),
        ("@@class { 'a': }", &[("class-not-virtualizable", "class")]),
        ("class { 'a': }", &[]),
        ("@File { a => 1 }", &[("not-virtualizeable", "File")]),
        ("@@File['a'] { a => 1 }", &[("not-virtualizeable", "File['a']")]),
    ]);
}

#[test]
fn collectors_and_values() {
    let query = "illegal-query-expression";
    check_manifests(&[
        ("File <| |> File <<| tag == 'a' and (b != 1 or $c) |>>", &[]),
        ("File <| a =~ b |>", &[(query, "a =~ b")]),
        ("File <| a == 1 and !b |>", &[(query, "!b")]),
        ("File <| a == 1 or (undef) |>", &[(query, "undef")]),
        ("File <<| \"${a}\" |>>", &[(query, "\"${a}\"")]),
        ("file <| |>", &[("illegal-expression", "file")]),
        ("$a <| |>", &[("illegal-expression", "$a")]),
        ("$a = File <| |>", &[("not-rvalue", "File <| |>")]),
        ("$a = (File <| |>)", &[("not-rvalue", "File <| |>")]),
        ("[File <| |>]", &[("not-rvalue", "File <| |>")]),
        ("{ a => File <| |> }", &[("not-rvalue", "File <| |>")]),
        ("\"${File <| |>}\"", &[("not-rvalue", "File <| |>")]),
        ("file { 'a': b => File <| |> }", &[("not-rvalue", "File <| |>")]),
        ("$a ? { File <| |> => 1 }", &[("not-rvalue", "File <| |>")]),
        ("$a ? { 1 => File <| |> }", &[]),
        ("notice(File <| |>)", &[]),
        ("File <| |>.foo", &[]),
        ("$a[File <| |>]", &[]),
        ("File <| |> -> File['a'] ~> File <| |>", &[]),
        ("(File <| |>) -> File['a']", &[("not-rvalue", "File <| |>")]),
        ("$a = class b { }", &[("not-rvalue", "class b"), ("not-top-level", "class b")]),
        (
            "class a { } -> class b { }",
            &[
                ("not-rvalue", "class a"),
                ("not-top-level", "class a"),
                ("not-rvalue", "class b"),
                ("not-top-level", "class b"),
            ],
        ),
    ]);
}

#[test]
fn calls_and_conditionals() {
    check_manifests(&[
        ("foo(1) Foo(1) Foo[1](1) a::b(1) type(1)", &[]),
        ("'foo'(1)", &[("illegal-expression", "'foo'")]),
        ("(foo)(1)", &[("illegal-expression", "(foo)")]),
        ("$a(1)", &[("illegal-expression", "$a")]),
        ("$a[1](1)", &[("illegal-expression", "$a[1]")]),
        ("case $a { 1: { } default: { } }", &[]),
        (
            "case $a { default: { } 1, default: { } default: { } }",
            &[("duplicate-default", "default"), ("duplicate-default", "default")],
        ),
        ("$b = $a ? { default => 1 }", &[]),
        ("$b = $a ? { default => 1, 2 => 3, default => 4 }", &[("duplicate-default", "default")]),
        ("$a = attr", &[("reserved-word", "attr")]),
        ("$a = 'attr'", &[]),
        ("foo(private)", &[("reserved-word", "private")]),
        ("foo() |$a, *$b| { }", &[]),
        ("foo() |*$a, $b| { }", &[("captures-rest-not-last", "*$a")]),
        ("foo() |$a, $a| { }", &[]),
    ]);
}

#[test]
fn names_and_literals() {
    check_manifests(&[
        ("foo($a, $::a, $a::b, $a::_b, $_a, $0, $12)", &[]),
        ("foo($A)", &[("illegal-var-name", "$A")]),
        ("foo($_a::b)", &[("illegal-var-name", "$_a::b")]),
        ("foo($a::B)", &[("illegal-var-name", "$a::B")]),
        ("foo($)", &[("illegal-var-name", "$")]),
        ("foo($01)", &[("illegal-numeric-var-name", "$01")]),
        ("foo($0x1)", &[("illegal-numeric-var-name", "$0x1")]),
        ("\"${a} ${12} ${a[1]}\"", &[]),
        ("\"${010}\"", &[("illegal-numeric-var-name", "010")]),
        ("foo(9223372036854775807, 0x7fffffffffffffff, 0777777777777777777777)", &[]),
        ("foo(9223372036854775808)", &[("numeric-overflow", "9223372036854775808")]),
        ("foo(-9223372036854775808)", &[("numeric-overflow", "9223372036854775808")]),
        ("foo(0x8000000000000000)", &[("numeric-overflow", "0x8000000000000000")]),
        ("foo(01000000000000000000000)", &[("numeric-overflow", "01000000000000000000000")]),
        ("foo(100000000000000000000000.0)", &[]),
        ("foo(/a\\/b[c]+/)", &[]),
        ("foo(/a(b/)", &[("invalid-regex", "/a(b/")]),
        ("foo($a =~ /[/)", &[("invalid-regex", "/[/")]),
    ]);
}

#[test]
fn keys() {
    check_manifests(&[
        ("foo({a => 1, b => 2, 'c' => 3, 1 => 4, 1.0 => 5, true => 6, 'true' => 7})", &[]),
        ("foo({a => 1, 'a' => 2, \"a\" => 3})", &[("duplicate-key", "'a'"), ("duplicate-key", "\"a\"")]),
        ("foo({16 => 1, 0x10 => 2, 020 => 3})", &[("duplicate-key", "0x10"), ("duplicate-key", "020")]),
        ("foo({'a\\'b' => 1, \"a'b\" => 2})", &[("duplicate-key", "\"a'b\"")]),
        ("foo({type => 1, 'type' => 2})", &[("duplicate-key", "'type'")]),
        (
            "foo({undef => 1, undef => 2, default => 3, default => 4})",
            &[("duplicate-key", "undef"), ("duplicate-key", "default")],
        ),
        ("foo({[1, a] => 1, [1, 'a'] => 2, [1.0, a] => 3})", &[("duplicate-key", "[1, 'a']")]),
        ("foo({{a => 1, b => 2} => 1, {b => 2, a => 1} => 2})", &[("duplicate-key", "{b => 2, a => 1}")]),
        ("foo({/a/ => 1, /a/ => 2, /b/ => 3})", &[("duplicate-key", "/a/")]),
        ("foo({$a => 1, $a => 2, Foo => 1, Foo => 2, -1 => 1, -1 => 2, \"${a}\" => 1, \"${a}\" => 2})", &[]),
        ("foo(a => 1, a => 2)", &[("duplicate-key", "a")]),
        ("foo(a => 1, 3, a => 2)", &[]),
        ("$a = [a => 1, b => 2, 'a' => 3]", &[("duplicate-key", "'a'")]),
        ("$a = Foo[a => 1, a => 2]", &[("duplicate-key", "a")]),
        ("type A = B { b => 1 }", &[]),
        ("type A = B { parent => C }", &[("duplicate-key", "parent")]),
        ("type A = Object { 'parent' => C }", &[]),
    ]);
}

#[test]
fn severities() {
    let severity = |source: &str, strict| {
        let settings = ValidationSettings { strict, ..Default::default() };
        let found = validate(&parse(source, Language::Manifest), &settings);
        found.iter().map(|it| it.severity()).collect::<Vec<_>>()
    };
    let repeated_key = "$a = {b => 1, b => 2}";
    assert_eq!(severity(repeated_key, Strict::Off), []);
    assert_eq!(severity(repeated_key, Strict::Warning), [Severity::Warning]);
    assert_eq!(severity(repeated_key, Strict::Error), [Severity::Error]);
    assert_eq!(severity("notice { a => 1, a => 2 }", Strict::Off), []);
    assert_eq!(severity("class plan { }", Strict::Off), [Severity::Deprecation]);
    assert_eq!(severity("1 = 1", Strict::Off), [Severity::Error]);
}

#[test]
fn definitions() {
    let not_top_level = "not-top-level";
    let not_absolute = "not-absolute-top-level";
    check_manifests(&[
        ("class a { class b { } define c { } } function d() { } type E = F node 'g' { }", &[]),
        ("if $a { class b { } }", &[(not_top_level, "class b")]),
        ("if $a { class b { } define c { } }", &[(not_top_level, "class b"), (not_top_level, "define c")]),
        ("foo() |$x| { class b { } }", &[(not_top_level, "class b")]),
        ("define a { class b { } }", &[(not_top_level, "class b")]),
        ("notice(class b { })", &[(not_top_level, "class b")]),
        ("class a { function b() { } }", &[(not_absolute, "function b")]),
        ("class a { type B = C }", &[(not_absolute, "type B")]),
        ("if $a { function b() { } }", &[(not_top_level, "function b")]),
        ("if $a { function b() { } notice(1) }", &[(not_absolute, "function b")]),
        ("class a { node b { } }", &[]),
        ("define a { node b { } }", &[(not_top_level, "node b")]),
        ("class a { class Foo { } }", &[("illegal-definition-name", "Foo")]),
        ("class foo-bar { }", &[("illegal-definition-name", "foo-bar")]),
        ("class ::foo { }", &[("illegal-definition-name", "::foo")]),
        ("define a::_b { }", &[("illegal-definition-name", "a::_b")]),
        ("function ::f() { }", &[("illegal-definition-name", "::f")]),
        ("type ::Foo = Integer", &[("illegal-definition-name", "::Foo")]),
        ("class string { }", &[("reserved-type-name", "string")]),
        ("class a { class string { } }", &[]),
        ("function sensitive() { }", &[("reserved-type-name", "sensitive")]),
        ("type String = Integer", &[]),
        ("class plan { }", &[("future-reserved-word", "plan")]),
        ("class a::plan { }", &[]),
        ("type A = Plan", &[("future-reserved-word", "Plan")]),
        ("function f() >> Plan[1] { }", &[("future-reserved-word", "Plan[1]")]),
        ("type A = [B]", &[("illegal-expression", "[B]")]),
        ("type A = { } type B = C { } type D = E[1]", &[]),
        ("type A { }", &[("unsupported-expression", "type A")]),
        ("type A inherits B { }", &[("unsupported-expression", "type A")]),
        ("type Runtime[ruby, 'x'] = Foo", &[]),
        ("type Runtime[ruby, [/a/, 'b']] = [/c/, 'd']", &[]),
        ("type Runtime[ruby, 'x'] = [/c/, 'd']", &[("illegal-type-mapping", "[/c/, 'd']")]),
        ("type Runtime[ruby, [/a/, 'b']] = Foo", &[("illegal-type-mapping", "Foo")]),
        ("type Runtime[ruby, 'x'] = Foo { a => 1 }", &[("illegal-type-mapping", "Foo")]),
        ("type Foo[1] = Bar", &[("unsupported-expression", "Foo[1]")]),
    ]);
}

#[test]
fn parameters() {
    check_manifests(&[
        ("class a(String $b, $c = 1, $_d) { } define e($f) { } function g(*$h) { }", &[]),
        ("class a($b, $c, $b) { }", &[("duplicate-parameter", "$b")]),
        ("function a($b, $b) { }", &[("duplicate-parameter", "$b")]),
        (
            "class a($name) { } define b($title) { }",
            &[("reserved-parameter", "$name"), ("reserved-parameter", "$title")],
        ),
        ("function a($name, $title) { }", &[]),
        ("class a(*$b) { }", &[("captures-rest-not-supported", "*$b")]),
        ("define a(Any *$b) { }", &[("captures-rest-not-supported", "*$b")]),
        ("function a(*$b, $c) { }", &[]),
        ("class a($1) { }", &[("illegal-numeric-parameter", "$1")]),
        ("class a($0x1) { }", &[("illegal-numeric-parameter", "$0x1")]),
        ("class a($b::c) { }", &[("illegal-param-name", "$b::c")]),
        ("foo() |$A| { }", &[("illegal-param-name", "$A")]),
        ("class a($) { }", &[("illegal-param-name", "$")]),
    ]);
}

#[test]
fn nodes() {
    check_manifests(&[
        ("node a, 'b-c.d', \"e_f\", /g/, default, h.example.com, 1.2 { }", &[]),
        ("node 'a b' { }", &[("illegal-hostname-chars", "'a b'")]),
        ("node a::b { }", &[("illegal-hostname-chars", "a::b")]),
        ("node \"a${b}${c}\" { }", &[("illegal-hostname-interpolation", "b")]),
        ("node @(E) { }\n a\n | E\n", &[("illegal-expression", "@(E)")]),
        ("node a inherits b { }", &[("illegal-node-inheritance", "inherits b")]),
        ("node a inherits default { }", &[("illegal-node-inheritance", "inherits default")]),
    ]);
}

#[test]
fn heredocs() {
    let heredoc = |tag: &str, text: &str| format!("$a = @({tag})\n{text}  | E\n");
    for (tag, text, expected) in [
        ("E:json", "  {\"a\": [1, 2.5e3, null, \"\\u00e9\\q\"]} // more\n", None),
        ("E:json", "  [1, 2,]\n", Some("illegal-json")),
        ("E:json", "", Some("illegal-json")),
        ("E:json", "  NaN\n", Some("illegal-json")),
        ("E:json", "  01\n", Some("illegal-json")),
        ("E:json", "  \"\\ud800\"\n", Some("illegal-json")),
        ("E:a+json", "  {\n", Some("illegal-json")),
        ("E:json+a", "  {\n", None),
        ("E:yaml", "  {\n", None),
        ("\"E\":json", "  { \"${b}\"\n", None),
        ("\"E\":json", "  { \"b\"\n", Some("illegal-json")),
        ("E:base64", "  YWJj\n  ZGVm?\n  YQ==\n", None),
        ("E:base64", "  YQ=\n", Some("illegal-base64")),
        ("E:base64", "  YR==\n", Some("illegal-base64")),
        ("E:base64", "", None),
        ("E:pp", "  $a = 1\n", None),
        ("E:pp", "  $a = = 1\n", Some("illegal-pp")),
        ("E:pp", "  class a { $b }\n", Some("illegal-pp")),
        ("E:pp", "  $a = {b => 1, b => 2}\n", Some("illegal-pp")),
        ("E:x+pp", "  $a = 1\n", Some("illegal-pp")),
        ("E:pp", "  $a = @(F:json)\n    {\n    | F\n", Some("illegal-pp")),
        ("E:epp", "  <% | $a | %>\n  <%= $a %>\n", None),
        ("E:epp", "  <% if %>\n", Some("illegal-epp")),
    ] {
        let source = heredoc(tag, text);
        let found = validate(&parse(&source, Language::Manifest), &ValidationSettings::default());
        let codes: Vec<&str> = found.iter().map(|it| it.code.as_str()).collect();
        assert_eq!(codes, expected.into_iter().collect::<Vec<_>>(), "{source}");
        if let [finding] = &found[..] {
            assert_eq!(&source[finding.range.as_range()], text);
        }
    }
}

#[test]
fn two_heredocs_on_one_line() {
    let source = "foo(@(A:json), @(B:base64), @(C:json))\n  1\n  | A\n  YQ==\n  | B\n  {\n  | C\n";
    check(Language::Manifest, &ValidationSettings::default(), &[(source, &[("illegal-json", "  {\n")])]);
}

#[test]
fn templates() {
    check(
        Language::Epp,
        &ValidationSettings::default(),
        &[
            ("<%- | $a, $b = 1 | -%>\n<%= $a %> text <% $c = 1 %>", &[]),
            ("<% | $a, $a | %>", &[("duplicate-parameter", "$a")]),
            ("<% | *$a | %>", &[("captures-rest-not-supported", "*$a")]),
            ("<% | $a = ($b = 1) | %>", &[("illegal-assignment-context", "$b = 1")]),
            ("<% | $name | %>", &[]),
            ("<% $a %> text", &[("idem-expression-not-last", "$a")]),
            ("<% class a { } %>", &[("not-top-level", "class a")]),
            ("<% function a() { } %>", &[("not-absolute-top-level", "function a")]),
            ("<%= File <| |> %>", &[("not-rvalue", "File <| |>")]),
            ("text <% ($a) %>", &[("illegal-epp-parameters", "text <% ($a)")]),
        ],
    );
}

#[test]
fn plans() {
    let plan = "not-supported-in-plan";
    let apply = "not-supported-in-apply";
    check(
        Language::Plan,
        &ValidationSettings::default(),
        &[
            (
                "plan a(String $b) { apply($b) { file { 'x': } File { a => 1 } File['x'] -> File['y'] File <| |> } }",
                &[],
            ),
            ("plan a() { file { 'x': } }", &[(plan, "file")]),
            ("plan a() { File { a => 1 } File['x'] { a => 1 } }", &[(plan, "File"), (plan, "File['x']")]),
            ("plan a() { File <| |> }", &[(plan, "File <| |>")]),
            ("plan a() { $b -> $c }", &[(plan, "->")]),
            ("plan a() { apply(x) { File <<| |>> } }", &[(apply, "File <<| |>>")]),
            ("plan a() { apply(x) { apply(y) { } } }", &[(apply, "apply")]),
            ("plan a() { apply(x) { node b { } } }", &[]),
            ("node b { }", &[(plan, "node b")]),
            ("class a { } define b { }", &[(plan, "class a"), (plan, "define b")]),
            (
                "plan a() { apply(x) { class b { } function c() { } } }",
                &[(plan, "class b"), ("not-absolute-top-level", "function c")],
            ),
            ("plan a($b, $b) { }", &[("duplicate-parameter", "$b")]),
            ("plan a() { foo { a => 1 } }", &[("resource-without-title", "foo")]),
            ("plan a() { $b notice(1) }", &[("idem-expression-not-last", "$b")]),
        ],
    );
}

#[test]
fn locations() {
    let name = "illegal-definition-location";
    let top = "illegal-top-construct-location";
    let module = ExpectedNamespace::Module { namespace: "foo".to_owned() };
    check(
        Language::Manifest,
        &ValidationSettings { location: module, ..Default::default() },
        &[
            (
                "class foo { } class Foo::Bar { } define foobar { } type Any = Integer",
                &[("illegal-definition-name", "Foo::Bar")],
            ),
            ("class bar { class foo { } }", &[(name, "bar"), (name, "foo")]),
            ("function f() { } define g { }", &[(name, "f"), (name, "g")]),
            ("", &[]),
            ("# only a comment", &[]),
            ("notice(1)", &[(top, "notice(1)")]),
            ("class foo { }\nnode a { }", &[(top, "node a")]),
        ],
    );
    check(
        Language::Manifest,
        &ValidationSettings { location: ExpectedNamespace::Misplaced, ..Default::default() },
        &[("class foo { }", &[(name, "foo")]), ("$a = 1", &[(top, "$a = 1")])],
    );
}

#[test]
fn findings_near_syntax_errors() {
    check(
        Language::Manifest,
        &ValidationSettings::default(),
        &[
            // Findings in the broken statement and the one directly after it are dropped, others are not.
            (
                "1 = 2\n$b = ] $C\nnotice($D)\nfoo($E)",
                &[("illegal-assignment", "1"), ("illegal-var-name", "$E")],
            ),
            // A duplicated token leaves no construct open.
            (
                "1 = 2\n$b = = $C\nnotice($D)\nfoo($E)",
                &[("illegal-assignment", "1"), ("illegal-var-name", "$D"), ("illegal-var-name", "$E")],
            ),
            // A statement before broken code is not reported as having no effect.
            ("class a {\n  $b\n  $c = = 1\n}", &[]),
            ("class a($b, $b) {\n  $c = = 1\n}", &[("duplicate-parameter", "$b")]),
            // After a missing brace, definitions are not where they seem to be.
            ("class a {\n  if $b {\n}\nclass c { }\ndefine d { }", &[]),
            ("class a { foo($B }\nclass c { foo($D) }", &[("illegal-var-name", "$D")]),
        ],
    );
}

/// Each text takes linear time. The second column says whether there are findings besides syntax errors.
#[test]
fn large_sources_take_linear_time() {
    let many = |text: &str| text.repeat(20_000);
    for (source, is_found) in [
        (many("class a {\n"), false),
        (many("if $a {\n"), false),
        (many("$x = = 1\n"), false),
        (many("$a\n"), true),
        (format!("$a = {{{}}}", many("a => 1, ")), true),
        (format!("class a({}) {{ }}", many("$a, ")), true),
        (format!("case $a {{ {} }}", many("default: { } ")), true),
        (format!("$a = /{}/", many("(a|b)*")), false),
        (format!("File <| {} a == 1 |>", many("a == 1 and ")), false),
    ] {
        let found = validate(&parse(&source, Language::Manifest), &ValidationSettings::default());
        assert_eq!(!found.is_empty(), is_found, "{source:.20}: {:?}", found.first());
    }
}
