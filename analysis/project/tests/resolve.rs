//! Name resolution across Puppet code, Ruby code and Puppet itself.

use project::testing::TestWorkspace;
use project::{
    Absence, FunctionTarget, ModuleEntry, NameKind, ResourceTypeTarget, absence, custom_facts,
    external_fact_files, fixture_modules, module_named, providers, resolve_function, resolve_resource_type,
    ruby_functions, ruby_resource_types, served_file, template_file,
};

const REPO: &str = r#"
//- environment: roots=/repo
//- /repo/environment.conf
modulepath = modules
//- /repo/Puppetfile
mod 'puppetlabs/a', '1.0.0'
mod('me-b')
//- /repo/manifests/site.pp
function shout() { 1 }
//- /repo/lib/puppet/functions/global_here.rb
//- /repo/functions/environment/own.pp
function environment::own() { 1 }
//- /repo/modules/a/metadata.json
{ "name": "puppetlabs-a", "dependencies": [ { "name": "me/b" }, { "name": "puppetlabs/yumrepo_core" } ] }
//- /repo/modules/a/manifests/init.pp
class a { }
define a::both() { }
//- /repo/modules/a/manifests/broken.pp
class a::broken { $x = }
//- /repo/modules/a/functions/all.pp
function a::all() { 1 }
//- /repo/modules/a/functions/in_puppet.pp
function a::in_puppet() { 1 }
//- /repo/modules/a/lib/puppet/functions/a/all.rb
//- /repo/modules/a/lib/puppet/functions/four.rb
//- /repo/modules/a/lib/puppet/parser/functions/four.rb
//- /repo/modules/a/lib/puppet/parser/functions/three.rb
//- /repo/modules/a/lib/puppet/parser/functions/getVar.rb
//- /repo/modules/a/lib/puppet/type/thing.rb
//- /repo/modules/a/lib/puppet/provider/thing/ruby.rb
//- /repo/modules/a/facts.d/x.txt
//- /repo/modules/a/templates/x.conf.erb
//- /repo/modules/a/templates/deep/x.conf
//- /repo/modules/a/files/plain
//- /repo/modules/a/files/folder/inside
//- /repo/modules/b/manifests/init.pp
define thing() { }
class b { }
//- /repo/modules/b/lib/puppet/parser/functions/four.rb
//- /repo/modules/b/lib/puppet/functions/four.rb
//- /repo/modules/b/lib/puppet/type/other.rb
//- /repo/modules/c/lib/puppet/type/third.rb
//- /repo/modules/d/metadata.json
{ "name": "me-d", "dependencies": [ { "name": "not/there" } ] }
//- /repo/modules/d/manifests/init.pp
class d { }
//- /scripts/loose.pp
"#;

const IN_A: &str = "/repo/modules/a/manifests/init.pp";
const IN_B: &str = "/repo/modules/b/manifests/init.pp";
const IN_D: &str = "/repo/modules/d/manifests/init.pp";
const LOOSE: &str = "/scripts/loose.pp";

#[test]
fn functions_come_in_the_order_of_puppets_loaders() {
    let workspace = TestWorkspace::new(REPO);
    let db = &workspace.db;
    for (from, name, expected) in [
        (IN_A, "a::all", Some("/repo/modules/a/lib/puppet/functions/a/all.rb")),
        (IN_A, "::a::all", Some("/repo/modules/a/lib/puppet/functions/a/all.rb")),
        (IN_B, "a::in_puppet", Some("/repo/modules/a/functions/in_puppet.pp")),
        (IN_A, "in_puppet", None),
        (IN_A, "four", Some("/repo/modules/a/lib/puppet/functions/four.rb")),
        (IN_B, "four", Some("/repo/modules/b/lib/puppet/functions/four.rb")),
        (IN_D, "four", Some("/repo/modules/a/lib/puppet/functions/four.rb")),
        (IN_D, "three", Some("/repo/modules/a/lib/puppet/parser/functions/three.rb")),
        (IN_D, "getVar", Some("/repo/modules/a/lib/puppet/parser/functions/getVar.rb")),
        (IN_D, "getvar", None),
        (IN_D, "shout", Some("/repo/manifests/site.pp")),
        (IN_D, "global_here", Some("/repo/lib/puppet/functions/global_here.rb")),
        (IN_D, "environment::own", Some("/repo/functions/environment/own.pp")),
        (LOOSE, "four", None),
    ] {
        let found = resolve_function(db, workspace.file(from), name).map(|found| match found {
            FunctionTarget::Puppet(definition) => definition.file(db),
            FunctionTarget::Ruby { file, .. } => file,
        });
        let found = found.map(|file| file.path(db).to_string());
        assert_eq!(found.as_deref(), expected, "{name} in {from}");
    }
}

