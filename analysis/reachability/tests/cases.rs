//! Verdicts on small control repositories.

use std::fmt::Write;

use expect_test::{Expect, expect};
use project::testing::TestWorkspace;
use reachability::{
    FactTable, ReachabilityRoots, UseVerdict, facts_in_names, is_control_repository, reachability,
};

/// Checks which items of a repository are unused or open, one per line. `classes` are those of the node classifier.
#[track_caller]
fn check(fixture: &str, classes: Option<&[&str]>, expected: &Expect) {
    let roots = ReachabilityRoots {
        classes: classes.unwrap_or_default().iter().map(|it| (*it).into()).collect(),
        are_complete: classes.is_some(),
        facts: None,
    };
    check_with_roots(fixture, &roots, expected);
}

#[track_caller]
fn check_with_roots(fixture: &str, roots: &ReachabilityRoots, expected: &Expect) {
    let workspace = TestWorkspace::new(fixture);
    let environment = workspace.environment(Some("/"));
    let db = &workspace.db;
    assert!(is_control_repository(db, environment));
    let mut text = String::new();
    for (item, verdict) in reachability(db, environment, roots, &|_| None).items {
        let verdict = match verdict {
            UseVerdict::Used => continue,
            UseVerdict::Open(reason) => format!("open: {reason}"),
            UseVerdict::Unused { only_tests: true } => "unused, only tests use it".to_owned(),
            UseVerdict::Unused { only_tests: false } => "unused".to_owned(),
        };
        let _ = writeln!(text, "{:?} {}: {verdict}", item.kind, item.name);
    }
    expected.assert_eq(&text);
}

