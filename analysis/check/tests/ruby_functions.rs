//! Calls of Ruby functions in modules are checked against their signatures.

use expect_test::{Expect, expect};
use project::testing::TestWorkspace;

const MODULE: &str = r#"
//- environment: roots=/repo module_path=/repo version=7
//- /repo/web/lib/puppet/functions/web/port.rb
Puppet::Functions.create_function(:'web::port') do
  local_types do
    type 'Color = Enum[red, green]'
    type 'Colors = Array[Color, 1]'
  end
  dispatch :by_name do
    param 'String[1]', :name
    optional_param 'Colors', :colors
    return_type 'Integer[0, 65535]'
  end
  dispatch :by_block do
    param 'Web::Name', :name
    required_block_param 'Callable[1, 1]', :block
    return_type 'String'
  end
  def by_name(name, colors = [])
    80
  end
  def by_block(name)
    'x'
  end
end
//- /repo/web/lib/puppet/functions/web/strange.rb
Puppet::Functions.create_function(:'web::strange') do
  dispatch :one do
    param 'Nobody::Knows', :name
  end
  def one(name)
  end
end
//- /repo/web/lib/puppet/parser/functions/old_port.rb
module Puppet::Parser::Functions
  newfunction(:old_port, :type => :rvalue, :arity => 2) do |args|
    args[0]
  end
end
//- /repo/web/types/name.pp
type Web::Name = Pattern[/\A[a-z]+\z/]
//- /repo/stdlib/lib/puppet/functions/stdlib/ensure.rb
//- /repo/stdlib/lib/puppet/parser/functions/upcase_all.rb
//- /repo/stdlib/lib/puppet/parser/functions/str2bool.rb
module Puppet::Parser::Functions
  newfunction(:str2bool, :type => :rvalue) do |args|
    # Y,y and T,t are true.
    true
  end
end
"#;

/// Checks the findings in a class with this body.
#[track_caller]
fn check(body: &str, expected: Expect) {
    let fixture = format!("{MODULE}//- /repo/web/manifests/init.pp open\nclass web($x) {{\n{body}\n}}\n");
    let workspace = TestWorkspace::new(&fixture);
    let file = workspace.file("/repo/web/manifests/init.pp");
    let found = check::evaluation_diagnostics(&workspace.db, file);
    let found = found
        .iter()
        .map(|it| format!("{:?} {}: {}\n", it.severity(), it.code, codes::single_line(&it.message)));
    expected.assert_eq(&found.collect::<String>());
}

#[test]
fn calls_without_a_matching_signature_are_errors() {
    check(
        "notice(web::port('a'), web::port('a', [red]), web::port($x), web::port('a') |$y| { $y })",
        expect![""],
    );
    check(
        "notice(web::port(1))",
        expect![[r#"
            Error argument-mismatch: web::port(), parameter 'name' expects a value of type String[1] or Web::Name (Pattern[/\A[a-z]+\z/]), got Integer 1
        "#]],
    );
    check(
        "notice(web::port('a', [blue]))",
        expect![[r#"
            Error argument-mismatch: web::port(), parameter 'colors', element 0 expects a match for Enum['green', 'red'], got 'blue'
        "#]],
    );
    check(
        "notice(web::port('Ab') |$y| { $y })",
        expect![[r#"
            Error argument-mismatch: web::port() does not expect a block
        "#]],
    );
    check("notice(web::strange('a'), web::strange(1))", expect![[r#""#]]);
    check(
        "notice(web::strange())",
        expect![[r#"
            Error argument-mismatch: web::strange() expects 1 argument, got 0
        "#]],
    );
    check(
        "notice(old_port(1, 2), old_port(1))",
        expect![[r#"
            Error argument-mismatch: old_port() expects 2 arguments, got 1
        "#]],
    );
}

#[test]
fn results_have_the_declared_types() {
    check(
        "$p = web::port('a') + 1 $q = web::port('a') =~ String $r = web::port('a') + 'a'",
        expect![[r#"
            Error not-numeric: `'a'` is not a number
        "#]],
    );
    check(
        "$r = web::port('ab') |$y| { $y } + []",
        expect![[r#"
            Error not-numeric: `'x'` is not a number
        "#]],
    );
}

/// The built-in table of stdlib functions applies to the stdlib installed in the environment.
#[test]
fn functions_of_stdlib_are_known_by_name() {
    check(
        "$r = str2bool('yes') + 1",
        expect![[r#"
            Error not-numeric: `true` is not a number
        "#]],
    );
    check("$r = bool2num(true) + 'a'", expect![[r#""#]]);
}
