//! Rules on names: their findings and severities, and code that they accept.

use crate::rule_cases::check;
use check::{Tier, diagnostics};
use fixture::Fixture;
use project::testing::TestWorkspace;
use project::vfs::{ChangeBatch, FilePath};
use syntax::Severity;

#[test]
fn missing_modules_are_hints() {
    check(
        r#"
//- /modules/a/manifests/init.pp
class a {
  include missing::thing
  missing::define { 'x': value => $missing::params::value }
  notice(missing::function(1))
}
//- /modules/other/manifests/init.pp
class other { }
"#,
    );
}

#[test]
fn global_names_are_unknown_only_if_all_modules_are_installed() {
    // The module's metadata declares all modules that its code uses.
    check(
        r#"
//- /modules/a/metadata.json
{"name": "me-a", "dependencies": []}
//- /modules/a/manifests/init.pp
class a {
  nothing_at_all { 'x': }
# ^^^^^^^^^^^^^^ error unknown-resource-type
  nothing_called('x')
# ^^^^^^^^^^^^^^ error unknown-function
  # A function of stdlib, which is missing.
  $x = concat([1], 2)
}
"#,
    );
    // The code uses modules that are not installed, so the metadata is incomplete.
    check(
        r#"
//- /modules/a/metadata.json
{"name": "me-a", "dependencies": []}
//- /modules/a/manifests/init.pp
class a {
  nothing_at_all { 'x': }
  nothing_called('x')
  $x = Nothing_at_all['x']
}
//- /modules/a/manifests/other.pp
class a::other {
  include missing::thing
}
"#,
    );
    // A module of the Puppetfile is not installed.
    check(
        r#"
//- /Puppetfile
mod 'someone-elsewhere', '1.0.0'
//- /modules/a/metadata.json
{"name": "me-a", "dependencies": []}
//- /modules/a/manifests/init.pp
class a {
  nothing_at_all { 'x': }
  nothing_called('x')
}
"#,
    );
}

#[test]
fn existence_tests_are_not_dependencies() {
    for (uses, is_dependency) in [
        ("include java", true),
        ("Class['java'] -> Class['a']", true),
        ("if defined(Class['java']) { notice('there') }", false),
        ("unless defined('java') { fail('not there') }", false),
        ("if defined(Class['java']) { include java }", true),
    ] {
        let workspace = TestWorkspace::new(&format!(
            "//- environment: roots=/ module_path=/modules\n//- /modules/java/manifests/init.pp\nclass java {{ }}\n\
             //- /modules/a/metadata.json\n{{\"name\": \"me-a\", \"dependencies\": []}}\n\
             //- /modules/a/manifests/init.pp\nclass a {{\n  {uses}\n}}\n"
        ));
        let file = workspace.file("/modules/a/manifests/init.pp");
        let found = Tier::LIVE.into_iter().flat_map(|tier| diagnostics(&workspace.db, file, tier).to_vec());
        let codes: Vec<String> = found.map(|it| it.code.to_string()).collect();
        assert_eq!(codes.contains(&"undeclared-dependency".to_owned()), is_dependency, "{uses}: {codes:?}");
    }
}

#[test]
fn declared_modules_are_not_misspelled() {
    let fixture = r#"
//- /environment.conf
//- /Puppetfile
mod 'puppetlabs-puppetdb', '7.0.0'
//- /.gitmodules
[submodule "modules/collectds"]
	path = modules/collectds
	url = https://example.org/collectds.git
//- /modules/puppet/manifests/init.pp
class puppet { include puppetdb }
//- /modules/collectd/manifests/init.pp
class collectd {
  include collectds
  include ngingx
}
//- /modules/nginx/manifests/init.pp
class nginx { include apache }
"#;
    let missing = |module: &str, help: &str| format!("module `{module}` not found (help: {help})");
    assert_eq!(
        hints(fixture),
        [
            missing("puppetdb", "run `r10k puppetfile install` to install the modules of the Puppetfile"),
            missing("collectds", "run `git submodule update --init` to fetch the submodule"),
            missing("apache", "install the module to check the code that uses it"),
        ]
    );
}

