use expect_test::expect;

use super::check;

#[test]
fn properties_and_parameters() {
    check(
        "lib/puppet/type/thing.rb",
        r#"
Puppet::Type.newtype(:thing) do
  @doc = %q{A thing.

    With a shape.}

  feature :shapes, "The provider knows shapes",
          :methods => [:shape]

  ensurable

  newparam(:path, :namevar => true) do
    desc 'Where it is'
    validate { |value| fail 'no path' unless value.start_with?('/') }
  end

  newproperty(:shape, :array_matching => :all, :required_features => %w{shapes colours}) do
    desc <<-EOT
      Its shape.
        Round, for one.
    EOT
    newvalues(:round, 'square', /^\d+ corners$/i)
    aliasvalue(:circle, :round)
    defaultto :round
    munge { |value| value.to_s }
  end

  newparam(:force, :boolean => true) do
    newvalues(true, false)
    defaultto false
  end

  newparam :list, :boolean => true, :parent => Puppet::Parameter::Boolean

  newproperty(:size) do
    isrequired
    newvalue(:small) { provider.shrink }
    newvalue(:large)
    defaultto { 'small' }
    def unsafe_validate(value); end
  end

  newparam(:tags) { defaultto(['a', 1]) }

  autorequire(:file) { self[:path] }
  validate { fail 'no' }

  def self.title_patterns
    []
  end
end
"#,
        expect![[r#"
            type thing with title patterns at "thing" "A thing.\n\nWith a shape."
              feature shapes "The provider knows shapes"
              property ensure at "ensurable" only[present absent]
              parameter path namevar "Where it is"
              property shape array only[round square circle=round /(?i-mx:^\d+ corners$)/] default round needs shapes colours "Its shape.\n  Round, for one."
              parameter force only[true false] default false
              parameter list only[true false yes no]
              property size [small large] default small
              parameter tags default ['a', 1]
        "#]],
    );
}

#[test]
fn title_patterns() {
    check(
        "lib/puppet/type/grant.rb",
        r#"
require 'puppet_x/grants/patterns'

Puppet::Type.newtype(:grant) do
  @isomorphic = false
  newparam(:user, namevar: true)
  newparam(:table) { isnamevar }

  def self.title_patterns
    identity = ->(part) { part }
    word = /[a-z]+/i
    [
      [/^(#{word})@(\w+)$/, [[:user, identity], [:table, lambda { |part| part.downcase }]]],
      [%r{(.*)}m, [[:user, nil]]],
    ]
  end
end

Puppet::Type.newtype(:other) do
  newparam(:name)
  define_singleton_method(:title_patterns) { [] }
end
"#,
        expect![[r#"
            type grant with title patterns not isomorphic at "grant"
              title /^((?i-mx:[a-z]+))@(\w+)$/ user table?
              title /(?m-ix:(.*))/ user
              parameter user namevar
              parameter table namevar
            type other with unknown title patterns at "other"
              parameter name namevar
        "#]],
    );
}

#[test]
fn ensure_in_all_forms() {
    let table = [
        ("ensurable", "property ensure at \"ensurable\" only[present absent]"),
        (
            "ensurable do\n defaultvalues\n defaultto :present\n end",
            "property ensure at \"ensurable\" only[present absent] default present",
        ),
        (
            "ensurable do\n newvalue(:on) { }\n newvalue :off\n aliasvalue(:none, :off)\n end",
            "property ensure at \"ensurable\" only[on off none=off]",
        ),
        ("newproperty(:ensure) do\n newvalue(:running)\n end", "property ensure only[running]"),
        (
            "newproperty(:ensure, :parent => Puppet::Property::Ensure) do\n self.defaultvalues\n newvalue(/./)\n end",
            "property ensure only[present absent /./]",
        ),
    ];
    for (body, expected) in table {
        let text = format!("Puppet::Type.newtype(:x) do\n{body}\nend");
        let file = ruby::read_declarations("lib/puppet/type/x.rb", &text);
        let rendered = super::render::file(&file, &text);
        assert_eq!(rendered.lines().nth(1).map(str::trim), Some(expected), "{body}");
    }
}

#[test]
fn computed_attributes() {
    check(
        "lib/puppet/type/made.rb",
        r#"
module Puppet
  COLOURS = { red: 'Warm', blue: 'Cold' }.freeze

  class Level < Puppet::Property
    newvalues(:low, :high)
  end

  Type.newtype(:made) do
    def self.newcheck(name, options = {}, &block)
      @checks ||= {}
      check = newparam(name, options, &block)
      @checks[name] = check
    end

    %w[one two].each do |name|
      newproperty(name.to_sym) { desc "The #{name}" }
    end

    COLOURS.each_pair do |colour, text|
      newparam(:"is_#{colour}") do
        desc text + '.'
        newvalues(*COLOURS.keys)
      end
    end

    newcheck(:onlyif, :namevar => true) { desc 'If' }

    (1..2).each { |n| send(:newparam, "n#{n}") }

    newproperty(:level, :parent => Level) { newvalue(:middle) }

    if Puppet.version.to_i > 5
      newparam(:fresh) { newvalues(:a) }
      newparam(:both) { newvalues(:a) }
    else
      newparam(:both) { newvalues(:b) }
    end

    newparam(:partly) do
      newvalues(:a)
      newvalues(:b) if Puppet.features.windows?
    end
  end

  Type.type(:made).newparam(:late)
end
Puppet::Type.type(:file).newproperty(:colour) { newvalues :red }
Puppet::Type.type(:file).class_eval do
  newparam(:other)
end
Puppet::Type::Exec.newparam(:more)
"#,
        expect![[r#"
            type made at "made"
              property one at "name.to_sym" "The one"
              property two at "name.to_sym" "The two"
              parameter is_red at ":\"is_#{colour}\"" only[red blue] "Warm."
              parameter is_blue at ":\"is_#{colour}\"" only[red blue] "Cold."
              parameter onlyif namevar "If"
              parameter n1 at "\"n#{n}\""
              parameter n2 at "\"n#{n}\""
              property level only[low high middle]
              parameter fresh only[a]
              parameter both only[a b]
              parameter partly [a b]
              parameter late
            addition to file at "newproperty"
              property colour only[red]
              parameter other
            addition to exec at "newparam"
              parameter more
        "#]],
    );
}

#[test]
fn unknown_definitions_are_incomplete() {
    let table = [
        ("create_parameters", true),
        ("extend Helper", true),
        ("Helper.add_to(self)", true),
        ("names.each { |name| newparam(name) }", true),
        ("newparam(NAME)", true),
        ("instance_eval 'newparam(:x)'", true),
        ("instance_eval(&Elsewhere::PARAMETERS)", true),
        ("class_eval(&block)", true),
        ("instance_eval(&Proc.new { newparam(:x) })", false),
        ("MORE = Proc.new { newparam(:x) }\ninstance_eval(&MORE)", false),
        ("MORE = proc { newparam(:x) }\ninstance_eval(&MORE)", false),
        ("eval('newparam(:x)')", true),
        ("include Puppet::Util::Logging", false),
        ("require 'puppet/util'", false),
        ("autorequire(:file) { something }", false),
        ("attr_reader :x", false),
        ("VALUES.each { |value| Puppet.debug(value) }", false),
        ("unknown = Puppet::Util.which('x')", false),
    ];
    for (body, expected) in table {
        let text = format!("Puppet::Type.newtype(:x) do\nnewparam(:name)\n{body}\nend");
        let file = ruby::read_declarations("lib/puppet/type/x.rb", &text);
        assert_eq!(file.resource_types[0].is_incomplete, expected, "{body}");
    }
}

#[test]
fn unknown_values_are_not_closed() {
    let table = [
        ("newvalues(:a)", "", true),
        ("newvalues(*ALL)", "", false),
        ("newvalues(:a)\n include Unknown", "", false),
        ("newvalues(:a)\n more_values", "", false),
        ("newvalues(:a)\n def validate(value); end", "", false),
        ("newvalues(:a)", ", :parent => Some::Class", false),
        ("newvalues(:a)", ", OPTIONS", false),
        ("newvalues(:a)", ", **OPTIONS", false),
        ("newvalues(:a)\n munge { |value| value }\n def insync?(is); end", "", true),
        ("desc 'x'", "", false),
        ("newvalue('')", "", true),
    ];
    for (body, options, expected) in table {
        let text = format!("Puppet::Type.newtype(:x) do\nnewproperty(:p{options}) do\n{body}\nend\nend");
        let file = ruby::read_declarations("lib/puppet/type/x.rb", &text);
        assert_eq!(file.resource_types[0].attributes[0].values_are_closed, expected, "{body} {options}");
    }
}

#[test]
fn required_files_are_followed() {
    let helper = r#"
module PuppetX
  module Shop
    module Parameters
      def create_parameters
        ensurable
        newparam(:name, :namevar => true)
      end
    end
    module Required
      def self.included(klass)
        klass.class_eval do
          validate { |_| fail }
        end
      end
    end
  end
end
"#;
    let text = r#"
Puppet::Type.newtype(:goods) do
  require File.expand_path(File.join(File.dirname(__FILE__), '..', '..', 'puppet_x', 'shop'))
  require 'puppet_x/other'
  extend PuppetX::Shop::Parameters
  create_parameters
  newproperty(:kind) do
    include PuppetX::Shop::Required
    newvalues(:a)
  end
end
"#;
    let file =
        ruby::read_declarations_with("lib/puppet/type/goods.rb", text, &[("lib/puppet_x/shop.rb", helper)]);
    expect![[r#"
        type goods at "goods"
          property ensure at "create_parameters" only[present absent]
          parameter name at "create_parameters" namevar
          property kind [a]
    "#]]
    .assert_eq(&super::render::file(&file, text));
    let alone = ruby::read_declarations("lib/puppet/type/goods.rb", text);
    assert!(alone.resource_types[0].is_incomplete);
    assert_eq!(alone.requires, ["puppet_x/shop.rb", "puppet_x/other.rb"]);
}

#[test]
fn resource_api() {
    check(
        "lib/puppet/type/key.rb",
        r#"
require 'puppet/resource_api'

Puppet::ResourceApi.register_type(
  name: 'key',
  docs: <<-EOS,
      Keys.

      key { 'x': }
    EOS
  features: ['simple_get_filter'],
  title_patterns: [
    { pattern: %r{^(?<id>.*)$}, desc: 'id' },
  ],
  attributes: {
    ensure: {
      type: 'Enum[present, absent]',
      desc: 'Is it there?',
      default: 'present',
    },
    id: { type: 'String', behaviour: :namevar, desc: 'Its name' },
    'size' => { type: 'Optional[Integer]', desc: 'Bits', behaviour: :init_only },
    flag: { type: 'Boolean', behaviour: :parameter },
    soft: { type: 'Boolean', behaviour: :parameter, default: true },
    made: { type: 'Array[String]', behaviour: :read_only },
  },
  autorequires: { file: '$source' },
)
"#,
        expect![[r#"
            type key (Resource API) with title patterns at "key" "Keys.\n\nkey { 'x': }"
              title /^(?<id>.*)$/ id
              feature simple_get_filter
              property ensure Enum[present, absent] [present absent] default present "Is it there?"
              property id namevar String "Its name"
              property size Optional[Integer] "Bits"
              parameter flag required Boolean [true false]
              parameter soft Boolean [true false] default true
              read-only made Array[String]
        "#]],
    );
}

#[test]
fn every_type_has_a_provider_attribute() {
    for (body, expected) in [("", ""), ("newparam(:provider) { desc 'Mine' }", "Mine")] {
        let text = format!("Puppet::Type.newtype(:x) do\n{body}\nend");
        let file = ruby::read_declarations("lib/puppet/type/x.rb", &text);
        let attributes = &file.resource_types[0].attributes;
        let provider = attributes.iter().find(|it| it.name == "provider").expect("it is there");
        assert!(provider.documentation.starts_with(expected), "{body}");
        assert!(!provider.values_are_closed);
    }
}

#[test]
fn collections_that_change_under_unknown_conditions_are_unknown() {
    check(
        "lib/puppet/type/x.rb",
        r#"
Puppet::Type.newtype(:x) do
  sure = [:a]
  sure << :b
  newparam(:sure) { newvalues(*sure) }
  unsure = [:a]
  unsure << :b if platform?
  newparam(:unsure) { newvalues(*unsure) }
  flag = false
  platforms.each { flag = true }
  newparam(:maybe) { newvalues(:a) } unless flag
end
"#,
        expect![[r#"
            type x at "x"
              parameter sure only[a b]
              parameter unsure [b]
              parameter maybe only[a]
        "#]],
    );
}

/// Puppet 3 had `newtype` in the module `Puppet`, too. A file that calls it fails to load.
#[test]
fn types_are_declared_by_the_class_type() {
    check(
        "lib/puppet/type/a.rb",
        "
module Puppet
  Type.newtype(:a) { newparam(:name) }
end
module Puppet
  newtype(:b) { newparam(:name) }
end
Puppet.newtype(:c) { newparam(:name) }
",
        expect![[r#"
            type a at "a"
              parameter name namevar
        "#]],
    );
}
