//! Completion of classes, types and variables.

use expect_test::expect;

use super::{check, first};
use crate::at_cursor;

#[test]
fn names_of_the_environment() {
    let modules = "//- environment: module_path=/m\n//- /m/stdlib/functions/own.pp\nfunction stdlib::own() { 1 }\n//- /m/stdlib/types/ip/address.pp\ntype Stdlib::IP::Address = String\n";
    check(
        &format!("{modules}//- /main.pp open\n$x = $0\n"),
        "st",
        expect![[r#"
            []
            stdlib::own Function stdlib::own($1)
            step Function step($1)
            strftime Function strftime($1)
            strip Function strip($1)
        "#]],
    );
    check(
        &format!("{modules}//- /main.pp open\n$x = St$0\n"),
        "Std",
        expect![[r#"
            [St]
            Stdlib::IP::Address Type -
        "#]],
    );
    check(
        &format!("{modules}//- /main.pp open\n$x = stdlib::o$0\n"),
        "stdlib::o",
        expect![[r#"
            [stdlib::o]
            stdlib::own Function stdlib::own($1)
        "#]],
    );
    check(
        "$x = $0\n",
        "dels",
        expect![[r#"
        []
    "#]],
    );
}

#[test]
fn classes_where_a_class_is_named() {
    first(
        "include we$0\n",
        expect![[r#"
        [we] 2
        web | Class | web | web
        web::params | Class | web | web::params
    "#]],
    );
    first(
        "include web:$0\n",
        expect![[r#"
        [web:] 1
        web::params | Class | web | web::params
    "#]],
    );
    // The colon after the values of a case option is not half of a `::`.
    first(
        "case $x {\n  web_: $0\n}\n",
        expect![[r#"
        nothing
    "#]],
    );
    first(
        "case $x {\n  'a':$0\n}\n",
        expect![[r#"
        nothing
    "#]],
    );
    first(
        "include web, $0\n",
        expect![[r#"
            [] 2
            web::params | Class | web | web::params
            web | Class | web | web
        "#]],
    );
    first(
        "class a inherits $0",
        expect![[r#"
            [] 2
            web | Class | web | web
            web::params | Class | web | web::params
        "#]],
    );
    first(
        "contain 'w$0'\n",
        expect![[r#"
        [w] 2
        web | Class | web | web
        web::params | Class | web | web::params
    "#]],
    );
    first(
        "$x = Class[$0\n",
        expect![[r#"
            [] 12
            web | Class | web | 'web'
            web::params | Class | web | 'web::params'
            $facts | Variable | Hash[String, Any] | $facts
            $caller_module_name | Variable | String | $caller_module_name
            $environment | Variable | String | $environment
            $module_name | Variable | String | $module_name
        "#]],
    );
    first(
        "class { $0\n",
        expect![[r#"
        [] 2
        web | Class | web | 'web':
        web::params | Class | web | 'web::params':
    "#]],
    );
    first(
        "class { 'we$0': }\n",
        expect![[r#"
        [we] 2
        web | Class | web | web
        web::params | Class | web | web::params
    "#]],
    );
    first(
        "require ::web::$0\nclass b { }\n",
        expect![[r#"
        [::web::] 1
        web::params | Class | web | ::web::params
    "#]],
    );
    first(
        "include(we$0)\n",
        expect![[r#"
        [we] 2
        web | Class | web | web
        web::params | Class | web | web::params
    "#]],
    );
    first(
        "include w$0\nfile { '/x': }\n",
        expect![[r#"
        [w] 2
        web | Class | web | web
        web::params | Class | web | web::params
    "#]],
    );
}

#[test]
fn variables_in_scope() {
    first(
        "class b(String $name_, Integer $port) {\n  $one = 1\n  [1].each |$each| { $inner = 1 }\n  $two = $$0\n  $three = 1\n}\n",
        expect![[r#"
            [$] 15
            $name_ | Variable | String | $name_
            $port | Variable | Integer | $port
            $one | Variable | - | $one
            $facts | Variable | Hash[String, Any] | $facts
            $title | Variable | Any | $title
            $caller_module_name | Variable | String | $caller_module_name
        "#]],
    );
    first(
        "class b {\n  $items.each |$key, $value| {\n    $x = $k$0\n",
        expect![[r#"
        [$k] 1
        $key | Variable | parameter | $key
    "#]],
    );
    first(
        "class b inherits web::params {\n  $x = $po$0\n",
        expect![[r#"
        [$po] 3
        $port | Variable | of web::params | $port
        $web::params::port | Variable | - | $web::params::port
        $web::params::root | Variable | - | $web::params::root
    "#]],
    );
    first(
        "$x = $web::params::$0\n",
        expect![[r#"
        [$web::params::] 2
        $web::params::port | Variable | - | $web::params::port
        $web::params::root | Variable | - | $web::params::root
    "#]],
    );
    first(
        "$x = $::os$0\n",
        expect![[r#"
            [$::os] 51
            $::os | Fact | Hash[String, Any] | $::os
            $::osfamily | Fact | Optional[String] | $::osfamily
            $::sp_os_version | Fact | Optional[String] | $::sp_os_version
            $::operatingsystem | Fact | Optional[String] | $::operatingsystem
            $::operatingsystemrelease | Fact | Optional[String] | $::operatingsystemrelease
            $::operatingsystemmajrelease | Fact | Optional[String] | $::operatingsystemmajrelease
        "#]],
    );
    first(
        "$longest = 1\n$x = \"a ${lo$0\n",
        expect![[r#"
            [lo] 7
            longest | Variable | - | longest
            lookup | Function | puppet | lookup($1)
            eyaml_lookup_key | Function | puppet | eyaml_lookup_key($1)
            caller_module_name | Variable | String | caller_module_name
            floor | Function | puppet | floor($1)
            shellquote | Function | puppet | shellquote($1)
        "#]],
    );
    first(
        "$longest = 1\n$x = \"a $lo$0 b\"\n",
        expect![[r#"
        [$lo] 2
        $longest | Variable | - | $longest
        $caller_module_name | Variable | String | $caller_module_name
    "#]],
    );
    first(
        "$longest = 1\n$x = \"a $$0\"\n",
        expect![[r#"
        [$] 11
        $longest | Variable | - | $longest
        $facts | Variable | Hash[String, Any] | $facts
        $caller_module_name | Variable | String | $caller_module_name
        $environment | Variable | String | $environment
        $module_name | Variable | String | $module_name
        $server_facts | Variable | Hash[String, Any] | $server_facts
    "#]],
    );
    first(
        "class b(String $o$0) { }\n",
        expect![[r#"
        nothing
    "#]],
    );
    first(
        "class b(String $one, String $two = $o$0) { }\n",
        expect![[r#"
        [$o] 5
        $one | Variable | String | $one
        $environment | Variable | String | $environment
        $module_name | Variable | String | $module_name
        $serverversion | Variable | String | $serverversion
        $caller_module_name | Variable | String | $caller_module_name
    "#]],
    );
    first(
        "class b { $one = 1 }\nclass c { $x = $on$0 }\n",
        expect![[r#"
        [$on] 4
        $environment | Variable | String | $environment
        $serverversion | Variable | String | $serverversion
        $module_name | Variable | String | $module_name
        $caller_module_name | Variable | String | $caller_module_name
    "#]],
    );
    first(
        "$longest = 1\n$x = \"a ${$0\n",
        expect![[r#"
            [] 115
            longest | Variable | - | longest
            facts | Variable | Hash[String, Any] | facts
            caller_module_name | Variable | String | caller_module_name
            environment | Variable | String | environment
            module_name | Variable | String | module_name
            server_facts | Variable | Hash[String, Any] | server_facts
        "#]],
    );
}

/// Text with a cursor, and the first label; `None` without items.
const FIRST_LABELS: &[(&str, Option<&str>)] = &[
    // A heredoc and an interpolation whose ends are not typed yet.
    ("class b($owner) {\n  $x = @(\"END\")\n    of ${ow$0\n}\n", Some("owner")),
    ("class b($owner) {\n  $x = @(\"END\")\n    of $ow$0\n}\n", Some("$owner")),
    ("class b($owner) {\n  $x = @(END)\n    of ${ow$0\n}\n", None),
    ("class b {\n  $x = @(\"END\")\n    'a'.fi$0\n}\n", None),
    ("class b {\n  file { '/x':\n    content => \"${facts['os']['fam$0\",\n  }\n}\n", Some("family")),
    ("$x = \"a ${facts['networking']['fq$0\"\n", Some("fqdn")),
    // Keys of known hashes.
    (
        "$a = { 'x' => { 'port' => 1 }, 'y' => { 'z' => 2 } }\n$b = $a.map |$n, $r| { $r['po$0'] }\n",
        Some("port"),
    ),
    ("$a = { 'x' => { 'port' => 1 } }\n$b = $a['x'][$0]\n", Some("port")),
    ("$a = { 'x' => { 'port' => 1 } }\n$b = \"${a['$0']}\"\n", Some("x")),
    // Words that are written already.
    ("service { 'x': ensure => running$0 }\n", None),
    ("$abc = 1\n$x = $abc$0\n", None),
    ("class b { }\ninclude b$0\n", None),
    ("$abc = 1\n$abcd = 1\n$x = $abc$0\n", Some("$abc")),
];

#[test]
fn first_labels() {
    for (fixture, expected) in FIRST_LABELS {
        let first = at_cursor(fixture, |analysis, file, offset, _| {
            let found = analysis.completions(file, offset).expect("nothing is cancelled");
            found.and_then(|it| Some(it.items.first()?.label.clone()))
        });
        assert_eq!(first.as_deref(), *expected, "{fixture}");
    }
}

#[test]
fn facts() {
    first(
        "$x = $facts['os'][$0\n",
        expect![[r#"
        [] 9
        architecture | Fact | Optional[String] | 'architecture'
        distro | Fact | Optional[Hash[String, Any]] | 'distro'
        family | Fact | String | 'family'
        hardware | Fact | Optional[String] | 'hardware'
        macosx | Fact | Optional[Hash[String, Any]] | 'macosx'
        name | Fact | String | 'name'
    "#]],
    );
    first(
        "$x = $facts['os']['fa$0\n",
        expect![[r#"
        [fa] 1
        family | Fact | String | family
    "#]],
    );
    first(
        "$x = \"${facts['networking']['i$0']}\"\n",
        expect![[r#"
        [i] 5
        ip | Fact | Optional[String] | ip
        ip6 | Fact | Optional[String] | ip6
        interfaces | Fact | Optional[Hash[String, Hash[String, Any]]] | interfaces
        domain | Fact | Optional[String] | domain
        primary | Fact | Optional[String] | primary
    "#]],
    );
    first(
        "$x = $trusted[$0]\n",
        expect![[r#"
        [] 6
        authenticated | Fact | Variant[Boolean, String] | 'authenticated'
        certname | Fact | Optional[String] | 'certname'
        domain | Fact | Optional[String] | 'domain'
        extensions | Fact | Hash[String, Any] | 'extensions'
        external | Fact | Optional[Hash[String, Any]] | 'external'
        hostname | Fact | Optional[String] | 'hostname'
    "#]],
    );
    first(
        "$x = $facts[osf$0\n",
        expect![[r#"
        [osf] 1
        osfamily | Fact | Optional[String] | 'osfamily'
    "#]],
    );
}

#[test]
fn only_types_in_type_position() {
    check(
        "class a(Str$0 $x) { }\n",
        "",
        expect![[r#"
            [Str]
            String Type -
            Struct Type Struct[$1]
        "#]],
    );
    check(
        "class a(Array[In$0] $x) { }\n",
        "I",
        expect![[r#"
            [In]
            Integer Type -
            Init Type Init[$1]
        "#]],
    );
    check(
        "[1].each |$0| { }\n",
        "I",
        expect![[r#"
            []
            Integer Type -
            Init Type Init[$1]
            Iterable Type -
            Iterator Type -
        "#]],
    );
    check(
        "function f() >> $0 { }\n",
        "I",
        expect![[r#"
            []
            Integer Type -
            Init Type Init[$1]
            Iterable Type -
            Iterator Type -
        "#]],
    );
    check(
        "type A = $0\n",
        "I",
        expect![[r#"
            []
            Integer Type -
            Init Type Init[$1]
            Iterable Type -
            Iterator Type -
        "#]],
    );
}

#[test]
fn types() {
    first(
        "class b(Web::$0 $x) { }\n",
        expect![[r#"
        [Web::] 1
        Web::Port | Type | web | Web::Port
    "#]],
    );
    first(
        "class b(St$0\n",
        expect![[r#"
        [St] 7
        String | Type | [min length, max length] | String
        Struct | Type | [{ key => type, ... }] | Struct[$1]
        Stdlib::Ensure | Type | stdlib | Stdlib::Ensure
        Sensitive | Type | [type] | Sensitive
        ScalarData | Type | - | ScalarData
        TypeSet | Type | [definition] | TypeSet[$1]
    "#]],
    );
    first(
        "type A = Array[St$0\n",
        expect![[r#"
            [St] 3
            String | Type | [min length, max length] | String
            Struct | Type | [{ key => type, ... }] | Struct[$1]
            Stdlib::Ensure | Type | stdlib | Stdlib::Ensure
        "#]],
    );
    first(
        "if $x =~ Stdlib::$0 { }\n",
        expect![[r#"
        [Stdlib::] 1
        Stdlib::Ensure | Type | stdlib | Stdlib::Ensure
    "#]],
    );
}

#[test]
fn names_of_definitions() {
    first(
        "//- /m/web/manifests/a/b.pp open\nclass $0\n",
        expect![[r#"
        [] 1
        web::a::b | DefinitionName | expected by the path | web::a::b
    "#]],
    );
    first(
        "//- /m/web/types/url.pp open\ntype $0\n",
        expect![[r#"
        [] 1
        Web::Url | DefinitionName | expected by the path | Web::Url
    "#]],
    );
    first(
        "//- /m/web/manifests/c.pp open\n$0\n",
        expect![[r#"
            [] 178
            if | Construct | if … { } | if $1 {⏎  $0⏎}
            unless | Construct | unless … { } | unless $1 {⏎  $0⏎}
            case | Construct | case … { } | case $1 {⏎  $2: {⏎    $0⏎  }⏎  default: {⏎  }⏎}
            class | Construct | define a class | # @summary $2⏎class web::c (⏎  $3⏎) {⏎  $0⏎}
            define | Construct | define a resource type | # @summary $2⏎define web::c (⏎  $3⏎) {⏎  $0⏎}
            node | Construct | define a node | node '$1' {⏎  $0⏎}
        "#]],
    );
}
