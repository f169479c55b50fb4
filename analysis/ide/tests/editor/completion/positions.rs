//! Completion at the start of statements and in comments, and positions without completion.

use expect_test::expect;

use super::{check, first};
use crate::at_cursor;

#[test]
fn no_completion_in_strings_comments_and_names() {
    for fixture in [
        "# re$0\n",
        "/* re$0 */",
        "$x = 'a $0'\n",
        "$x = \"a $0 ${y}\"\n",
        "$x = \"a ${y} re$0\"\n",
        "$x = @(END)\n  re$0\n  END\n",
        "class re$0\n",
        "class a(String $re$0) { }\n",
        "class a(String re$0) { }\n",
        "[1].each |$re$0| { }\n",
        "node re$0 { }\n",
        "$x = /re$0/\n",
        "$x = 12$0\n",
        "file { '/x': ensure re$0\n",
    ] {
        let found = at_cursor(fixture, |analysis, file, offset, _| analysis.completions(file, offset));
        assert_eq!(found.map(|it| it.is_some()), Ok(false), "{fixture}");
    }
}

#[test]
fn statements() {
    first(
        "fi$0\n",
        expect![[r#"
            [fi] 13
            file | ResourceType | puppet | file { '$1':⏎  ensure => $2,$0⏎}
            filebucket | ResourceType | puppet | filebucket { '$1':⏎  $0⏎}
            filter | Function | puppet | filter($1) |\$${2:value}| { $0 }
            find_file | Function | puppet | find_file($1)
            find_template | Function | puppet | find_template($1)
            File | ResourceType | reference, puppet | File['$1']
        "#]],
    );
    first(
        "class b {\n  $0\n}\n",
        expect![[r#"
            [] 172
            if | Construct | if … { } | if $1 {⏎  $0⏎}
            unless | Construct | unless … { } | unless $1 {⏎  $0⏎}
            case | Construct | case … { } | case $1 {⏎  $2: {⏎    $0⏎  }⏎  default: {⏎  }⏎}
            cron | ResourceType | cron_core | cron { '$1':⏎  ensure => $2,$0⏎}
            exec | ResourceType | puppet | exec { '$1':⏎  $0⏎}
            file | ResourceType | puppet | file { '$1':⏎  ensure => $2,$0⏎}
        "#]],
    );
    first(
        "class b {\n  if true { }\n  el$0\n}\n",
        expect![[r#"
            [el] 21
            else | Construct | else { } | else {⏎  $0⏎}
            elsif | Construct | elsif … { } | elsif $1 {⏎  $0⏎}
            realize | Function | puppet | realize $1
            selmodule | ResourceType | selinux_core | selmodule { '$1':⏎  ensure => $2,$0⏎}
            selboolean | ResourceType | selinux_core | selboolean { '$1':⏎  $0⏎}
            schedule | ResourceType | puppet | schedule { '$1':⏎  $0⏎}
        "#]],
    );
    first(
        "@us$0\n",
        expect![[r#"
            [us] 4
            user | ResourceType | puppet | user { '$1':⏎  ensure => $2,$0⏎}
            augeas | ResourceType | augeas_core | augeas { '$1':⏎  $0⏎}
            resources | ResourceType | puppet | resources { '$1':⏎  $0⏎}
            scheduled_task | ResourceType | scheduled_task | scheduled_task { '$1':⏎  ensure => $2,$0⏎}
        "#]],
    );
    first(
        "web::$0\n",
        expect![[r#"
            [web::] 8
            web::site | ResourceType | web | web::site { '$1':⏎  $0⏎}
            web::url | Function | web | web::url($1)
            $web::tls | Variable | - | $web::tls
            $web::mode | Variable | - | $web::mode
            $web::port | Variable | - | $web::port
            $web::ensure | Variable | - | $web::ensure
        "#]],
    );
    first(
        "include web\ncl$0",
        expect![[r#"
            [cl] 13
            class | Construct | define a class | # @summary $2⏎class $1 (⏎  $3⏎) {⏎  $0⏎}
            Class | ResourceType | reference, puppet | Class['$1']
            include | Function | puppet | include $1
            schedule | ResourceType | puppet | schedule { '$1':⏎  $0⏎}
            scheduled_task | ResourceType | scheduled_task | scheduled_task { '$1':⏎  ensure => $2,$0⏎}
            call | Function | puppet | call($1)
        "#]],
    );
    first(
        "if $x i$0\n",
        expect![[r#"
        [i] 1
        in | Keyword | - | in
    "#]],
    );
    first(
        "class b in$0\n",
        expect![[r#"
        [in] 1
        inherits | Keyword | - | inherits
    "#]],
    );
}

#[test]
fn comments() {
    first(
        "# lint:ignore:arr$0\n",
        expect![[r#"
            [arr] 61
            arrow_alignment | LintCheck | alignment of arrows | arrow_alignment
            arrow_on_right_operand_line | LintCheck | position of chaining arrows | arrow_on_right_operand_line
            space_before_arrow | LintCheck | whitespace before an arrow | space_before_arrow
            hash-arrow-alignment | LintCheck | Checks for hashes, selectors, resource defaults and overrides whose arrows are not aligned. | hash-arrow-alignment
            bad-array-slice-arity | LintCheck | Checks for array accesses with no argument or with more than two arguments. | bad-array-slice-arity
            manifest_whitespace_arrows_single_space_after | LintCheck | Checks for arrows (`=>`) that are not followed by exactly one space. | manifest_whitespace_arrows_single_space_after
        "#]],
    );
    first(
        "$x = 1 # lint:ig$0\n",
        expect![[r#"
        [lint:ig] 2
        lint:ignore: | LintCheck | from here, or on this line | lint:ignore:
        lint:endignore | LintCheck | up to here | lint:endignore
    "#]],
    );
    first(
        "# @pa$0\nclass a($x) { }\n",
        expect![[r#"
        [@pa] 1
        @param | DocumentationTag | parameter | @param
    "#]],
    );
    first(
        "# @param x one\n# @param $0\nclass a($x, String $y_y) { }\n",
        expect![[r#"
        [] 1
        y_y | Variable | String | y_y
    "#]],
    );
    first(
        "# foo @pa$0\n",
        expect![[r#"
        nothing
    "#]],
    );
}

#[test]
fn rules_that_comments_turn_off() {
    check(
        "# lint:ignore:unus$0\n",
        "",
        expect![[r#"
            [unus]
            unused-file LintCheck -
            unused-type LintCheck -
            unused-class LintCheck -
            unused-define LintCheck -
            unused-module LintCheck -
            unused-function LintCheck -
            unused-template LintCheck -
            unused-variable LintCheck -
            unused-hiera-key LintCheck -
            unused-parameter LintCheck -
            unquoted_string_in_case LintCheck -
            unquoted_string_in_selector LintCheck -
            unquoted_resource_title LintCheck -
            resource_reference_without_whitespace LintCheck -
            unsupported-expression LintCheck -
        "#]],
    );
}

/// Returns the first item at the cursor.
fn best(code: &str) -> String {
    at_cursor(code, |analysis, file, offset, _| {
        let found = analysis.completions(file, offset).expect("nothing is cancelled");
        let first = found.as_ref().and_then(|it| it.items.first());
        first.map_or("nothing".to_owned(), |it| format!("{} {:?}", it.label, it.kind))
    })
}

#[test]
fn attributes_without_spaces() {
    for code in [
        "file{'/x':ensure=>fi$0}",
        "file{'/x':ensure=>fi$0",
        "file { '/x':\n  ensure=>fi$0\n}",
        "file { '/x':\n  ensure=>fi$0,mode=>'0644'\n}",
        "file { '/x':\n  ensure=>'fi$0',mode=>'0644'\n}",
        "file{'/x':mode=>'0644',ensure=>fi$0}",
        "file{['/x','/y']:ensure=>fi$0;}",
        "file{'/x':ensure=>$y?{1=>fi$0}}",
        "File{ensure=>fi$0}",
        "File['/x']{ensure=>fi$0}",
        "class a{file{'/x':ensure=>fi$0}}",
    ] {
        assert_eq!(best(&format!("{code}\n")), "file Value", "{code}");
        let empty = code.replace("fi$0", "$0");
        assert!(best(&format!("{empty}\n")).ends_with(" Value"), "{empty}");
    }
    for code in [
        "file{'/x':own$0}",
        "file{'/x':own$0",
        "file{'/x':own$0=>root}",
        "file{'/x':mode=>'0644',own$0}",
        "File{own$0}",
    ] {
        assert_eq!(best(&format!("{code}\n")), "owner Attribute", "{code}");
    }
}

#[test]
fn method_calls_on_a_new_line() {
    for code in [
        "$x = [1]\n  .ma$0\n",
        "$x = [1]\n  .ma$0",
        "$x = [1]\n  # why\n  .ma$0\n",
        "$x = [1]\n  .filter |$y| { $y }\n  .ma$0\nnotice($x)\n",
        "$x = [1].filter |$y| {\n  $y\n}\n.ma$0\n",
        "class a($x) {\n  $x.keys\n    .ma$0\n}\n",
        "class a($x) {\n  $x\n    .ma$0\n  file { '/x': }\n}\n",
        "class a(Hash $x) {\n  $x\n    .ma$0\n  $y = 1\n}\n",
        "file { '/x':\n  content => $x\n    .ma$0\n}\n",
        "notice([1]\n  .ma$0\n)\n",
        "file { '/x':\n  content => [1]\n    .ma$0,\n  mode => '0644',\n}\n",
        "include a\n  .ma$0\n",
    ] {
        assert_eq!(best(code), "map Function", "{code}");
        let empty = code.replace(".ma$0", ".$0");
        assert!(best(&empty).ends_with(" Function"), "{}: {empty}", best(&empty));
    }
    // The functions that accept the receiver are first.
    first(
        "$x = [[1], [2]]\n  .fl$0\n$y = 1\n",
        expect![[r#"
            [fl] 8
            flatten | Function | puppet | flatten
            floor | Function | puppet | floor
            filter | Function | puppet | filter |\$${1:value}| { $0 }
            fail | Function | puppet | fail
            file | Function | puppet | file
            find_file | Function | puppet | find_file
        "#]],
    );
}
