//! Number of compiles after an edit. These tests count executions and never measure time.

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

/// Returns the compiles of classes, and the evaluations of classes that only set variables, that an edit of
/// `web::params` executes.
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
fn unread_variables_invalidate_no_compile() {
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
fn a_variable_invalidates_the_compiles_that_read_it() {
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
fn classes_with_declarations_are_compiled_with_their_users() {
    check(
        "  $user",
        "  notify { 'x': }\n  $user",
        expect![[r#"
            compiled_class 6
        "#]],
    );
}

/// Checks each of `conditions` by compiling the class `web`, which fails if the condition is false.
#[track_caller]
fn check_values(params: &str, includes: &str, conditions: &[&str]) {
    check_verdicts(params, includes, conditions, (2, 0, 0));
}

/// Checks each of `conditions` by compiling the class `web`: the numbers of platforms where it compiles, fails, and may
/// fail, since the condition is unknown.
#[track_caller]
fn check_verdicts(params: &str, includes: &str, conditions: &[&str], verdicts: (usize, usize, usize)) {
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
        let (FileRole::Module { module, .. }, Some(class)) = (file.role(db), definition) else {
            panic!("there is no class web");
        };
        let found = compile::class_compiles(db, file.environments(db)[0], *module, class);
        let numbers = (found.compiles, found.fails.len(), found.inconclusive.len());
        assert_eq!((numbers, found.platforms), (verdicts, 2), "{condition}");
    }
}

#[test]
fn reused_variables_have_the_same_value() {
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
        "defined('$own')",
        "defined(Class['web::params']) and defined(Class['web::release'])",
        "Class['web::release']['number'] == 1",
        "$name == 'web' and $title == 'web'",
    ];
    check_values(params, "inherits web::params {", &conditions);
    // Other code may set variables that the class does not set.
    let of_debian =
        "getvar('only_debian') == ($facts['os']['family'] ? { 'Debian' => true, default => undef })";
    check_verdicts(params, "inherits web::params {", &[of_debian], (1, 0, 1));
    let others = ["!defined('$web::params::other')", "!defined('$n')"];
    check_verdicts(params, "inherits web::params {", &others, (0, 0, 2));
    check_values(params, "{\n include web::params\n $number = 1", &["$web::params::own == '1 a'"]);
    // Parameters of an inherited class are significant.
    let declared = "{\n class { 'web::release': number => 2 }\n include web::params";
    check_values(params, declared, &["$web::params::own == '2 a'", "$web::params::number == 2"]);
}

#[test]
fn classes_with_side_effects_are_evaluated_where_they_are_included() {
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
    // Classes that inherit see the result of a match.
    let params = "class web::params {\n  $x = 'abc' =~ /b(c)/\n}\n";
    check_values(params, "inherits web::params {", &["$1 == 'c'"]);
}