#[test]
fn a_missing_submodule_shadows_the_next_module_of_its_name() {
    let fixture = |submodule: &str| {
        format!(
            r#"
//- /environment.conf
modulepath = modules:vendor
//- /.gitmodules
[submodule "x"]
	path = {submodule}
//- /vendor/nginx/manifests/init.pp
class nginx {{ }}
//- /vendor/nginx/lib/puppet/parser/functions/shout.rb
module Puppet::Parser::Functions
  newfunction(:shout, type: :rvalue) {{ |args| args[0].upcase }}
end
//- /modules/web/manifests/init.pp
class web {{
  include nginx
  notice(shout('a'))
}}
"#
        )
    };
    let is_missing = "module `nginx` not found on the module path `modules:vendor` (help: run `git submodule update --init` to fetch the submodule)";
    assert_eq!(hints(&fixture("modules/nginx")), [is_missing]);
    for elsewhere in ["vendor/nginx", "modules/web", "modules", "other/nginx", ""] {
        assert_eq!(hints(&fixture(elsewhere)), <[&str; 0]>::default(), "{elsewhere}");
    }
}

#[test]
fn classes_with_data_may_take_their_parameters_from_it() {
    check(
        r#"
//- /modules/a/manifests/init.pp
class a { class { 'b': } }
//- /modules/b/hiera.yaml
version: 5
//- /modules/b/manifests/init.pp
class b($value) { notice($value) }
"#,
    );
}

/// Profiles often have the name of the module they wrap, so it is unclear which one is meant.
#[test]
fn classes_of_missing_modules_may_have_namesakes() {
    check(
        r#"
//- /modules/profiles/manifests/apache.pp
class profiles::apache { }
//- /modules/profiles/manifests/apache/base.pp
class profiles::apache::base {
  include apache
  class { 'apache::mod::ssl': }
}
//- /modules/openssh/manifests/server.pp
class openssh::server { }
//- /modules/openssh/manifests/keys.pp
class openssh::keys inherits server { }
"#,
    );
}

#[test]
fn templates_and_their_parameters() {
    check(
        r#"
//- /modules/a/manifests/init.pp
class a {
  notice(epp('a/one.epp', { 'port' => 80 }))
  notice(epp('a/one.epp', { 'prot' => 80 }))
#                            ^^^^ error unknown-attribute: template `a/one.epp` has no parameter `prot` (help: did you mean `port`?)
#            ^^^^^^^^^^^ error missing-parameter: missing parameter `port` of template `a/one.epp`
  notice(template('a/two.erb'))
#                  ^^^^^^^^^ error unknown-file: file `templates/two.erb` not found in module `a`
  file { '/x': source => 'puppet:///modules/a/here' }
  file { '/y': source => 'puppet:///modules/a/there' }
#                                           ^^^^^^^ warning unknown-file
  file { '/z': source => 'puppet:///mount/a/there' }
  notice(file('a/scripts/run.sh'))
  notice(file('a/there'))
#              ^^^^^^^ error unknown-file: file `files/there` not found in module `a` (help: did you mean `a/here`?)
  notice(file('a/there', 'a/here'), find_file('a/there'))
}
//- /modules/a/templates/one.epp
<%- | $port | -%>
<%= $port %>
//- /modules/a/files/here
x
"#,
    );
}

