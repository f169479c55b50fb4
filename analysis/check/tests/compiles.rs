//! Findings from compiles of classes and nodes: locations and severities.

use crate::compare;
use check::{Breadth, Diagnostic, diagnostics_of_compiles};
use expect_test::expect;
use project::testing::TestWorkspace;
use syntax::TextRange;

/// Compares the findings of compiles with the marks. Compiles of nearby roles and nodes have to find the
/// same.
#[track_caller]
fn check(fixture: &str) {
    for breadth in [Breadth::All, Breadth::Nearby] {
        compare(
            fixture.trim_start(),
            |path| path.ends_with(".pp"),
            |db, file| diagnostics_of_compiles(db, file, breadth).into_iter().map(rendered).collect(),
        );
    }
}

fn rendered(found: Diagnostic) -> (TextRange, String) {
    let related = found.related.iter().map(|other| format!(" | {}", other.message)).collect::<String>();
    let severity = format!("{:?}", found.severity()).to_lowercase();
    (found.range, format!("{severity} {}: {}{related}", found.code, codes::single_line(&found.message)))
}

const METADATA: &str = r#"{ "name": "me-web", "version": "1.0.0", "operatingsystem_support": [
  { "operatingsystem": "Debian", "operatingsystemrelease": ["12"] },
  { "operatingsystem": "RedHat", "operatingsystemrelease": ["9"] }
] }"#;

/// Checks the files of a module `web` that supports Debian 12 and RedHat 9.
#[track_caller]
fn check_module(files: &str) {
    check(&format!(
        "//- environment: roots=/ module_path=/modules\n//- /modules/web/metadata.json\n{METADATA}\n{files}"
    ));
}

#[test]
fn dependency_cycles_are_reported_once() {
    check_module(
        r#"
//- /modules/web/manifests/init.pp
class web {
  package { 'nginx': }
  file { '/etc/nginx':
    require => Package['nginx'],
  }
}
//- /modules/web/manifests/extra.pp
class web::extra {
  include web
  File['/etc/nginx'] -> Package['nginx']
# ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error failing-class: class `web::extra` cannot be compiled: dependency cycle: `Package[nginx] -> File[/etc/nginx] -> Package[nginx]` | part of the cycle
}
//- /modules/web/manifests/contained.pp
class web::contained {
  file { '/etc/web':
    require => Class['web::contained'],
#              ^^^^^^^^^^^^^^^^^^^^^^^ error failing-class: class `web::contained` cannot be compiled: dependency cycle
  }
}
"#,
    );
}

#[test]
fn keys_without_data_are_warnings() {
    check_module(
        r#"
//- /hiera.yaml
version: 5
//- /modules/web/manifests/init.pp
class web {
  $port = lookup('web::prot')
#         ^^^^^^^^^^^^^^^^^^^ warning failing-class: class `web` cannot be compiled: no value for `web::prot` in Hiera data
}
//- /modules/web/manifests/other.pp
class web::other {
  $port = lookup('web::port')
  $name_of_user = lookup('web::user', String, 'first', 'www')
}
//- /modules/web/hiera.yaml
version: 5
hierarchy:
  - name: nodes
    path: "nodes/%{trusted.certname}.yaml"
//- /modules/web/data/nodes/db1.example.com.yaml
web::port: 80
"#,
    );
}

#[test]
fn platform_failures_of_main_classes_and_params() {
    check_module(
        r#"
//- /modules/web/manifests/init.pp
class web inherits web::params {
  include web::debian
}
//- /modules/web/manifests/params.pp
class web::params {
  case $facts['os']['family'] {
    'Debian': { $package = 'web' }
    default: { fail("no ${facts['os']['family']}") }
#              ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning failing-class: classes `web` and `web::params` cannot be compiled on RedHat 9: no RedHat
  }
}
//- /modules/web/manifests/debian.pp
class web::debian {
  if $facts['os']['family'] != 'Debian' {
    $limit = lookup('web::limit')
  }
}
"#,
    );
}

