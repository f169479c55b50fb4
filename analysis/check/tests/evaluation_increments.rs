//! Number of evaluations after an edit. These tests count executions and never measure time.

use expect_test::{Expect, expect};
use project::testing::{TestWorkspace, check_incremental};

const REPO: &str = r#"
//- environment: roots=/repo module_path=/repo
//- /repo/web/manifests/init.pp open
# Serves pages.
class web(String $root = '/srv') {
  $port = web::port() + 1
}
define web::site(Integer $number) {
  notice($number + 1)
}
//- /repo/web/manifests/other.pp
class web::other {
  $port = web::port() + 2
}
//- /repo/web/functions/port.pp open
function web::port() {
  80
}
"#;

fn ask(workspace: &TestWorkspace) {
    for file in workspace.files() {
        check::evaluation_diagnostics(&workspace.db, file);
    }
}

/// Returns the evaluation queries that an edit executes, including those for its findings.
#[track_caller]
fn check(edit: &str, expected: Expect) {
    let executed = check_incremental(REPO, edit, ask);
    let ours = executed.lines().filter(|line| line.starts_with("summary") || line.starts_with("evaluation_"));
    expected.assert_eq(&ours.map(|line| format!("{line}\n")).collect::<String>());
}

fn web(from: &str, to: &str) -> String {
    let text = "# Serves pages.\nclass web(String $root = '/srv') {\n  $port = web::port() + 1\n}\n\
                define web::site(Integer $number) {\n  notice($number + 1)\n}\n";
    assert!(text.contains(from));
    format!("//- /repo/web/manifests/init.pp open\n{}", text.replace(from, to))
}

#[test]
fn an_unrelated_edit_evaluates_nothing() {
    check("", expect![[""]]);
}

#[test]
fn a_comment_evaluates_nothing() {
    check(
        &web("# Serves pages.", "# Serves many pages, all of them static."),
        expect![[r#"
        evaluation_diagnostics 1
    "#]],
    );
    check(
        &web("  notice(", "  # says\n  notice("),
        expect![[r#"
        evaluation_diagnostics 1
    "#]],
    );
}

#[test]
fn an_edit_of_a_body_evaluates_its_definition_only() {
    check(
        &web("$number + 1", "$number + 2"),
        expect![[r#"
            evaluation_diagnostics 1
            summary_of_other 1
        "#]],
    );
}

#[test]
fn a_function_evaluates_itself_and_its_callers() {
    check(
        "//- /repo/web/functions/port.pp open\nfunction web::port() {\n  '80'\n}\n",
        expect![[r#"
            evaluation_diagnostics 3
            summary_of_function 1
            summary_of_other 2
        "#]],
    );
}

#[test]
fn unchanged_return_type_does_not_invalidate_callers() {
    check(
        "//- /repo/web/functions/port.pp open\nfunction web::port() {\n  81\n}\n",
        expect![[r#"
            evaluation_diagnostics 1
            summary_of_function 1
        "#]],
    );
    // With a declared type, even the returned value is irrelevant.
    let declared = "//- /repo/web/functions/port.pp open\nfunction web::port() >> Integer {\n  80\n}\n";
    let executed = check_incremental(
        &format!("{}{declared}", REPO.split("//- /repo/web/functions").next().unwrap_or_default()),
        &declared.replace("80", "8000 + 80"),
        ask,
    );
    let ours = executed.lines().filter(|line| line.starts_with("summary") || line.starts_with("declared_"));
    expect![[r#"
        declared_function 1
        summary_of_function 1
    "#]]
    .assert_eq(&ours.map(|line| format!("{line}\n")).collect::<String>());
}

#[test]
fn recursive_functions_terminate() {
    let workspace = TestWorkspace::new(
        r#"
//- environment: roots=/repo module_path=/repo
//- /repo/web/functions/a.pp open
function web::a($x) { if $x { web::b($x) } else { 1 } }
//- /repo/web/functions/b.pp open
function web::b($x) { if $x { web::a($x) } else { web::b(!$x) + 'a' } }
//- /repo/web/manifests/init.pp open
class web { $y = web::a(true) $z = web::a(1, 2) }
"#,
    );
    ask(&workspace);
    let found = check::evaluation_diagnostics(&workspace.db, workspace.file("/repo/web/manifests/init.pp"));
    assert_eq!(found.iter().map(|it| it.code.as_str()).collect::<Vec<_>>(), ["argument-mismatch"]);
}