#[test]
fn items_of_each_kind_that_nothing_mentions() {
    check(
        "//- /environment.conf
modulepath = site:modules
//- /manifests/site.pp
node 'a' { include profile::web }
//- /hiera.yaml
version: 5
defaults: { datadir: data, data_hash: yaml_data }
hierarchy:
  - { name: nodes, path: 'nodes/%{trusted.certname}.yaml' }
  - { name: all, path: common.yaml }
  - { name: lost, path: 'gone/%{facts.os.family}.yaml' }
//- /data/nodes/a.yaml
profile::web::port: 80
//- /data/common.yaml
lookup_options: { 'profile::web::port': { merge: first } }
profile::web::prt: 80
profile::old::port: 80
web_users: [a]
old_users: [a]
//- /data/forgotten.yaml
profile::web::port: 80
//- /site/profile/manifests/web.pp
class profile::web(Integer $port, Profile::Mode $mode = 'a') {
  $users = lookup('web_users')
  profile::vhost { 'a': content => template('profile/used.erb'), text => profile::text('a') }
  file { '/a': source => 'puppet:///modules/profile/used.conf' }
  file { '/b': source => 'puppet:///modules/profile/folder', recurse => true }
  $folder = '/etc/x'
  file { '/c': source => \"puppet:///modules/profile/${folder}/slashes.conf\" }
}
//- /site/profile/manifests/vhost.pp
define profile::vhost($content, $text) { file { $title: content => epp('profile/used.epp') } }
//- /site/profile/manifests/old.pp
class profile::old($port) { profile::old_vhost { 'a': content => epp('profile/old') } }
//- /site/profile/manifests/old_vhost.pp
define profile::old_vhost($content) { notice(profile::old_text('a'), $content =~ Profile::OldMode) }
//- /site/profile/functions/text.pp
function profile::text($a) { $a }
//- /site/profile/functions/old_text.pp
function profile::old_text($a) { $a }
//- /site/profile/lib/puppet/functions/profile/old_ruby.rb
Puppet::Functions.create_function(:'profile::old_ruby') { def old_ruby; end }
//- /site/profile/types/mode.pp
type Profile::Mode = Enum['a']
//- /site/profile/types/oldmode.pp
type Profile::OldMode = Enum['a']
//- /site/profile/templates/used.erb
<%= @a %>
//- /site/profile/templates/used.epp
a
//- /site/profile/templates/old.epp
a
//- /site/profile/files/used.conf
a
//- /site/profile/files/folder/x.conf
a
//- /site/profile/files/etc/x/slashes.conf
a
//- /site/profile/files/old.conf
a
//- /site/gone/manifests/init.pp
class gone { }
",
        None,
        &expect![[r#"
            Module gone: unused
            Class gone: unused
            Class profile::old: unused
            DefinedType profile::old_vhost: unused
            Function profile::old_text: unused
            Function profile::old_ruby: unused
            DataType profile::oldmode: unused
            Template profile/old.epp: unused
            File profile/old.conf: unused
            Level lost: unused
            DataFile data/forgotten.yaml: unused
            HieraKey profile::web::prt: unused
            HieraKey profile::old::port: unused
            HieraKey old_users: unused
        "#]],
    );
}

#[test]
fn computed_names_are_open() {
    check(
        "//- /environment.conf
modulepath = site
//- /manifests/site.pp
node default { include \"role::${facts['role']}\" }
//- /site/role/manifests/web.pp
class role::web { include profile::web }
//- /site/profile/manifests/web.pp
class profile::web(String $flavor, Hash $vhosts) {
  file { '/a': content => epp(\"profile/web/${flavor}.epp\") }
  file { '/b': source => \"puppet:///modules/${module_name}/web-${flavor}.conf\" }
  $key = \"users_${flavor}\"
  notice(lookup($key))
  file { '/c': content => file('elsewhere/renamed.conf') }
  $parts = prefix(['a', 'b'], 'profile::part_')
  include $parts
  create_resources(sprintf('profile::%s_vhost', $flavor), $vhosts)
  $unrelated = \"puppet:///modules/profile/${facts['x']}/y ${flavor}\"
  $also = regsubst(['a'], '.*', 'profile::also_\\\\0')
  include $also
}
//- /site/profile/manifests/also_a.pp
class profile::also_a { }
//- /site/profile/manifests/also_b.pp
class profile::also_b { }
//- /site/profile/manifests/part_a.pp
class profile::part_a { }
//- /site/profile/manifests/part_c.pp
class profile::part_c { }
//- /site/profile/manifests/big_vhost.pp
define profile::big_vhost { }
//- /site/profile/manifests/other.pp
define profile::other { }
//- /site/profile/templates/web/a.epp
a
//- /site/profile/templates/a.epp
a
//- /site/profile/files/web-a.conf
a
//- /site/profile/files/mail-a.conf
a
//- /site/profile/files/renamed.conf
a
//- /hiera.yaml
version: 5
hierarchy: [{ name: all, path: common.yaml }]
//- /data/common.yaml
users_a: 1
groups_a: 1
",
        None,
        &expect![[r#"
            Class profile::also_a: open: may be named by the class name `"role::${facts['role']}"`
            Class profile::also_b: unused
            Class profile::part_a: open: may be named by the class name `"role::${facts['role']}"`
            Class profile::part_c: unused
            Class profile::web: open: may be named by the class name `"role::${facts['role']}"`
            Class role::web: open: may be named by the class name `"role::${facts['role']}"`
            DefinedType profile::big_vhost: open: may be named by the resource type `sprintf('profile::%s_vhost', $flavor)`
            DefinedType profile::other: unused
            Template profile/a.epp: unused
            Template profile/web/a.epp: open: may be named by the template `"profile/web/${flavor}.epp"`
            File profile/mail-a.conf: unused
            File profile/renamed.conf: open: may be named by the class name `"role::${facts['role']}"`
            File profile/web-a.conf: open: may be named by the path `"puppet:///modules/${module_name}/web-${flavor}.conf"`
            HieraKey users_a: open: may be named by the string `$key`
            HieraKey groups_a: unused
        "#]],
    );
}

#[test]
fn classes_in_data_are_used_if_their_key_is() {
    check(
        "//- /environment.conf
modulepath = site
//- /manifests/site.pp
lookup('site_classes', Array, 'unique').include
//- /hiera.yaml
version: 5
hierarchy: [{ name: all, path: common.yaml }]
//- /data/common.yaml
site_classes: ['profile::a', 'profile::%{facts.kind}_b']
other_classes: ['profile::c']
//- /site/profile/manifests/a.pp
class profile::a { }
//- /site/profile/manifests/x_b.pp
class profile::x_b { }
//- /site/profile/manifests/c.pp
class profile::c { }
",
        None,
        &expect![[r#"
            Class profile::c: unused
            Class profile::x_b: open: may be named by the string `'profile::%{facts.kind}_b'`
            HieraKey other_classes: unused
        "#]],
    );
}

#[test]
fn an_unknown_node_classifier_leaves_classes_open() {
    let fixture = "//- /environment.conf
modulepath = site
//- /manifests/site.pp
node default { }
//- /site/role/manifests/web.pp
class role::web { include profile::web }
//- /site/role/manifests/mail.pp
class role::mail { include profile::mail }
//- /site/profile/manifests/web.pp
class profile::web { }
//- /site/profile/manifests/mail.pp
class profile::mail { file { '/a': content => epp('profile/a.epp') } }
//- /site/profile/templates/a.epp
a
//- /site/profile/templates/b.epp
b
";
    check(
        fixture,
        None,
        &expect![[r#"
        Class profile::mail: open: a node classifier outside of the repository may assign it
        Class profile::web: open: a node classifier outside of the repository may assign it
        Class role::mail: open: a node classifier outside of the repository may assign it
        Class role::web: open: a node classifier outside of the repository may assign it
        Template profile/a.epp: open: a node classifier outside of the repository may assign it
        Template profile/b.epp: unused
    "#]],
    );
    check(
        fixture,
        Some(&["Role::Web"]),
        &expect![[r#"
        Class profile::mail: unused
        Class role::mail: unused
        Template profile/a.epp: unused
        Template profile/b.epp: unused
    "#]],
    );
}

#[test]
fn tests_and_plans_are_weak() {
    check(
        "//- /environment.conf
modulepath = site
//- /Puppetfile
mod 'puppetlabs/stdlib', '9.0.0'
//- /manifests/site.pp
node 'a' { include profile::web, profile::mail, profile::db }
//- /site/profile/manifests/web.pp
class profile::web { }
//- /site/profile/manifests/mail.pp
class profile::mail { }
//- /site/profile/manifests/db.pp
class profile::db { }
//- /site/profile/manifests/tested.pp
class profile::tested { }
//- /site/profile/manifests/planned.pp
class profile::planned { include profile::by_plan }
//- /site/profile/manifests/by_plan.pp
class profile::by_plan { }
//- /site/profile/plans/run.pp
plan profile::run(TargetSpec $targets) { apply($targets) { include profile::planned } }
//- /site/profile/spec/classes/tested_spec.rb
describe 'profile::tested' do
end
//- /hiera.yaml
version: 5
hierarchy: [{ name: all, path: common.yaml }]
//- /data/common.yaml
stdlib::manage::a: 1
unheard::of: 1
puppet_enterprise::a: 1
",
        None,
        &expect![[r#"
            Class profile::by_plan: open: only plans and tasks use it
            Class profile::planned: open: only plans and tasks use it
            Class profile::tested: unused, only tests use it
            HieraKey stdlib::manage::a: open: module `stdlib` is not installed
            HieraKey unheard::of: unused
            HieraKey puppet_enterprise::a: open: module `puppet_enterprise` is not installed
        "#]],
    );
}

#[test]
fn ruby_code_and_installed_modules_use_names() {
    check(
        "//- /environment.conf
modulepath = site:modules
//- /manifests/site.pp
include profile::web
include other
//- /site/profile/manifests/web.pp
class profile::web { notice(profile::outer()) }
//- /site/profile/lib/puppet/functions/profile/outer.rb
Puppet::Functions.create_function(:'profile::outer') do
  def outer
    call_function('profile::inner', \"profile::kind_#{1}\")
    # call_function('profile::commented')
  end
end
//- /site/profile/functions/inner.pp
function profile::inner($a) { $a }
//- /site/profile/functions/commented.pp
function profile::commented() { 1 }
//- /site/profile/manifests/kind_1.pp
class profile::kind_1 { }
//- /modules/other/metadata.json
{ \"name\": \"a-other\", \"version\": \"1.0.0\", \"dependencies\": [{ \"name\": \"a/needed\" }] }
//- /modules/other/manifests/init.pp
class other { }
//- /modules/other/manifests/unused.pp
class other::unused { }
//- /modules/needed/metadata.json
{ \"name\": \"a-needed\", \"version\": \"1.0.0\", \"dependencies\": [] }
//- /modules/needed/manifests/init.pp
class needed { }
//- /modules/gone/metadata.json
{ \"name\": \"a-gone\", \"version\": \"1.0.0\", \"dependencies\": [] }
//- /modules/gone/manifests/init.pp
class gone { }
//- /modules/facts/metadata.json
{ \"name\": \"a-facts\", \"version\": \"1.0.0\", \"dependencies\": [] }
//- /modules/facts/lib/facter/a.rb
Facter.add(:a) { setcode { 1 } }
",
        None,
        &expect![[r#"
            Module facts: open: facts, providers, and libraries are used without being named
            Module gone: unused
            Class profile::kind_1: open: may be named by computed names in Ruby code
            Function profile::commented: unused
        "#]],
    );
}

#[test]
fn facts_of_nodes_determine_names() {
    let fixture = "//- /environment.conf
modulepath = site
//- /manifests/site.pp
node default { include \"role::${trusted['extensions']['pp_role']}\", \"profile::${facts['os']['name']}_${site}\" }
//- /site/role/manifests/web.pp
class role::web { include \"profile::${facts['tier']}\" }
//- /site/role/manifests/mail.pp
class role::mail { include profile::c }
//- /site/profile/manifests/a.pp
class profile::a { }
//- /site/profile/manifests/b.pp
class profile::b { }
//- /site/profile/manifests/c.pp
class profile::c { }
//- /site/profile/manifests/x_y.pp
class profile::x_y { }
";
    let workspace = TestWorkspace::new(fixture);
    let paths = facts_in_names(&workspace.db, workspace.environment(Some("/")));
    assert_eq!(paths, ["facts.os.name", "facts.site", "facts.tier", "trusted.extensions.pp_role"]);
    let row = |values: [&str; 4]| values.map(|it| (!it.is_empty()).then(|| it.into())).to_vec();
    let rows = [row(["x", "", "a", "web"]), row(["x", "", "", ""])].into();
    let facts = Some(FactTable { paths, rows });
    let roots = ReachabilityRoots { facts, are_complete: true, ..ReachabilityRoots::default() };
    check_with_roots(
        fixture,
        &roots,
        &expect![[r#"
        Class profile::b: unused
        Class profile::c: unused
        Class profile::x_y: open: may be named by the class name `"profile::${facts['os']['name']}_${site}"`
        Class role::mail: unused
    "#]],
    );
}

#[test]
fn computed_names_have_the_values_and_kinds_of_their_context() {
    check(
        "//- /environment.conf
modulepath = site
//- /manifests/site.pp
node default { include profile }
//- /site/profile/manifests/init.pp
class profile(Enum['a', 'b'] $kind = 'a', Optional[Enum['c']] $other = undef, Array[String] $names = []) {
  notice(template(\"profile/${kind}.erb\"), template(\"profile/${other}.erb\"))
  $level = $kind ? { 'a' => 'd', default => 'e' }
  notice(template(\"profile/${level}.erb\"))
  $names.each |$it| { notice(template(\"profile/x/${it}\")) }
}
//- /site/profile/templates/a.erb
//- /site/profile/templates/b.erb
//- /site/profile/templates/c.erb
//- /site/profile/templates/d.erb
//- /site/profile/templates/e.erb
//- /site/profile/templates/f.erb
//- /site/profile/templates/x/a
//- /site/profile/files/x/a
",
        Some(&[]),
        &expect![[r#"
            Template profile/f.erb: unused
            Template profile/x/a: open: may be named by the template `"profile/x/${it}"`
            File profile/x/a: unused
        "#]],
    );
}

#[test]
fn keys_of_refused_data_are_not_unused() {
    let fixture = |data: &str| {
        format!(
            "//- /environment.conf
modulepath = site
//- /manifests/site.pp
node 'a' {{ include web }}
//- /hiera.yaml
version: 5
hierarchy: [{{ name: all, path: common.yaml }}]
//- /data/common.yaml
{data}
//- /site/web/manifests/init.pp
class web {{ }}
//- /site/named/manifests/init.pp
class named {{ }}
"
        )
    };
    let unused = expect![[r#"
        Module named: unused
        Class named: unused
        HieraKey web::port: unused
        HieraKey classes: unused
    "#]];
    check(&fixture("web::port: 80\nclasses: [named]"), None, &unused);
    check(&fixture("web::port: 80\nclasses: [named]\nlast: [1"), None, &expect![""]);
}