#[test]
fn roles_and_nodes_have_all_their_resources() {
    check(
        r#"
//- environment: roots=/
//- /environment.conf
modulepath = site:modules
//- /Puppetfile
mod 'me-installed', '1.0.0'
//- /manifests/site.pp
node 'web1.example.com', 'web2.example.com' {
  include role::web
}
node /^db\d+/ {
  include installed
# ^^^^^^^^^^^^^^^^^ error failing-node: node `db1` cannot be compiled: resource `Package[none]` not found
}
node 'web3.example.com' {
  include profile::alone
}
node default {
  include profile::good
}
//- /site/role/manifests/web.pp
class role::web {
  include profile::web
  include profile::good
}
//- /site/profile/manifests/web.pp
class profile::web {
  package { 'nginx': }
  Package['ngnix'] -> Service['nginx']
# ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error failing-class: class `role::web` cannot be compiled: resource `Package[ngnix]` not found
}
//- /site/profile/manifests/alone.pp
class profile::alone {
  file { '/srv/alone':
    require => Package['alone'],
#              ^^^^^^^^^^^^^^^^ error failing-node: node `web3.example.com` cannot be compiled: resource `Package[alone]` not found; required by `require` of `File[/srv/alone]`
  }
}
//- /site/profile/manifests/good.pp
class profile::good {
  service { 'nginx': }
}
//- /modules/installed/manifests/init.pp
class installed {
  Package['none'] -> Notify['none']
}
"#,
    );
}

#[test]
fn fact_files_replace_platforms() {
    check(
        r#"
//- environment: roots=/ module_path=/modules fact_files=/facts/db1.json
//- /hiera.yaml
version: 5
//- /facts/db1.json
{ "os": { "name": "Debian", "family": "Debian", "release": { "major": "12", "full": "12.5" } }, "networking": { "fqdn": "db1.example.com" }, "tier": "gold" }
//- /modules/profile/manifests/init.pp
class profile {
  if $facts['tier'] == 'gold' {
    fail('gold')
  }
}
//- /modules/profile/manifests/db.pp
class profile::db {
  if $facts['tier'] == 'gold' {
    $limit = lookup('profile::limit')
#            ^^^^^^^^^^^^^^^^^^^^^^^^ warning failing-class: class `profile::db` cannot be compiled: no value for
  }
}
//- /modules/web/metadata.json
{ "name": "me-web", "version": "1.0.0", "operatingsystem_support": [
  { "operatingsystem": "Debian", "operatingsystemrelease": ["12"] },
  { "operatingsystem": "RedHat", "operatingsystemrelease": ["9"] }
] }
//- /modules/web/manifests/init.pp
class web {
  if $facts['tier'] == 'gold' {
    fail('gold')
#   ^^^^^^^^^^^^ warning failing-class: class `web` cannot be compiled on db1: gold
  }
}
"#,
    );
}

#[test]
fn legacy_facts_are_those_that_agents_send() {
    let module = r#"
//- /facts/db1.json
{ "os": { "name": "Debian", "family": "Debian" }, "networking": { "fqdn": "db1.example.com" }, "osfamily": "Debian" }
//- /modules/web/manifests/init.pp
"#;
    let sent = "class web {\n  if $osfamily == 'Debian' { notify { $::osfamily: } }\n}\n";
    check(&format!("//- environment: roots=/ module_path=/modules version=7{module}{sent}"));
    check(&format!("//- environment: roots=/ module_path=/modules fact_files=/facts/db1.json{module}{sent}"));
    check(&format!(
        "//- environment: roots=/ module_path=/modules{module}class web {{\n  notify {{ $::osfamily: }}\n\
         #          ^^^^^^^^^^^ error failing-class: class `web` cannot be compiled: unknown variable `$::osfamily`\n}}\n"
    ));
}

