//! Completion: which words, in which order, in place of what.

use expect_test::{Expect, expect};

use crate::at_cursor;

/// What is replaced, then the items that begin with that or with `only`, then how many others there are.
#[track_caller]
fn check(fixture: &str, only: &str, expected: Expect) {
    let shown = at_cursor(fixture, |analysis, file, offset, text| {
        let Some(found) = analysis.completions(file, offset).expect("nothing is cancelled") else {
            return "nothing\n".to_owned();
        };
        let mut shown = format!("[{}]\n", &text[found.range.as_range()]);
        for item in found.items.iter().filter(|it| it.label.starts_with(only)) {
            let snippet = item.snippet.as_deref().unwrap_or("-");
            shown.push_str(&format!("{} {} {:?} {snippet}\n", item.rank, item.label, item.kind));
        }
        shown
    });
    expected.assert_eq(&shown);
}

#[test]
fn functions_and_types_where_an_expression_may_stand() {
    check(
        "$x = re$0\n",
        "re",
        expect![[r#"
        [re]
        0 realize Function realize $1
        0 reduce Function reduce($1) |\$${2:memo}, \$${3:value}| { $0 }
        0 regsubst Function regsubst($1)
        0 require Function require $1
        0 return Function return($1)
        0 reverse_each Function reverse_each($1)
    "#]],
    );
    check(
        "class a {\n  $x = $0\n}\n",
        "In",
        expect![[r#"
        []
        1 Init Type Init[$1]
        1 Integer Type -
    "#]],
    );
    check(
        "class a {\n  notice(up$0\n",
        "up",
        expect![[r#"
        [up]
        0 upcase Function upcase($1)
    "#]],
    );
}

#[test]
fn what_the_receiver_fits_comes_first() {
    check(
        "$x = [1].$0\n",
        "e",
        expect![[r#"
        []
        0 each Function each |\$${1:value}| { $0 }
        0 empty Function -
        1 emerg Function -
        1 err Function -
        3 epp Function -
        3 eyaml_lookup_key Function eyaml_lookup_key($1)
    "#]],
    );
    check(
        "$x = 'a'.up$0\nclass b { }\n",
        "up",
        expect![[r#"
        [up]
        0 upcase Function -
    "#]],
    );
    check(
        "$x = 5.0.$0\n",
        "a",
        expect![[r#"
        []
        0 abs Function -
        1 alert Function -
        3 all Function all |\$${1:value}| { $0 }
        3 annotate Function annotate($1)
        3 any Function any |\$${1:value}| { $0 }
        3 assert_type Function assert_type($1)
    "#]],
    );
    check(
        "class a(Hash $h) {\n  $h.ma$0\n}\n",
        "m",
        expect![[r#"
        [ma]
        0 map Function map |\$${1:value}| { $0 }
        1 max Function max |\$${1:key}, \$${2:value}| { $0 }
        1 min Function min |\$${1:key}, \$${2:value}| { $0 }
        3 match Function match($1)
        3 md5 Function -
        3 module_directory Function -
    "#]],
    );
}

#[test]
fn only_types_where_a_type_stands() {
    check(
        "class a(Str$0 $x) { }\n",
        "",
        expect![[r#"
        [Str]
        1 Any Type -
        1 Array Type -
        1 Binary Type -
        1 Boolean Type -
        1 Callable Type -
        1 CatalogEntry Type -
        1 Class Type -
        1 Collection Type -
        1 Data Type -
        1 Default Type -
        1 Deferred Type -
        1 Enum Type Enum[$1]
        1 Error Type -
        1 Float Type -
        1 Hash Type -
        1 Init Type Init[$1]
        1 Integer Type -
        1 Iterable Type -
        1 Iterator Type -
        1 NotUndef Type NotUndef[$1]
        1 Numeric Type -
        1 Object Type Object[$1]
        1 Optional Type Optional[$1]
        1 Pattern Type Pattern[$1]
        1 Regexp Type -
        1 Resource Type -
        1 RichData Type -
        1 RichDataKey Type -
        1 Runtime Type -
        1 Scalar Type -
        1 ScalarData Type -
        1 SemVer Type -
        1 SemVerRange Type -
        1 Sensitive Type -
        1 String Type -
        1 Struct Type Struct[$1]
        1 Target Type -
        1 Timespan Type -
        1 Timestamp Type -
        1 Tuple Type Tuple[$1]
        1 Type Type -
        1 TypeReference Type TypeReference[$1]
        1 TypeSet Type TypeSet[$1]
        1 URI Type -
        1 Undef Type -
        1 Variant Type Variant[$1]
    "#]],
    );
    check(
        "class a(Array[In$0] $x) { }\n",
        "I",
        expect![[r#"
        [In]
        1 Init Type Init[$1]
        1 Integer Type -
        1 Iterable Type -
        1 Iterator Type -
    "#]],
    );
    check(
        "[1].each |$0| { }\n",
        "I",
        expect![[r#"
        []
        1 Init Type Init[$1]
        1 Integer Type -
        1 Iterable Type -
        1 Iterator Type -
    "#]],
    );
    check(
        "function f() >> $0 { }\n",
        "I",
        expect![[r#"
        []
        1 Init Type Init[$1]
        1 Integer Type -
        1 Iterable Type -
        1 Iterator Type -
    "#]],
    );
    check(
        "type A = $0\n",
        "I",
        expect![[r#"
        []
        1 Init Type Init[$1]
        1 Integer Type -
        1 Iterable Type -
        1 Iterator Type -
    "#]],
    );
}

#[test]
fn those_of_the_environment() {
    let modules = "//- environment: module_path=/m\n//- /m/stdlib/functions/own.pp\nfunction stdlib::own() { 1 }\n//- /m/stdlib/types/ip/address.pp\ntype Stdlib::IP::Address = String\n";
    check(
        &format!("{modules}//- /main.pp open\n$x = $0\n"),
        "st",
        expect![[r#"
        []
        0 stdlib::batch_escape Function stdlib::batch_escape($1)
        0 stdlib::crc32 Function stdlib::crc32($1)
        0 stdlib::end_with Function stdlib::end_with($1)
        0 stdlib::ensure_packages Function stdlib::ensure_packages($1)
        0 stdlib::extname Function stdlib::extname($1)
        0 stdlib::fqdn_rand_string Function stdlib::fqdn_rand_string($1)
        0 stdlib::fqdn_rotate Function stdlib::fqdn_rotate($1)
        0 stdlib::has_function Function stdlib::has_function($1)
        0 stdlib::has_interface_with Function stdlib::has_interface_with($1)
        0 stdlib::ip_in_range Function stdlib::ip_in_range($1)
        0 stdlib::merge Function stdlib::merge($1)
        0 stdlib::nested_values Function stdlib::nested_values($1)
        0 stdlib::os_version_gte Function stdlib::os_version_gte($1)
        0 stdlib::own Function stdlib::own($1)
        0 stdlib::powershell_escape Function stdlib::powershell_escape($1)
        0 stdlib::seeded_rand Function stdlib::seeded_rand($1)
        0 stdlib::seeded_rand_string Function stdlib::seeded_rand_string($1)
        0 stdlib::sha256 Function stdlib::sha256($1)
        0 stdlib::shell_escape Function stdlib::shell_escape($1)
        0 stdlib::start_with Function stdlib::start_with($1)
        0 stdlib::str2resource Function stdlib::str2resource($1)
        0 stdlib::to_json Function stdlib::to_json($1)
        0 stdlib::to_json_pretty Function stdlib::to_json_pretty($1)
        0 stdlib::to_python Function stdlib::to_python($1)
        0 stdlib::to_ruby Function stdlib::to_ruby($1)
        0 stdlib::to_toml Function stdlib::to_toml($1)
        0 stdlib::to_yaml Function stdlib::to_yaml($1)
        0 stdlib::xml_encode Function stdlib::xml_encode($1)
        0 step Function step($1)
        0 str2bool Function str2bool($1)
        0 str2saltedsha512 Function str2saltedsha512($1)
        0 strftime Function strftime($1)
        0 strip Function strip($1)
    "#]],
    );
    check(
        &format!("{modules}//- /main.pp open\n$x = St$0\n"),
        "Std",
        expect![[r#"
        [St]
        1 Stdlib::IP::Address Type -
    "#]],
    );
    check(
        &format!("{modules}//- /main.pp open\n$x = stdlib::o$0\n"),
        "stdlib::o",
        expect![[r#"
        [stdlib::o]
        0 stdlib::os_version_gte Function stdlib::os_version_gte($1)
        0 stdlib::own Function stdlib::own($1)
    "#]],
    );
    check(
        "$x = $0\n",
        "dels",
        expect![[r#"
        []
    "#]],
    );
}

#[test]
fn nothing_in_texts_comments_names_and_attributes() {
    for fixture in [
        "# re$0\n",
        "$x = 'a $0'\n",
        "$x = \"a $0 ${y}\"\n",
        "class re$0\n",
        "class a inherits b$0 { }\n",
        "file { '/x': en$0 }\n",
        "file { '/x': ensure => present, $0 }\n",
        "File { ow$0 }\n",
        "$re$0\n",
        "$x = /re$0/\n",
        "$x = 12$0\n",
    ] {
        let found = at_cursor(fixture, |analysis, file, offset, _| analysis.completions(file, offset));
        assert_eq!(found.map(|it| it.is_some()), Ok(false), "{fixture}");
    }
}

#[test]
fn no_second_list_of_arguments() {
    check(
        "$x = up$0('a')\n",
        "upc",
        expect![[r#"
        [up]
        0 upcase Function -
    "#]],
    );
}

#[test]
fn details_come_on_demand() {
    let details = |fixture: &str, kind, label: &'static str| {
        let details =
            at_cursor(fixture, |analysis, file, _, _| analysis.completion_details(file, kind, label));
        let details = details.expect("nothing is cancelled").expect("it is known");
        format!("{}\n---\n{}\n", details.detail, details.documentation.unwrap_or_default())
    };
    expect![[r#"
        abs(Numeric $val) >> Numeric
        abs(String $val) >> Numeric
        ---
        The absolute value of a number.
    "#]]
    .assert_eq(&details("$x = 1\n", ide::CompletionKind::Function, "abs"));
    expect![[r#"
        Enum
        ---
        Strings from a list: `Enum['present', 'absent']`; with `true` at the end in any case.
    "#]]
    .assert_eq(&details("$x = 1\n", ide::CompletionKind::Type, "Enum"));
    expect![[r#"
        type A = Integer
        ---
        A.
    "#]]
    .assert_eq(&details("# A.\ntype A = Integer\n", ide::CompletionKind::Type, "A"));
}
