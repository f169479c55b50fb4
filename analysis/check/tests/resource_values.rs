//! Attribute values that resource types written in Ruby reject.

use crate::compare;
use check::{Diagnostic, Tier, diagnostics};

const TYPE: &str = r#"
//- environment: roots=/ module_path=/modules
//- /modules/web/lib/puppet_x/web/names.rb
module PuppetX
  module Web
    NAMES = %w[one two].freeze
    def self.named?(text)
      NAMES.include?(text)
    end
  end
end
//- /modules/web/lib/puppet/type/web_site.rb
require 'puppet_x/web/names'
Puppet::Type.newtype(:web_site) do
  ensurable
  newparam(:name, namevar: true) do
    validate { |value| fail "no blanks in '#{value}'" if value.include?(' ') }
  end
  newparam(:port) do
    validate do |value|
      next if value == 'any'
      raise ArgumentError, _('%{value} is no port') % { value: value } unless value.to_s =~ /\A\d+\z/
    end
    munge { |value| value == 'any' ? :any : Integer(value) }
  end
  newparam(:root) do
    validate { |value| raise ArgumentError, "not a full path: #{value}" unless Puppet::Util.absolute_path?(value) }
  end
  newparam(:on, boolean: true, parent: Puppet::Parameter::Boolean)
  newparam(:strange, parent: Puppet::Type::Nobody::Knows)
  newproperty(:aliases, array_matching: :all) do
    validate { |value| raise "unknown name #{value}" unless PuppetX::Web.named?(value) }
  end
  newproperty(:owner) do
    validate { |value| raise 'not for what is absent' if resource[:ensure] == :absent }
  end
  newproperty(:weight, required_features: :weights) do
    validate { |value| raise 'never' }
  end
  newproperty(:kind) do
    validate { |value| raise 'not there' unless File.exist?(value) || provider.knows?(value) }
  end
  validate do
    raise 'a port and a root exclude each other' if self[:port] && self[:root]
    raise 'there must be aliases' unless self[:aliases]
  end
end
//- /modules/web/lib/puppet/type/web_listed.rb
Puppet::Type.newtype(:web_listed) do
  newparam(:name, namevar: true) { newvalues(/\A[a-z]+\z/) }
  newparam(:mode) { newvalues(:one, 'two', true, 3) }
  newparam(:other) do
    newvalues(:one)
    aliasvalue(:uno, :one)
  end
  newproperty(:kinds, array_matching: :all) { newvalues(:a, /\Ab\d/) }
  newproperty(:never) do
    newvalue(:a)
    def value=(value)
      raise 'never'
    end
  end
  newproperty(:named) do
    def self.check_listed(value)
      raise "no name: #{value}"
    end
  end
end
//- /modules/web/lib/puppet/type/web_whole.rb
Puppet::Type.newtype(:web_whole) do
  newparam(:name, namevar: true)
  newparam(:mode) { newvalues(:one, :two) }
  validate { raise 'never two' if self[:mode] == :two }
end
//- /modules/web/lib/puppet/type/web_odd.rb
Puppet::Type.newtype(:web_odd) do
  newparam(:name, namevar: true)
  newparam(:port) do
    validate { |value| raise 'never' }
  end
  def initialize(*arguments)
    super
  end
end
//- /modules/web/lib/puppet/type/web_once.rb
Puppet::Type.newtype(:web_once) do
  seen = []
  newparam(:name, namevar: true) do
    validate do |value|
      raise "only once, and before came #{seen}" unless seen.empty?
      seen << value
    end
  end
end
"#;

/// Compares the findings in a class with this body with the marks.
#[track_caller]
fn check(body: &str) {
    let fixture =
        format!("{TYPE}//- /modules/web/manifests/init.pp\nclass web(Boolean $x, $y) {{\n{body}}}\n");
    compare(
        &fixture,
        |path| path.ends_with(".pp"),
        |db, file| {
            let found = Tier::LIVE.into_iter().flat_map(|tier| diagnostics(db, file, tier));
            let rendered = |it: Diagnostic| {
                let severity = format!("{:?}", it.severity()).to_lowercase();
                (it.range, format!("{severity} {}: {}", it.code, codes::single_line(&it.message)))
            };
            found.filter(|it| it.code.as_str() == "resource-value").map(rendered).collect()
        },
    );
}

