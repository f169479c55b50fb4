//! Queries that an edit executes: counts, never times.

use expect_test::{Expect, expect};
use hir::Expr;
use project::testing::{TestWorkspace, check_incremental};
use project::{
    Db, DefinitionId, NameKind, body, definitions, file_location, parse, resolve, resolve_in_file, signature,
};

const REPO: &str = r#"
//- environment: roots=/repo
//- /repo/environment.conf
modulepath = modules
//- /repo/manifests/site.pp
node default { include web }
//- /repo/modules/web/manifests/init.pp open
# Serves pages.
class web(String $root = '/srv') {
  include web::config
  file { $root: ensure => directory }
}
//- /repo/modules/web/manifests/config.pp
class web::config {
  base::file { '/etc/web': }
}
//- /repo/modules/base/manifests/init.pp
class base { }
define base::file($mode = undef) { }
"#;

/// Models an evaluator of bodies.
#[salsa::tracked(returns(copy))]
fn reads_body(db: &dyn Db, definition: DefinitionId) -> usize {
    body(db, definition).exprs.len()
}

/// Models a checker of calls.
#[salsa::tracked(returns(copy))]
fn reads_signature(db: &dyn Db, definition: DefinitionId) -> usize {
    signature(db, definition).as_ref().map_or(0, |signature| signature.parameters.len())
}

/// Models a checker of names: resolves the names in a body and reads the signatures of their definitions.
#[salsa::tracked(returns(copy))]
fn reads_names(db: &dyn Db, definition: DefinitionId) -> usize {
    let body = body(db, definition);
    let names = body.exprs.iter().filter_map(|(_, expr)| match expr {
        Expr::Call { arguments, .. } => match &body[*arguments.first()?] {
            Expr::Name(name) => Some((NameKind::Class, name)),
            _ => None,
        },
        Expr::Resource { type_expr, .. } => match &body[*type_expr] {
            Expr::Name(name) => Some((NameKind::DefinedType, name)),
            _ => None,
        },
        _ => None,
    });
    let found = names.filter_map(|(kind, name)| resolve_in_file(db, definition.file(db), kind, name));
    found.map(|found| reads_signature(db, found)).sum()
}

/// Runs the queries of a checker over the whole workspace, and resolves some names that do not exist.
fn ask_everything(workspace: &TestWorkspace) {
    let db = &workspace.db;
    for file in workspace.files() {
        parse(db, file);
        file_location(db, file);
        for definition in definitions(db, file) {
            reads_body(db, definition);
            reads_names(db, definition);
        }
    }
    let environment = workspace.environment(Some("/repo"));
    resolve(db, environment, NameKind::Function, "web::missing");
    resolve(db, environment, NameKind::Class, "gone::away");
}

#[track_caller]
fn check(edit: &str, expected: Expect) {
    expected.assert_eq(&check_incremental(REPO, edit, ask_everything));
}

const WEB: &str = "//- /repo/modules/web/manifests/init.pp open\n";

#[test]
fn nothing() {
    check("", expect![""]);
}