#[test]
fn data_from_ruby_functions_are_unknown() {
    check_module(
        r#"
//- /modules/web/manifests/init.pp
class web(Integer $port, $user, String $name_of_site = 'www') {
  $limit = lookup('web::limit')
  $half = $limit / 2
  if $port == 80 { fail('too low') }
  notify { "${user} ${limit} ${name_of_site}": }
}
//- /modules/web/hiera.yaml
version: 5
hierarchy:
  - name: keys
    lookup_key: web::key
  - name: all at once
    data_hash: web::hash
  - name: ways
    data_dig: web::dig
    uri: https://data.example.com
//- /modules/web/lib/puppet/functions/web/key.rb
Puppet::Functions.create_function(:'web::key') do
  dispatch :key do
    param 'String', :key
    param 'Hash', :options
    param 'Puppet::LookupContext', :context
  end
end
//- /modules/web/lib/puppet/functions/web/hash.rb
Puppet::Functions.create_function(:'web::hash') do
  dispatch :hash do
    param 'Hash', :options
    param 'Puppet::LookupContext', :context
  end
end
//- /modules/web/lib/puppet/functions/web/dig.rb
Puppet::Functions.create_function(:'web::dig') do
  dispatch :dig do
    param 'Array', :segments
    param 'Hash', :options
    param 'Puppet::LookupContext', :context
  end
end
"#,
    );
}

#[test]
fn duplicate_declarations_of_a_class_are_errors() {
    check_module(
        r#"
//- /modules/web/manifests/init.pp
class web {
  include web::client
}
//- /modules/web/manifests/client.pp
class web::client {
  if $facts['os']['family'] == 'RedHat' {
    file { '/etc/web': }
    include web::install
  }
}
//- /modules/web/manifests/install.pp
class web::install {
  file { '/etc/web': ensure => directory }
# ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error failing-class: classes `web::client` and `web` cannot be compiled on RedHat 9: resource `File[/etc/web]` is already declared
}
"#,
    );
}

#[test]
fn duplicate_declarations_in_classes_that_are_never_included_are_warnings() {
    check_module(
        r#"
//- /modules/web/manifests/init.pp
class web {
  case $facts['os']['family'] {
    'Debian': { include web::debian }
    default: { include web::redhat }
  }
}
//- /modules/web/manifests/debian.pp
class web::debian {
  file { '/etc/web': }
  include web
}
//- /modules/web/manifests/redhat.pp
class web::redhat {
  file { '/etc/web': }
# ^^^^^^^^^^^^^^^^^^^^ warning failing-class: class `web::debian` cannot be compiled on RedHat 9: resource `File[/etc/web]` is already declared
}
"#,
    );
}

#[test]
fn classes_that_are_only_referenced_are_declared_by_users() {
    check_module(
        r#"
//- /modules/web/manifests/init.pp
class web {
  if defined(Class['web::late']) or defined('web::late') or defined(Class['web::worker']) {
    Class['web'] -> Class['web::late']
  }
}
//- /modules/web/manifests/worker.pp
class web::worker {
  if $facts['os']['family'] == 'RedHat' {
    fail('not together with what comes with the system')
  }
}
//- /modules/web/manifests/late.pp
class web::late {
  $port = $facts['os']['family'] ? { 'Debian' => 80, default => 'eighty' }
  file { "/srv/${$port + 1}": }
#                ^^^^^ error failing-class: class `web::late` cannot be compiled on RedHat 9
}
"#,
    );
}

#[test]
fn resources_created_by_functions_exist() {
    check_module(
        r#"
//- /modules/stdlib/lib/puppet/functions/ensure_packages.rb
Puppet::Functions.create_function(:ensure_packages) do
end
//- /modules/web/manifests/init.pp
class web {
  ensure_packages(['curl', 'wget'])
  unless defined(Package['wget']) {
    package { 'wget': }
  }
  package { 'curl': }
# ^^^^^^^^^^^^^^^^^^^ error failing-class: class `web` cannot be compiled: resource `Package[curl]` is already declared
}
//- /modules/web/manifests/guarded.pp
class web::guarded($folder = '/etc/web') {
  if $folder and !defined(File[$folder]) {
    file { $folder: ensure => directory }
  }
  file { '/etc/web': }
# ^^^^^^^^^^^^^^^^^^^^ error failing-class: class `web::guarded` cannot be compiled: resource `File[/etc/web]` is already declared
}
//- /modules/web/manifests/half_guarded.pp
class web::half_guarded(Boolean $is_wanted, Boolean $is_used) {
  if $is_wanted and !defined(File['/srv/a']) {
    file { '/srv/a': }
  }
  file { '/srv/a': }
  unless defined(File['/srv/b']) {
    if $is_used {
      file { '/srv/b': }
    }
  }
  file { '/srv/b': }
}
//- /modules/web/manifests/perhaps.pp
class web::perhaps(Boolean $has_curl) {
  if $has_curl {
    ensure_packages('curl')
  }
  package { 'curl': }
}
"#,
    );
}