#[test]
fn variables_of_templates() {
    check(
        r#"
//- /modules/a/manifests/init.pp
class a(String $owner, String $path) inherits a::params {
  file { '/a':
    content => template('a/a.erb', 'a/shared.erb'),
  }
  $made = 'x'
  file { '/b':
    content => template("a/made/${made}.erb"),
  }
}
//- /modules/a/manifests/params.pp
class a::params {
  $port = 80
}
//- /modules/a/manifests/b.pp
define a::b(String $mode) {
  notice(template('a/shared.erb'))
  $template = 'a/free.erb'
  notice(template($template))
}
//- /modules/a/templates/a.erb
<%= @owner %> <%= @port %> <%= @title %> <%= @facts %> <%= @made %> <% @given_here = 1 %><%= @given_here %>
<%= @ownr %>
#   ^^^^^ warning unknown-template-variable: unknown variable `$ownr` in class `a`, which renders this template (help: did you mean `owner`?)
//- /modules/a/templates/shared.erb
<%= @owner %> <%= @mode %> <%= @other %>
<%= @modee %>
#   ^^^^^^ warning unknown-template-variable: unknown variable `$modee` in all definitions that render this template
//- /modules/a/templates/free.erb
<%= @anything %>
//- /modules/a/templates/made/x.erb
<%= @anything %>
//- /modules/a/templates/unused.erb
<%= @anything %>
//- /modules/a/templates/broken.erb
<%= @a + * %>
#        ^ error erb-syntax
"#,
    );
}

#[test]
fn misspelled_built_in_names_with_missing_modules() {
    check(
        r#"
//- /modules/a/metadata.json
{ "name": "x-a", "version": "1.0.0", "dependencies": [{ "name": "x/gone" }] }
//- /modules/a/manifests/init.pp
class a {
  notice(downcaze('x'), $facts['oa']['release']['major'], $facts['oa']['mine'], $facts['oa'], $facts['xx']['release'])
#        ^^^^^^^^ warning unknown-function: unknown function `downcaze` (help: did you mean `downcase`?)
#                               ^^ warning unknown-fact: unknown fact `oa` (help: did you mean `os`?)
}
"#,
    );
}

#[test]
fn value_mismatches() {
    check(
        r#"
//- /modules/a/manifests/init.pp
class a(Optional[Integer] $maybe, String $text) {
  a::d { 'one': port => 'http' }
#                       ^^^^^^ error value-mismatch: parameter `port` of `a::d` expects `Integer`, got `'http'`
  a::d { 'two': port => $text }
#                       ^^^^^ error value-mismatch
  a::d { 'three': port => $maybe }
  a::d { 'four': port => undef }
  service { 'x': ensure => runing }
#                          ^^^^^^ error resource-value: invalid value for attribute `ensure` of `service`: expected `stopped` or `running`, got `'runing'` (help: did you mean `running`?)
}
//- /modules/a/manifests/d.pp
define a::d(Integer $port = 80) { notice($port) }
//- /modules/a/manifests/deferred.pp
class a::deferred(Integer $size = Deferred('sprintf', ['3']), Sensitive[String] $key = Sensitive(Deferred('new', [Sensitive, 'x']))) {
#                                                                                      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning default-mismatch: default of parameter `$key`, what is sensitive expects a String value, got Deferred
  notice($size, $key)
}
"#,
    );
}

#[test]
fn broken_statements_have_no_other_findings() {
    check(
        r#"
//- /modules/a/manifests/init.pp
class a {
  file { '/x': no_such => ) }
#                         ^ error syntax-error
}
//- /modules/a/manifests/call.pp
class a::call {
  $b = regsubst('a',
  $c = 1
# ^^ error syntax-error
}
//- /modules/a/manifests/method.pp
class a::method($x) {
  $x.each { |$y| notice($y) }
#           ^ error syntax-error
  notice(nobody)
}
//- /modules/b/manifests/before.pp
class b::before {
  include b::nobody
#         ^^^^^^^^^ error unknown-class

  file { '/x': mode => ) }
#                      ^ error syntax-error
}
"#,
    );
}

