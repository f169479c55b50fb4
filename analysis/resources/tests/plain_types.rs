//! Types that are checked without evaluating their file.

use resources::PlainTypes;
use types::{Origin, Type, Value};

/// Type whose attributes are given by the body of its block.
#[track_caller]
fn check(body: &str, title: &str, attributes: &[(&str, Value)], expected: bool) {
    let text =
        format!("require 'puppet/util'\nPuppet::Type.newtype(:thing) do\n  @doc = 'x'\n  {body}\nend\n");
    let types = PlainTypes::of_program(&plugins::code::read("lib/puppet/type/thing.rb", &text));
    let attributes: Vec<_> = attributes.iter().map(|(name, value)| ((*name).into(), value.clone())).collect();
    assert_eq!(types.certainly_accept("thing", Some(title), &attributes), expected, "{body}: {attributes:?}");
}

fn text(value: &str) -> Value {
    Value::string(value)
}

#[test]
fn values_of_lists_and_patterns_are_accepted() {
    let body = "ensurable
      newparam(:name, :namevar => true) { desc 'x'; newvalues(/\\A\\S+\\/\\S+\\z/) }
      newproperty(:mode, :array_matching => :all) { newvalues(:fast, 'slow'); defaultto :fast }
      newproperty(:size) { def insync?(is) is == should end }
      newparam(:label) { munge { |value| value.upcase } }
      newparam(:shown) { munge { |value| value = value.to_s.strip; value.upcase! if value =~ /^a/; value } }";
    check(body, "a/b", &[("ensure", text("present")), ("mode", text("slow"))], true);
    check(body, "a/b", &[("mode", Value::array([text("fast"), text("slow")]))], true);
    check(body, "a/b", &[("size", Value::Integer(1)), ("loglevel", text("info"))], true);
    check(body, "a/b", &[("label", Value::unknown(Type::Any, Origin::Join))], true);
    check(body, "a/b", &[("shown", Value::Integer(1))], true);
    check(body, "plain", &[], false);
    check(body, "plain", &[("name", text("a/b"))], true);
    check(body, "a/b", &[("ensure", text("latest"))], false);
    check(body, "a/b", &[("mode", text("faster"))], false);
    check(body, "a/b", &[("mode", Value::Integer(1))], false);
    check(body, "a/b", &[("label", text("x"))], false);
}

#[test]
fn code_that_may_validate_is_evaluated() {
    let name = "newparam(:name)";
    check(name, "a", &[], true);
    for code in [
        "validate { fail 'no' }",
        "def validate; end",
        "include Checks",
        "newparam(:x, :parent => Puppet::Parameter::Boolean)",
        "newparam(:x) { validate { |value| fail } }",
        "newparam(:x) { newvalue(:a, :required_features => :b) }",
        "newparam(:x) { aliasvalue(:a, :b) }",
        "newparam(:x) { include Checks }",
        "newparam(:x) { def unsafe_validate(value) end }",
        "newparam(:x, &block)",
    ] {
        check(&format!("{name}\n{code}"), "a", &[("x", text("a"))], false);
    }
    check("newparam(:x)", "a", &[], false);
    check("newparam(:x, :namevar => true)\nnewparam(:y, :namevar => true) { munge { 1 } }", "a", &[], true);
}

#[test]
fn conversions_that_may_fail_are_evaluated() {
    let attribute = |code: &str| format!("newparam(:name)\nnewparam(:x) {{ munge {{ |value| {code} }} }}");
    for code in [
        "value",
        "value.to_s.downcase.to_sym",
        "if value.nil? then 'a' else value.to_s.sub(/b/, 'c') end",
        "text = value.to_s\n\"x#{text.strip}\"",
        "value == 'a' || value.to_s.empty?",
        "return value.to_s unless value == :a",
    ] {
        check(&attribute(code), "a", &[("x", text("a"))], true);
    }
    for code in [
        "value.strip",
        "value.to_s.strip!",
        "value.to_s =~ /(/",
        "Integer(value)",
        "raise 'no'",
        "resource[:name]",
        "@value = value",
        "if value == 1 then x = value.to_s else x = value end\nx.strip",
        "value.to_s.gsub(/a/) { fail }",
        "value.each { |it| it }",
    ] {
        check(&attribute(code), "a", &[("x", text("a"))], false);
    }
}

#[test]
fn other_code_in_the_file_may_change_the_type() {
    for other in
        ["require 'thing/helper'", "class Puppet::Type; end", "Puppet::Type.type(:thing).newparam(:x)"]
    {
        let text = format!("{other}\nPuppet::Type.newtype(:thing) do\n  newparam(:name)\nend\n");
        let types = PlainTypes::of_program(&plugins::code::read("lib/puppet/type/thing.rb", &text));
        assert!(!types.certainly_accept("thing", Some("a"), &[]), "{other}");
    }
}
