//! Rename: changed lines and moved files, or the reason for a refusal.

use expect_test::{Expect, expect};
use ide::{Analysis, FilePath, SourceChange};

use crate::at_cursor;

const REPO: &str = "
//- /modules/a/manifests/init.pp
# A class. See a::thing and A::Thing, not a::things.
# @param port the port
class a ($port = 80, $other = 1) inherits a::params {
  $local = \"${port} $inherited\"
  [1].each |$x| { notice($x, $local) }
  a::thing { 't': size => a::double($port) }
  A::Thing['t'] -> File['/x']
  file { '/x': content => template('a/x.erb') }
}
//- /modules/a/manifests/params.pp
class a::params { $inherited = 1 }
//- /modules/a/manifests/thing.pp
define a::thing (A::Mode $size) { notice($size) }
//- /modules/a/manifests/outer.pp
class a::outer { class inner { } }
//- /modules/a/functions/double.pp
function a::double($x) { $x * 2 }
//- /modules/a/types/mode.pp
type A::Mode = Any
//- /modules/a/templates/x.erb
<%= @port %> <%= scope['a::local'] %>
//- /modules/a/templates/unknown.erb
<%= @other %>
//- /modules/a/data/common.yaml
a::port: 81
a::params::inherited: 1
//- /modules/b/manifests/init.pp
class b {
  class { '::a': port => 1 }
  include a::params
  notice($a::port, $a::params::inherited, lookup('a::port'))
  Class['A::Params'] -> A::Thing <| size == 1 |>
  defined('a::thing')
}
";

/// Returns the repository with the cursor in the file at `path`, at the bar in `before`.
fn with_cursor(path: &str, before: &str) -> String {
    let (head, word) = before.rsplit_once('|').expect("a bar where the cursor is");
    let start = REPO.find(&format!("//- {path}\n")).expect("the file");
    let at = start + REPO[start..].find(&format!("{head}{word}")).expect("the word") + head.len();
    format!("{}$0{}", &REPO[..at], &REPO[at..])
}

fn shown(analysis: &Analysis, change: &SourceChange) -> String {
    let mut lines = String::new();
    for (file, edits) in &change.edits {
        let path = analysis.path(*file);
        let old = analysis.text(*file).expect("not cancelled").expect("a text").to_string();
        let mut new = old.clone();
        for edit in edits.iter().rev() {
            new.replace_range(edit.range.as_range(), &edit.text);
        }
        for (old, new) in old.lines().zip(new.lines()).filter(|(old, new)| old != new) {
            assert_ne!(old, new);
            lines.push_str(&format!("{path}: {new}\n"));
        }
    }
    for (file, to) in &change.moves {
        lines.push_str(&format!("{} -> {to}\n", analysis.path(*file)));
    }
    lines
}

#[track_caller]
fn check(path: &str, before: &str, new_name: &str, expected: Expect) {
    expected.assert_eq(&renamed(&with_cursor(path, before), new_name));
}

/// Returns the changes of a rename at the cursor, or the reason for a refusal.
fn renamed(text: &str, new_name: &str) -> String {
    at_cursor(text, |analysis, file, offset, _| {
        match analysis.rename(file, offset, new_name).expect("not cancelled") {
            Ok(change) => shown(analysis, &change),
            Err(refusal) => format!("refused: {refusal}\n"),
        }
    })
}

const INIT: &str = "/modules/a/manifests/init.pp";