#[test]
fn invalid_values_are_reported_with_the_message_of_the_type() {
    check(
        r#"
  web_site { 'a': port => 'http' }
#                         ^^^^^^ error resource-value: invalid value for attribute `port` of `web_site`: http is no port
  web_site { 'b': port => 80 }
  web_site { 'c': port => 'any' }
  web_site { 'd': aliases => ['one', 'three'] }
#                            ^^^^^^^^^^^^^^^^ error resource-value: invalid value for attribute `aliases` of `web_site`: unknown name three
  web_site { 'e f': ensure => present }
#            ^^^^^ error resource-value: invalid value for attribute `name` of `web_site`: no blanks in 'e f'
  web_site { 'g': on => 'yes' }
"#,
    );
}

#[test]
fn values_that_are_only_compared_are_rejected_too() {
    check(
        r#"
  web_listed { ['a', 'b']: mode => 'two', kinds => 'a', other => 'uno' }
  web_listed { 'c': mode => true, kinds => ['a', 'b1', $y] }
  web_listed { 'd': mode => 3, kinds => [], other => $y }
  web_listed { 'E': mode => one }
#              ^^^ error resource-value: invalid value for attribute `name` of `web_listed`: expected a match for /\A[a-z]+\z/, got "E"
  web_listed { 'g': kinds => ['a', 'c'] }
#                            ^^^^^^^^^^ error resource-value
  web_listed { 'h': kinds => ['a', 1] }
#                            ^^^^^^^^ error resource-value
  web_listed { 'k': never => 'a' }
#                            ^^^ error resource-value
  web_listed { 'l': named => 'a' }
#                            ^^^ error resource-value: invalid value for attribute `named` of `web_listed`: no name: a
  web_whole { 'm': mode => one }
  web_whole { 'n': mode => two }
#             ^^^ error resource-value: invalid `web_whole` resource: never two
"#,
    );
}

#[test]
fn conditional_resources_are_warnings() {
    check(
        r#"
  if $x {
    web_site { 'a': port => 'http' }
#                           ^^^^^^ warning resource-value
  }
  @web_site { 'b': port => 'http' }
#                          ^^^^^^ warning resource-value
"#,
    );
}

#[test]
fn values_that_depend_on_the_system_or_other_attributes_are_ignored() {
    check(
        r#"
  web_site { 'a': root => 'C:/inetpub' }
  web_site { 'b': root => 'htdocs' }
#                         ^^^^^^^^ error resource-value
  web_site { 'c': weight => 3 }
  web_site { 'd': kind => '/none' }
  web_site { 'e': owner => 'root' }
  web_site { 'f': ensure => absent, owner => 'root' }
#                                            ^^^^^^ error resource-value
  web_site { 'g': strange => {} }
  web_site { 'h': port => $y }
  web_site { 'i': * => { 'port' => 'http' } }
  web_odd { 'j': port => 1 }
"#,
    );
}

#[test]
fn whole_resources_may_be_invalid() {
    check(
        r#"
  web_site { 'a': port => 80, root => '//server/share' }
#            ^^^ error resource-value: invalid `web_site` resource: a port and a root exclude each other
  web_site { 'b': ensure => present }
"#,
    );
}

#[test]
fn resources_do_not_share_state() {
    check(
        r#"
  web_once { 'a': }
  web_once { 'b': }
  web_once { ['c', 'd']: }
  web_site { 'e': port => 80, aliases => ['one'] }
  web_site { 'f': port => 'http' }
#                         ^^^^^^ error resource-value: invalid value for attribute `port` of `web_site`: http is no port
  web_site { 'g': port => 81, aliases => ['two'] }
"#,
    );
}

/// Compares the findings in a class with this body with the marks, without the modules above.
#[track_caller]
fn check_built_in(body: &str) {
    let fixture = format!(
        "//- environment: roots=/ module_path=/modules\n//- /modules/web/manifests/init.pp\nclass web(Boolean $x, $y) {{\n{body}}}\n"
    );
    compare(
        &fixture,
        |path| path.ends_with(".pp"),
        |db, file| {
            let found = Tier::LIVE.into_iter().flat_map(|tier| diagnostics(db, file, tier));
            let rendered = |it: Diagnostic| {
                let severity = format!("{:?}", it.severity()).to_lowercase();
                (it.range, format!("{severity} {}: {}", it.code, codes::single_line(&it.message)))
            };
            let is_of_values =
                |it: &Diagnostic| matches!(it.code.as_str(), "resource-value" | "value-mismatch");
            found.filter(is_of_values).map(rendered).collect()
        },
    );
}

