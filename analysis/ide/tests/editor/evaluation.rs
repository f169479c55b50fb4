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
Puppet::Parser::Functions.newfunction(:any2array) { |args| }
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
