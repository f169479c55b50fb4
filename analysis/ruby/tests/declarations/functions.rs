use expect_test::expect;

use super::check;

#[test]
fn dispatches() {
    check(
        "lib/puppet/functions/shop/price.rb",
        r#"
# What something costs.
#
# @param name the goods
Puppet::Functions.create_function(:'shop::price') do
  local_types do
    type 'Goods = Enum[apple,
      pear]'
    type 'Prices=Hash[Goods, Integer]'
  end

  # With a name
  dispatch :by_name do
    param 'Goods', :name
    optional_param 'Integer', :amount
    repeated_param 'String', :notes
    return_type 'Integer'
  end

  dispatch :several do
    required_param "Array[Goods]", :names
    required_repeated_param 'Any', :rest
    block_param
  end

  dispatch :block_name do
    optional_block_param :each
  end

  dispatch :block_type do
    required_block_param 'Callable[Integer]', :each
  end

  argument_mismatch :wrong do
    param 'Any', :it
  end

  def by_name(name, amount = 1, *notes)
    dispatch
  end
end
"#,
        expect![[r#"
            function shop::price (4) at "shop::price" "What something costs.\n\n@param name the goods"
              local type Goods = Enum[apple,
                  pear]
              local type Prices = Hash[Goods, Integer]
              (Goods name, Integer amount?, String notes*) >> Integer at "dispatch" "With a name"
              (Array[Goods] names, Any rest+, &Callable block) at "dispatch"
              (&Callable each?) at "dispatch"
              (&Callable[Integer] each) at "dispatch"
        "#]],
    );
}

#[test]
fn signature_of_methods_without_dispatch() {
    check(
        "lib/puppet/functions/plus.rb",
        r#"
Puppet::Functions.create_function(:plus) do
  # Adds.
  def plus(a, b = 1, *rest, &block)
    helper(a)
  end

  def helper(x)
  end
end
"#,
        expect![[r#"
            function plus (4) at "plus"
              (Any a, Any b?, Any rest*) at "plus" "Adds."
        "#]],
    );
    check(
        "lib/puppet/functions/a/b.rb",
        "Puppet::Functions.create_function(:'a::b') { def b; end }",
        expect![[r#"
            function a::b (4) at "a::b"
              () at "b"
        "#]],
    );
}

#[test]
fn injected_parameters_are_not_arguments() {
    check(
        "lib/puppet/functions/inner.rb",
        r#"
Puppet::Functions.create_function(:inner, Puppet::Functions::InternalFunction) do
  dispatch :run do
    scope_param
    cache_param
    param 'String', :name
  end
end
"#,
        expect![[r#"
            function inner (4) at "inner"
              (String name) at "dispatch"
        "#]],
    );
    check(
        "lib/puppet/functions/old_style.rb",
        r#"
Puppet::Functions.create_function(:old_style) do
  dispatch :run do
    param 'Any', :scope
    repeated_param 'Any', :args
  end
  def call(scope, *args)
    manipulated_args = [scope] + args
    self.class.dispatcher.dispatch(self, scope, manipulated_args)
  end
end
"#,
        expect![[r#"
            function old_style (4) at "old_style"
              (Any args*) at "dispatch"
        "#]],
    );
}

#[test]
fn unknown_definitions_are_incomplete() {
    let table = [
        ("param list of its own", "dispatch(:x) { add_params }"),
        ("dispatch by a helper", "make_dispatches"),
        ("under a condition", "if Puppet.version > '6' \n dispatch(:x) { param 'Any', :a }\n end"),
        ("no method", "def other; end"),
        ("a call of its own", "def call(scope, *args); super; end\n dispatch(:x) { }"),
        ("code in a string", "class_eval 'dispatch(:x) { }'\n dispatch(:x) { }"),
    ];
    for (name, body) in table {
        let text = format!("Puppet::Functions.create_function(:x) do\n{body}\nend");
        let file = ruby::read_declarations("lib/puppet/functions/x.rb", &text);
        assert_eq!(file.functions.len(), 1, "{name}");
        assert!(file.functions[0].is_incomplete, "{name}");
    }
}

#[test]
fn names_are_checked_against_the_path() {
    check(
        "lib/puppet/functions/a/b.rb",
        "Puppet::Functions.create_function(:c) { def c; end }",
        expect![[r#"
            function a::b (4) open at ""
              refused: its file defines `c`, not `a::b`
        "#]],
    );
    check(
        "lib/puppet/functions/a/b.rb",
        "",
        expect![[r#"
            function a::b (4) open at ""
              refused: its file does not call `Puppet::Functions.create_function`
        "#]],
    );
    check(
        "lib/puppet/functions/a/b.rb",
        "Puppet::Functions.create_function(:'a::b') { def b(",
        expect![[r#"
            function a::b (4) open at "a::b"
              () at "b"
        "#]],
    );
    check(
        "lib/puppet/parser/functions/old.rb",
        "Puppet.warning 'gone'",
        expect![[r#"
        function old (3 value -1) open at ""
    "#]],
    );
}

#[test]
fn computed_types() {
    check(
        "lib/puppet/functions/made.rb",
        r#"
NAMES = %w[a b].freeze
Puppet::Functions.create_function(:made) do
  type = "Enum[#{NAMES.map { |it| "'#{it}'" }.join(', ')}]"
  NAMES.each do |name|
    dispatch :"take_#{name}" do
      param type, name.to_sym
      param SOMETHING, :other
    end
  end
end
"#,
        expect![[r#"
            function made (4) at "made"
              (Enum['a', 'b'] a, Any other) at "dispatch"
              (Enum['a', 'b'] b, Any other) at "dispatch"
        "#]],
    );
}

#[test]
fn version_3() {
    check(
        "lib/puppet/parser/functions/any.rb",
        r#"
module Puppet::Parser::Functions
  newfunction(:any, :type => :rvalue, :arity => -2, :doc => <<-EOS
    Is it any?

      an example
    EOS
  ) do |args|
    newfunction(:not_this)
  end
end
"#,
        expect![[r#"
            function any (3 value -2) at "any" "Is it any?\n\n  an example"
              (Any arg1, Any args*) at "any"
        "#]],
    );
    check(
        "lib/puppet/parser/functions/tell.rb",
        r#"
# Tells.
Puppet::Parser::Functions::newfunction(:tell, arity: 1) do |args|
end
"#,
        expect![[r#"
            function tell (3 statement 1) at "tell" "Tells."
              (Any arg1) at "tell"
        "#]],
    );
    check(
        "lib/puppet/parser/functions/odd.rb",
        r#"
module Puppet
  module Parser
    module Functions
      newfunction(:odd, OPTIONS) { |args| }
      newfunction(:"even", :type => TYPE, :doc => "Even" + " and #{more}")
    end
  end
end
"#,
        expect![[r#"
            function odd (3 statement -1) open at "odd"
              (Any args*) at "odd"
            function even (3 value -1) open at "even" "Even and #{more}"
              (Any args*) at "even"
        "#]],
    );
}

#[test]
fn files_that_define_no_or_another_function_are_refused() {
    let path = "lib/puppet/functions/shop/price.rb";
    check(
        path,
        "Puppet::Functions.create_function(:'shop::prices') do\nend\n",
        expect![[r#"
            function shop::price (4) open at ""
              refused: its file defines `shop::prices`, not `shop::price`
        "#]],
    );
    check(
        path,
        "module Shop\nend\n",
        expect![[r#"
            function shop::price (4) open at ""
              refused: its file does not call `Puppet::Functions.create_function`
        "#]],
    );
    // The second call may create the function.
    check(
        path,
        "Puppet::Functions.create_function(:'shop::prices') do\nend\nPuppet::Functions.create_function(NAME) do\nend\n",
        expect![[r#"
            function shop::price (4) open at ""
        "#]],
    );
}
