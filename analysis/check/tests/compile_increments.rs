//! What an edit compiles again: counts, never times.

use check::{Tier, diagnostics};
use expect_test::{Expect, expect};
use project::FileRole;
use project::testing::{TestWorkspace, check_incremental};

const PARAMS: &str = r#"class web::params inherits web::release {
  case $facts['os']['family'] {
    'Debian': { $package = 'nginx' }
    default: { $package = $web::release::product }
  }
  $user = 'www'
}
"#;

fn repo() -> String {
    format!(
        r#"
//- environment: roots=/modules module_path=/modules
//- /modules/web/metadata.json
{{ "name": "me-web", "version": "1.0.0", "operatingsystem_support": [
  {{ "operatingsystem": "Debian", "operatingsystemrelease": ["12"] }},
  {{ "operatingsystem": "RedHat", "operatingsystemrelease": ["9"] }}
] }}
//- /modules/web/manifests/release.pp
class web::release {{ $product = $facts['os']['name'] ? {{ 'Fedora' => 'httpd', default => 'apache' }} }}
//- /modules/web/manifests/params.pp
{PARAMS}
//- /modules/web/manifests/init.pp
class web($package = $web::params::package) inherits web::params {{
  package {{ $package: }}
}}
//- /modules/web/manifests/account.pp
class web::account {{
  include web::params
  user {{ $web::params::user: }}
}}
//- /modules/web/manifests/plain.pp
class web::plain {{
  notify {{ 'plain': }}
}}
"#
    )
}

fn ask(workspace: &TestWorkspace) {
    for file in workspace.files() {
        diagnostics(&workspace.db, file, Tier::Catalogs);
    }
}

/// The compiles of classes, and the evaluations of those that only set variables, that an edit of `web::params` executes.
#[track_caller]
fn check(from: &str, to: &str, expected: Expect) {
    assert!(PARAMS.contains(from));
    let edit = format!("//- /modules/web/manifests/params.pp\n{}", PARAMS.replace(from, to));
    let executed = check_incremental(&repo(), &edit, ask);
    let ours =
        executed.lines().filter(|line| line.starts_with("compiled_class") || line.starts_with("variables"));
    expected.assert_eq(&ours.map(|line| format!("{line}\n")).collect::<String>());
}

#[test]
fn a_variable_that_nobody_reads_compiles_nothing_again() {
    check(
        "  $user",
        "  $group = 'www'\n  $user",
        expect![[r#"
            compiled_class 1
            variables 2
        "#]],
    );
}

#[test]
fn a_variable_concerns_those_that_read_it() {
    check(
        "'www'",
        "'web'",
        expect![[r#"
            compiled_class 2
            variables 2
        "#]],
    );
    check(
        "'nginx' ",
        "'nginx-light' ",
        expect![[r#"
            compiled_class 2
            variables 2
        "#]],
    );
}

#[test]
fn what_declares_something_is_compiled_wherever_it_is_included() {
    check(
        "  $user",
        "  notify { 'x': }\n  $user",
        expect![[r#"
            compiled_class 6
        "#]],
    );
}

/// On how many of the two platforms the class `web` compiles, which fails where one of `conditions` does not hold.
#[track_caller]
fn check_values(params: &str, includes: &str, conditions: &[&str]) {
    for condition in conditions {
        let fixture = format!(
            "{}//- /modules/web/manifests/params.pp\n{params}\n\
             //- /modules/web/manifests/init.pp\nclass web {includes}\n  unless {condition} {{ fail('x') }}\n}}\n",
            repo().split("//- /modules/web/manifests").next().unwrap_or_default()
        );
        let workspace = TestWorkspace::new(&fixture);
        let file = workspace.file("/modules/web/manifests/init.pp");
        let db = &workspace.db;
        let definition = project::definitions(db, file).into_iter().find(|it| it.key(db).name == "web");
        let (FileRole::Module { module, .. }, Some(class)) = (file.place(db), definition) else {
            panic!("there is no class web");
        };
        let found = compile::class_compiles(db, file.environments(db)[0], *module, class);
        assert_eq!((found.compiles, found.platforms), (2, 2), "{condition}");
    }
}

#[test]
fn variables_that_are_taken_over_are_worth_the_same() {
    let params = r#"
class web::params inherits web::release {
  $own = "${web::release::number} ${text}"
  if $facts['os']['family'] == 'Debian' { $only_debian = true }
  $sizes = [1, 2].map |$n| { $n * 2 }
}
//- /modules/web/manifests/release.pp
class web::release($number = 1, $text = 'a') { }
"#;
    let conditions = [
        "$web::params::own == '1 a'",
        "$own == '1 a' and $text == 'a' and $sizes == [2, 4]",
        "getvar('web::params::number') == 1",
        "$only_debian == ($facts['os']['family'] ? { 'Debian' => true, default => undef })",
        "defined('$own') and !defined('$web::params::other') and !defined('$n')",
        "defined(Class['web::params']) and defined(Class['web::release'])",
        "Class['web::release']['number'] == 1",
        "$name == 'web' and $title == 'web'",
    ];
    check_values(params, "inherits web::params {", &conditions);
    check_values(params, "{\n include web::params\n $number = 1", &["$web::params::own == '1 a'"]);
    // What is given to the class that it inherits counts.
    let declared = "{\n class { 'web::release': number => 2 }\n include web::params";
    check_values(params, declared, &["$web::params::own == '2 a'", "$web::params::number == 2"]);
}

#[test]
fn classes_that_do_more_are_evaluated_where_they_are_included() {
    let params = r#"
class web::params {
  $who = $caller_module_name
  $where = $web::tools::path
  $is_declared = defined(Notify['before'])
}
//- /modules/web/manifests/tools.pp
class web::tools { $path = '/opt' }
"#;
    let includes = "{\n include web::tools\n notify { 'before': }\n include web::params";
    let conditions =
        ["$web::params::where == '/opt'", "$web::params::is_declared", "$web::params::who == 'web'"];
    check_values(params, includes, &conditions);
    let params = "class web::params {\n  $message = Notify['before']['message']\n}\n";
    let includes = "{\n notify { 'before': message => 'x' }\n include web::params";
    check_values(params, includes, &["$web::params::message =~ String[1, 1]"]);
    // A match is seen by what inherits.
    let params = "class web::params {\n  $x = 'abc' =~ /b(c)/\n}\n";
    check_values(params, "inherits web::params {", &["$1 == 'c'"]);
}
