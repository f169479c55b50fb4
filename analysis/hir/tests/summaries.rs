//! Summaries of definitions.

use expect_test::{Expect, expect};
use hir::{ItemSummary, summarize};
use syntax::Language;

fn summary(text: &str) -> ItemSummary {
    summarize(&syntax::parse(text, Language::Manifest))
}

#[track_caller]
fn check(text: &str, expected: Expect) {
    let summary = summary(text);
    let mut lines = String::new();
    for definition in summary.definitions.iter().skip(1) {
        lines.push_str(&format!("{:?} {}", definition.key, definition.name));
        if let Some(parent) = definition.parent {
            lines.push_str(&format!(" in {:?}", summary.definitions[parent as usize].key));
        }
        if let Some(inherits) = &definition.inherits {
            lines.push_str(&format!(" inherits {inherits}"));
        }
        for parameter in &definition.parameters {
            let type_expr =
                parameter.type_expr.map(|it| format!("{:?} ", definition.types[it])).unwrap_or_default();
            let rest = if parameter.captures_rest { "*" } else { "" };
            let default = if parameter.has_default { " = ..." } else { "" };
            lines.push_str(&format!("\n  {type_expr}{rest}${}{default}", parameter.name));
        }
        for (what, expr) in [("returns", definition.return_type), ("is", definition.aliased)] {
            lines.extend(expr.map(|expr| format!("\n  {what} {:?}", definition.types[expr])));
        }
        for host in &definition.hosts {
            lines.push_str(&format!("\n  host {host:?}"));
        }
        lines.extend(definition.documentation.as_ref().map(|text| format!("\n  doc {text:?}")));
        lines.push('\n');
    }
    expected.assert_eq(&lines);
}

#[test]
fn definitions() {
    check(
        r#"
# A class.
#
#   code
#@param x an x
class Foo::a(Integer $x, $y = 1) inherits foo {
  class b { define c { } }
  define ::d() { }
}
function f(String *$r) >> Integer { 1 }
type My::T = Enum[a]
node 'a.b', default { }
class foo::a { }
define { }
"#,
        expect![[r#"
            Class foo::a Foo::a inherits foo
              TypeReference("Integer") $x
              $y = ...
              doc "A class.\n\n  code\n@param x an x"
            Class foo::a::b Foo::a::b in Class foo::a
            DefinedType foo::a::b::c Foo::a::b::c in Class foo::a::b
            DefinedType foo::a::d Foo::a::d in Class foo::a
            Function f f
              TypeReference("String") *$r
              returns TypeReference("Integer")
            TypeAlias my::t My::T
              is Access { lhs: ExprId(0), keys: [ExprId(1)] }
            Node 'a.b', default 
              host Name("a.b")
              host Default
            Class foo::a #1 foo::a
            DefinedType  
        "#]],
    );
}

#[test]
fn documentation_is_directly_above() {
    check(
        r#"
# far away

class a { } # beside
class b { }
# one
# two
class c { }
  # indented
  class d { }
/* block */
class e { }
#no blank
#
class f { }
"#,
        expect![[r#"
            Class a a
            Class b b
            Class c c
              doc "one\ntwo"
            Class d d
              doc "indented"
            Class e e
            Class f f
              doc "no blank\n"
        "#]],
    );
    check(
        "# at the start\r\n# with carriage returns\r\nclass a { }\r\n",
        expect![[r#"
        Class a a
          doc "at the start\nwith carriage returns"
    "#]],
    );
}

#[test]
fn bodies_whitespace_and_plain_comments_do_not_matter() {
    let before = summary("class a($x = 1) {\n  $y = 2\n}\n");
    for same in ["class a( $x=1 ) { }", "# other\n\nclass a($x = 2) {\n  # y\n  $y = f(3)\n  notice 1\n}\n"] {
        assert_eq!(summary(same), before, "{same}");
    }
    for different in
        ["class a($x) { }", "class a(String $x = 1) { }", "# doc\nclass a($x = 1) { }", "class b($x = 1) { }"]
    {
        assert_ne!(summary(different), before, "{different}");
    }
}