#[test]
fn definitions_in_other_modules_are_not_missing() {
    check_module(
        r#"
//- /modules/web/manifests/init.pp
class web($options) {
  $flags = split($facts['tool_flags'], ' ')
  $first = $facts['tool']['version']['major']
  notice($facts.get('tool.flags').split(','), fact('tool.flags').split(','))
  class { 'web::early': stage => 'first' }
  include config
  Web::Site { * => $options }
  web::site { 'a': }
  notice(inline_template('<%= [1, 2].find(3) { |it| it > 1 } %>'), epp('web/site', { 'a' => 1 }))
}
//- /modules/web/manifests/early.pp
class web::early { }
//- /modules/web/manifests/site.pp
define web::site($needed) { notice($needed) }
//- /modules/web/templates/site.epp
<%- | $a | -%>
<%= $a %>
//- /modules/config/manifests/base.pp
class config::base { }
//- /manifests/site.pp
stage { 'first': before => Stage['main'] }
//- /manifests/config.pp
class config { }
"#,
    );
}

#[test]
fn modules_without_supported_platforms_are_compiled_on_all() {
    check(
        r#"
//- environment: roots=/ module_path=/modules
//- /modules/web/manifests/init.pp
class web {
  $release = $facts['os']['distro']['codename'] ? { 'buster' => 1, 'stretch' => 2 }
}
//- /modules/web/manifests/number.pp
class web::number {
  $major = Integer($facts['os']['release']['major'])
}
//- /modules/web/manifests/windows.pp
class web::windows {
  $kernel = $facts['kernel'] ? { 'windows' => 1 }
}
//- /modules/web/manifests/broken.pp
class web::broken($text = 'a') {
  $major = Integer($text)
#          ^^^^^^^^^^^^^^ error failing-class: class `web::broken` cannot be compiled: the string 'a' cannot be converted to Integer
}
"#,
    );
}

#[test]
fn values_from_users_and_facts_do_not_fail() {
    check_module(
        r#"
//- /modules/web/manifests/init.pp
class web($backends = undef) {
  notice(join($backends, ','))
  class { 'web::prepare': version => '1.0' }
  if $facts['os']['family'] == 'RedHat' {
    class { "${title}::redhat": }
  }
  notice($facts['networking']['interfaces']['ens19']['ip'], $facts['mountpoints']['/srv']['size'])
}
//- /modules/web/manifests/prepare.pp
class web::prepare($version = 0) {
  notice(versioncmp($version, '2'))
}
//- /modules/web/manifests/redhat.pp
class web::redhat {
  $package = $facts['os']['family'] ? { 'RedHat' => 'httpd', default => false }
  package { $package: }
}
"#,
    );
}

#[test]
fn included_roles_are_not_complete_nodes() {
    check(
        r#"
//- environment: roots=/ module_path=/modules
//- /modules/roles/manifests/init.pp
class roles($all = []) {
  if 'wiki' in $all { include roles::wiki }
}
//- /modules/roles/manifests/wiki.pp
class roles::wiki {
  file { '/etc/wiki': notify => Exec['reload'] }
}
//- /modules/roles/manifests/alone.pp
class roles::alone {
  file { '/etc/alone': notify => Exec['reload'] }
#                                ^^^^^^^^^^^^^^ error failing-class
}
"#,
    );
}

#[test]
fn nodes_may_have_more_than_a_role() {
    check(
        r#"
//- environment: roots=/
//- /environment.conf
//- /manifests/site.pp
node 'a.example.com' {
  include base
  include role::shell
}
//- /modules/base/manifests/init.pp
class base {
  package { 'git': }
}
//- /modules/role/manifests/shell.pp
class role::shell {
  exec { '/usr/bin/git clone x': require => Package['git'] }
}
"#,
    );
}