#[test]
fn tasks_and_plans_get_the_parameters_that_they_take() {
    check(
        r#"
//- /modules/a/tasks/restart.json
{ "parameters": { "service": { "type": "String[1]" }, "mode": { "type": "Optional[String]" } } }
//- /modules/a/tasks/anything.json
{ "description": "takes what it is given" }
//- /modules/a/plans/other.pp
plan a::other(TargetSpec $targets, String $kind, Integer $count = 1) { notice($targets, $kind, $count) }
//- /modules/a/plans/init.pp
plan a(TargetSpec $targets, Hash $more) {
  run_task('a::restart', $targets, 'why', { 'service' => 'x', 'mode' => 'y', '_catch_errors' => true })
  run_task('a::restart', $targets, { 'service' => 'x', 'modus' => 'y' })
#                                                       ^^^^^ error unknown-attribute: task `a::restart` has no parameter `modus`
  run_task('a::restart', $targets, 'mode' => 'y')
#          ^^^^^^^^^^^^ error missing-parameter: missing parameter `service` of task `a::restart`
  run_task('a::restart', $targets)
#          ^^^^^^^^^^^^ error missing-parameter
  run_task('a::restart', $targets, $more)
  run_task('a::anything', $targets, 'x' => 1)
  run_plan('a::other', $targets, 'kind' => 'x')
  run_plan('a::other', 'targets' => $targets, 'knd' => 'x')
#          ^^^^^^^^^^ error missing-parameter: missing parameter `kind` of plan `a::other`
#                                              ^^^ error unknown-attribute: plan `a::other` has no parameter `knd` (help: did you mean `kind`?)
  run_plan('a::other', $more)
}
"#,
    );
}

#[test]
fn classes_in_unsaved_buffers_exist() {
    let mut workspace = TestWorkspace::new(
        "//- environment: roots=/ module_path=/modules
//- /modules/a/manifests/init.pp
class a { include a::b }
",
    );
    let codes = |workspace: &TestWorkspace| {
        let file = workspace.file("/modules/a/manifests/init.pp");
        diagnostics(&workspace.db, file, Tier::Names).iter().map(|it| it.code.as_str()).collect::<Vec<_>>()
    };
    assert_eq!(codes(&workspace), ["unknown-class"]);
    let path = FilePath::from_native("/modules/a/manifests/b.pp").expect("absolute");
    let buffer = |text: Option<&str>| ChangeBatch {
        buffers: vec![(path.clone(), text.map(Into::into))],
        ..ChangeBatch::default()
    };
    workspace.apply(buffer(Some("class a::b { }")));
    assert_eq!(codes(&workspace), Vec::<&str>::new());
    workspace.apply(buffer(Some("class a::other { }")));
    assert_eq!(codes(&workspace), ["unknown-class"]);
    workspace.apply(buffer(None));
    assert_eq!(codes(&workspace), ["unknown-class"]);
}

#[test]
fn variables_that_may_be_set_elsewhere_are_ignored() {
    check(
        r##"
//- /modules/a/manifests/d.pp
define a::d() {
  notify { $title:
    require => $require,
    tag     => $tag,
    loglevel => $loglevel,
  }
  if defined('$optional') { notice($optional) }
  $chosen = defined('$other') ? { true => $other, default => 1 }
  notice($chosen, $from_ruby, $nobody)
#                              ^^^^^^ warning unknown-variable: unknown variable `$nobody`
}
//- /modules/a/manifests/computed_facts.pp
class a::computed_facts {
  notice($env_path, $::env_os_version, $facts['env_os_version'], $eth0_size, $volume_b_x, $disk_used_kb)
  notice($en_path, $eth0_sizes, $disk_used_mb, $kernel_path)
#         ^^^^^^^ warning unknown-variable
#                   ^^^^^^^^^^ warning unknown-variable
#                                ^^^^^^^^^^^^ warning unknown-variable
#                                               ^^^^^^^^^^^ warning unknown-variable
}
//- /modules/a/lib/facter/computed.rb
ENV.each { |k, v| Facter.add("env_#{k.downcase}".to_sym) { setcode { v } } }
Dir['/sys/class/net/*'].each { |path| Facter.add(:"#{File.basename(path)}_size") { setcode { 1 } } }
Facter.add "Disk_#{x['kind']}_KB" do end
Facter.add("volume_#{{ "a" => 1 }.keys[0]}_#{"y"}x") { }
Facter.add(name) { }
Facter.add("#{name}") { }
Facter.add(:plain) { } # "kernel_#{name}"
//- /modules/a/lib/puppet/parser/functions/set_it.rb
module Puppet::Parser::Functions
  newfunction(:set_it, :type => :statement) do |args|
    setvar('from_ruby', 1)
  end
end
"##,
    );
}

