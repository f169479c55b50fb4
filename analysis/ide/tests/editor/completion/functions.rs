//! Completion of functions.

use expect_test::expect;

use super::{check, first};
use crate::at_cursor;

#[test]
fn functions_and_types_in_expression_position() {
    check(
        "$x = re$0\n",
        "re",
        expect![[r#"
            [re]
            reduce Function reduce($1) |\$${2:memo}, \$${3:value}| { $0 }
            return Function return($1)
            realize Function realize $1
            require Function require $1
            regsubst Function regsubst($1)
            reverse_each Function reverse_each($1)
        "#]],
    );
    check(
        "class a {\n  $x = $0\n}\n",
        "In",
        expect![[r#"
            []
            Init Type Init[$1]
            Integer Type -
        "#]],
    );
    check(
        "class a {\n  notice(up$0\n",
        "up",
        expect![[r#"
            [up]
            upcase Function upcase($1)
        "#]],
    );
}

#[test]
fn functions_accepting_the_receiver_come_first() {
    check(
        "$x = [1].$0\n",
        "e",
        expect![[r#"
            []
            each Function each |\$${1:value}| { $0 }
            empty Function -
            emerg Function -
            err Function -
            epp Function -
            eyaml_lookup_key Function eyaml_lookup_key($1)
        "#]],
    );
    check(
        "$x = 'a'.up$0\nclass b { }\n",
        "up",
        expect![[r#"
            [up]
            upcase Function -
        "#]],
    );
    check(
        "$x = 5.0.$0\n",
        "a",
        expect![[r#"
            []
            abs Function -
            alert Function -
            all Function all |\$${1:value}| { $0 }
            annotate Function annotate($1)
            any Function any |\$${1:value}| { $0 }
            assert_type Function assert_type($1)
        "#]],
    );
    check(
        "class a(Hash $h) {\n  $h.ma$0\n}\n",
        "m",
        expect![[r#"
            [ma]
            map Function map |\$${1:value}| { $0 }
            max Function max |\$${1:key}, \$${2:value}| { $0 }
            match Function match($1)
        "#]],
    );
}

#[test]
fn no_second_list_of_arguments() {
    check(
        "$x = up$0('a')\n",
        "upc",
        expect![[r#"
            [up]
            upcase Function -
        "#]],
    );
}

#[test]
fn details_come_on_demand() {
    let details = |fixture: &str, kind, label: &'static str| {
        let details =
            at_cursor(fixture, |analysis, file, _, _| analysis.completion_details(file, kind, label, None));
        let details = details.expect("nothing is cancelled").expect("it is known");
        format!("{}\n---\n{}\n", details.detail, details.documentation.unwrap_or_default())
    };
    expect![[r#"
        abs(Numeric $val) >> Numeric
        abs(String $val) >> Numeric
        ---
        Returns the absolute value of a number.
    "#]]
    .assert_eq(&details("$x = 1\n", ide::CompletionKind::Function, "abs"));
    expect![[r#"
        Enum[values..., ignore case]
        ---
        Strings from a list: `Enum['present', 'absent']`; a final `true` ignores case.
    "#]]
    .assert_eq(&details("$x = 1\n", ide::CompletionKind::Type, "Enum"));
    expect![[r#"
        type A = Integer
        ---
        A.
    "#]]
    .assert_eq(&details("# A.\ntype A = Integer\n", ide::CompletionKind::Type, "A"));
}

#[test]
fn likely_items_come_first() {
    first(
        "include web::params\ninclude we$0\n",
        expect![[r#"
        [we] 2
        web | Class | web | web
        web::params | Class | web | web::params
    "#]],
    );
    first(
        "class b($zone, $port, $portal) {\n  $y = $portal\n  web::site { 'x': port => $$0 }\n}\n",
        expect![[r#"
            [$] 16
            $port | Variable | parameter | $port
            $zone | Variable | parameter | $zone
            $y | Variable | - | $y
            $portal | Variable | parameter | $portal
            $facts | Variable | Hash[String, Any] | $facts
            $title | Variable | Any | $title
        "#]],
    );
    // First the variable named like the attribute, then unused ones.
    first(
        "class b($port, $portal, $user) {\n  notice($port)\n  web::site { 'x': port => $$0 }\n}\n",
        expect![[r#"
            [$] 15
            $port | Variable | parameter | $port
            $portal | Variable | parameter | $portal
            $user | Variable | parameter | $user
            $facts | Variable | Hash[String, Any] | $facts
            $title | Variable | Any | $title
            $caller_module_name | Variable | String | $caller_module_name
        "#]],
    );
    first(
        "class b($enabled, $ensure, $entries) {\n  notice($enabled, $entries)\n  file { 'x': mode => $en$0 }\n}\n",
        expect![[r#"
            [$en] 8
            $ensure | Variable | parameter | $ensure
            $enabled | Variable | parameter | $enabled
            $entries | Variable | parameter | $entries
            $environment | Variable | String | $environment
            $module_name | Variable | String | $module_name
            $caller_module_name | Variable | String | $caller_module_name
        "#]],
    );
    let own = "//- /m/web/templates/zone/one.erb\n//- /m/web/templates/other.erb\n";
    first(
        &format!("{own}//- /m/web/manifests/zone.pp open\n$x = template('$0')\n"),
        expect![[r#"
        [] 2
        web/zone/one.erb | Template | web | web/zone/one.erb
        web/other.erb | Template | web | web/other.erb
    "#]],
    );
    let user = "//- /m/web/manifests/a.pp\nclass web::a { nope::x { 'a': } include zz::b }\n//- /m/zz/manifests/b.pp\nclass zz::b { }\n//- /m/zz/manifests/a.pp\nclass zz::a { }\n";
    first(
        &format!("{user}//- /m/web/manifests/c.pp open\ninclude z$0\n"),
        expect![[r#"
        [z] 2
        zz::b | Class | zz | zz::b
        zz::a | Class | zz | zz::a
    "#]],
    );
}
