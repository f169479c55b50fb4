//! Hover texts and their ranges.

use expect_test::{Expect, expect};

use crate::at_cursor;

#[track_caller]
fn check(fixture: &str, expected: Expect) {
    let shown = at_cursor(fixture, |analysis, file, offset, text| {
        match analysis.hover(file, offset).expect("nothing is cancelled") {
            Some(hover) => format!("[{}]\n{}\n", &text[hover.range.as_range()], hover.markdown),
            None => "nothing\n".to_owned(),
        }
    });
    expected.assert_eq(&shown);
}

#[test]
fn a_variable_has_a_type_and_a_value() {
    check(
        "$x = 1 + 2\nnotice($0$x)\n",
        expect![[r#"
        [$x]
        ```puppet
        $x: Integer
        ```

        Value: `3`
    "#]],
    );
}

#[test]
fn a_definition_that_is_all_of_its_file_has_a_signature() {
    for (fixture, expected) in
        [("class profile::$0x {\n}", "class profile::x"), ("define profile::$0x {\n}", "define profile::x")]
    {
        let shown = at_cursor(fixture, |analysis, file, offset, _| {
            analysis.hover(file, offset).expect("nothing is cancelled").map(|it| it.markdown)
        });
        assert!(shown.as_ref().is_some_and(|it| it.contains(expected)), "{shown:?}");
    }
}

#[test]
fn keywords_operators_and_values_of_attributes() {
    let shown = |fixture: &str| {
        at_cursor(fixture, |analysis, file, offset, _| {
            let hover = analysis.hover(file, offset).expect("nothing is cancelled")?;
            let mut paragraphs = hover.markdown.split("\n\n");
            paragraphs.find(|it| !it.starts_with("```")).map(str::to_owned)
        })
    };
    for (fixture, expected) in [
        ("cla$0ss a { }", "Defines a class"),
        ("class a inh$0erits b { }", "Evaluates another class first"),
        ("i$0f true { }", "Evaluates the first block"),
        ("User['a'] -$0> File['/x']", "The left resources are applied before the right ones."),
        ("User <$0| |>", "Realizes the virtual resources"),
        ("$0@user { 'a': }", "Declares virtual resources"),
        ("$x = 1 ? { default$0 => 1 }", "Matches if nothing else does"),
        ("cla$0ss { 'other::name': }", "Defines a class, or declares one"),
        ("file { '/x': ensure => fi$0le }", "Desired state"),
    ] {
        let shown = shown(fixture).unwrap_or_default();
        assert!(shown.starts_with(expected), "{fixture}: {shown}");
    }
    assert_eq!(shown("$x = { cla$0ss => 1 }"), None);
}

#[test]
fn assignment_targets_show_the_assigned_value() {
    check(
        "$0$x = [1, 2].map |$i| { $i * 2 }\n",
        expect![[r#"
        [$x]
        ```puppet
        $x: Array[Integer]
        ```

        Value: `[2, 4]`
    "#]],
    );
}

#[test]
fn alternatives_are_listed() {
    check(
        "class a(Boolean $tls) {\n  $port = $tls ? { true => 443, false => 80 }\n  notice($po$0rt)\n}\n",
        expect![[r#"
            [$port]
            ```puppet
            $port: Variant[Integer[443, 443], Integer[80, 80]]
            ```
        "#]],
    );
}

#[test]
fn conditions_narrow_types_in_branches() {
    check(
        "class a(Optional[String] $x = undef) {\n  if $x {\n    notice($0$x)\n  }\n}\n",
        expect![[r#"
        [$x]
        ```puppet
        $x: String
        ```
    "#]],
    );
}

#[test]
fn conditions_narrow_types_of_elements() {
    check(
        "class a { if $facts['os']['family'] == 'Debian' {\n  $f = $facts['os']['family'] notice($0$f)\n} }\n",
        expect![[r#"
            [$f]
            ```puppet
            $f: Enum['Debian', true]
            ```
        "#]],
    );
    check(
        "class a(Hash $h) { case $h['mode'] {\n  Integer: { $m = $h['mode'] }\n  default: { $m = 7 }\n}\n  notice($0$m) }\n",
        expect![[r#"
            [$m]
            ```puppet
            $m: Integer
            ```
        "#]],
    );
    check(
        "class a(Hash[String, Data] $h) { if $h['a'] =~ String and $h['b'] in ['x', 'y'] {\n  $z = [$h['a'], $h['b']]\n  notice($0$z) } }\n",
        expect![[r#"
            [$z]
            ```puppet
            $z: Array[String]
            ```
        "#]],
    );
    // A condition in one operand of `or` on a variable that is not set here does not hold in the other
    // operand.
    check(
        "class a { if $::osfamily == 'RedHat' or $::x == 'x' { $z = 1 } elsif $::osfamily == 'Debian' { $z = 2 } else { $z = 3 }\n  notice($0$z) }\n",
        expect![[r#"
            [$z]
            ```puppet
            $z: Integer[1, 3]
            ```
        "#]],
    );
    // The condition of the outer branch holds inside, and ends with it.
    check(
        "class a(Hash[String, Data] $h) { if $h['a'] { if $h['b'] { $z = $h['a'] notice($0$z) } } }\n",
        expect![[r#"
            [$z]
            ```puppet
            $z: Variant[String, Numeric, Boolean[true], Hash[String, Data], Array[Data]]
            ```
        "#]],
    );
    check(
        "class a(Hash[String, Data] $h) { if $h['a'] { } $z = $h['a'] notice($0$z) }\n",
        expect![[r#"
            [$z]
            ```puppet
            $z: Optional[Variant[String, Numeric, Boolean[true], Hash[String, Data], Array[Data], Boolean[false]]]
            ```
        "#]],
    );
    // After an assertion, the condition holds for the rest of the scope.
    check(
        "class a(Hash[String, Data] $h) { unless $h['a'] =~ Integer { fail('no') } $z = $h['a'] notice($0$z) }\n",
        expect![[r#"
            [$z]
            ```puppet
            $z: Integer
            ```
        "#]],
    );
}

#[test]
fn facts_have_types() {
    let expressions = [
        "$facts['os']['family']",
        "$facts['os']['release']['major']",
        "$::facts['processors']['count']",
        "$os['family']",
        "$::osfamily",
        "$facts['osfamily']",
        "$facts['nobody_knows']",
        "$nobody_knows",
        "$trusted['certname']",
        "$facts['networking']['interfaces']['eth0']",
        "getvar('facts.os.family')",
        "getvar('facts.os.family', 1)",
        "$facts.dig('os', 'family')",
        "$facts.get('processors.count')",
        "$facts['os']['family'] ? { 'RedHat' => 1, 'Debian' => $facts['os']['family'], default => $facts['kernel'] }",
        "$facts['processors']['count'] + 1",
        "$osfamily ? { 'Debian' => $osfamily, default => fail('no') }",
    ];
    let shown = expressions.map(|expression| {
        let fixture = format!("class a {{\n  $f = {expression}\n  notice($0$f)\n}}\n");
        at_cursor(&fixture, |analysis, file, offset, _| {
            let hover = analysis.hover(file, offset).expect("nothing is cancelled").expect("a variable");
            let ty =
                hover.markdown.lines().nth(1).and_then(|line| line.strip_prefix("$f: ")).unwrap_or("Any");
            format!("{expression}: {ty}\n")
        })
    });
    expect![[r#"
        $facts['os']['family']: String
        $facts['os']['release']['major']: Optional[String]
        $::facts['processors']['count']: Optional[Integer]
        $os['family']: String
        $::osfamily: Optional[String]
        $facts['osfamily']: Optional[String]
        $facts['nobody_knows']: Any
        $nobody_knows: Any
        $trusted['certname']: Optional[String]
        $facts['networking']['interfaces']['eth0']: Optional[Hash[String, Any]]
        getvar('facts.os.family'): String
        getvar('facts.os.family', 1): String
        $facts.dig('os', 'family'): String
        $facts.get('processors.count'): Optional[Integer]
        $facts['os']['family'] ? { 'RedHat' => 1, 'Debian' => $facts['os']['family'], default => $facts['kernel'] }: Variant[Integer[1, 1], String]
        $facts['processors']['count'] + 1: Integer
        $osfamily ? { 'Debian' => $osfamily, default => fail('no') }: Enum['Debian', true]
    "#]].assert_eq(&shown.concat());
}

#[test]
fn a_parameter_shows_type_documentation_and_default() {
    check(
        "# Things.\n# @param port The port\n#   to listen on.\nclass a(Integer $po$0rt = 8000 + 80) { }\n",
        expect![[r#"
            [$port]
            ```puppet
            $port: Integer
            ```

            Default: `8080`

            No `hiera.yaml` found for this environment.

            The port
            to listen on.
        "#]],
    );
}

#[test]
fn lambda_parameters_are_inferred() {
    check(
        "['a', 'b'].each |$0$name| { notice($name) }\n",
        expect![[r#"
        [$name]
        ```puppet
        $name: String
        ```

        Value: `'a'` or `'b'`
    "#]],
    );
    check(
        "class a(Hash[String, Integer] $h) { $h.each |$k, $0$v| { } }\n",
        expect![[r#"
        [$v]
        ```puppet
        $v: Integer
        ```
    "#]],
    );
}

#[test]
fn operators_and_brackets_show_the_whole_expression() {
    check(
        "$y = 'a' $0in ['a', 'b']\n",
        expect![[r#"
        ['a' in ['a', 'b']]
        ```puppet
        Boolean
        ```

        Value: `true`
    "#]],
    );
    check(
        "$y = [1, 2, 3]$0[1]\n",
        expect![[r#"
        [[1, 2, 3]]
        ```puppet
        Array[Integer]
        ```

        Value: `[1, 2, 3]`
    "#]],
    );
}

#[test]
fn a_built_in_function_shows_the_overload_that_applies() {
    check(
        "$y = spl$0it('a,b', ',')\n",
        expect![[r#"
            [split]
            Result: `['a', 'b']`

            ```puppet
            split(String $str, String $pattern) >> Array[String]
            ```

            Splits a string at the matches of a pattern.

            Other signatures:

            ```puppet
            split(String $str, Regexp $pattern) >> Array[String]
            split(String $str, Type[Regexp] $pattern) >> Array[String]
            split(Sensitive[String] $sensitive, String $pattern) >> Sensitive[Array[String]]
            split(Sensitive[String] $sensitive, Regexp $pattern) >> Sensitive[Array[String]]
            split(Sensitive[String] $sensitive, Type[Regexp] $pattern) >> Sensitive[Array[String]]
            ```
        "#]],
    );
    check(
        "$y = { a => 1 }.fil$0ter |$k, $v| { true }\n",
        expect![[r#"
            [filter]
            Result: `{'a' => 1}`

            ```puppet
            filter(Hash[Any, Any] $hash, Callable[2, 2] &$block)
            ```

            Returns the elements for which the block returns true: an array, or a hash for a hash.

            Other signatures:

            ```puppet
            filter(Hash[Any, Any] $hash, Callable[1, 1] &$block)
            filter(Iterable $enumerable, Callable[2, 2] &$block)
            filter(Iterable $enumerable, Callable[1, 1] &$block)
            ```
        "#]],
    );
    check(
        "include$0 apache\n",
        expect![[r#"
            [include]
            Result: `[Class[apache]]`

            ```puppet
            include(Any *$names) >> Array[Type[Class]]
            ```

            Declares classes, unless they are declared already.
        "#]],
    );
}

#[test]
fn a_function_in_puppet_shows_its_comment() {
    check(
        "//- /m/a/functions/f.pp\n# Adds up.\n#\n# @param x one\n# @return the sum\nfunction a::f(Integer $x, Integer $y = 1) >> Integer { $x + $y }\n//- /m/a/manifests/init.pp\nclass a { $z = a::f$0(1) }\n//- environment: module_path=/m\n",
        expect![[r#"
            [a::f]
            Result: `Integer`

            ```puppet
            function a::f(Integer $x, Integer $y = 1) >> Integer
            ```

            Adds up.

            **Parameters**

            - `x`: one

            **Returns**

            - the sum
        "#]],
    );
}

#[test]
fn classes_and_defined_types_show_their_parameters() {
    check(
        "//- environment: module_path=/m\n//- /m/a/manifests/init.pp\n# Serves.\nclass a(String $root = '/srv', Integer $port = 80, $x = undef) { }\n//- /m/b/manifests/init.pp\nclass b { include a$0 }\n",
        expect![[r#"
            [a]
            ```puppet
            class a (
              String $root = '/srv',
              Integer $port = 80,
              $x = undef,
            )
            ```

            Serves.
        "#]],
    );
    check(
        "//- environment: module_path=/m\n//- /m/a/manifests/d.pp\n# A thing.\ndefine a::d(String $root) { }\n//- /m/b/manifests/init.pp\nclass b { a::$0d { 'x': root => 'y' } }\n",
        expect![[r#"
            [a::d]
            ```puppet
            define a::d (
              String $root,
            )
            ```

            A thing.
        "#]],
    );
}

#[test]
fn types_show_documentation() {
    check(
        "class a($0Array[String, 1] $x) { }\n",
        expect![[r#"
        [Array[String, 1]]
        ```puppet
        Array[String, 1]
        ```

        Arrays with elements of a type: `Array[String, 1]` contains at least one string.
    "#]],
    );
    check(
        "type Port = Integer[1, 65535]\nclass a(Po$0rt $x) { }\n",
        expect![[r#"
        [Port]
        ```puppet
        type Port = Integer[1, 65535]
        ```
    "#]],
    );
    check(
        "# A port.\ntype Po$0rt = Variant[Integer[1, 65535], Enum['any']]\n",
        expect![[r#"
        [Port]
        ```puppet
        type Port = Variant[Integer[1, 65535], Enum['any']]
        ```

        A port.
    "#]],
    );
    check(
        "File['/etc/motd'] -> $0Service['x']\n",
        expect![[r#"
            [Service['x']]
            ```puppet
            Service['x']
            ```

            Manages a service: whether it is running, and whether it starts at boot.
        "#]],
    );
}

#[test]
fn a_broken_file_still_has_answers() {
    check(
        "class a {\n  $x = 'text'\n  notice($0$x\n",
        expect![[r#"
        [$x]
        ```puppet
        $x: String
        ```

        Value: `'text'`
    "#]],
    );
}

#[test]
fn sensitive_values_are_not_shown() {
    check(
        "$x = Sensitive('secret')\n$y = $0$x\n",
        expect![[r#"
        [$x]
        ```puppet
        $x: Sensitive[String]
        ```

        Value: `#<Sensitive [value redacted]>`
    "#]],
    );
    check(
        "$x = { 'k' => [Sensitive('secret')] }\n$y = $0$x\n",
        expect![[r#"
        [$x]
        ```puppet
        $x: Hash[String, Array[Sensitive[String]]]
        ```

        Value: `{'k' => [#<Sensitive [value redacted]>]}`
    "#]],
    );
    check(
        "class a($c) { if $c { $x = Sensitive('secret') } else { $x = Sensitive('other') }\n notice($0$x) }\n",
        expect![[r#"
        [$x]
        ```puppet
        $x: Sensitive[String]
        ```
    "#]],
    );
}

#[test]
fn long_values_are_truncated() {
    check(
        "$x = Integer[1, 500].map |$i| { $i }\nnotice($0$x)\n",
        expect![[r#"
        [$x]
        ```puppet
        $x: Array[Integer]
        ```

        Value: `[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, …`
    "#]],
    );
}

#[test]
fn comments_whitespace_and_unreachable_code_have_no_hover() {
    check(
        "# comm$0ent\n$x = 1\n",
        expect![[r#"
        nothing
    "#]],
    );
    check(
        "if false {\n  $y = 1\n  notice($0$y)\n}\n",
        expect![[r#"
        nothing
    "#]],
    );
}

#[test]
fn ranges_of_names_and_keywords() {
    for fixture in [
        "if$0 1 == 1 { notice(1) }\n",
        "file { '/x': ens$0ure => file }\n",
        "file { '/x': ensure $0=> file }\n",
        "class $0a { }\n",
        "case 1 { 1$0: { } }\n",
    ] {
        let found = at_cursor(fixture, |analysis, file, offset, text| {
            let found = analysis.hover(file, offset).expect("nothing is cancelled");
            found.map(|hover| text[hover.range.as_range()].to_owned())
        });
        let expected = match fixture {
            "class $0a { }\n" => Some("a".to_owned()),
            "if$0 1 == 1 { notice(1) }\n" => Some("if".to_owned()),
            "file { '/x': ens$0ure => file }\n" => Some("ensure".to_owned()),
            _ => None,
        };
        assert_eq!(found, expected, "{fixture}");
    }
}

#[test]
fn an_alias_shows_its_source_and_that_of_the_aliases_in_it() {
    let types = "\
//- environment: module_path=/m
//- /m/a/types/port.pp
type A::Port = Integer[1, 65535]
//- /m/a/types/host.pp
# Where it is.
type A::Host = Struct[{
  port => A::Port,
  kind => A::Kind,
}]
//- /m/a/types/kind.pp
type A::Kind = Variant[Enum['x'], A::Other]
//- /m/a/types/other.pp
type A::Other = Pattern[/o/]
";
    check(
        &format!("{types}//- /m/a/manifests/init.pp\nclass a(A::Ho$0st $host) {{ }}\n"),
        expect![[r#"
        [A::Host]
        ```puppet
        type A::Host = Struct[{
          port => A::Port,
          kind => A::Kind,
        }]
        type A::Port = Integer[1, 65535]
        type A::Kind = Variant[Enum['x'], A::Other]
        ```

        Where it is.
    "#]],
    );
    check(
        &format!("{types}//- /m/a/manifests/init.pp\nclass a(A::Host $ho$0st) {{ }}\n"),
        expect![[r#"
            [$host]
            ```puppet
            $host: A::Host
            ```

            ```puppet
            type A::Host = Struct[{ port => A::Port, kind => A::Kind, }]
            ```

            No `hiera.yaml` found for this environment.
        "#]],
    );
}

#[test]
fn parameters_of_unknown_types_show_the_declared_type() {
    check(
        "class a(Optional[Other::Type] $x$0 = undef) { }\n",
        expect![[r#"
        [$x]
        ```puppet
        Optional[Other::Type] $x
        ```

        Default: `undef`

        No `hiera.yaml` found for this environment.
    "#]],
    );
    check(
        "class a(Optional[Other::Type] $x = undef) { notice($x$0) }\n",
        expect![[r#"
        [$x]
        ```puppet
        Optional[Other::Type] $x = undef
        ```
    "#]],
    );
}

#[test]
fn literals_and_unknown_names_have_no_hover() {
    for fixture in [
        "notice('te$0xt')\n",
        "notice(1$02)\n",
        "notice(tr$0ue)\n",
        "notice(un$0def)\n",
        "$x = 'a' =~ /a$0/\n",
        "$x = { 'a$0' => 1 }\n",
        "other::ty$0pe { 'x': }\n",
        "class { 'other::na$0me': }\n",
        "define d() { notice(\"te$0xt ${title}\") }\n",
        // An assignment in unreachable code has no value.
        "if false { $x$0 = 1 } else { $x = 2 }\nnotice($x)\n",
    ] {
        let found = at_cursor(fixture, |analysis, file, offset, _| {
            analysis.hover(file, offset).expect("nothing is cancelled").map(|it| it.markdown)
        });
        assert_eq!(found, None, "{fixture}");
    }
}

#[test]
fn interpolated_names_are_resolved() {
    for (code, expected) in [
        ("template(\"${module_name}/x$0.erb\")", "a/x.erb"),
        ("template(\"a/${n}.e$0rb\")", "a/x.erb"),
        ("\"puppet:///modules/${module_name}/f$0\"", "a/f"),
    ] {
        let text = format!(
            "//- /modules/a/templates/x.erb\n//- /modules/a/files/f\n//- /modules/a/manifests/init.pp\nclass a {{\n  $n = 'x'\n  $y = {code}\n}}\n"
        );
        let (markdown, targets) = at_cursor(&text, |analysis, file, offset, _| {
            let hover = analysis.hover(file, offset).expect("nothing is cancelled").map(|it| it.markdown);
            let found = analysis.definition(file, offset).expect("nothing is cancelled");
            (hover.unwrap_or_default(), found.map_or(0, |it| it.targets.len()))
        });
        assert!(markdown.contains(expected), "{code}: {markdown}");
        assert_eq!(targets, 1, "{code}");
    }
}

#[test]
fn names_of_all_kinds_are_described() {
    let titled = |text: &str| {
        at_cursor(text, |analysis, file, offset, _| {
            let hover = analysis.hover(file, offset).expect("nothing is cancelled").expect("a hover");
            hover.markdown.lines().nth(1).unwrap_or_default().to_owned()
        })
    };
    let modules = "//- environment: module_path=/m\n//- /m/a/manifests/init.pp\n# @param port Where.\nclass a(Integer $port = 80) { $x = 'y' }\n//- /m/a/templates/t.epp\n<%- | String $name | -%>\n//- /m/b/manifests/init.pp\n";
    let rows = [
        ("notice($a::po$0rt)", "Integer $port = 80"),
        ("notice($a::$0x)", "$x: String"),
        ("notice($facts['os']['fam$0ily'])", "$facts['os']['family']: String"),
        ("fi$0le { '/x': ensure => file }", "resource type file"),
        ("file { '/x': requ$0ire => File['/y'] }", "require"),
        ("class { 'a': po$0rt => 1 }", "Integer $port = 80"),
        ("notice(epp('a/t$0.epp', { 'name' => 'x' }))", "a/t.epp ("),
        ("Fi$0le['/x'] -> Class['a']", "File['/x']"),
    ];
    for (code, expected) in rows {
        assert_eq!(titled(&format!("{modules}class b {{ {code} }}\n")), expected, "{code}");
    }
}

#[test]
fn resource_types_show_title_patterns() {
    check(
        "//- environment: roots=/ module_path=/m
//- /m/a/lib/puppet/type/account.rb
Puppet::Type.newtype(:account) do
  @doc = 'An account.'
  newparam(:domain) { isnamevar }
  newparam(:name)
  def self.title_patterns
    [[/^(.+)::(.+)$/, [[:name], [:domain]]], [/(.*)/m, [[:name]]]]
  end
end
//- /m/b/manifests/init.pp
class b { acc$0ount { 'x::y': } }
",
        expect![[r#"
            [account]
            ```puppet
            resource type account
            ```

            An account.

            The title sets several attributes, by the first matching pattern:

            * `/^(.+)::(.+)$/` sets `name`, `domain`
            * `/(?m-ix:(.*))/` sets `name`

            From module `a`.
        "#]],
    );
}

#[test]
fn true_and_false_merge_to_boolean() {
    check(
        "class a($x) {\n  if $x { $y = true } else { $y = false }\n  notice($0$y)\n}\n",
        expect![[r#"
        [$y]
        ```puppet
        $y: Boolean
        ```
    "#]],
    );
}

#[test]
fn names_in_erb_templates() {
    let template = |text: &str| {
        format!(
            "//- environment: roots=/
//- /modules/a/manifests/init.pp
# @param dir Its full path
class a(String $dir) {{
  $path = \"${{dir}}/x\"
  $mode = '0644'
  file {{ '/x': content => template('a/x.erb') }}
}}
//- /modules/a/templates/x.erb
{text}"
        )
    };
    for (text, expected) in [
        (
            "a <%= @di$0r %>\n",
            expect![[r#"
            [dir]
            ```puppet
            String $dir
            ```

            Its full path

            A parameter of `a`.
        "#]],
        ),
        (
            "a <%= @mo$0de %>\n",
            expect![[r#"
            [mode]
            ```puppet
            $mode: String
            ```

            Value: `'0644'`

            A variable of `a`.
        "#]],
        ),
        (
            "a <%= scope['a::pa$0th'] %>\n",
            expect![[r#"
            [path]
            ```puppet
            $path: String[2]
            ```

            A variable of `a`.
        "#]],
        ),
        (
            "a <%= @fac$0ts['os'] %>\n",
            expect![[r#"
            [facts]
            ```puppet
            $facts: Hash[String, Any]
            ```

            All facts of the node, by name: `$facts['os']['family']`. A missing fact is `undef`.
        "#]],
        ),
        (
            "a <%= scope.call_function('ab$0s', 1) %>\n",
            expect![[r#"
            [abs]
            ```puppet
            abs(Numeric $val) >> Numeric
            abs(String $val) >> Numeric
            ```

            Returns the absolute value of a number.
        "#]],
        ),
        (
            "a @d$0ir\n",
            expect![[r#"
            nothing
        "#]],
        ),
    ] {
        check(&template(text), expected);
    }
}

#[test]
fn tasks_and_their_parameters() {
    let plan = |text: &str| {
        format!(
            "//- environment: roots=/
//- /modules/a/tasks/restart.json
{{ \"description\": \"Restarts it\", \"parameters\": {{
  \"service\": {{ \"type\": \"String[1]\", \"description\": \"Its name\" }} }} }}
//- /modules/a/plans/init.pp
plan a(TargetSpec $targets) {{
  {text}
}}
"
        )
    };
    check(
        &plan("run_task('a::res$0tart', $targets)"),
        expect![[r#"
        [a::restart]
        ```puppet
        a/restart.json
        ```

        Restarts it

        * `service` `String[1]`: Its name
    "#]],
    );
    check(
        &plan("run_task('a::restart', $targets, 'serv$0ice' => 'x')"),
        expect![[r#"
        [service]
        ```puppet
        String[1] $service
        ```

        Its name
    "#]],
    );
}

#[test]
fn facts_have_values_of_fact_files() {
    let manifest = |text: &str| {
        format!(
            "//- environment: roots=/ fact_files=/web.json,/db.yaml
//- /web.json
{{ \"os\": {{ \"family\": \"Debian\", \"name\": \"Debian\" }}, \"role\": \"web\", \"size\": 3 }}
//- /db.yaml
name: db.example.org
values:
  os: {{ family: RedHat }}
  role: db
//- /manifests/site.pp
{text}"
        )
    };
    for (text, expected) in [
        (
            "notice($facts['os']['fam$0ily'])\n",
            expect![[r#"
            [family]
            ```puppet
            $facts['os']['family']: String
            ```

            OS family: `Debian` (includes Ubuntu), `RedHat` (includes CentOS, Rocky, AlmaLinux, Fedora), `Suse`, `Archlinux`,
            `windows`, `Darwin`, `FreeBSD`, `Solaris`, ...

            In fact files:

            * `web.json`: `'Debian'`
            * `db.yaml`: `'RedHat'`
        "#]],
        ),
        (
            "notice($facts['ro$0le'])\n",
            expect![[r#"
            [role]
            ```puppet
            fact role
            ```

            From module `environment`.

            In fact files:

            * `web.json`: `'web'`
            * `db.yaml`: `'db'`
        "#]],
        ),
        (
            "$x = $facts['role']\nnotice($0$x)\n",
            expect![[r#"
            [$x]
            ```puppet
            $x: Optional[String]
            ```
        "#]],
        ),
        (
            "$x = $facts['size'] + 1\nnotice($0$x)\n",
            expect![[r#"
            [$x]
            ```puppet
            $x: Integer
            ```
        "#]],
        ),
        (
            "if $facts['role'] { $x = $facts['role'] notice($0$x) }\n",
            expect![[r#"
            [$x]
            ```puppet
            $x: String
            ```
        "#]],
        ),
        (
            "$x = $facts['os']['family']\nnotice($0$x)\n",
            expect![[r#"
            [$x]
            ```puppet
            $x: String
            ```
        "#]],
        ),
    ] {
        check(&manifest(text), expected);
    }
}

#[test]
fn types_of_bolt_in_plans() {
    check(
        "//- /modules/m/plans/p.pp\nplan m::p(Target$0Spec $targets) { }\n",
        expect![[r#"
            [TargetSpec]
            ```puppet
            type TargetSpec = Boltlib::TargetSpec
            ```

            Targets: names, URIs, groups and patterns separated by commas, `Target` objects, and arrays of them.
        "#]],
    );
    check(
        "//- /modules/m/plans/p.pp\nplan m::p() {\n  $x = get_targets('a')\n  if $x =~ Array[Tar$0get] { }\n}\n",
        expect![[r#"
            [Target]
            ```puppet
            type Target
            ```

            Machine or other system that Bolt can connect to, with its data from the inventory.
        "#]],
    );
}