/// Returns the messages of the hints in all manifests.
fn hints(fixture: &str) -> Vec<String> {
    let fixture = format!("//- environment: roots=/ module_path=/modules\n{}", fixture.trim_start());
    let workspace = TestWorkspace::new(&fixture);
    let manifests = Fixture::parse(&fixture).files.into_iter().filter(|it| it.path.ends_with(".pp"));
    let found = manifests.flat_map(|file| {
        let file = workspace.file(&file.path);
        Tier::LIVE
            .into_iter()
            .flat_map(|tier| diagnostics(&workspace.db, file, tier).to_vec())
            .collect::<Vec<_>>()
    });
    found.filter(|it| it.severity() == Severity::Hint).map(|it| codes::single_line(&it.message)).collect()
}

#[test]
fn variables_that_may_be_read_elsewhere_are_ignored() {
    let found = hints(
        r#"
//- /modules/a/manifests/params.pp
class a::params {
  $of_manifest = 1
  $of_template = 2
  $unread = 3
}
//- /modules/a/manifests/base.pp
class a::base { $inherited = 1 }
//- /modules/b/manifests/init.pp
class b inherits a::base {
  notice($a::params::of_manifest)
  [1, 2].each |$index, $value| { notice($index) }
  { 'x' => 1 }.each |$key, $value| { notice($value) }
}
//- /modules/b/templates/t.erb
<%= scope['a::params::of_template'] %>
//- /modules/b/manifests/d.pp
define b::d($of_ruby) { notice(reads_it()) }
//- /modules/b/manifests/e.pp
define b::e($of_unread_template) { notice(template('a/t')) }
//- /modules/b/manifests/f.pp
define b::f($of_other_template) { notice(template('a/t.erb')) }
//- /modules/b/manifests/g.pp
define b::g($ignored) { notice(template('b/t.erb')) }
//- /modules/b/lib/puppet/parser/functions/reads_it.rb
module Puppet::Parser::Functions
  newfunction(:reads_it, :type => :rvalue) { |args| lookupvar('of_ruby') }
end
"#,
    );
    assert_eq!(found, ["unused variable `$unread`", "unused parameter `$ignored`"]);
}

#[test]
fn names_of_missing_modules_are_not_reported_separately() {
    let found = hints(
        r#"
//- /Puppetfile
mod 'puppetlabs-stdlib', '9.0.0'
//- /modules/a/manifests/init.pp
class a {
  file_line { 'x': }
  notice(str2bool('yes'), $result.report, $result.value)
  File_line['x'] -> Vcsrepo['/srv/a']
}
//- /modules/b/manifests/init.pp
class b { }
"#,
    );
    assert!(found.is_empty(), "{found:?}");
}

#[test]
fn names_that_may_be_defined_outside_are_ignored() {
    let fixture = r#"
//- /modules/a/manifests/init.pp
class a {
  notice($::region, $facts['region'], pe_build_version(), functions_of_others(1))
  if $of_nobody != '' { notice($of_nobody) }
  unless $area { notice($area) }
  rare_thing { 'x': }
  include snmpd
  file { '/etc/ca.crl': source => 'puppet:///modules/a/certs/ca.crl' }
  file { '/etc/motd': source => 'puppet:///modules/a/etc/modt' }
#                                                  ^^^^^^^^^^ warning unknown-file: file `files/etc/modt` not found in module `a` (help: did you mean `a/etc/motd`?)
  class { 'a::server': }
  notice($alien, $::osfamilly)
#         ^^^^^ warning unknown-variable: unknown variable `$alien`
#                   ^^^^^^^^^ warning unknown-variable: unknown top-scope variable `$::osfamilly` (help: did you mean `osfamily`?)
}
//- /modules/a/files/etc/motd
x
//- /modules/a/manifests/server.pp
class a::server(String $password) { notice($password) }
//- /modules/bsnmpd/manifests/init.pp
class bsnmpd { }
"#;
    check(fixture);
    assert_eq!(
        hints(fixture),
        ["module `snmpd` not found (help: install the module to check the code that uses it)"]
    );
}

