//! Completion in ERB templates.

use expect_test::expect;

use super::check;

fn template(text: &str) -> String {
    format!(
        "//- environment: roots=/
//- /modules/a/manifests/init.pp
class a(String $config_dir) inherits a::params {{
  $config_file = 'x.conf'
  file {{ '/x': content => template('a/x.erb') }}
}}
//- /modules/a/manifests/params.pp
class a::params {{ $config_mode = '0644' }}
//- /modules/a/templates/x.erb
{text}"
    )
}

#[test]
fn variables_of_the_class_that_renders() {
    check(
        &template("a <%= @con$0 %>\n"),
        "",
        expect![[r#"
        [con]
        @config_dir Variable config_dir
        @config_file Variable config_file
        @config_mode Variable config_mode
        @caller_module_name Variable caller_module_name
        @clientversion Fact clientversion
        @facterversion Fact facterversion
        @agent_specified_environment Fact agent_specified_environment
    "#]],
    );
    check(
        &template("a <%= scope['a::params::c$0'] %>\n"),
        "",
        expect![[r#"
        [a::params::c]
        a::params::config_mode Variable -
    "#]],
    );
    check(
        &template("a <%= scope.call_function('regsub$0') %>\n"),
        "",
        expect![[r#"
        [regsub]
        regsubst Function -
    "#]],
    );
}

#[test]
fn nothing_outside_of_ruby() {
    check(
        &template("a @con$0\n"),
        "",
        expect![[r#"
        nothing
    "#]],
    );
    check(
        &template("<%# @con$0 %>\n"),
        "",
        expect![[r#"
        nothing
    "#]],
    );
    check(
        &template("<%= con$0 %>\n"),
        "",
        expect![[r#"
        nothing
    "#]],
    );
}