#[test]
fn values_of_built_in_types_are_checked() {
    check_built_in(
        r#"
  file { '/a': mode => '0888', owner => 'root' }
#                      ^^^^^^ error resource-value: invalid value for attribute `mode` of `file`: expected an octal or symbolic mode, got `'0888'`
  file { '/b': mode => 0644 }
#                      ^^^^ error resource-value: invalid value for attribute `mode` of `file`: expected a mode as a string, got `420`
  file { '/c': source => ['puppet:///modules/web/c', 'files/c'] }
#                        ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error resource-value
  file { '/d': recurse => 'inf', backup => 5 }
#                         ^^^^^ error resource-value: invalid value for attribute `recurse` of `file`: expected `true`, `false`, or `remote`, got `'inf'`
#                                          ^ error resource-value
  exec { '/bin/e': cwd => 'tmp', tries => 0, timeout => '5 min', environment => ['A=b', 'C'] }
#                         ^^^^^ error resource-value: invalid value for attribute `cwd` of `exec`: expected an absolute path, got `'tmp'`
#                                         ^ error resource-value
#                                                       ^^^^^^^ error resource-value
#                                                                               ^^^^^^^^^^^^ error resource-value
  user { 'f': groups => 'a,b', managehome => 'maybe' }
#                       ^^^^^ error resource-value: invalid value for attribute `groups` of `user`: expected an array of groups, not a list with commas, got `'a,b'`
#                                            ^^^^^^^ error resource-value
  group { 'g': gid => 'wheel', ensure => 'presnt' }
#                     ^^^^^^^ error resource-value: invalid value for attribute `gid` of `group`: expected a number, got `'wheel'`
#                                        ^^^^^^^^ error resource-value: invalid value for attribute `ensure` of `group`: expected `present` or `absent`, got `'presnt'` (help: did you mean `present`?)
  package { 'h': ensure => '', allowcdrom => 'yes' }
#                          ^^ error resource-value
#                                            ^^^^^ error resource-value
  service { 'i': ensure => 'started', hasrestart => 1 }
#                          ^^^^^^^^^ error resource-value
#                                                   ^ error resource-value
  schedule { 'j': range => '25 - 3', weekday => ['Mon', 'Montag'], repeat => 'x' }
#                          ^^^^^^^^ error resource-value
#                                               ^^^^^^^^^^^^^^^^^ error resource-value
#                                                                            ^^^ error resource-value
  tidy { '/k': age => '1 week', size => '5p', recurse => 'yes' }
#                     ^^^^^^^^ error resource-value
#                                       ^^^^ error resource-value
#                                                        ^^^^^ error resource-value
  cron { 'l': command => '/bin/l', minute => 60, hour => ['*/2', 24], month => 'Janu' }
#                                            ^^ error resource-value: invalid value for attribute `minute` of `cron`: expected a number from 0 to 59, a range, or a step such as `*/5`, got `60`
#                                                        ^^^^^^^^^^^ error resource-value
#                                                                              ^^^^^^ error resource-value
  host { 'm': ip => '256.0.0.1', host_aliases => ['a b'] }
#                   ^^^^^^^^^^^ error resource-value
#                                                ^^^^^^^ error resource-value
  filebucket { 'n': path => 'bucket' }
#                           ^^^^^^^^ error resource-value
  notify { 'o': loglevel => 'loud', noop => 'maybe', audit => ['message', 'nothing'] }
#                           ^^^^^^ error resource-value
#                                           ^^^^^^^ error resource-value
#                                                             ^^^^^^^^^^^^^^^^^^^^^^ error resource-value
"#,
    );
}

#[test]
fn contradictions_are_reported_at_the_later_attribute() {
    check_built_in(
        r#"
  file { '/a': content => 'a', source => '/b' }
#                                        ^^^^ error resource-value: invalid `file` resource: `content` and `source` exclude each other
  file { '/b':
    content  => 'b',
    checksum => 'none',
#               ^^^^^^ error resource-value: invalid `file` resource: `content` excludes `checksum => none`
  }
  file { '/c': ensure => '/d', source => '/e' }
#                        ^^^^ error resource-value: invalid `file` resource: `source` and `ensure` exclude each other
  cron { 'd': command => '/bin/d', special => 'daily', hour => 5 }
#                                                              ^ error resource-value: invalid `cron` resource: `hour` excludes `special => daily`
  cron { 'e': command => '/bin/e', special => 'absent', hour => 5 }
  tidy { '/f': recurse => false, matches => '*.f' }
#                                           ^^^^^ error resource-value: invalid `tidy` resource: `matches` requires `recurse`
  schedule { 'g': periodmatch => number, repeat => 2 }
#                                                  ^ error resource-value
"#,
    );
}