#[test]
fn parameters_that_may_be_read_elsewhere_are_not_unused() {
    let found = hints(
        r#"
//- /modules/a/manifests/init.pp
define a($by_function) { notice(calls_template('x')) }
//- /modules/a/manifests/b.pp
define a::b($by_stranger) { notice(function_of_others()) }
//- /modules/a/manifests/marker.pp
define a::marker($for_puppetdb) { }
//- /modules/a/manifests/marker_class.pp
class a::marker_class($for_puppetdb) { }
//- /modules/a/manifests/c.pp
define a::c($unread) { notice(1) }
//- /modules/a/manifests/for_puppet.pp
class a::for_puppet($stage = 'first', $noop = true, $tag = 'x') { notice(1) }
//- /modules/a/manifests/for_puppet_too.pp
define a::for_puppet_too($require = undef, $before = undef, $loglevel = 'debug', $schedule = 'x') { notice(1) }
//- /modules/a/functions/f.pp
function a::f($x) {
  $all = $x.map |$it| { $last = $it }
  if $all == [] { $result = 1 } else { $result = 2 }
}
//- /modules/a/lib/puppet/parser/functions/calls_template.rb
module Puppet::Parser::Functions
  newfunction(:calls_template, :type => :rvalue) { |args| function_inner(args) }
end
"#,
    );
    assert_eq!(found, ["unused parameter `$unread`"]);
}

/// Functions and templates may read class variables by name. Tests only set parameters, and code on agents
/// has no access to variables.
#[test]
fn names_in_tests_and_agent_code_are_not_uses() {
    let found = hints(
        r#"
//- /modules/a/manifests/init.pp
class a {
  $of_function = 1
  $of_template = 2
  $of_test = 3
  $of_type = 4
  $of_provider = 5
  $of_fact = 6
}
//- /modules/a/lib/puppet/parser/functions/reads.rb
module Puppet::Parser::Functions
  newfunction(:reads, :type => :rvalue) { |args| lookupvar('of_function') }
end
//- /modules/a/templates/a.erb
<%= @of_template %>
//- /modules/a/spec/classes/a_spec.rb
describe 'a' do
  let(:params) { { of_test: 1 } }
end
//- /modules/a/lib/puppet/type/t.rb
Puppet::Type.newtype(:t) { newparam(:of_type) }
//- /modules/a/lib/puppet/provider/t/p.rb
Puppet::Type.type(:t).provide(:p) { def of_provider; end }
//- /modules/a/lib/facter/of_fact.rb
Facter.add(:of_fact) { setcode { 1 } }
"#,
    );
    let unused = |name: &str| format!("unused variable `{name}`");
    assert_eq!(found, ["$of_test", "$of_type", "$of_provider", "$of_fact"].map(unused));
}

#[test]
fn missing_parts_of_an_environment_are_reported_once() {
    let found = hints(
        r#"
//- /environment.conf
modulepath = site:modules
//- /modules/a/manifests/init.pp
class a {
  include nginx
  notice(lookup('a::x'))
}
//- /modules/b/manifests/init.pp
class b {
  include nginx::server
  include apache
  notice(lookup('b::x'))
}
"#,
    );
    let rest = "not found on the module path `site:modules` (help: install the module to check \
                the code that uses it)";
    assert_eq!(
        found,
        [
            format!("module `nginx` {rest}").as_str(),
            "no `hiera.yaml` in this environment; lookups depend on the configuration of the server",
            format!("module `apache` {rest}").as_str(),
        ]
    );
}