#[test]
fn defaults_that_are_always_overridden_may_be_invalid() {
    check(
        r#"
//- environment: roots=/ module_path=/modules
//- /modules/net/manifests/init.pp
class net($ranges = {}) {
  notice(inline_epp('<%= $ranges["subnet"].map |$it| { $it }.join %>', { 'ranges' => $ranges }))
}
//- /modules/profile/manifests/net.pp
class profile::net {
  class { 'net': ranges => { 'subnet' => ['a'] } }
}
//- /modules/alone/manifests/init.pp
class alone($text = 'a') {
  notice(Integer($text))
#        ^^^^^^^^^^^^^^ error failing-class: class `alone` cannot be compiled: the string 'a' cannot be converted to Integer
}
"#,
    );
}

#[test]
fn functions_of_old_stdlib_versions_are_not_deprecated() {
    check(
        r#"
//- environment: strict=error roots=/ module_path=/modules
//- /modules/stdlib/metadata.json
{ "name": "puppetlabs-stdlib", "version": "4.6.0" }
//- /modules/stdlib/lib/puppet/parser/functions/validate_re.rb
module Puppet::Parser::Functions
  newfunction(:validate_re) { |args| }
end
//- /modules/web/manifests/init.pp
class web($text = 'abc') {
  validate_re($text, '^a')
}
"#,
    );
}

#[test]
fn methods_of_ruby_libraries_are_not_missing() {
    check(
        r#"
//- environment: roots=/
//- /environment.conf
//- /manifests/site.pp
node 'a.example.com' { include a }
node 'b.example.com' {
  include b
}
//- /modules/a/manifests/init.pp
class a {
  $content = 'a b'
  file { '/x': content => template('a/shell.erb', 'a/foreign.erb') }
}
//- /modules/a/templates/shell.erb
<% require 'shellwords' %><%= @content.shellescape %>
//- /modules/a/templates/foreign.erb
<% require 'active_support/all' %><%= @content.squish %>
//- /modules/b/manifests/init.pp
class b {
  $content = 'a b'
  file { '/x': content => template('b/x.erb') }
#                         ^^^^^^^^^^^^^^^^^^^ error failing-class: class `b` cannot be compiled: error in line 1 of template `b/x.erb`: undefined method 'squish' for String
}
//- /modules/b/templates/x.erb
<% require 'json' %><%= @content.squish %>
"#,
    );
}

#[test]
fn exceptions_raised_again_keep_their_message() {
    check(
        r#"
//- environment: roots=/
//- /environment.conf
//- /manifests/site.pp
node 'a.example.com' { include a }
//- /modules/a/manifests/init.pp
class a {
  file { '/x': content => template('a/x.erb') }
#                         ^^^^^^^^^^^^^^^^^^^ error failing-class: class `a` cannot be compiled: error in line 2 of template `a/x.erb`: undefined method 'length' for Integer
}
//- /modules/a/templates/x.erb
<% begin; 1.length; rescue StandardError => e
raise Puppet::Error, "no length: #{e.message}"; end %>
"#,
    );
}

/// Returns a repository with forty roles, each with a separate profile, and more files.
fn many_roles(profile: &str, more: &str) -> String {
    let mut fixture = String::from("//- environment: roots=/\n//- /environment.conf\nmodulepath = site\n");
    for index in 0..40 {
        fixture += &format!(
            "//- /site/role/manifests/r{index}.pp\nclass role::r{index} {{ include profile::p{index} }}\n"
        );
        fixture +=
            &format!("//- /site/profile/manifests/p{index}.pp\nclass profile::p{index} {{ {profile} }}\n");
    }
    fixture + more
}

#[test]
fn roles_that_lead_to_a_file_are_compiled_among_many() {
    // Through a class, a defined type, a Puppet function and a template.
    check(&many_roles(
        "",
        r#"
//- /site/role/manifests/zlast.pp
class role::zlast { include profile::between }
//- /site/profile/manifests/between.pp
class profile::between { profile::wrapped { 'a': } }
//- /site/profile/manifests/wrapped.pp
define profile::wrapped { notice(profile::words('a')) }
//- /site/profile/functions/words.pp
function profile::words($x) { include profile::end }
//- /site/profile/manifests/end.pp
class profile::end {
  Package['nowhere'] -> Package['there']
# ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error failing-class: class `role::zlast` cannot be compiled: resource `Package[nowhere]` not found
}
"#,
    ));
}