#[test]
fn values_that_some_agent_accepts_are_ignored() {
    check_built_in(
        r#"
  file { 'a': path => '/a', mode => 'u=rw,go=r', ensure => '/b' }
  file { 'C:/b': source => ['C:/c', 'https://example.com/d'], backup => '.old' }
  file { 'relative': ensure => file, path => $y }
  file { '/e': content => $y, source => undef, mode => undef }
  file { '/f': content => Deferred('new', [String, 'a']), source => '/g' }
  file { '/h': * => { 'mode' => '0888' } }
  exec { 'ls': path => $y }
  exec { 'ls -l': path => $y, unless => 'test -f /a', timeout => '1e2', tries => '3' }
  exec { 'cd /tmp && ls': provider => shell, umask => '022' }
  user { 'i': groups => [], uid => 'x', password_max_age => 'x', purge_ssh_keys => ['%h/.ssh/a', '~/b'] }
  service { 'j': ensure => true, enable => mask }
  package { 'k': ensure => '1.2-3', provider => 'pip3', install_options => 5 }
  cron { 'l': command => '/bin/l', minute => '*/5', weekday => ['Mon', 'sunday', 7], month => '1-3/2' }
  notify { 'm': message => 5, loglevel => verbose, schedule => 'never declared' }
  schedule { 'n': range => ['22:00 - 04:30', '5-6'], weekday => 'Tues' }
"#,
    );
}

#[test]
fn uncertain_resources_of_built_in_types_are_warnings() {
    check_built_in(
        r#"
  if $x {
    file { '/a': mode => '0888' }
#                        ^^^^^^ warning resource-value
  }
  @file { '/b': mode => '0888' }
#                       ^^^^^^ warning resource-value
  File { mode => '0999' }
#                ^^^^^^ warning resource-value
  File <| title == '/b' |> { source => 'relative' }
#                                      ^^^^^^^^^^ warning resource-value
  file { '/d': owner => '', group => '' }
#                                    ^^ warning resource-value
  File <| title == '/d' |> { group => 'root' }
  file { '/c': }
  File['/c'] { mode => 'rwx' }
#                      ^^^^^ error resource-value
"#,
    );
}

#[test]
fn sensitive_values_of_built_in_types_are_not_shown() {
    check_built_in(
        r#"
  file { '/a': mode => Sensitive('0888') }
#                      ^^^^^^^^^^^^^^^^^ error resource-value: invalid value for attribute `mode` of `file`: expected an octal or symbolic mode, got a sensitive value
"#,
    );
}

#[test]
fn newer_modules_may_know_more_types_of_keys() {
    check_built_in(
        r#"
  ssh_authorized_key { 'a': type => 'ssh-new', key => 'a b' }
#                                   ^^^^^^^^^ warning value-mismatch
#                                                     ^^^^^ error resource-value
"#,
    );
}

#[test]
fn titles_and_missing_attributes_are_checked() {
    check_built_in(
        r#"
  file { 'relative': }
#        ^^^^^^^^^^ error resource-value: invalid value for attribute `path` of `file`: expected an absolute path, got `'relative'`
  file { ['/a', 'b']: ensure => file }
#        ^^^^^^^^^^^ error resource-value
  file { 'named': path => '/named' }
  file { $y: }
  file { 'unknown': path => $y }
  file { 'splatted': * => $y }
  file { default: path => '/default'; 'with default': }
  exec { 'ls': }
#        ^^^^ error resource-value: invalid `exec` resource: `ls` is not an absolute path, and `path` is not set
  exec { '/bin/ls': }
  exec { 'list': command => 'ls -l', onlyif => '/bin/true' }
#                           ^^^^^^^ error resource-value
  exec { '/bin/a': unless => 'test -f /a' }
#                            ^^^^^^^^^^^^ error resource-value
  exec { 'found': command => 'ls', path => $y }
  exec { 'shell': command => 'ls', provider => shell }
  ssh_authorized_key { 'key': type => rsa, key => 'AAAA' }
#                      ^^^^^ error resource-value
  if $x { file { 'conditional': } }
  @file { 'virtual': }
  [1].each |$i| { file { 'repeated': } }
"#,
    );
}

#[test]
fn resources_that_other_code_completes_are_ignored() {
    check_built_in(
        r#"
  Exec { path => '/bin' }
  File <| title == 'a' |> { path => '/a' }
  Ssh_authorized_key['key'] { user => 'root' }
  Tidy { * => $y }
  file { 'relative': }
  exec { 'ls': }
  ssh_authorized_key { 'key': type => rsa, key => 'AAAA' }
  tidy { 'relative': }
"#,
    );
}
