//! Name resolution in Puppet code, and the files that it reads.

use project::testing::TestWorkspace;
use project::{NameKind, body, definitions, resolve, resolve_in_file};

const REPO: &str = r#"
//- environment: roots=/repo
//- /repo/environment.conf
modulepath = site-modules:modules:$basemodulepath
//- /repo/manifests/site.pp
node default { }
//- /repo/manifests/extra.pp
class anywhere::at::all { }
class shadowed { }
//- /repo/functions/environment/own.pp
function environment::own() { 1 }
//- /repo/modules/a/manifests/init.pp
class a {
  class nested { define inner() { } }
}
define a::beside() { }
//- /repo/modules/a/manifests/b.pp
class a::b { }
class a::b::beside { }
//- /repo/modules/a/manifests/b/c.pp
class a::b::c { }
//- /repo/modules/a/manifests/lost.pp
class a::not_lost { }
//- /repo/modules/a/functions/f.pp
function a::f() { 1 }
//- /repo/modules/a/functions/deep/f.pp
function a::deep::f() { 1 }
//- /repo/modules/a/types/httpport.pp
type A::HttpPort = Integer[1, 65535]
//- /repo/modules/a/plans/init.pp
plan a() { }
//- /repo/modules/a/plans/p.pp
plan a::p() { }
//- /repo/modules/shadowed/manifests/init.pp
class shadowed { }
//- /repo/site-modules/twice/manifests/init.pp
class twice { }
//- /repo/modules/twice/manifests/init.pp
class twice { }
//- /scripts/loose.pp
class of_its_own { }
//- /repo/scripts/loose.pp
include a
"#;

#[track_caller]
fn check(kind: NameKind, name: &str, expected: Option<&str>) {
    let workspace = TestWorkspace::new(REPO);
    let db = &workspace.db;
    let found = resolve(db, workspace.environment(Some("/repo")), kind, name);
    let found = found.map(|found| format!("{} in {}", found.key(db).name, found.file(db).path(db)));
    assert_eq!(found.as_deref(), expected, "{kind:?} {name}");
}

#[test]
fn each_kind_of_name_is_found_where_puppet_looks() {
    for (kind, name, expected) in [
        (NameKind::Class, "a", Some("a in /repo/modules/a/manifests/init.pp")),
        (NameKind::Class, "::A::B", Some("a::b in /repo/modules/a/manifests/b.pp")),
        (NameKind::Class, "a::b::c", Some("a::b::c in /repo/modules/a/manifests/b/c.pp")),
        (NameKind::Class, "a::b::beside", Some("a::b::beside in /repo/modules/a/manifests/b.pp")),
        (NameKind::Class, "a::nested", Some("a::nested in /repo/modules/a/manifests/init.pp")),
        (NameKind::Class, "a::not_lost", None),
        (NameKind::Class, "a::lost", None),
        (NameKind::Class, "a::beside", None),
        (NameKind::Class, "anywhere::at::all", Some("anywhere::at::all in /repo/manifests/extra.pp")),
        (NameKind::Class, "shadowed", Some("shadowed in /repo/manifests/extra.pp")),
        (NameKind::Class, "twice", Some("twice in /repo/site-modules/twice/manifests/init.pp")),
        (NameKind::Class, "of_its_own", None),
        (NameKind::Class, "", None),
        (NameKind::DefinedType, "a::beside", Some("a::beside in /repo/modules/a/manifests/init.pp")),
        (
            NameKind::DefinedType,
            "a::nested::inner",
            Some("a::nested::inner in /repo/modules/a/manifests/init.pp"),
        ),
        (NameKind::Function, "a::f", Some("a::f in /repo/modules/a/functions/f.pp")),
        (NameKind::Function, "a::deep::f", Some("a::deep::f in /repo/modules/a/functions/deep/f.pp")),
        (
            NameKind::Function,
            "environment::own",
            Some("environment::own in /repo/functions/environment/own.pp"),
        ),
        (NameKind::Function, "a", None),
        (NameKind::TypeAlias, "A::HTTPport", Some("a::httpport in /repo/modules/a/types/httpport.pp")),
        (NameKind::Plan, "a", Some("a in /repo/modules/a/plans/init.pp")),
        (NameKind::Plan, "a::p", Some("a::p in /repo/modules/a/plans/p.pp")),
    ] {
        check(kind, name, expected);
    }
}