#[test]
fn parameters_named_like_metaparameters() {
    check(
        r#"
//- /modules/a/manifests/init.pp
class a($tag, Boolean $noop = false, $other = 1) {
#       ^^^^ error parameter-like-metaparameter
#             ^^^^^^^^^^^^^^^^^^^^^ warning inherited-metaparameter
  notice($tag, $noop, $other)
}
//- /modules/a/functions/f.pp
function a::f($tag) { $tag }
"#,
    );
}

#[test]
fn values_are_checked_wherever_attributes_are_set() {
    check(
        r#"
//- /modules/a/manifests/init.pp
class a {
  file { '/a': }
  File['/a'] { purge => 17 }
#                       ^^ error resource-value
  File { replace => 'perhaps' }
#                   ^^^^^^^^^ warning resource-value
  Service <| |> { enable => 'yess' }
#                           ^^^^^^ warning value-mismatch
  A::D { port => 'x' }
#                ^^^ warning value-mismatch
  a::d { 'd': port => 1 }
  A::D['d'] { port => 'x' }
#                     ^^^ error value-mismatch
}
//- /modules/a/manifests/d.pp
define a::d(Integer $port) { notice($port) }
"#,
    );
}

#[test]
fn paths_with_the_name_of_the_own_module_are_resolved() {
    check(
        r#"
//- /modules/shop/metadata.json
{ "name": "me-shop", "dependencies": [] }
//- /modules/shop/templates/a.erb
//- /modules/shop/templates/e.epp
<%- | String $yes | -%><%= $yes %>
//- /modules/shop/files/f.txt
//- /modules/shop/manifests/init.pp
class shop {
  file {
    '/a': content => template("${module_name}/a.erb");
    '/b': content => template("${module_name}/missing.erb");
#                              ^^^^^^^^^^^^^^^^^^^^^^^^^^ error unknown-file: file `templates/missing.erb` not found in module `shop`
    '/c': content => template("shop/${name}.erb");
    '/d': content => epp("${module_name}/e.epp", { 'yes' => 'a' });
    '/i': content => epp("${module_name}/e.epp", { 'nope' => 'a' });
#                        ^^^^^^^^^^^^^^^^^^^^^^ error missing-parameter
#                                                   ^^^^ error unknown-attribute
    '/e': content => epp("$module_name/none.epp");
#                         ^^^^^^^^^^^^^^^^^^^^^ error unknown-file
    '/f': source => "puppet:///modules/${module_name}/f.txt";
    '/g': source => "puppet:///modules/${module_name}/missing";
#                                      ^^^^^^^^^^^^^^^^^^^^^^ warning unknown-file: file `files/missing` not found in module `shop`
    '/h': content => file("${module_name}/missing.txt");
#                          ^^^^^^^^^^^^^^^^^^^^^^^^^^ error unknown-file
  }
}
//- /manifests/site.pp
notice(template("${module_name}/a.erb"))
"#,
    );
}

#[test]
fn functions_of_a_missing_stdlib_are_ignored() {
    check(
        r#"
//- /modules/shop/metadata.json
{ "name": "me-shop", "dependencies": [] }
//- /modules/shop/manifests/init.pp
class shop($a, $b) {
  validate_cmd($b, '/usr/sbin/visudo -c -f', 'no')
  validate_augeas($b, 'Passwd.lns')
  validate_x509_rsa_key_pair($a, $b)
  notice(shell_split($a), str2saltedpbkdf2($a, 'b', 1), try_get_value($a, 'b'), has_key($a, 'b'))
}
"#,
    );
}

#[test]
fn plans_of_test_modules_are_plans() {
    check(
        r#"
//- /modules/shop/metadata.json
{ "name": "me-shop", "dependencies": [] }
//- /modules/shop/spec/acceptance/shop_spec/plans/reboot.pp
plan shop_spec::reboot(
  String[1] $architecture,
  Boolean $wait = true,
) {
  $t = get_targets('*')
  parallelize($t) |$x| { run_command('reboot', $x) }
}
//- /modules/shop/examples/plans/other.pp
class other { }
"#,
    );
}
