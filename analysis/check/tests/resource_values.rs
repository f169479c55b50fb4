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
