//! Findings in one file, and which edits make them be worked out again.

use std::sync::Arc;

use crate::compare;
use check::syntax_diagnostics;
use expect_test::{Expect, expect};
use project::testing::{TestWorkspace, check_incremental};
use project::vfs::{ChangeBatch, DiskState, FilePath};
use syntax::TextFinding;

/// All findings have marks and all marks findings, in every file.
#[track_caller]
fn check(fixture: &str) {
    compare(
        fixture,
        |path| path.ends_with("pp"),
        |db, file| {
            let told = |it: &TextFinding| {
                let severity = format!("{:?}", it.severity()).to_lowercase();
                (it.range, format!("{severity}: {} ({})", it.message, it.code))
            };
            syntax_diagnostics(db, file).iter().map(told).collect()
        },
    );
}

#[test]
fn syntax_errors_and_static_rules_are_found() {
    check(
        r#"
//- environment: roots=/repo
//- /repo/environment.conf
modulepath = modules
//- /repo/modules/a/manifests/b.pp
class a::b {
  $x = 1 + + 2
#          ^ error
}
//- /repo/modules/a/manifests/c.pp
class elsewhere { }
#     ^^^^^^^^^ error
//- /repo/manifests/site.pp
class elsewhere { }
//- /repo/modules/a/templates/t.epp
<%= $x %> fine
"#,
    );
}

#[track_caller]
fn check_disk(state: DiskState, expected: Expect) {
    let mut workspace = TestWorkspace::new("//- environment: roots=/ large_file_limit=40\n");
    let path = FilePath::from_native("/x.pp").expect("absolute");
    workspace.apply(ChangeBatch { disk: vec![(path, state)], ..ChangeBatch::default() });
    let found = syntax_diagnostics(&workspace.db, workspace.file("/x.pp"));
    let lines =
        found.iter().map(|it| format!("{:?} {} at {}: {}\n", it.severity(), it.code, it.range, it.message));
    expected.assert_eq(&lines.collect::<String>());
}

#[test]
fn files_that_cannot_be_taken_in_have_one_finding() {
    check_disk(DiskState::Text("notice 1".into()), expect![[""]]);
    check_disk(
        DiskState::of_bytes(b"'\xff'".to_vec()),
        expect![[r#"
        Error not-utf8 at 0..0: this file is not valid UTF-8, so nothing in it is understood; save it as UTF-8
    "#]],
    );
    check_disk(
        DiskState::of_bytes(b"\xff\xfen\0o\0".to_vec()),
        expect![[r#"
        Error byte-order-mark at 0..0: this file is UTF-16, by the byte-order mark FF FE at its beginning, and Puppet refuses it: save it as UTF-8 without a mark
    "#]],
    );
    check_disk(
        DiskState::of_bytes(b"\xfe\xff\0n\0o".to_vec()),
        expect![[r#"
        Error byte-order-mark at 0..0: this file is UTF-16, by the byte-order mark FE FF at its beginning, and Puppet refuses it: save it as UTF-8 without a mark
    "#]],
    );
    check_disk(
        DiskState::of_bytes(b"\xef\xbb\xbfnotice(1)".to_vec()),
        expect![[r#"
        Error byte-order-mark at 0..3: this file begins with the byte-order mark of UTF-8, EF BB BF, and Puppet refuses it: save it without a mark
    "#]],
    );
    check_disk(
        DiskState::Unreadable("permission denied".to_owned()),
        expect![[r#"
        Error unreadable-file at 0..0: this file cannot be read: permission denied
    "#]],
    );
    let large: Arc<str> = format!("{}\nclass {{ }}", "#".repeat(80)).into();
    check_disk(
        DiskState::Text(large),
        expect![[r#"
        Warning large-file at 0..0: this file is very large, so only its syntax and outline are worked out
        Error syntax-error at 87..90: expected the class to declare: `class { 'name': }`
    "#]],
    );
}

const REPO: &str = r#"
//- environment: roots=/repo
//- /repo/environment.conf
modulepath = modules
//- /repo/modules/a/manifests/init.pp open
class a { notice 1 }
//- /repo/modules/a/manifests/b.pp
class a::b { notice 2 }
"#;

#[track_caller]
fn check_edit(edit: &str, expected: Expect) {
    let ask = |workspace: &TestWorkspace| {
        for file in workspace.files() {
            syntax_diagnostics(&workspace.db, file);
        }
    };
    expected.assert_eq(&check_incremental(REPO, edit, ask));
}

#[test]
fn an_edit_checks_its_file_again() {
    check_edit(
        "//- /repo/modules/a/manifests/init.pp open\nclass a { notice 3 }\n",
        expect![[r#"
            candidate_parts 1
            parse 1
            syntax_diagnostics 1
        "#]],
    );
}

#[test]
fn another_strictness_checks_every_file_again() {
    check_edit(
        "//- environment: roots=/repo strict=off\n",
        expect![[r#"
        syntax_diagnostics 2
    "#]],
    );
}

#[test]
fn what_does_not_decide_here_checks_nothing() {
    check_edit(
        "//- /repo/modules/a/manifests/c.pp\nclass a::c { }\n",
        expect![[r#"
        file_location 1
        language 1
        syntax_diagnostics 1
    "#]],
    );
    check_edit("//- /repo/modules/a/manifests/b.pp deleted\n", expect![[""]]);
}

#[test]
fn another_version_checks_what_is_said_of_files() {
    // Version 7 with the strictness that version 8 has.
    check_edit(
        "//- environment: roots=/repo version=7 strict=error\n",
        expect![[r#"
        syntax_diagnostics 2
    "#]],
    );
}

#[test]
fn another_module_path_checks_what_is_expected_elsewhere_now() {
    check_edit(
        "//- /repo/environment.conf\nmodulepath = other\n",
        expect![[r#"
        file_location 2
        syntax_diagnostics 2
    "#]],
    );
}
