use expect_test::{Expect, expect};
use syntax::Language;

use super::*;

fn check(language: Language, text: &str, expected: Expect) {
    let parse = syntax::parse(text, language);
    let mut lines = String::new();
    print(&document_symbols(&parse), text, 0, &mut lines);
    expected.assert_eq(&lines);
}

fn print(symbols: &[DocumentSymbol], text: &str, depth: usize, lines: &mut String) {
    for symbol in symbols {
        assert!(symbol.range.contains_range(symbol.selection));
        let detail = symbol.detail.as_ref().map(|it| format!(" -- {it}")).unwrap_or_default();
        let selection = &text[symbol.selection.as_range()];
        let indent = "  ".repeat(depth);
        let kind = match symbol.kind {
            DocumentSymbolKind::Named(kind) => format!("{kind:?}"),
            kind => format!("{kind:?}"),
        };
        lines.push_str(&format!("{indent}{kind} {}{detail} | {selection:?}\n", symbol.name));
        print(&symbol.children, text, depth + 1, lines);
    }
}

#[test]
fn every_kind_of_definition() {
    check(
        Language::Manifest,
        "class a::b (String $x, Optional[Hash[String, Any]] $y = {}) inherits a { class inner ($z) { } }\n\
             define a::d(Integer *$rest) { $local = 1 }\n\
             function a::f($p) >> Array[String] { $local = $p.map |$l| { $l } }\n\
             node 'x.example.com', /^y/, default { $role = 'z' }\n\
             type A::T = Variant[String,\n  Integer]\n\
             type Runtime[ruby, 'X'] = A::T\n\
             $top = 1\n",
        expect![[r#"
                Class a::b -- inherits a | "a::b"
                  Parameter $x -- String | "$x"
                  Parameter $y -- Optional[Hash[String, Any]] | "$y"
                  Class a::b::inner | "inner"
                    Parameter $z | "$z"
                DefinedType a::d | "a::d"
                  Parameter $rest -- Integer | "$rest"
                Function a::f -- >> Array[String] | "a::f"
                  Parameter $p | "$p"
                Node 'x.example.com', /^y/, default | "'x.example.com', /^y/, default"
                  Variable $role | "$role"
                Type A::T -- Variant[String, Integer] | "A::T"
                Type Runtime[ruby, 'X'] -- A::T | "Runtime[ruby, 'X']"
                Variable $top | "$top"
            "#]],
    );
    check(
        Language::Plan,
        "plan a(TargetSpec $nodes) { apply($nodes) { file { '/x': } } }",
        expect![[r#"
                Plan a | "a"
                  Parameter $nodes -- TargetSpec | "$nodes"
                  Resource File[/x] | "'/x'"
            "#]],
    );
    check(
        Language::Epp,
        "<%- | String $x, $y = 1 | -%>\n<%= $x %>\n",
        expect![[r#"
                Parameter $x -- String | "$x"
                Parameter $y | "$y"
            "#]],
    );
}

#[test]
fn resources_in_all_their_forms() {
    check(
        Language::Manifest,
        "class a {\n\
             if $x { file { '/a': ; \"/b/${c}\": mode => '0644' } }\n\
             @user { ['x', 'y', $z]: } @@apache::vhost { $title: }\n\
             class { '::b': }\n\
             File { mode => '0600' }\n\
             File['/a'] { owner => 'x' }\n\
             File <| tag ==\n 'x' |> { mode => '1' }\n\
             Package['p'] -> service { 's': }\n\
             $list.each |$i| { notify { $i: } }\n\
             }",
        expect![[r#"
                Class a | "a"
                  Resource File[/a] | "'/a'"
                  Resource File["/b/${c}"] | "\"/b/${c}\""
                  Resource User[x, y, $z] -- virtual | "['x', 'y', $z]"
                  Resource Apache::Vhost[$title] -- exported | "$title"
                  Resource Class[::b] | "'::b'"
                  ResourceDefaults File -- defaults | "File"
                  ResourceOverride File['/a'] -- override | "File['/a']"
                  Collector File <| tag == 'x' |> | "File <| tag ==\n 'x' |>"
                  Resource Service[s] | "'s'"
                  Resource Notify[$i] | "$i"
            "#]],
    );
}

#[test]
fn valid_parts_of_broken_files_are_listed() {
    check(
        Language::Manifest,
        "class a ($x, $) {\n  file { '/x': ensure => }\n  $v = \n}\nclass {\n}\ndefine b($y) {\n  file { : }\n",
        expect![[r#"
                Class a | "a"
                  Parameter $x | "$x"
                  Parameter $ | "$"
                  Resource File[/x] | "'/x'"
                  Variable $v | "$v"
                DefinedType b | "b"
                  Parameter $y | "$y"
                  Resource File[] | ":"
            "#]],
    );
}
