use expect_test::{Expect, expect};
use syntax::Language;

use super::*;

fn check(language: Language, text: &str, expected: Expect) {
    let parse = syntax::parse(text, language);
    let tokens = semantic_tokens(&parse, None);
    for pair in tokens.windows(2) {
        assert!(pair[0].range.end <= pair[1].range.start, "{pair:?}");
    }
    let line = |it: &SemanticToken| {
        let mut line = format!("{:?} {:?}", &text[it.range.as_range()], it.kind);
        for modifier in it.modifiers.names() {
            line.push(' ');
            line.push_str(modifier);
        }
        line + "\n"
    };
    expected.assert_eq(&tokens.iter().map(line).collect::<String>());
}

#[test]
fn definitions_and_parameters() {
    check(
        Language::Manifest,
        "class a (String $x = $y) inherits b { $z = $x; [$p, $q] = f() }",
        expect![[r#"
                "class" Keyword
                "a" Class declaration
                "String" Type defaultLibrary
                "$x" Parameter declaration
                "=" Operator
                "$y" Variable
                "inherits" Keyword
                "b" Class
                "$z" Variable declaration
                "=" Operator
                "$x" Parameter
                "$p" Variable declaration
                "$q" Variable declaration
                "=" Operator
                "f" Function
            "#]],
    );
    check(
        Language::Manifest,
        "define a::d($x) { $x.each |My::T $i| { notice($x, $i, $j) } notice($i) }\n\
             function f(*$r) >> Integer { 1 }\ntype A::B = Enum[x]\nnode 'a', default { include c, ::d }",
        expect![[r#"
            "define" Keyword
            "a::d" Type declaration
            "$x" Parameter declaration
            "$x" Parameter
            "each" Function defaultLibrary
            "My::T" Type
            "$i" Parameter declaration
            "notice" Function defaultLibrary
            "$x" Parameter
            "$i" Parameter
            "$j" Variable
            "notice" Function defaultLibrary
            "$i" Variable
            "function" Keyword
            "f" Function declaration
            "*" Operator
            "$r" Parameter declaration
            ">>" Operator
            "Integer" Type defaultLibrary
            "1" Number
            "type" Keyword
            "A::B" Type declaration
            "=" Operator
            "Enum" Type defaultLibrary
            "x" Bareword
            "node" Keyword
            "'a'" String
            "default" Keyword
            "include" Statement defaultLibrary
            "c" Class
            "::d" Class
        "#]],
    );
    check(
        Language::Plan,
        "plan p($t) { apply($t) { } }",
        expect![[r#"
                "plan" Keyword
                "p" Function declaration
                "$t" Parameter declaration
                "apply" Keyword
                "$t" Parameter
            "#]],
    );
}

#[test]
fn resources() {
    check(
        Language::Manifest,
        "@@file { 'x': ensure => present, require => File['y'], mode +> $m; default: * => $h }\n\
             a::b { 'c': type => 1, if => undef }\nclass { 'd': }\nUser <| name == 'x' and tag != y |> { uid => 1 }\n\
             Package['p'] ~> Service['s']",
        expect![[r#"
            "@@" Operator
            "file" Type defaultLibrary
            "'x'" String
            "ensure" Property
            "=>" Operator
            "present" Bareword
            "require" Property defaultLibrary
            "=>" Operator
            "File" Type defaultLibrary
            "'y'" String
            "mode" Property
            "+>" Operator
            "$m" Variable
            "default" Keyword
            "*" Operator
            "=>" Operator
            "$h" Variable
            "a::b" Type
            "'c'" String
            "type" Property
            "=>" Operator
            "1" Number
            "if" Property
            "=>" Operator
            "undef" Keyword
            "class" Keyword
            "'d'" String
            "User" Type defaultLibrary
            "<|" Operator
            "name" Property
            "==" Operator
            "'x'" String
            "and" Operator
            "tag" Property defaultLibrary
            "!=" Operator
            "y" Bareword
            "|>" Operator
            "uid" Property
            "=>" Operator
            "1" Number
            "Package" Type defaultLibrary
            "'p'" String
            "~>" Operator
            "Service" Type defaultLibrary
            "'s'" String
        "#]],
    );
}

#[test]
fn expressions() {
    check(
        Language::Manifest,
        "if $facts['os'] =~ /x/ and !true or 1.5 in [0x1f] { fail('x') } elsif $1 { } else { $trusted }\n\
             case $x { default: { } }\n$h = { a => 'b', 'c' => d, type => default }\n\
             $x ? { 'a' => 1 }.lest || { my::f() }\nunless $::a::b == undef { Integer('1') } /* c */ # d",
        expect![[r##"
            "if" Keyword
            "$facts" Variable readonly defaultLibrary
            "'os'" String
            "=~" Operator
            "/x/" Regex
            "and" Operator
            "!" Operator
            "true" Keyword
            "or" Operator
            "1.5" Number
            "in" Operator
            "0x1f" Number
            "fail" Statement defaultLibrary
            "'x'" String
            "elsif" Keyword
            "$1" Variable readonly defaultLibrary
            "else" Keyword
            "$trusted" Variable readonly defaultLibrary
            "case" Keyword
            "$x" Variable
            "default" Keyword
            "$h" Variable declaration
            "=" Operator
            "a" Property
            "=>" Operator
            "'b'" String
            "'c'" String
            "=>" Operator
            "d" Bareword
            "type" Property
            "=>" Operator
            "default" Keyword
            "$x" Variable
            "?" Operator
            "'a'" String
            "=>" Operator
            "1" Number
            "lest" Function defaultLibrary
            "my::f" Function
            "unless" Keyword
            "$::a::b" Variable
            "==" Operator
            "undef" Keyword
            "Integer" Type defaultLibrary
            "'1'" String
            "/* c */" Comment
            "# d" Comment
        "##]],
    );
}

#[test]
fn texts() {
    check(
        Language::Manifest,
        r#"$x = 'a\'b' notice("a\n${b}$c ${d['e\n']} ${x.y} \q")"#,
        expect![[r#"
                "$x" Variable declaration
                "=" Operator
                "'a" String
                "\\'" Escape
                "b'" String
                "notice" Function defaultLibrary
                "\"" String
                "a" String
                "\\n" Escape
                "${" Operator
                "b" Variable
                "}" Operator
                "$c" Variable
                " " String
                "${" Operator
                "d" Variable
                "'e\\n'" String
                "}" Operator
                " " String
                "${" Operator
                "x" Variable
                "y" Function
                "}" Operator
                " \\q" String
                "\"" String
            "#]],
    );
    check(
        Language::Manifest,
        "f(@(\"A\"/n), @(B:json))\n a\\n\\t ${x} \"${y}\\t\"\n |- A\n\\n $z\nB\n",
        expect![[r#"
                "f" Function
                "@(\"A\"/n)" String
                "@(B:json)" String
                " a" String
                "\\n" Escape
                "\\t " String
                "${" Operator
                "x" Variable
                "}" Operator
                " \"" String
                "${" Operator
                "y" Variable
                "}" Operator
                "\\t\"" String
                "\n |- A\n" String
                "\\n $z\n" String
                "B\n" String
            "#]],
    );
    check(
        Language::Epp,
        "<%- | $x | -%>\ntext <%# no %>\n<%= $x %> <% if $x { %>a<% } %>",
        expect![[r#"
                "<%-" TemplateTag
                "$x" Parameter declaration
                "-%>" TemplateTag
                "text " String
                "<%# no %>" Comment
                "\n" String
                "<%=" TemplateTag
                "$x" Parameter
                "%>" TemplateTag
                " " String
                "<%" TemplateTag
                "if" Keyword
                "$x" Parameter
                "%>" TemplateTag
                "a" String
                "<%" TemplateTag
                "%>" TemplateTag
            "#]],
    );
}

#[test]
fn broken_files() {
    check(
        Language::Manifest,
        "class { $x = \n file { 'a': ensure => \"b${c\n",
        expect![[r#"
            "class" Keyword
            "$x" Variable declaration
            "=" Operator
            "file" Type defaultLibrary
            "'a'" String
            "ensure" Property
            "=>" Operator
            "\"" String
            "b" String
            "${" Operator
            "c" Bareword
        "#]],
    );
}

#[test]
fn a_range_has_the_tokens_that_touch_it() {
    let text = "define d($x) {\n  $y = $x\n  $z = @(E)\n    a\n    | E\n}\n";
    let parse = syntax::parse(text, Language::Manifest);
    let all = semantic_tokens(&parse, None);
    for start in 0..text.len() as u32 {
        let range = TextRange::new(start, start + 9);
        let expected: Vec<_> = all.iter().filter(|it| it.range.intersects(range)).copied().collect();
        assert_eq!(semantic_tokens(&parse, Some(range)), expected, "{range}");
    }
}
