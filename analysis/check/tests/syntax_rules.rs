//! Findings in a single file, and the edits that invalidate them.

use std::sync::Arc;

use crate::compare;
use check::syntax_diagnostics;
use expect_test::{Expect, expect};
use project::testing::{TestWorkspace, check_incremental};
use project::vfs::{ChangeBatch, DiskState, FilePath};
use syntax::TextFinding;

/// Compares the findings with the marks in every file.
#[track_caller]
fn check(fixture: &str) {
    compare(
        fixture,
        |path| path.ends_with("pp"),
        |db, file| {
            let rendered = |it: &TextFinding| {
                let severity = format!("{:?}", it.severity()).to_lowercase();
                (it.range, format!("{severity}: {} ({})", codes::single_line(&it.message), it.code))
            };
            syntax_diagnostics(db, file).iter().map(rendered).collect()
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
    let lines = found.iter().map(|it| {
        format!("{:?} {} at {}: {}\n", it.severity(), it.code, it.range, codes::single_line(&it.message))
    });
    expected.assert_eq(&lines.collect::<String>());
}

#[test]
fn unreadable_files_have_one_finding() {
    check_disk(DiskState::Text("notice 1".into()), expect![[""]]);
    check_disk(
        DiskState::of_bytes(b"'\xff'".to_vec()),
        expect![[r#"
        Error not-utf8 at 0..0: file is not valid UTF-8 (help: save the file as UTF-8)
    "#]],
    );
    check_disk(
        DiskState::of_bytes(b"\xff\xfen\0o\0".to_vec()),
        expect![[r#"
            Error byte-order-mark at 0..0: file is encoded as UTF-16 (byte-order mark FF FE), which Puppet rejects (help: save the file as UTF-8 without a byte-order mark)
        "#]],
    );
    check_disk(
        DiskState::of_bytes(b"\xfe\xff\0n\0o".to_vec()),
        expect![[r#"
            Error byte-order-mark at 0..0: file is encoded as UTF-16 (byte-order mark FE FF), which Puppet rejects (help: save the file as UTF-8 without a byte-order mark)
        "#]],
    );
    check_disk(
        DiskState::of_bytes(b"\xef\xbb\xbfnotice(1)".to_vec()),
        expect![[r#"
            Error byte-order-mark at 0..3: file begins with a byte-order mark (EF BB BF), which Puppet rejects (help: save the file without a byte-order mark)
        "#]],
    );
    check_disk(
        DiskState::Unreadable("permission denied".to_owned()),
        expect![[r#"
            Error unreadable-file at 0..0: cannot read file: permission denied
        "#]],
    );
    let large: Arc<str> = format!("{}\nclass {{ }}", "#".repeat(80)).into();
    check_disk(
        DiskState::Text(large),
        expect![[r#"
            Warning large-file at 0..0: file is very large; only its syntax is checked
            Error syntax-error at 87..90: missing class name (help: write `class { 'name': }`)
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
fn a_change_of_strict_checks_every_file_again() {
    check_edit(
        "//- environment: roots=/repo strict=off\n",
        expect![[r#"
        syntax_diagnostics 2
    "#]],
    );
}

#[test]
fn irrelevant_settings_check_nothing() {
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
fn a_change_of_the_version_checks_every_file_again() {
    // Version 7 with the default `strict` of version 8.
    check_edit(
        "//- environment: roots=/repo version=7 strict=error\n",
        expect![[r#"
        syntax_diagnostics 2
    "#]],
    );
}

#[test]
fn a_change_of_the_module_path_checks_moved_files() {
    check_edit(
        "//- /repo/environment.conf\nmodulepath = other\n",
        expect![[r#"
        file_location 2
        syntax_diagnostics 2
    "#]],
    );
}