#[test]
fn resource_types_in_ruby_win_over_defined_types() {
    let workspace = TestWorkspace::new(REPO);
    let db = &workspace.db;
    for (name, expected) in [
        ("thing", Some("ruby /repo/modules/a/lib/puppet/type/thing.rb")),
        ("Thing", Some("ruby /repo/modules/a/lib/puppet/type/thing.rb")),
        ("other", Some("ruby /repo/modules/b/lib/puppet/type/other.rb")),
        ("third", Some("ruby /repo/modules/c/lib/puppet/type/third.rb")),
        ("a::both", Some("defined /repo/modules/a/manifests/init.pp")),
        ("a::thing", None),
        ("nothing", None),
    ] {
        let found = resolve_resource_type(db, workspace.file(IN_D), name).map(|found| match found {
            ResourceTypeTarget::BuiltIn(_) => "built in".to_owned(),
            ResourceTypeTarget::Ruby { file, .. } => format!("ruby {}", file.path(db)),
            ResourceTypeTarget::Defined(definition) => format!("defined {}", definition.file(db).path(db)),
        });
        assert_eq!(found.as_deref(), expected, "{name}");
    }
}

#[test]
fn absence_of_names() {
    let workspace = TestWorkspace::new(REPO);
    let missing = |name: &str| Absence::ModuleMissing(name.into());
    for (from, kind, name, expected) in [
        (IN_A, NameKind::Class, "a::lost", Absence::NameMissing),
        (IN_A, NameKind::Class, "gone::x", missing("gone")),
        (IN_A, NameKind::Class, "gone", missing("gone")),
        (IN_A, NameKind::Class, "a::broken::x", Absence::Uncertain),
        (IN_A, NameKind::Function, "a::x", Absence::NameMissing),
        (IN_A, NameKind::Function, "gone::x", missing("gone")),
        (IN_A, NameKind::Function, "merge", Absence::NameMissing),
        (IN_D, NameKind::Function, "merge", Absence::Uncertain),
        (IN_B, NameKind::DefinedType, "pakage", Absence::NameMissing),
        (IN_D, NameKind::DefinedType, "pakage", Absence::Uncertain),
        (IN_A, NameKind::TypeAlias, "A::X", Absence::NameMissing),
        (IN_A, NameKind::TypeAlias, "Strin", Absence::NameMissing),
        (IN_A, NameKind::Function, "environment::x", Absence::NameMissing),
        (LOOSE, NameKind::Function, "merge", Absence::Uncertain),
        (LOOSE, NameKind::Class, "apache", missing("apache")),
    ] {
        assert_eq!(
            absence(&workspace.db, workspace.file(from), kind, name),
            expected,
            "{kind:?} {name} in {from}"
        );
    }
    let mut workspace = TestWorkspace::new(REPO);
    workspace.edit("//- /repo/Puppetfile\nmod 'puppetlabs/a'\nmod 'not/installed'\n");
    let found = absence(&workspace.db, workspace.file(IN_B), NameKind::Function, "merge");
    assert_eq!(found, Absence::Uncertain, "a module is not installed");
}