#[test]
fn only_files_that_could_define_a_name_are_touched() {
    for (kind, name, expected) in [
        (NameKind::Class, "a::b::c", &["/repo/modules/a/manifests/b/c.pp"][..]),
        (
            NameKind::Class,
            "a::b::d",
            &["/repo/modules/a/manifests/b.pp", "/repo/modules/a/manifests/init.pp"],
        ),
        (NameKind::Function, "a::f", &["/repo/modules/a/functions/f.pp"]),
        // Definitions next to a class count once its file is loaded.
        (NameKind::Function, "a::g", &["/repo/modules/a/manifests/init.pp"]),
        (NameKind::TypeAlias, "A::HttpPort", &["/repo/modules/a/types/httpport.pp"]),
        (NameKind::Class, "no_such_module::x", &[]),
    ] {
        let workspace = TestWorkspace::new(REPO);
        resolve(&workspace.db, workspace.environment(Some("/repo")), kind, name);
        let mut touched = workspace.take_executed_files("item_summary");
        // Always loaded.
        touched.retain(|path| !path.starts_with("/repo/manifests/"));
        assert_eq!(touched, expected, "{kind:?} {name}");
    }
}

#[test]
fn a_file_knows_its_own_definitions() {
    let workspace = TestWorkspace::new(REPO);
    let db = &workspace.db;
    let loose = workspace.file("/scripts/loose.pp");
    assert!(resolve_in_file(db, loose, NameKind::Class, "of_its_own").is_some());
    assert!(resolve_in_file(db, loose, NameKind::Class, "a").is_none(), "another environment's");
    let inside = workspace.file("/repo/scripts/loose.pp");
    assert!(resolve_in_file(db, inside, NameKind::Class, "a").is_some());
}

#[test]
fn trees_are_kept_for_open_files_only() {
    let mut workspace = TestWorkspace::new(REPO);
    let ask = |workspace: &TestWorkspace| {
        let file = workspace.file("/repo/modules/a/manifests/b.pp");
        for definition in definitions(&workspace.db, file) {
            body(&workspace.db, definition);
        }
        workspace.take_executed_files("parse")
    };
    assert!(ask(&workspace).is_empty());
    workspace.edit("//- /repo/modules/a/manifests/b.pp open\nclass a::b { notice 1 }\n");
    assert_eq!(ask(&workspace), ["/repo/modules/a/manifests/b.pp"], "one tree for summary and bodies");
}

#[test]
fn tests_of_a_module_see_their_fixtures_and_adjacent_modules() {
    let workspace = TestWorkspace::new(
        r#"
//- environment: roots=/work
//- /work/a/metadata.json
{ "name": "me-a" }
//- /work/a/manifests/init.pp
class a { }
//- /work/a/spec/fixtures/modules/helper/manifests/init.pp
class helper { }
//- /work/b/manifests/init.pp
class b { }
"#,
    );
    let db = &workspace.db;
    let (a, b) = ("/work/a/manifests/init.pp", "/work/b/manifests/init.pp");
    let helper = "/work/a/spec/fixtures/modules/helper/manifests/init.pp";
    for (from, name, is_found) in [
        (a, "helper", true),
        (a, "b", true),
        (helper, "a", true),
        (helper, "b", true),
        (b, "helper", false),
        (b, "a", true),
    ] {
        let found = resolve_in_file(db, workspace.file(from), NameKind::Class, name);
        assert_eq!(found.is_some(), is_found, "{name} in {from}");
    }
}

/// Files that the root of a repository may have in addition to a Hiera configuration.
const MARKERS: [(&str, &str); 8] = [
    ("environment.conf", "modulepath = modules"),
    ("metadata.json", r#"{ "name": "me-repo" }"#),
    ("bolt-project.yaml", "name: repo"),
    ("Puppetfile", ""),
    ("manifests/site.pp", "include web"),
    ("modules/web/manifests/init.pp", "class web { }"),
    ("site-modules/profile/manifests/init.pp", "class profile { }"),
    (".git/HEAD", "ref: refs/heads/main"),
];

/// A root with a `metadata.json` is a module, unless it declares itself an environment.
#[test]
fn data_of_a_root_belongs_to_an_environment_unless_it_is_a_module() {
    for mixture in 0..1_u32 << MARKERS.len() {
        let is_there = |marker: &&(&str, &str)| {
            let at = MARKERS.iter().position(|it| it == *marker).unwrap_or_default();
            mixture & (1 << at) != 0
        };
        let names: Vec<&str> = MARKERS.iter().filter(is_there).map(|it| it.0).collect();
        let mut fixture = String::from(
            "//- environment: roots=/repo\n//- /repo/hiera.yaml\nversion: 5\n//- /repo/data/common.yaml\nweb::a: 1\n",
        );
        for (path, text) in MARKERS.iter().filter(is_there) {
            fixture.push_str(&format!("//- /repo/{path}\n{text}\n"));
        }
        let workspace = TestWorkspace::new(&fixture);
        let db = &workspace.db;
        let environments = workspace.file("/repo/hiera.yaml").environments(db);
        let is_data = environments.iter().any(|environment| {
            let sources = project::data_sources(db, *environment);
            sources.iter().any(|it| it.layer == hiera::config::Layer::Environment)
        });
        let is_module = names.contains(&"metadata.json") && !names.contains(&"environment.conf");
        assert_eq!(is_data, !is_module, "{names:?}");
    }
}
