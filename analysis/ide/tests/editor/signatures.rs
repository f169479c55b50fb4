//! Signature help in complete and incomplete calls.

use expect_test::{Expect, expect};

use crate::at_cursor;

/// Prints one line per signature: `>` marks the active one, `«»` the active parameter.
#[track_caller]
fn check(fixture: &str, expected: Expect) {
    expected.assert_eq(&shown(fixture));
}

fn shown(fixture: &str) -> String {
    at_cursor(fixture, |analysis, file, offset, _| {
        let Some(help) = analysis.signature_help(file, offset).expect("nothing is cancelled") else {
            return "nothing\n".to_owned();
        };
        let lines = help.signatures.iter().enumerate().map(|(index, signature)| {
            let mut label = signature.label.clone();
            if let Some(range) = signature.active_parameter.map(|it| signature.parameters[it].clone()) {
                label.insert(range.end, '»');
                label.insert(range.start, '«');
            }
            format!("{} {label}\n", if index == help.active { '>' } else { ' ' })
        });
        lines.collect()
    })
}

fn active(fixture: &str) -> String {
    shown(fixture).lines().find(|it| it.starts_with('>')).unwrap_or_default().to_owned()
}

#[test]
fn unclosed_calls() {
    check(
        "$x = split($0",
        expect![[r#"
        > split(«String $str», String $pattern) >> Array[String]
          split(«String $str», Regexp $pattern) >> Array[String]
          split(«String $str», Type[Regexp] $pattern) >> Array[String]
          split(«Sensitive[String] $sensitive», String $pattern) >> Sensitive[Array[String]]
          split(«Sensitive[String] $sensitive», Regexp $pattern) >> Sensitive[Array[String]]
          split(«Sensitive[String] $sensitive», Type[Regexp] $pattern) >> Sensitive[Array[String]]
    "#]],
    );
    check(
        "$x = split('a', $0",
        expect![[r#"
        > split(String $str, «String $pattern») >> Array[String]
          split(String $str, «Regexp $pattern») >> Array[String]
          split(String $str, «Type[Regexp] $pattern») >> Array[String]
          split(Sensitive[String] $sensitive, «String $pattern») >> Sensitive[Array[String]]
          split(Sensitive[String] $sensitive, «Regexp $pattern») >> Sensitive[Array[String]]
          split(Sensitive[String] $sensitive, «Type[Regexp] $pattern») >> Sensitive[Array[String]]
    "#]],
    );
    check(
        "class a {\n  $x = regsubst('a', 'b', $0\n  file { '/x': }\n}\n",
        expect![[r#"
        > regsubst(Variant[Array[String], String] $target, String $pattern, «Variant[String, Hash[String, String]] $replacement», Optional[Pattern[/^[GEIM]*$/]] $flags = …, Enum['N', 'E', 'S', 'U'] $encoding = …) >> Variant[Array[String], String]
          regsubst(Variant[Array[String], String] $target, Variant[Regexp, Type[Regexp]] $pattern, «Variant[String, Hash[String, String]] $replacement», Pattern[/^G?$/] $flags = …) >> Variant[Array[String], String]
          regsubst(Sensitive[String] $target, String $pattern, «Variant[String, Hash[String, String]] $replacement», Optional[Pattern[/^[GEIM]*$/]] $flags = …, Enum['N', 'E', 'S', 'U'] $encoding = …) >> Sensitive[String]
          regsubst(Sensitive[String] $target, Variant[Regexp, Type[Regexp]] $pattern, «Variant[String, Hash[String, String]] $replacement», Pattern[/^G?$/] $flags = …) >> Sensitive[String]
          regsubst(Variant[Array[Variant[String, Sensitive[String]]], Sensitive[Array[Variant[String, Sensitive[String]]]]] $target, String $pattern, «Variant[String, Hash[String, String]] $replacement», Optional[Pattern[/^[GEIM]*$/]] $flags = …, Enum['N', 'E', 'S', 'U'] $encoding = …) >> Array[Variant[String, Sensitive[String]]]
          regsubst(Variant[Array[Variant[String, Sensitive[String]]], Sensitive[Array[Variant[String, Sensitive[String]]]]] $target, Variant[Regexp, Type[Regexp]] $pattern, «Variant[String, Hash[String, String]] $replacement», Pattern[/^G?$/] $flags = …) >> Array[Variant[String, Sensitive[String]]]
    "#]],
    );
    check(
        "$x = strftime(split('a', 'b'$0",
        expect![[r#"
        > split(String $str, «String $pattern») >> Array[String]
          split(String $str, «Regexp $pattern») >> Array[String]
          split(String $str, «Type[Regexp] $pattern») >> Array[String]
          split(Sensitive[String] $sensitive, «String $pattern») >> Sensitive[Array[String]]
          split(Sensitive[String] $sensitive, «Regexp $pattern») >> Sensitive[Array[String]]
          split(Sensitive[String] $sensitive, «Type[Regexp] $pattern») >> Sensitive[Array[String]]
    "#]],
    );
}

#[test]
fn the_receiver_is_the_first_parameter() {
    check(
        "$x = 'a,b'.split($0)\n",
        expect![[r#"
        > split(String $str, «String $pattern») >> Array[String]
          split(String $str, «Regexp $pattern») >> Array[String]
          split(String $str, «Type[Regexp] $pattern») >> Array[String]
          split(Sensitive[String] $sensitive, «String $pattern») >> Sensitive[Array[String]]
          split(Sensitive[String] $sensitive, «Regexp $pattern») >> Sensitive[Array[String]]
          split(Sensitive[String] $sensitive, «Type[Regexp] $pattern») >> Sensitive[Array[String]]
    "#]],
    );
    check(
        "$x = [3, 1].sort($0)\n",
        expect![[r#"
          sort(String $string_value, Optional[Callable[2, 2]] &$block) >> String
        > sort(Array $array_value, Optional[Callable[2, 2]] &$block) >> Array
    "#]],
    );
}

#[test]
fn the_active_signature_follows_the_arguments() {
    check(
        "$x = dig({ a => 1 }, $0)\n",
        expect![[r#"
        > dig(Optional[Collection] $data, «Any *$arg»)
    "#]],
    );
    check(
        "$x = slice([1, 2], 2$0)\n",
        expect![[r#"
          slice(Hash[Any, Any] $hash, «Integer[1, default] $slice_size», Optional[Callable] &$block)
        > slice(Iterable $enumerable, «Integer[1, default] $slice_size», Optional[Callable] &$block)
    "#]],
    );
    check(
        "notice('a', 'b', $0)\n",
        expect![[r#"
        > notice(«Any *$values») >> Undef
    "#]],
    );
}

#[test]
fn functions_in_puppet() {
    check(
        "function f(String $a, Integer *$rest) >> String { $a }\n$x = f('a', 1, 2, $0)\n",
        expect![[r#"
        > f(String $a, «Integer *$rest») >> String
    "#]],
    );
}

#[test]
fn constructors() {
    check(
        "$x = Integer('0x1f', $0)\n",
        expect![[r#"
        > Integer(Variant[Numeric, Boolean, Pattern[/\A[+-]?\s*(?:\d+|0[xX][0-9A-Fa-f]+|0[bB][01]+)\z/], Timespan, Timestamp] $from, «Variant[Default, Integer[2, 2], Integer[8, 8], Integer[10, 10], Integer[16, 16]] $radix = …», Boolean $abs = …) >> Integer
          Integer(Struct[{'from' => Variant[Numeric, Boolean, Pattern[/\A[+-]?\s*(?:\d+|0[xX][0-9A-Fa-f]+|0[bB][01]+)\z/], Timespan, Timestamp], Optional['radix'] => Variant[Default, Integer[2, 2], Integer[8, 8], Integer[10, 10], Integer[16, 16]], Optional['abs'] => Boolean}] $from) >> Integer
    "#]],
    );
    check(
        "$x = Integer.new($0\n",
        expect![[r#"
        > Integer(«Variant[Numeric, Boolean, Pattern[/\A[+-]?\s*(?:\d+|0[xX][0-9A-Fa-f]+|0[bB][01]+)\z/], Timespan, Timestamp] $from», Variant[Default, Integer[2, 2], Integer[8, 8], Integer[10, 10], Integer[16, 16]] $radix = …, Boolean $abs = …) >> Integer
          Integer(«Struct[{'from' => Variant[Numeric, Boolean, Pattern[/\A[+-]?\s*(?:\d+|0[xX][0-9A-Fa-f]+|0[bB][01]+)\z/], Timespan, Timestamp], Optional['radix'] => Variant[Default, Integer[2, 2], Integer[8, 8], Integer[10, 10], Integer[16, 16]], Optional['abs'] => Boolean}] $from») >> Integer
    "#]],
    );
}

#[test]
fn statements_without_parentheses() {
    check(
        "notice 'a', $0\n",
        expect![[r#"
        > notice(«Any *$values») >> Undef
    "#]],
    );
}

#[test]
fn no_help_outside_of_calls() {
    check(
        "$x = split('a', 'b')$0\n",
        expect![[r#"
        nothing
    "#]],
    );
    check(
        "[1].each |$x| { $0 }\n",
        expect![[r#"
        nothing
    "#]],
    );
    check(
        "$x = nothing_here($0)\n",
        expect![[r#"
        nothing
    "#]],
    );
}

#[test]
fn attributes_of_resources() {
    let define = "# @summary A site.\n# @param root Its full path.\ndefine site(String $root, Integer $port = 80) { }\n";
    let texts = [
        "site { 'a': $0",
        "site { 'a': root => '/x', port => $0",
        "site { 'a':\n  ro$0\n  port => 1,\n}\n",
        "site { 'a': root => '/a'; 'b': port => [1, $0] }\n",
        "site { 'a': root => split($0) }\n",
        "site { 'a': root => '/$0' }\n",
        "site { $0 }\n",
        "Site { port => $0 }\n",
        "Site['a'] { port => $0 }\n",
        "site { 'a': * => { $0 } }\n",
        "[1].each |$x| { site { 'a': port => [1].map |$y| { $0 } } }\n",
        "class one($p) { }\nclass { 'one': p => $0\n",
        "group { 'a': members => $0 }\n",
        "group { 'a': require => $0 }\n",
        "nope { 'a': require => $0 }\n",
    ];
    let all = texts.map(|text| format!("{text}\n{}", shown(&format!("{define}{text}"))));
    expect![[r#"
        site { 'a': $0
        > define site { String $root, Integer $port = 80 }
        site { 'a': root => '/x', port => $0
        > define site { String $root, «Integer $port = 80» }
        site { 'a':
          ro$0
          port => 1,
        }

        > define site { String $root, Integer $port = 80 }
        site { 'a': root => '/a'; 'b': port => [1, $0] }

        > define site { String $root, «Integer $port = 80» }
        site { 'a': root => split($0) }

        > split(«String $str», String $pattern) >> Array[String]
          split(«String $str», Regexp $pattern) >> Array[String]
          split(«String $str», Type[Regexp] $pattern) >> Array[String]
          split(«Sensitive[String] $sensitive», String $pattern) >> Sensitive[Array[String]]
          split(«Sensitive[String] $sensitive», Regexp $pattern) >> Sensitive[Array[String]]
          split(«Sensitive[String] $sensitive», Type[Regexp] $pattern) >> Sensitive[Array[String]]
        site { 'a': root => '/$0' }

        > define site { «String $root», Integer $port = 80 }
        site { $0 }

        nothing
        Site { port => $0 }

        > define site { String $root, «Integer $port = 80» }
        Site['a'] { port => $0 }

        > define site { String $root, «Integer $port = 80» }
        site { 'a': * => { $0 } }

        > define site { String $root, Integer $port = 80 }
        [1].each |$x| { site { 'a': port => [1].map |$y| { $0 } } }

        nothing
        class one($p) { }
        class { 'one': p => $0

        > class one { «$p» }
        group { 'a': members => $0 }

        > group { …, «members», attributes, auth_membership => true|false, allowdupe => true|false, ia_load_module, attribute_membership => inclusive|minimum, system => true|false, … }
        group { 'a': require => $0 }

        > group { …, «require» }
        nope { 'a': require => $0 }

        nothing
    "#]].assert_eq(&all.join(""));
}

#[test]
fn the_closest_signature_is_active_if_none_fits() {
    let functions = "\
//- /modules/a/lib/puppet/functions/pick_one.rb
Puppet::Functions.create_function(:pick_one) do
  dispatch :with_block do
    param 'Hash', :hash
    param 'Hash', :more
    block_param
  end
  dispatch :without do
    param 'Hash', :hash
    param 'Hash[String, Any]', :other
    param 'Integer', :count
  end
end
//- /modules/a/manifests/init.pp
";
    check(
        &format!("{functions}$x = pick_one({{ 'a' => 1 }}, {{ default => 1 }}, $0)\n"),
        expect![[r#"
              pick_one(Hash $hash, Hash $more, Callable &$block)
            > pick_one(Hash $hash, Hash[String, Any] $other, «Integer $count»)
        "#]],
    );
    check(
        &format!("{functions}$x = pick_one(1, $0)\n"),
        expect![[r#"
          pick_one(Hash $hash, «Hash $more», Callable &$block)
        > pick_one(Hash $hash, «Hash[String, Any] $other», Integer $count)
    "#]],
    );
    // The type of an unfinished literal is known.
    for arguments in ["'a', { merge => 'x' }$0", "'a', { merge => 'x'$0 }"] {
        let found = active(&format!("$x = lookup({arguments})\n"));
        assert!(found.contains("$options_hash"), "{arguments}: {found}");
    }
    let found = active("$x = lookup('a', St$0)\n");
    assert!(found.contains("$value_type"), "{found}");
}

#[test]
fn arguments_after_the_cursor_count() {
    let function = "\
//- /modules/a/lib/puppet/functions/two.rb
Puppet::Functions.create_function(:two) do
  dispatch :one do
    param 'Any', :a
  end
  dispatch :both do
    param 'Any', :a
    param 'Any', :b
  end
end
//- /modules/a/manifests/init.pp
";
    for (call, expected) in [
        ("two($x$0, $y)", "> two(«Any $a», Any $b)"),
        ("two($x, $y$0)", "> two(Any $a, «Any $b»)"),
        ("two($x$0)", "> two(«Any $a»)"),
        ("$x.two($y$0)", "> two(Any $a, «Any $b»)"),
    ] {
        assert_eq!(active(&format!("{function}{call}\n")), expected, "{call}");
    }
}