#[test]
fn a_parameter_is_renamed_everywhere() {
    let everywhere = expect![[r#"
        /modules/a/data/common.yaml: a::listen: 81
        /modules/a/manifests/init.pp: # @param listen the port
        /modules/a/manifests/init.pp: class a ($listen = 80, $other = 1) inherits a::params {
        /modules/a/manifests/init.pp:   $local = "${listen} $inherited"
        /modules/a/manifests/init.pp:   a::thing { 't': size => a::double($listen) }
        /modules/a/templates/x.erb: <%= @listen %> <%= scope['a::local'] %>
        /modules/b/manifests/init.pp:   class { '::a': listen => 1 }
        /modules/b/manifests/init.pp:   notice($a::listen, $a::params::inherited, lookup('a::listen'))
    "#]];
    for (path, before, new_name) in [
        (INIT, "class a ($|port", "listen"),
        ("/modules/b/manifests/init.pp", "'::a': |port", "$listen"),
        ("/modules/a/data/common.yaml", "|a::port", "listen"),
    ] {
        everywhere.assert_eq(&renamed(&with_cursor(path, before), new_name));
    }
}

#[test]
fn local_variables_are_renamed_in_their_scopes() {
    check(
        INIT,
        "$|local",
        "mine",
        expect![[r#"
        /modules/a/manifests/init.pp:   $mine = "${port} $inherited"
        /modules/a/manifests/init.pp:   [1].each |$x| { notice($x, $mine) }
        /modules/a/templates/x.erb: <%= @port %> <%= scope['a::mine'] %>
    "#]],
    );
    check(
        INIT,
        "|$|x",
        "y",
        expect![[r#"
        /modules/a/manifests/init.pp:   [1].each |$y| { notice($y, $local) }
    "#]],
    );
    check(
        INIT,
        "$|inherited",
        "handed_down",
        expect![[r#"
        /modules/a/manifests/init.pp:   $local = "${port} $handed_down"
        /modules/a/manifests/params.pp: class a::params { $handed_down = 1 }
        /modules/b/manifests/init.pp:   notice($a::port, $a::params::handed_down, lookup('a::port'))
    "#]],
    );
    check(
        "/modules/a/functions/double.pp",
        "$|x",
        "number",
        expect![[r#"
        /modules/a/functions/double.pp: function a::double($number) { $number * 2 }
    "#]],
    );
}

#[test]
fn files_move_with_their_definitions() {
    check(
        "/modules/a/manifests/thing.pp",
        "|a::thing",
        "a::deep::item",
        expect![[r#"
        /modules/a/manifests/init.pp: # A class. See a::deep::item and A::Deep::Item, not a::things.
        /modules/a/manifests/init.pp:   a::deep::item { 't': size => a::double($port) }
        /modules/a/manifests/init.pp:   A::Deep::Item['t'] -> File['/x']
        /modules/a/manifests/thing.pp: define a::deep::item (A::Mode $size) { notice($size) }
        /modules/b/manifests/init.pp:   Class['A::Params'] -> A::Deep::Item <| size == 1 |>
        /modules/b/manifests/init.pp:   defined('a::deep::item')
        /modules/a/manifests/thing.pp -> /modules/a/manifests/deep/item.pp
    "#]],
    );
    check(
        "/modules/a/manifests/params.pp",
        "|a::params",
        "defaults",
        expect![[r#"
        /modules/a/data/common.yaml: a::defaults::inherited: 1
        /modules/a/manifests/init.pp: class a ($port = 80, $other = 1) inherits a::defaults {
        /modules/a/manifests/params.pp: class a::defaults { $inherited = 1 }
        /modules/b/manifests/init.pp:   include a::defaults
        /modules/b/manifests/init.pp:   notice($a::port, $a::defaults::inherited, lookup('a::port'))
        /modules/b/manifests/init.pp:   Class['A::Defaults'] -> A::Thing <| size == 1 |>
        /modules/a/manifests/params.pp -> /modules/a/manifests/defaults.pp
    "#]],
    );
    check(
        "/modules/a/functions/double.pp",
        "|a::double",
        "a::twice",
        expect![[r#"
        /modules/a/functions/double.pp: function a::twice($x) { $x * 2 }
        /modules/a/manifests/init.pp:   a::thing { 't': size => a::twice($port) }
        /modules/a/functions/double.pp -> /modules/a/functions/twice.pp
    "#]],
    );
    check(
        "/modules/a/types/mode.pp",
        "|A::Mode",
        "A::NewMode",
        expect![[r#"
        /modules/a/manifests/thing.pp: define a::thing (A::NewMode $size) { notice($size) }
        /modules/a/types/mode.pp: type A::NewMode = Any
        /modules/a/types/mode.pp -> /modules/a/types/newmode.pp
    "#]],
    );
    check(
        "/modules/a/manifests/outer.pp",
        "|inner",
        "a::outer::core",
        expect![[r#"
        /modules/a/manifests/outer.pp: class a::outer { class core { } }
    "#]],
    );
}

#[test]
fn unsafe_renames_are_rejected() {
    for (path, before, new_name) in [
        (INIT, "class a ($|port", "other"),
        (INIT, "class a ($|port", "local"),
        (INIT, "class a ($|port", "inherited"),
        (INIT, "class a ($|port", "Port"),
        (INIT, "class a ($|port", "title"),
        ("/modules/a/manifests/params.pp", "$|inherited", "port"),
        (INIT, "class a ($|port", "require"),
        (INIT, "$|other", "fine"),
        (INIT, "|$|x", "port"),
        (INIT, "class |a", "c"),
        (INIT, "|template", "x"),
        (INIT, "|file {", "x"),
        (INIT, "file { '|/x", "/y"),
        (INIT, "template('|a/x.erb", "a/y.erb"),
        (INIT, "|content", "x"),
        ("/modules/a/manifests/thing.pp", "|a::thing", "a::params"),
        ("/modules/a/manifests/thing.pp", "|a::thing", "c::thing"),
        ("/modules/a/manifests/thing.pp", "|a::thing", "a::Thing"),
        ("/modules/a/manifests/outer.pp", "|a::outer", "a::other"),
        ("/modules/a/manifests/outer.pp", "|inner", "a::core"),
    ] {
        let found = at_cursor(&with_cursor(path, before), |analysis, file, offset, _| {
            analysis.rename(file, offset, new_name).expect("not cancelled")
        });
        assert!(found.is_err(), "{before} as {new_name}: {found:?}");
    }
}

#[test]
fn templates_of_the_own_module_are_renamed() {
    let text = "
//- /modules/a/manifests/init.pp
class a ($port = 80, $tex$0t = 'x') {
  file { '/x': content => template(\"${module_name}/x.erb\") }
}
//- /modules/a/templates/x.erb
<%= @port %> <%= @text %>
";
    let expected = expect![[r#"
        /modules/a/manifests/init.pp: class a ($port = 80, $content = 'x') {
        /modules/a/templates/x.erb: <%= @port %> <%= @content %>
    "#]];
    expected.assert_eq(&renamed(text, "content"));
}

#[test]
fn prepare_returns_the_current_name() {
    for (path, before, expected) in [
        (INIT, "class a ($|port", Ok("port")),
        (INIT, "|a::thing {", Ok("a::thing")),
        (INIT, "|A::Thing['", Ok("a::thing")),
        (INIT, "|file {", Err("`file` is built into Puppet")),
    ] {
        let found = at_cursor(&with_cursor(path, before), |analysis, file, offset, _| {
            analysis.prepare_rename(file, offset).expect("not cancelled")
        });
        let found = found.map(|it| it.name).map_err(|it| it.0);
        assert_eq!(found.as_deref().map_err(String::as_str), expected, "{before}");
    }
}

#[test]
fn moved_files_change_the_code() {
    let moves = [
        ("/modules/a/manifests/thing.pp", "/modules/a/manifests/deep/thing.pp"),
        ("/modules/a/templates/x.erb", "/modules/a/templates/new/y.erb"),
        ("/modules/a/types/mode.pp", "/modules/a/types/other.pp"),
    ];
    let found = at_cursor(REPO, |analysis, _, _, _| {
        let path = |text: &str| FilePath::from_native(text).expect("absolute");
        let moves: Vec<_> = moves.iter().map(|(from, to)| (path(from), path(to))).collect();
        shown(analysis, &analysis.will_rename_files(&moves).expect("not cancelled"))
    });
    expect![[r#"
        /modules/a/manifests/init.pp: # A class. See a::deep::thing and A::Deep::Thing, not a::things.
        /modules/a/manifests/init.pp:   a::deep::thing { 't': size => a::double($port) }
        /modules/a/manifests/init.pp:   A::Deep::Thing['t'] -> File['/x']
        /modules/a/manifests/init.pp:   file { '/x': content => template('a/new/y.erb') }
        /modules/a/manifests/thing.pp: define a::deep::thing (A::Other $size) { notice($size) }
        /modules/a/types/mode.pp: type A::Other = Any
        /modules/b/manifests/init.pp:   Class['A::Params'] -> A::Deep::Thing <| size == 1 |>
        /modules/b/manifests/init.pp:   defined('a::deep::thing')
    "#]]
    .assert_eq(&found);
}

#[test]
fn files_of_a_control_repository_are_files_of_their_modules() {
    let files = "
//- /environment.conf
modulepath = site-modules:modules
//- /hiera.yaml
version: 5
//- /manifests/site.pp
node default { include profile::web }
//- /site-modules/profile/manifests/web.pp
class profile::web {$0 }
";
    let found = at_cursor(files, |analysis, _, _, _| {
        let path = |text: &str| FilePath::from_native(text).expect("absolute");
        // Moving a folder moves its contents.
        let moves = [(path("/site-modules/profile/manifests"), path("/site-modules/profile/manifests/base"))];
        shown(analysis, &analysis.will_rename_files(&moves).expect("not cancelled"))
    });
    expect![[r#"
        /manifests/site.pp: node default { include profile::base::web }
        /site-modules/profile/manifests/web.pp: class profile::base::web { }
    "#]]
    .assert_eq(&found);
}

/// A control repository with tests for its module `web`.
const TESTED: &str = r#"
//- environment: roots=/
//- /environment.conf
modulepath = site:modules
//- /manifests/site.pp
node default { include web, web::deep::thing$0 }
//- /data/common.yaml
web::port: 80
web::deep::thing::size: 1
x: "%{lookup('web::port')} %{alias('web::port')}"
lookup_options:
  web::port: { merge: first }
classes: [web, 'web::deep::thing']
include: { web: [web::deep::thing, web] }
//- /hiera.yaml
version: 5
//- /site/web/manifests/init.pp
# See web::deep::thing
class web (Web::Port $port) {
  web::vhost { 'a': text => epp('web/vhost.epp', { x => 1 }) }
  Web::Vhost['a'] -> File['/x']
  file { '/x': source => 'puppet:///modules/web/deep', recurse => true }
  file { '/y': source => 'puppet:///modules/web/deep/y', content => template("${module_name}/y.erb") }
  notice($web::port, $::web::deep::thing::size, web::double(1), lookup('web::port'))
}
//- /site/web/manifests/deep/thing.pp
class web::deep::thing ($size = 1) inherits web { }
//- /site/web/manifests/vhost.pp
define web::vhost ($text) { }
//- /site/web/functions/double.pp
function web::double($x) { $x * 2 }
//- /site/web/types/port.pp
type Web::Port = Integer
//- /site/web/templates/vhost.epp
<%- | $x | -%>
//- /site/web/templates/y.erb
<%= scope['web::port'] %>
//- /site/web/files/deep/y
y
//- /site/web/spec/classes/init_spec.rb
describe 'web' do
  it { is_expected.to contain_class('web::deep::thing').that_requires('Class[web]') }
  it { is_expected.to contain_web__vhost('a').that_comes_before('Web::Vhost[b]') }
end
//- /site/web/spec/classes/deep/thing_spec.rb
describe "web::deep::thing" do
  let(:pre_condition) { 'include other' }
end
//- /site/web/spec/defines/web_vhost_spec.rb
require 'spec_helper'
describe('web::vhost') { }
//- /site/web/spec/functions/double_spec.rb
describe 'web::double' do end
//- /site/web/spec/type_aliases/port_spec.rb
describe 'Web::Port' do end
//- /spec/hosts/a_spec.rb
describe 'a.example.org' do
  it { is_expected.to contain_class('web') }
end
"#;

#[track_caller]
fn check_moved(from: &str, to: &str, expected: Expect) {
    let found = at_cursor(TESTED, |analysis, _, _, _| {
        let path = |text: &str| FilePath::from_native(text).expect("absolute");
        shown(analysis, &analysis.will_rename_files(&[(path(from), path(to))]).expect("not cancelled"))
    });
    expected.assert_eq(&found);
}

#[test]
fn moved_files_and_folders_rename_definitions_and_tests() {
    check_moved(
        "/site/web/manifests/deep/thing.pp",
        "/site/web/manifests/flat.pp",
        expect![[r#"
        /data/common.yaml: web::flat::size: 1
        /data/common.yaml: classes: [web, 'web::flat']
        /data/common.yaml: include: { web: [web::flat, web] }
        /manifests/site.pp: node default { include web, web::flat }
        /site/web/manifests/deep/thing.pp: class web::flat ($size = 1) inherits web { }
        /site/web/manifests/init.pp: # See web::flat
        /site/web/manifests/init.pp:   notice($web::port, $::web::flat::size, web::double(1), lookup('web::port'))
        /site/web/spec/classes/deep/thing_spec.rb: describe "web::flat" do
        /site/web/spec/classes/init_spec.rb:   it { is_expected.to contain_class('web::flat').that_requires('Class[web]') }
        /site/web/spec/classes/deep/thing_spec.rb -> /site/web/spec/classes/flat_spec.rb
    "#]],
    );
    check_moved(
        "/site/web/manifests/deep",
        "/site/web/manifests/other",
        expect![[r#"
        /data/common.yaml: web::other::thing::size: 1
        /data/common.yaml: classes: [web, 'web::other::thing']
        /data/common.yaml: include: { web: [web::other::thing, web] }
        /manifests/site.pp: node default { include web, web::other::thing }
        /site/web/manifests/deep/thing.pp: class web::other::thing ($size = 1) inherits web { }
        /site/web/manifests/init.pp: # See web::other::thing
        /site/web/manifests/init.pp:   notice($web::port, $::web::other::thing::size, web::double(1), lookup('web::port'))
        /site/web/spec/classes/deep/thing_spec.rb: describe "web::other::thing" do
        /site/web/spec/classes/init_spec.rb:   it { is_expected.to contain_class('web::other::thing').that_requires('Class[web]') }
        /site/web/spec/classes/deep/thing_spec.rb -> /site/web/spec/classes/other/thing_spec.rb
    "#]],
    );
    check_moved(
        "/site/web/manifests/vhost.pp",
        "/site/web/manifests/host.pp",
        expect![[r#"
        /site/web/manifests/init.pp:   web::host { 'a': text => epp('web/vhost.epp', { x => 1 }) }
        /site/web/manifests/init.pp:   Web::Host['a'] -> File['/x']
        /site/web/manifests/vhost.pp: define web::host ($text) { }
        /site/web/spec/classes/init_spec.rb:   it { is_expected.to contain_web__host('a').that_comes_before('Web::Host[b]') }
        /site/web/spec/defines/web_vhost_spec.rb: describe('web::host') { }
        /site/web/spec/defines/web_vhost_spec.rb -> /site/web/spec/defines/web_host_spec.rb
    "#]],
    );
    check_moved(
        "/site/web/functions/double.pp",
        "/site/web/functions/twice.pp",
        expect![[r#"
        /site/web/functions/double.pp: function web::twice($x) { $x * 2 }
        /site/web/manifests/init.pp:   notice($web::port, $::web::deep::thing::size, web::twice(1), lookup('web::port'))
        /site/web/spec/functions/double_spec.rb: describe 'web::twice' do end
        /site/web/spec/functions/double_spec.rb -> /site/web/spec/functions/twice_spec.rb
    "#]],
    );
    check_moved(
        "/site/web/types/port.pp",
        "/site/web/types/number.pp",
        expect![[r#"
        /site/web/manifests/init.pp: class web (Web::Number $port) {
        /site/web/spec/type_aliases/port_spec.rb: describe 'Web::Number' do end
        /site/web/types/port.pp: type Web::Number = Integer
        /site/web/spec/type_aliases/port_spec.rb -> /site/web/spec/type_aliases/number_spec.rb
    "#]],
    );
    check_moved(
        "/site/web/templates/vhost.epp",
        "/site/web/templates/sub/host.epp",
        expect![[r#"
        /site/web/manifests/init.pp:   web::vhost { 'a': text => epp('web/sub/host.epp', { x => 1 }) }
    "#]],
    );
    check_moved(
        "/site/web/templates/y.erb",
        "/site/web/templates/sub/z.erb",
        expect![[r#"
        /site/web/manifests/init.pp:   file { '/y': source => 'puppet:///modules/web/deep/y', content => template("${module_name}/sub/z.erb") }
    "#]],
    );
    check_moved(
        "/site/web/files/deep",
        "/site/web/files/flat",
        expect![[r#"
        /site/web/manifests/init.pp:   file { '/x': source => 'puppet:///modules/web/flat', recurse => true }
        /site/web/manifests/init.pp:   file { '/y': source => 'puppet:///modules/web/flat/y', content => template("${module_name}/y.erb") }
    "#]],
    );
}

#[test]
fn moved_modules_are_renamed() {
    check_moved(
        "/site/web",
        "/site/server",
        expect![[r#"
        /data/common.yaml: server::port: 80
        /data/common.yaml: server::deep::thing::size: 1
        /data/common.yaml: x: "%{lookup('server::port')} %{alias('server::port')}"
        /data/common.yaml:   server::port: { merge: first }
        /data/common.yaml: classes: [server, 'server::deep::thing']
        /data/common.yaml: include: { web: [server::deep::thing, web] }
        /manifests/site.pp: node default { include server, server::deep::thing }
        /site/web/functions/double.pp: function server::double($x) { $x * 2 }
        /site/web/manifests/deep/thing.pp: class server::deep::thing ($size = 1) inherits server { }
        /site/web/manifests/init.pp: # See server::deep::thing
        /site/web/manifests/init.pp: class server (Server::Port $port) {
        /site/web/manifests/init.pp:   server::vhost { 'a': text => epp('server/vhost.epp', { x => 1 }) }
        /site/web/manifests/init.pp:   Server::Vhost['a'] -> File['/x']
        /site/web/manifests/init.pp:   file { '/x': source => 'puppet:///modules/server/deep', recurse => true }
        /site/web/manifests/init.pp:   file { '/y': source => 'puppet:///modules/server/deep/y', content => template("${module_name}/y.erb") }
        /site/web/manifests/init.pp:   notice($server::port, $::server::deep::thing::size, server::double(1), lookup('server::port'))
        /site/web/manifests/vhost.pp: define server::vhost ($text) { }
        /site/web/spec/classes/deep/thing_spec.rb: describe "server::deep::thing" do
        /site/web/spec/classes/init_spec.rb: describe 'server' do
        /site/web/spec/classes/init_spec.rb:   it { is_expected.to contain_class('server::deep::thing').that_requires('Class[server]') }
        /site/web/spec/classes/init_spec.rb:   it { is_expected.to contain_server__vhost('a').that_comes_before('Server::Vhost[b]') }
        /site/web/spec/defines/web_vhost_spec.rb: describe('server::vhost') { }
        /site/web/spec/functions/double_spec.rb: describe 'server::double' do end
        /site/web/spec/type_aliases/port_spec.rb: describe 'Server::Port' do end
        /site/web/templates/y.erb: <%= scope['server::port'] %>
        /site/web/types/port.pp: type Server::Port = Integer
        /spec/hosts/a_spec.rb:   it { is_expected.to contain_class('server') }
    "#]],
    );
    // The name does not change.
    check_moved("/site/web", "/modules/web", expect![[""]]);
}

/// A module with tasks, which a plan and its own class use.
const TASKS: &str = r#"
//- environment: roots=/
//- /environment.conf
modulepath = site
//- /site/web/metadata.json
{ "name": "web-web", "version": "1.0.0", "dependencies": [{ "name": "web-other" }] }
//- /site/web/manifests/init.pp
class web {$0 }
//- /site/web/tasks/init.json
{ "description": "web" }
//- /site/web/tasks/restart.json
{ "description": "Restarts", "parameters": { "name": { "type": "String" } } }
//- /site/web/tasks/restart.sh
//- /site/deploy/plans/all.pp
plan deploy::all(TargetSpec $targets) {
  run_task('web', $targets)
  run_task("web::restart", $targets, name => 'web::restart')
}
//- /site/deploy/plans/steps.yaml
steps:
  - task: web::restart
    targets: all
"#;

#[test]
fn moved_tasks_are_renamed() {
    let check = |from: &str, to: &str, expected: Expect| {
        let found = at_cursor(TASKS, |analysis, _, _, _| {
            let path = |text: &str| FilePath::from_native(text).expect("absolute");
            shown(analysis, &analysis.will_rename_files(&[(path(from), path(to))]).expect("not cancelled"))
        });
        expected.assert_eq(&found);
    };
    check(
        "/site/web",
        "/site/server",
        expect![[r#"
            /site/deploy/plans/all.pp:   run_task('server', $targets)
            /site/deploy/plans/all.pp:   run_task("server::restart", $targets, name => 'web::restart')
            /site/web/manifests/init.pp: class server { }
            /site/web/metadata.json: { "name": "web-server", "version": "1.0.0", "dependencies": [{ "name": "web-other" }] }
        "#]],
    );
    check(
        "/site/web/tasks/restart.json",
        "/site/web/tasks/reload.json",
        expect![[r#"
            /site/deploy/plans/all.pp:   run_task("web::reload", $targets, name => 'web::restart')
        "#]],
    );
    check("/site/web/tasks/restart.sh", "/site/web/tasks/reload.sh", expect![[""]]);
}

/// Modules and data that a moved folder affects.
const FOLDERS: &str = "
//- environment: roots=/
//- /environment.conf
modulepath = site
//- /hiera.yaml
version: 5
defaults:
  datadir: data
hierarchy:
  - name: nodes
    paths: ['nodes/%{trusted.certname}.yaml', \"%{facts.tier}.yaml\"]
  - name: all
    path: common.yaml
  - name: secrets
    datadir: secrets/all
    glob: '*.yaml'
//- /data/common.yaml
a: 1
//- /data/nodes/a.yaml
a: 2
//- /data/prod.yaml
a: 3
//- /secrets/all/x.yaml
b: 1
//- /site/a/manifests/x/one.pp
class a::x::one { include a::x::two$0 }
//- /site/a/manifests/x/two.pp
class a::x::two { }
//- /site/a/manifests/y/two.pp
class a::y::two { }
//- /site/b/manifests/init.pp
class b { b::f() }
//- /site/b/lib/puppet/functions/b/f.rb
Puppet::Functions.create_function(:'b::f') do
  def f
  end
end
";

#[test]
fn moved_folders_change_all_names_or_nothing() {
    for (from, to, expected) in [
        (
            "/data",
            "/hieradata",
            expect![[r#"
                /hiera.yaml:   datadir: hieradata
            "#]],
        ),
        (
            "/data/nodes",
            "/data/hosts/by_name",
            expect![[r#"
                /hiera.yaml:     paths: ['hosts/by_name/%{trusted.certname}.yaml', "%{facts.tier}.yaml"]
            "#]],
        ),
        ("/data/common.yaml", "/data/base.yaml", expect![[""]]),
        (
            "/secrets",
            "/private",
            expect![[r#"
                /hiera.yaml:     datadir: private/all
            "#]],
        ),
        (
            "/site/a/manifests/x",
            "/site/a/manifests/z",
            expect![[r#"
                /site/a/manifests/x/one.pp: class a::z::one { include a::z::two }
                /site/a/manifests/x/two.pp: class a::z::two { }
            "#]],
        ),
        // A level that is computed may read the file.
        ("/data/prod.yaml", "/data/production.yaml", expect![[""]]),
        // The data is no longer in the repository.
        ("/data/nodes", "/elsewhere/nodes", expect![[""]]),
        // The new name of one class is taken.
        ("/site/a/manifests/x", "/site/a/manifests/y", expect![[""]]),
        // The name of the function in Ruby is not changed.
        ("/site/b", "/site/c", expect![[""]]),
    ] {
        let found = at_cursor(FOLDERS, |analysis, _, _, _| {
            let path = |text: &str| FilePath::from_native(text).expect("absolute");
            shown(analysis, &analysis.will_rename_files(&[(path(from), path(to))]).expect("not cancelled"))
        });
        expected.assert_eq(&found);
    }
}

#[test]
fn tests_follow_renames() {
    for (front, new_name, expected) in [
        (
            "include web, web::deep::thi",
            "web::small",
            expect![[r#"
            /data/common.yaml: web::small::size: 1
            /data/common.yaml: classes: [web, 'web::small']
            /data/common.yaml: include: { web: [web::small, web] }
            /manifests/site.pp: node default { include web, web::small }
            /site/web/manifests/deep/thing.pp: class web::small ($size = 1) inherits web { }
            /site/web/manifests/init.pp: # See web::small
            /site/web/manifests/init.pp:   notice($web::port, $::web::small::size, web::double(1), lookup('web::port'))
            /site/web/spec/classes/deep/thing_spec.rb: describe "web::small" do
            /site/web/spec/classes/init_spec.rb:   it { is_expected.to contain_class('web::small').that_requires('Class[web]') }
            /site/web/manifests/deep/thing.pp -> /site/web/manifests/small.pp
            /site/web/spec/classes/deep/thing_spec.rb -> /site/web/spec/classes/small_spec.rb
        "#]],
        ),
        (
            "\n  web::vh",
            "web::host",
            expect![[r#"
            /site/web/manifests/init.pp:   web::host { 'a': text => epp('web/vhost.epp', { x => 1 }) }
            /site/web/manifests/init.pp:   Web::Host['a'] -> File['/x']
            /site/web/manifests/vhost.pp: define web::host ($text) { }
            /site/web/spec/classes/init_spec.rb:   it { is_expected.to contain_web__host('a').that_comes_before('Web::Host[b]') }
            /site/web/spec/defines/web_vhost_spec.rb: describe('web::host') { }
            /site/web/manifests/vhost.pp -> /site/web/manifests/host.pp
            /site/web/spec/defines/web_vhost_spec.rb -> /site/web/spec/defines/web_host_spec.rb
        "#]],
        ),
        (
            "class web (Web::Po",
            "Web::Number",
            expect![[r#"
            /site/web/manifests/init.pp: class web (Web::Number $port) {
            /site/web/spec/type_aliases/port_spec.rb: describe 'Web::Number' do end
            /site/web/types/port.pp: type Web::Number = Integer
            /site/web/types/port.pp -> /site/web/types/number.pp
            /site/web/spec/type_aliases/port_spec.rb -> /site/web/spec/type_aliases/number_spec.rb
        "#]],
        ),
    ] {
        let text = TESTED.replace("$0", "").replace(front, &format!("{front}$0"));
        expected.assert_eq(&renamed(&text, new_name));
    }
}

#[test]
fn parameter_renames_update_hiera_keys() {
    let text = TESTED.replace("$0", "").replace("class web (Web::Port $po", "class web (Web::Port $po$0");
    let found = at_cursor(&text, |analysis, file, offset, _| {
        let references = analysis.references(file, offset, true).expect("not cancelled").unwrap_or_default();
        let places = references.iter().map(|it| format!("{} {}\n", analysis.path(it.file), it.range));
        let places = places.collect::<String>();
        let change = analysis.rename(file, offset, "listen").expect("not cancelled").expect("it can be done");
        format!("{places}{}", shown(analysis, &change))
    });
    expect![[r#"
        /data/common.yaml 0..9
        /data/common.yaml 54..63
        /data/common.yaml 76..85
        /data/common.yaml 108..117
        /site/web/manifests/init.pp 45..49
        /site/web/manifests/init.pp 339..343
        /site/web/manifests/init.pp 396..405
        /site/web/templates/y.erb 16..20
        /data/common.yaml: web::listen: 80
        /data/common.yaml: x: "%{lookup('web::listen')} %{alias('web::listen')}"
        /data/common.yaml:   web::listen: { merge: first }
        /site/web/manifests/init.pp: class web (Web::Port $listen) {
        /site/web/manifests/init.pp:   notice($web::listen, $::web::deep::thing::size, web::double(1), lookup('web::listen'))
        /site/web/templates/y.erb: <%= scope['web::listen'] %>
    "#]].assert_eq(&found);
}

const KEYS: &str = "
//- /env/environment.conf
modulepath = modules
//- /env/hiera.yaml
version: 5
hierarchy:
  - { name: all, path: common.yaml }
//- /env/data/common.yaml
site_domain: example.org
'host': \"www.%{lookup('site_domain')}\"
//- /env/modules/a/manifests/init.pp
class a { notice(lookup('site_domain'), hiera('site_domain')) notice(lookup('host')) }
";

#[test]
fn lookup_keys_are_renamed_in_code_and_data() {
    let text = KEYS.replace("lookup('site_dom", "lookup('site$0_dom").replacen("$0", "", 1);
    expect![[r#"
        /env/data/common.yaml: domain: example.org
        /env/data/common.yaml: 'host': "www.%{lookup('domain')}"
        /env/modules/a/manifests/init.pp: class a { notice(lookup('domain'), hiera('domain')) notice(lookup('host')) }
    "#]]
    .assert_eq(&renamed(&text, "domain"));
    expect!["refused: `host` is already used"].assert_eq(renamed(&text, "host").trim_end());
    expect!["refused: `a b` is not a valid key"].assert_eq(renamed(&text, "a b").trim_end());
}