#[test]
fn an_edit_in_a_comment() {
    let text = r#"
class web(String $root = '/srv') {
  include web::config # always
  file { $root: ensure => directory }
}
"#;
    check(
        &format!("{WEB}# Serves pages.{text}"),
        expect![[r#"
            body 2
            candidate_parts 1
            item_summary 1
            lowered_file 1
            parse 1
        "#]],
    );
}

#[test]
fn an_edit_in_a_documentation_comment() {
    let text = r#"
class web(String $root = '/srv') {
  include web::config
  file { $root: ensure => directory }
}
"#;
    check(
        &format!("{WEB}# Serves static pages.{text}"),
        expect![[r#"
            body 2
            candidate_parts 1
            defined_names 1
            item_summary 1
            lowered_file 1
            parse 1
            signature 1
        "#]],
    );
}

#[test]
fn an_edit_in_whitespace() {
    let text = r#"
class web(String  $root = '/srv')
{
    include web::config

    file { $root: ensure => directory }
}
"#;
    check(
        &format!("{WEB}# Serves pages.{text}"),
        expect![[r#"
            body 2
            candidate_parts 1
            item_summary 1
            lowered_file 1
            parse 1
        "#]],
    );
}

#[test]
fn an_edit_in_a_body() {
    let text = r#"
class web(String $root = '/srv') {
  include web::config
  file { $root: ensure => link }
}
"#;
    check(
        &format!("{WEB}# Serves pages.{text}"),
        expect![[r#"
            body 2
            candidate_parts 1
            item_summary 1
            lowered_file 1
            parse 1
            reads_body 1
            reads_names 1
        "#]],
    );
}

#[test]
fn an_edit_in_a_signature() {
    let text = r#"
class web(String $root = '/srv', $port = 80) {
  include web::config
  file { $root: ensure => directory }
}
"#;
    check(
        &format!("{WEB}# Serves pages.{text}"),
        expect![[r#"
            body 2
            candidate_parts 1
            defined_names 1
            item_summary 1
            lowered_file 1
            parse 1
            reads_body 1
            reads_names 2
            reads_signature 1
            signature 1
        "#]],
    );
}

#[test]
fn a_class_gets_another_name() {
    let text = r#"
class webs(String $root = '/srv') {
  include web::config
  file { $root: ensure => directory }
}
"#;
    check(
        &format!("{WEB}# Serves pages.{text}"),
        expect![[r#"
            body 2
            candidate_parts 1
            defined_names 1
            item_summary 1
            lowered_file 1
            parse 1
            reads_body 2
            reads_names 3
            resolve_folded 2
        "#]],
    );
}

#[test]
fn a_new_file_satisfies_a_name_looked_up_before() {
    check(
        "//- /repo/modules/web/functions/missing.pp\nfunction web::missing() { 1 }\n",
        expect![[r#"
        body 2
        defined_names 1
        file_location 1
        item_summary 1
        language 1
        lowered_file 1
        parse 1
        reads_body 2
        reads_names 2
        resolve_folded 3
    "#]],
    );
}

#[test]
fn a_new_file_that_no_name_refers_to() {
    check(
        "//- /repo/modules/web/manifests/other.pp\nclass web::other { }\n",
        expect![[r#"
        body 2
        file_location 1
        item_summary 1
        language 1
        lowered_file 1
        parse 1
        reads_body 2
        reads_names 2
        resolve_folded 3
    "#]],
    );
}

#[test]
fn a_new_module() {
    check(
        "//- /repo/modules/gone/manifests/away.pp\nclass gone::away { }\n",
        expect![[r#"
        body 2
        defined_names 1
        file_location 1
        item_summary 1
        language 1
        lowered_file 1
        parse 1
        reads_body 2
        reads_names 2
        resolve_folded 6
    "#]],
    );
}

#[test]
fn a_deleted_file() {
    check(
        "//- /repo/modules/web/manifests/config.pp deleted\n",
        expect![[r#"
        reads_names 1
        resolve_folded 3
    "#]],
    );
}

#[test]
fn a_file_is_opened_as_it_is_on_disk() {
    let text = "class web::config {\n  base::file { '/etc/web': }\n}\n";
    check(
        &format!("//- /repo/modules/web/manifests/config.pp open\n{text}"),
        expect![[r#"
            body 2
            candidate_parts 1
            item_summary 1
            lowered_file 1
            part_by_definition 1
            parts_of_open_file 1
            signature 1
        "#]],
    );
}

#[test]
fn another_strictness() {
    check("//- environment: roots=/repo strict=off\n", expect![[""]]);
}

#[test]
fn another_version() {
    check("//- environment: roots=/repo version=7\n", expect![[""]]);
}

#[test]
fn plans_everywhere() {
    check(
        "//- environment: roots=/repo tasks\n",
        expect![[r#"
            body 9
            candidate_parts 1
            item_summary 4
            language 4
            lowered_file 4
            parse 4
        "#]],
    );
}