#[test]
fn roles_with_computed_names_may_lead_anywhere() {
    check(&many_roles(
        "",
        r#"
//- /hiera.yaml
version: 5
hierarchy: [{ name: all, path: all.yaml }]
//- /data/all.yaml
classes: [profile::end]
//- /site/role/manifests/zlast.pp
class role::zlast { lookup('classes').include }
//- /site/profile/manifests/end.pp
class profile::end {
  Package['nowhere'] -> Package['there']
# ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error failing-class: class `role::zlast` cannot be compiled: resource `Package[nowhere]` not found
}
"#,
    ));
}

#[test]
fn code_shared_by_many_roles_is_compiled_with_some_of_them() {
    let file = "/site/profile/manifests/all.pp";
    let shared = format!("//- {file}\nclass profile::all {{ Package['nowhere'] -> Package['there'] }}\n");
    let fixture = many_roles("include profile::all", &shared);
    let workspace = TestWorkspace::new(&fixture);
    let of = |breadth| -> Vec<String> {
        let found = diagnostics_of_compiles(&workspace.db, workspace.file(file), breadth);
        found.into_iter().map(|it| rendered(it).1).collect()
    };
    expect![[r#"
        [
            "error failing-class: classes `role::r0`, `role::r1`, `role::r10`, `role::r11`, `role::r12`, `role::r13` and 34 more cannot be compiled: resource `Package[nowhere]` not found; required by a relationship with `Package[there]` | reached from here | reached from here",
        ]
    "#]]
    .assert_debug_eq(&of(Breadth::All));
    expect![[r#"
        [
            "error failing-class: classes `role::r0`, `role::r1`, `role::r10`, `role::r11`, `role::r12`, `role::r13` and 10 more cannot be compiled: resource `Package[nowhere]` not found; required by a relationship with `Package[there]` | reached from here | reached from here",
        ]
    "#]]
    .assert_debug_eq(&of(Breadth::Nearby));
    expect![[r#"
        []
    "#]]
    .assert_debug_eq(&of(Breadth::Module));
}

#[test]
fn resources_that_no_agent_accepts_are_reported() {
    check_module(
        r#"
//- /modules/web/manifests/init.pp
class web {
  # Unconditional ones are reported without a compile.
  if $facts['kernel'] == 'Linux' {
  exec { 'ls': }
# ^^^^^^^^^^^^^^ error resource-value: invalid `exec` resource: `ls` is not an absolute path, and `path` is not set
  exec { 'systemctl daemon-reload': refreshonly => true }
# ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error resource-value: invalid `exec` resource: `systemctl` is not an absolute path, and `path` is not set
  exec { 'mkdir /a': path => '/bin', unless => 'test -d /a' }
  exec { 'cd /a && ls': provider => shell }
  file { 'etc/b': ensure => file }
# ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error resource-value: invalid value for attribute `path` of `file`: expected an absolute path, got `'etc/b'`
  }
  $attributes = { 'content' => 'a', 'source' => '/b' }
  file { '/d': * => $attributes }
#                   ^^^^^^^^^^^ error resource-value: invalid `file` resource: `content` and `source` exclude each other
  web::part { 'e': }
  @file { 'f': }
  file { 'g': path => '/g' }
}
//- /modules/web/manifests/part.pp
define web::part {
  notify { $title: }
}
"#,
    );
}

#[test]
fn attributes_that_are_set_elsewhere_count() {
    check_module(
        r#"
//- /modules/web/manifests/init.pp
class web {
  Exec { path => ['/bin', '/usr/bin'] }
  exec { 'ls': }
  include web::inner
  file { '/a': mode => '0888' }
  File <| title == '/a' |> { mode => '0644' }
  exec { 'fixed': }
  Exec <| title == 'fixed' |> { command => '/bin/true' }
  @user { 'b': groups => 'b,c' }
  User <| title == 'b' |> { groups => ['b', 'c'] }
}
//- /modules/web/manifests/inner.pp
class web::inner {
  exec { 'pwd': }
}
"#,
    );
}
