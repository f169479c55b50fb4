use expect_test::expect;

use super::check;

#[test]
fn facts() {
    check(
        "lib/facter/os_things.rb",
        r##"
# A first one
Facter.add(:first) do
  confine :kernel => 'Linux'
  setcode { Facter.add(:not_this) }
end
Facter.add('Second', :type => :aggregate) { chunk(:a) { 1 } }
Facter.add(:second) { setcode { 2 } }
%w[x y].each { |name| Facter.add("#{name}_size") { setcode { 1 } } }
Facter.add(unknown) { }

module Helper
  def self.add_facts(list)
    Facter.add(:in_method)
    list.each { |name| Facter.add(name) }
  end
end
begin
  Facter.add(:careful)
rescue StandardError
  Facter.add(:rescued)
end
"##,
        expect![[r##"
            fact first at "first" "A first one"
            fact second at "Second"
            fact x_size at "\"#{name}_size\""
            fact y_size at "\"#{name}_size\""
            fact careful at "careful"
            fact rescued at "rescued"
            fact in_method at "in_method"
        "##]],
    );
}

#[test]
fn providers() {
    check(
        "lib/puppet/provider/package/pear.rb",
        r#"
require 'puppet/provider/package'
# About pears
Puppet::Type.type(:package).provide :pear, :parent => Puppet::Provider::Package do
  commands :pear => 'pear'
  def self.instances; []; end
end

Puppet::Type.type(:Thing).provide(:two) do
  desc "Twice
    as much"
end
"#,
        expect![[r#"
            provider pear of package at "pear" "About pears"
            provider two of thing at "two" "Twice\nas much"
        "#]],
    );
    check(
        "lib/puppet/provider/package/made.rb",
        "nothing",
        expect![[r#"
        provider made of package at ""
    "#]],
    );
}
