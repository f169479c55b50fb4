//! What an edit evaluates again: counts, never times.

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

/// The queries of the evaluator, and of what shows its findings, that an edit executes.
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
fn nothing() {
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
fn a_body_evaluates_its_definition_only() {
    check(
        &web("$number + 1", "$number + 2"),
        expect![[r#"
        evaluation_diagnostics 1
        summary 1
    "#]],
    );
}

#[test]
fn a_function_evaluates_itself_and_its_callers() {
    check(
        "//- /repo/web/functions/port.pp open\nfunction web::port() {\n  '80'\n}\n",
        expect![[r#"
        evaluation_diagnostics 3
        summary 3
    "#]],
    );
}
