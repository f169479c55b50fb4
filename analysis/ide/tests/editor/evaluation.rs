//! Evaluation of selected code.

use expect_test::{Expect, expect};
use syntax::TextRange;

use crate::at_cursor;

/// `selected` is the selection, in the file with the cursor.
#[track_caller]
fn check(fixture: &str, selected: &str, expected: Expect) {
    let shown = at_cursor(fixture, |analysis, file, _, text| {
        let start = text.find(selected).expect("the file has the piece") as u32;
        let range = TextRange::new(start, start + selected.len() as u32);
        let found = analysis.prepare_evaluation(file, range).expect("nothing is cancelled").run();
        let mut shown: String =
            found.logs.iter().map(|(level, message)| format!("{level}: {message}\n")).collect();
        for problem in &found.diagnostics {
            let place = problem.range.map_or("elsewhere", |it| &text[it.as_range()]);
            shown += &format!("[{place}] {}: {}\n", problem.code, problem.message);
        }
        if let Some(ty) = &found.ty {
            shown += &format!("{} ({ty})\n", found.value.as_deref().unwrap_or("unknown"));
        }
        shown
    });
    expected.assert_eq(&shown);
}

#[test]
fn classes_and_ruby_functions_exist() {
    let repository = "
//- /env/environment.conf
modulepath = modules
//- /env/modules/a/lib/puppet/functions/a/of_ruby.rb
Puppet::Functions.create_function(:'a::of_ruby') { def of_ruby; `x`; end }
//- /env/modules/a/manifests/db.pp
class a::db (Integer $port) { }
//- /env/modules/a/manifests/site.pp
define a::site { }
//- /env/modules/a/manifests/init.pp
class a {
  include a::db
  a::site { 'x': }
  notice(a::of_ruby())
  include a::dbb$0
}
";
    check(
        repository,
        "include a::db\n",
        expect![[r#"
        [Class[a::db]] (Tuple[Type[Class[a::db]]])
    "#]],
    );
    check(
        repository,
        "a::site { 'x': }",
        expect![[r#"
        [A::Site['x']] (Tuple[Type[A::Site['x']]])
    "#]],
    );
    check(
        repository,
        "notice(a::of_ruby())",
        expect![[r#"
        notice: <Any>
        undef (Undef)
    "#]],
    );
    check(
        repository,
        "include a::dbb",
        expect![[r#"
        [include a::dbb] unknown-class: unknown class `a::dbb`
    "#]],
    );
}

#[test]
fn standalone_code() {
    check(
        "$x = [1, 2].map |$i| { $i * 2 }$0",
        "[1, 2].map |$i| { $i * 2 }",
        expect![[r#"
        [2, 4] (Tuple[Integer[2, 2], Integer[4, 4]])
    "#]],
    );
    check(
        "notice('a') $0 'b'",
        "notice('a')",
        expect![[r#"
        notice: a
        undef (Undef)
    "#]],
    );
    check(
        "$x = 1 + 'a'$0",
        "1 + 'a'",
        expect![[r#"
        ['a'] not-numeric: `'a'` is not a number
    "#]],
    );
    check(
        "$x = 1 + 'a'$0",
        "1 +",
        expect![[r#"
        [+] syntax-error: expected a value after this
    "#]],
    );
    check(
        "$x = 1 + 'a'$0",
        " ",
        expect![[r#"
        undef (Undef)
    "#]],
    );
}

#[test]
fn variables_have_their_values_at_the_selection() {
    check(
        "$x = 3\n$y = $x + 1$0\n",
        "$x + 1",
        expect![[r#"
        4 (Integer[4, 4])
    "#]],
    );
    check(
        "class a(String $name) {\n  $y = $name.length$0\n}\n",
        "$name.length",
        expect![[r#"
        unknown (Integer[0])
    "#]],
    );
    check(
        "$x = 3\n$y = \"a${x}b\"$0\n",
        "\"a${x}b\"",
        expect![[r#"
        'a3b' (String)
    "#]],
    );
    check(
        "$x = $facts['os']['family']$0\n",
        "$facts['os']['family']",
        expect![[r#"
            unknown (String)
        "#]],
    );
    check(
        "$x = $nothing + 1$0\n",
        "$nothing + 1",
        expect![[r#"
        unknown (Variant[Array, Numeric, Timespan, Timestamp])
    "#]],
    );
    check(
        "$x = $apache::params::port + 1$0\n",
        "$apache::params::port + 1",
        expect![[r#"
            unknown (Variant[Array, Numeric, Timespan, Timestamp])
        "#]],
    );
    check(
        "$x = 3\n$y = $x$0\n$y",
        "$x = 3\n$y = $x",
        expect![[r#"
            3 (Integer[3, 3])
        "#]],
    );
}

#[test]
fn functions_and_types_of_the_workspace_are_called() {
    let modules = r#"
//- /modules/m/functions/twice.pp
function m::twice(M::Size $n) >> Integer { m::double::of($n) }
//- /modules/m/functions/double/of.pp
function m::double::of($n) { $n * 2 }
//- /modules/m/types/size.pp
type M::Size = Integer[0, 10]
//- /modules/m/manifests/init.pp
class m { $x = m::twice(4) + 1$0 }
"#;
    check(
        modules,
        "m::twice(4) + 1",
        expect![[r#"
        9 (Integer[9, 9])
    "#]],
    );
    check(
        &modules.replace("twice(4)", "twice(40)"),
        "m::twice(40)",
        expect![[r#"
            [m::twice(40)] argument-mismatch: m::twice(), parameter 'n' expects a M::Size (Integer[0, 10]) value, got Integer 40
        "#]],
    );
    let ruby = r#"
//- /modules/stdlib/lib/puppet/parser/functions/any2array.rb
Puppet::Parser::Functions.newfunction(:any2array) { |arguments| return [] if arguments == [''] }
//- /modules/m/manifests/init.pp
class m { $x = any2array('a')$0 }
"#;
    check(
        ruby,
        "any2array('a')",
        expect![[r#"
        ['a'] (Tuple[String])
    "#]],
    );
}

/// Shows the range that is evaluated for the cursor, or for a selection from the cursor on.
#[track_caller]
fn evaluated(fixture: &str, selected: &str, expected: &str) {
    let found = at_cursor(fixture, |analysis, file, offset, text| {
        let range = TextRange::new(offset, offset + selected.len() as u32);
        assert_eq!(&text[range.as_range()], selected);
        let range = analysis.enclosing_expression(file, range).expect("nothing is cancelled");
        text[range.as_range()].to_owned()
    });
    assert_eq!(found, expected);
}

#[test]
fn the_expression_around_the_cursor_is_evaluated() {
    for (fixture, expected) in [
        ("$x = [1, $02].map |$i| { $i * 2 }", "$x = [1, 2].map |$i| { $i * 2 }"),
        ("$x = [1, 2].map |$i| {\n  $i $0* 2\n}", "$x = [1, 2].map |$i| {\n  $i * 2\n}"),
        ("$x = [1, 2].map |$i| { $i * 2 }$0", "$x = [1, 2].map |$i| { $i * 2 }"),
        ("class a {\n  file { '/x':\n    content => up$0case('b'),\n  }\n}", "upcase('b')"),
        ("class a (\n  Integer $p = 1 $0+ 2,\n) { }", "1 + 2"),
        ("if $facts['a'] =$0= 1 {\n  notice(1)\n}", "$facts['a'] == 1"),
        ("if true {\n  noti$0ce(1)\n}", "notice(1)"),
        ("$x = $0if true { 1 } else { 2 }", "$x = if true { 1 } else { 2 }"),
        ("$x = if $0true { 1 } else { 2 }", "true"),
        ("$x = $y ? { 'a' => 1, default$0 => 2 }", "$x = $y ? { 'a' => 1, default => 2 }"),
        ("$x = { 'a' => { 'b' => $01 } }", "$x = { 'a' => { 'b' => 1 } }"),
        ("notice(\"a ${1 $0+ 2} b\")", "notice(\"a ${1 + 2} b\")"),
        ("case $x {\n  'a': { $y$0 = 1 }\n  default: { }\n}", "$y = 1"),
        ("include $0stdlib\n", "include stdlib"),
        // Resources have no value that could be shown, so the line is evaluated.
        ("  # no$0thing\n", "# nothing"),
        ("$0", ""),
    ] {
        evaluated(fixture, "", expected);
    }
}

#[test]
fn incomplete_selections_are_extended() {
    for (fixture, selected, expected) in [
        ("$x = $01 + 'a'", "1 +", "1 + 'a'"),
        ("$x = [$01, 2].map |$i| { $i * 2 }", "1, 2].map", "[1, 2].map |$i| { $i * 2 }"),
        ("$x = $01 + 2 * 3", "1 + 2", "1 + 2"),
        ("$x = $0 1 + 2  \n$y = 3\n", " 1 + 2  \n", "1 + 2"),
        ("$0$x = 1\n$y = $x + 1\n", "$x = 1\n$y = $x + 1\n", "$x = 1\n$y = $x + 1"),
    ] {
        evaluated(fixture, selected, expected);
    }
}