#[test]
fn templates_files_and_modules() {
    let workspace = TestWorkspace::new(REPO);
    let db = &workspace.db;
    let from = workspace.file(IN_B);
    for (name, expected) in [
        ("a/x.conf.erb", Some("/repo/modules/a/templates/x.conf.erb")),
        ("a/deep/x.conf", Some("/repo/modules/a/templates/deep/x.conf")),
        ("a/deep", None),
        ("gone/x", None),
        ("x", None),
    ] {
        let found = template_file(db, from, name).map(|file| file.path(db).as_str());
        assert_eq!(found, expected, "{name}");
    }
    let folder = Some(ModuleEntry::Folder);
    let plain = Some(ModuleEntry::File(workspace.file("/repo/modules/a/files/plain")));
    for (name, expected) in [
        ("a/plain", plain),
        ("a/folder", folder),
        ("a/folder/", folder),
        ("a/fold", None),
        ("a", folder),
        ("b", None),
        ("gone/x", None),
    ] {
        assert_eq!(served_file(db, from, name), expected, "{name}");
    }
    assert!(module_named(db, from, "c").is_some() && module_named(db, from, "gone").is_none());
}

#[test]
fn lists_of_plugins_read_no_file() {
    let workspace = TestWorkspace::new(REPO);
    let db = &workspace.db;
    let environment = workspace.environment(Some("/repo"));
    let names = |list: &[(hir::Name, project::File)]| {
        list.iter().map(|(name, _)| name.to_string()).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(names(ruby_functions(db, environment)), "a::all four getVar global_here three");
    assert_eq!(names(ruby_resource_types(db, environment)), "other thing third");
    assert_eq!(external_fact_files(db, environment).len(), 1);
    assert!(workspace.take_executed_files("ruby_file").is_empty());
    providers(db, environment, "thing");
    assert_eq!(
        workspace.take_executed_files("ruby_file"),
        ["/repo/modules/a/lib/puppet/provider/thing/ruby.rb"]
    );
}

#[test]
fn a_name_reads_only_files_that_could_define_it() {
    let workspace = TestWorkspace::new(REPO);
    let db = &workspace.db;
    resolve_function(db, workspace.file(IN_D), "three");
    assert_eq!(
        workspace.take_executed_files("ruby_file"),
        ["/repo/modules/a/lib/puppet/parser/functions/three.rb"]
    );
    resolve_resource_type(db, workspace.file(IN_D), "third");
    assert_eq!(workspace.take_executed_files("ruby_file"), ["/repo/modules/c/lib/puppet/type/third.rb"]);
}

#[test]
fn facts_of_files() {
    let workspace = TestWorkspace::new(
        r#"
//- environment: roots=/repo fact_files=facts.yaml,/elsewhere/node.json,missing.json
//- /repo/environment.conf
modulepath = modules
//- /repo/facts.yaml
role: web
Site: {name: x}
//- /elsewhere/node.json
{ "name": "node1", "values": { "rack": 7 } }
//- /repo/modules/a/facts.d/x.txt
plain=1
  indented = 2
//- /repo/modules/a/facts.d/y.json
{ "structured": { "inner": 1 } }
//- /repo/modules/a/facts.d/run.sh
echo no=1
//- /repo/modules/a/manifests/init.pp
"#,
    );
    let db = &workspace.db;
    let facts = custom_facts(db, workspace.environment(Some("/repo")));
    let names: Vec<&str> = facts.iter().map(|(_, fact)| fact.name.as_str()).collect();
    assert_eq!(names, ["indented", "plain", "rack", "role", "site", "structured"]);
    let (file, fact) = &facts[0];
    assert_eq!(&file.contents(db).text().expect("a text")[fact.range.as_range()], "indented");
}

#[test]
fn modules_that_tests_need() {
    let workspace = TestWorkspace::new(
        r##"
//- /a/.fixtures.yml
fixtures:
  repositories:
    stdlib: https://example.org/stdlib.git
  forge_modules:
    concat: { repo: puppetlabs/concat }
  symlinks:
    a: "#{source_dir}"
//- /a/metadata.json
{ "name": "me-a" }
//- /b/metadata.json
{ "name": "me-b" }
//- /b/.fixtures.yml
- [no: such, thing
"##,
    );
    for (module, expected) in [("a", "stdlib concat a"), ("b", "")] {
        let environment = workspace.environment(None);
        let tree = environment.modules(&workspace.db).get(module).copied().expect("a module");
        assert_eq!(fixture_modules(&workspace.db, tree).join(" "), expected, "{module}");
    }
}
