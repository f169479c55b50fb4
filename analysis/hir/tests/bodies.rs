//! Lowered bodies of definitions.

use expect_test::{Expect, expect};
use hir::{Expr, lower_file};
use syntax::{Language, SyntaxNode, ast, ast::AstNode};

/// Checks the bodies of all definitions of a manifest.
#[track_caller]
fn check(text: &str, expected: Expect) {
    check_language(text, Language::Manifest, expected);
}

#[track_caller]
fn check_language(text: &str, language: Language, expected: Expect) {
    let lowered = lower_file(&syntax::parse(text, language));
    let bodies = lowered.definitions.iter().map(|it| format!("-- {:?}\n{}", it.key, it.body.dump()));
    expected.assert_eq(&bodies.collect::<String>());
}

#[test]
fn literals() {
    check(
        r#"
$a = [undef, default, true, 10, 0x1f, 017, 1.5, -3, -2.5, 'it\'s', "a\tb", bare, Foo::Bar, /a\/b/]
$b = [9223372036854775807, 9223372036854775808, -9223372036854775808, bare-word, {a => 1, 'b' => 2}, a => 1, b => 2]
"#,
        expect![[r#"
            -- Main 
            (= $a.0 [undef default true 10 31 15 1.5 -3 -2.5 "it's" "a\tb" bare Foo::Bar /a/b/])
            (= $b.1 [9223372036854775807 <invalid number> -9223372036854775808 "bare-word" {(a => 1) ("b" => 2)} {(a => 1) (b => 2)}])
        "#]],
    );
}

#[test]
fn strings() {
    check(
        r#"
notice("a ${x} $y ${z[1]} ${f(1)} ${w.upcase} $::top::b ${if} ${}")
notice(@(X), @("Y":json/t))
  plain $x\t
  | X
  {"a": "$x\t"}
  | - Y
notice(@("Z":text))
  no names
  | Z
"#,
        expect![[r#"
            -- Main 
            (call notice (concat "a " $x " " $y " " (access $z 1) " " (call f 1) " " (call-method $w upcase) " " $top::b " " $if " " undef))
            (call notice "plain $x\\t\n" (heredoc json (concat "{\"a\": \"" $x "\t\"}")))
            (call notice (heredoc text "no names\n"))
        "#]],
    );
}

#[test]
fn operators() {
    check(
        r#"
$a = !$x and 1 + 2 * 3 << 4 == 5 or $y in [1] and $z =~ /r/
$b = ($x)[1, 2][*$y]
$c = $x ? { 1 => 2, default => { a => 1 } }
A['x'] -> B['y'] ~> C['z'] <- D['v'] <~ E['w']
"#,
        expect![[r#"
            -- Main 
            (= $a.0 (or (and (! $x) (== (<< (+ 1 (* 2 3)) 4) 5)) (and (in $y [1]) (=~ $z /r/))))
            (= $b.1 (access (access $x 1 2) (unfold $y)))
            (= $c.2 (? $x (1 => 2) (default => {(a => 1)})))
            (<~ (<- (~> (-> (access A "x") (access B "y")) (access C "z")) (access D "v")) (access E "w"))
        "#]],
    );
}

#[test]
fn calls() {
    check(
        r#"
include a, b
f(1, *$x) |Integer $a, $b = 2, *$c| >> String { $a }
$x.map |$v| { $v }.join(',')
Integer('1')
Foo[bar].new
"#,
        expect![[r#"
            -- Main 
            (call include a b)
            (call f 1 (unfold $x) (lambda (param a.0 Integer) (param b.1 = 2) (param rest c.2) (returns String) (block $a.0)))
            (call-method (call-method $x map (lambda (param v.3) (block $v.3))) join ",")
            (call Integer "1")
            (call-method (access Foo bar) new)
        "#]],
    );
}

#[test]
fn conditionals() {
    check(
        r#"
if $a { 1 } elsif $b { 2 } elsif $c { 3 } else { 4 }
if $a { }
unless $a { 1 } else { 2 }
case $a { 1, 'b': { 1 } default: { } }
"#,
        expect![[r#"
            -- Main 
            (if $a (block 1) (if $b (block 2) (if $c (block 3) (block 4))))
            (if $a (block))
            (unless $a (block 1) (block 2))
            (case $a (when 1 "b" (block 1)) (when default (block)))
        "#]],
    );
}

#[test]
fn resources() {
    check(
        r#"
file { default: mode => '1'; ['a', 'b']: ensure => file, owner +> x, * => $h }
@user { 'u': }
@@class { 'c': if => 1 }
File { mode => '1' }
File['x'] { mode => '2' }
File <| title == 'x' and tag != 'y' |> { mode => '3' }
User <<| |>>
"#,
        expect![[r#"
            -- Main 
            (resource file (default: (mode => "1")) (["a" "b"]: (ensure => file) (owner +> x) (* => $h)))
            (resource virtual user ("u":))
            (resource exported class ("c": (if => 1)))
            (resource-defaults File (mode => "1"))
            (resource-override (access File "x") (mode => "2"))
            (collect File (query (and (== title "x") (!= tag "y"))) (mode => "3"))
            (collect exported User)
        "#]],
    );
}

#[test]
fn definitions_have_separate_bodies() {
    check(
        r#"
class a(Integer $x, $y = $x) inherits a::params {
  class inner { define deep($z) { $z } }
  $w = $x
}
define a($t) { $title }
function a::f(String *$r) >> String { $r }
node 'n', /r/, a.b.c, default { 1 }
type A::T = Variant[Integer, String]
type A::O = { attributes => {} }
type A::P = A::O { attributes => {} }
type Runtime[ruby, 'x'] = Foo
class a { }
notice 1
"#,
        expect![[r#"
            -- Main 
            (definition Class a)
            (definition DefinedType a)
            (definition Function a::f)
            (definition Node 'n', /r/, a.b.c, default)
            (definition TypeAlias a::t)
            (definition TypeAlias a::o)
            (definition TypeAlias a::p)
            (definition TypeMapping )
            (definition Class a #1)
            (call notice 1)
            -- Class a
            inherits a::params
            (param x.0 Integer)
            (param y.1 = $x.0)
            (definition Class a::inner)
            (= $w.2 $x.0)
            -- Class a::inner
            (definition DefinedType a::inner::deep)
            -- DefinedType a::inner::deep
            (param z.0)
            $z.0
            -- DefinedType a
            (param t.0)
            $title
            -- Function a::f
            (param rest r.0 String)
            returns String
            $r.0
            -- Node 'n', /r/, a.b.c, default
            host Name("n")
            host Regex("r")
            host Name("a.b.c")
            host Default
            1
            -- TypeAlias a::t
            (access Variant Integer String)
            -- TypeAlias a::o
            (access Object {(attributes => {})})
            -- TypeAlias a::p
            (access Object {(attributes => {}) ("parent" => A::O)})
            -- TypeMapping 
            (access Runtime ruby "x")
            Foo
            -- Class a #1
        "#]],
    );
}

#[test]
fn variables_and_scopes() {
    check(
        r#"
class a($p) {
  notice($p, $x, $facts, $::top, $a::b, $::a::b::c, $0, $12)
  $x = 1
  [$m, [$n]] = [1, 2]
  if $x { $inside = 1 }
  [1].each |$p, $i| {
    $y = $x
    $x = $i
    [2].each |$j| { notice($p, $x, $y, $inside, $j) }
  }
  notice($y, $i)
}
"#,
        expect![[r#"
            -- Main 
            (definition Class a)
            -- Class a
            (param p.0)
            (call notice $p.0 $x.1 $facts $::top $a::b $a::b::c $0 $12)
            (= $x.1 1)
            (= [$m.2 [$n.3]] [1 2])
            (if $x.1 (block (= $inside.4 1)))
            (call-method [1] each (lambda (param p.5^0) (param i.6) (block (= $y.7 $x.8^1) (= $x.8^1 $i.6) (call-method [2] each (lambda (param j.9) (block (call notice $p.5^0 $x.8^1 $y.7 $inside.4 $j.9)))))))
            (call notice $y $i)
        "#]],
    );
}

#[test]
fn templates() {
    check_language(
        "<%- | String $a, $b = 1 | -%>\nHello <%= $a %>!<%% <%# comment %>\n<% if $b { %>yes<% } -%>\n",
        Language::Epp,
        expect![[r#"
            -- Main 
            (param a.0 String)
            (param b.1 = 1)
            (render-text "Hello ")
            (render $a.0)
            (render-text "!<% \n")
            (if $b.1 (block (render-text "yes")))
            (render-text "")
        "#]],
    );
}

#[test]
fn plans() {
    check_language(
        "plan a::p(TargetSpec $targets) {\n  $x = 1\n  apply($targets, _noop => true) { $x = 2\n notice($x) }\n}\n",
        Language::Plan,
        expect![[r#"
            -- Main 
            (definition Plan a::p)
            -- Plan a::p
            (param targets.0 TargetSpec)
            (= $x.1 1)
            (apply $targets.0 {("_noop" => true)} (block (= $x.2^1 2) (call notice $x.2^1)))
        "#]],
    );
}

#[test]
fn missing_expressions() {
    check(
        r#"
$x = 
file { 'a': ensure => }
$y = $x +
class { }
notice(1)
"#,
        expect![[r#"
            -- Main 
            (= $x.0 <missing>)
            (resource file ("a": (ensure => <missing>)))
            (= $y.1 (+ $x.0 <missing>))
            (resource class)
            (call notice 1)
        "#]],
    );
}

#[test]
fn deep_trees_are_lowered_on_a_small_stack() {
    let deep = [
        ("[", "]"),
        ("(", ")"),
        ("!", ""),
        ("1 + ", "1"),
        ("f(", ")"),
        ("if a { ", " }"),
        ("$x.f |$y| { ", " }"),
    ];
    for (open, close) in deep {
        for depth in [100, 200, 400, 2000] {
            let text = format!("{}1{}", open.repeat(depth), close.repeat(depth));
            let lowered = lower_file(&syntax::parse(&text, Language::Manifest));
            assert!(!lowered.definitions[0].body.exprs.is_empty(), "{open} {depth}");
        }
    }
    let classes = format!("{}{}", "class a { ".repeat(200), "}".repeat(200));
    assert_eq!(lower_file(&syntax::parse(&classes, Language::Manifest)).definitions.len(), 201);
}

const EVERYTHING: &str = r#"
# about a
class a(Integer $x = 1, $y = [$x, { k => "v ${x}" }]) inherits b {
  $z = ($x + 1) * 2 ? { 3 => f($y) |$l| { $l }, default => @(H) } # why
    text
    | H
  if $z { file { 'a': mode => '1'; } } elsif $x { @user { 'u': } } else { $y.each |$e| { notice $e } }
  case $x { 1: { } default: { File <| title == 'a' |> } }
  File['a'] -> File['b']
}
define d($p) { D::E['x'] { a => -1 } }
node x { unless $facts['a'] { include a } }
"#;

/// Replaces the whitespace within lines of a text.
fn with_other_whitespace(text: &str, whitespace: &str) -> String {
    let parse = syntax::parse(text, Language::Manifest);
    let mut changed = String::new();
    for element in parse.syntax().descendants_with_tokens() {
        let Some(token) = element.as_token() else { continue };
        let in_heredoc = token.ancestors().any(|node| node.kind() == syntax::SyntaxKind::HEREDOC_BODY);
        let is_whitespace = matches!(token.kind(), syntax::SyntaxKind::WHITESPACE);
        // Keep the line break before the text of a heredoc.
        if is_whitespace && !in_heredoc && !token.text().contains('\n') {
            changed.push_str(whitespace);
        } else {
            changed.push_str(token.text());
        }
    }
    changed
}

#[test]
fn whitespace_and_comments_do_not_change_bodies() {
    let bodies = |text: &str| -> Vec<_> {
        let lowered = lower_file(&syntax::parse(text, Language::Manifest));
        lowered.definitions.into_iter().map(|it| (it.key, it.body)).collect()
    };
    let expected = bodies(EVERYTHING);
    assert_eq!(expected.len(), 4);
    for whitespace in ["  ", "\t", " /* comment */ "] {
        let text = with_other_whitespace(EVERYTHING, whitespace);
        assert_ne!(text, EVERYTHING);
        assert_eq!(bodies(&text), expected, "{text}");
    }
    let text = EVERYTHING.replace("# about a\n", "\n\n# about\n# b\n").replace("# why", "");
    assert_eq!(bodies(&text), expected);
}

#[test]
fn expressions_and_nodes_map_to_each_other() {
    let parse = syntax::parse(EVERYTHING, Language::Manifest);
    assert_eq!(parse.errors(), []);
    let lowered = lower_file(&parse);
    let root = parse.syntax();
    let mut mapped = 0;
    for definition in &lowered.definitions {
        let map = &definition.source_map;
        for (id, expr) in definition.body.exprs.iter() {
            let node = map.node(id).and_then(|pointer| pointer.to_node(&root));
            let node = node.unwrap_or_else(|| panic!("no node for {expr:?}"));
            assert_ne!(*expr, Expr::Missing);
            assert_eq!(map.expr(&node), Some(id), "{expr:?}");
            mapped += 1;
        }
    }
    assert!(mapped > 60);
    let is_mapped =
        |node: &SyntaxNode| lowered.definitions.iter().any(|it| it.source_map.expr(node).is_some());
    for node in root.descendants().filter(|node| ast::Expr::can_cast(node.kind())) {
        // The hosts of a node are not expressions.
        let is_host = node.parent().is_some_and(|parent| parent.kind() == syntax::SyntaxKind::HOST_LIST);
        assert!(is_host || is_mapped(&node), "{node:?}");
    }
}

#[test]
fn attributes_after_a_statement_call_name_are_a_hash() {
    check(
        "notice { message => 'x', type => 1 }\n",
        expect![[r#"
        -- Main 
        (call notice {("message" => "x") ("type" => 1)})
    "#]],
    );
}
