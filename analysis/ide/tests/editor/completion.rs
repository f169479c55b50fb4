//! Completion: which words, in which order, in place of what.

use expect_test::{Expect, expect};

use crate::at_cursor;

/// What is replaced, then the items that begin with that or with `only`, then how many others there are.
#[track_caller]
fn check(fixture: &str, only: &str, expected: Expect) {
    let shown = at_cursor(fixture, |analysis, file, offset, text| {
        let Some(found) = analysis.completions(file, offset).expect("nothing is cancelled") else {
            return "nothing\n".to_owned();
        };
        let mut shown = format!("[{}]\n", &text[found.range.as_range()]);
        for item in found.items.iter().filter(|it| it.label.starts_with(only)) {
            let inserted = item.snippet.as_ref().unwrap_or(&item.text);
            let inserted =
                if *inserted == item.label { "-".to_owned() } else { inserted.replace('\n', "⏎") };
            shown.push_str(&format!("{} {:?} {inserted}\n", item.label, item.kind));
        }
        shown
    });
    expected.assert_eq(&shown);
}

#[test]
fn functions_and_types_where_an_expression_may_stand() {
    check(
        "$x = re$0\n",
        "re",
        expect![[r#"
            [re]
            reduce Function reduce($1) |\$${2:memo}, \$${3:value}| { $0 }
            return Function return($1)
            realize Function realize $1
            require Function require $1
            regsubst Function regsubst($1)
            reverse_each Function reverse_each($1)
        "#]],
    );
    check(
        "class a {\n  $x = $0\n}\n",
        "In",
        expect![[r#"
            []
            Init Type Init[$1]
            Integer Type -
        "#]],
    );
    check(
        "class a {\n  notice(up$0\n",
        "up",
        expect![[r#"
            [up]
            upcase Function upcase($1)
        "#]],
    );
}

#[test]
fn what_the_receiver_fits_comes_first() {
    check(
        "$x = [1].$0\n",
        "e",
        expect![[r#"
            []
            each Function each |\$${1:value}| { $0 }
            empty Function -
            emerg Function -
            err Function -
            epp Function -
            eyaml_lookup_key Function eyaml_lookup_key($1)
        "#]],
    );
    check(
        "$x = 'a'.up$0\nclass b { }\n",
        "up",
        expect![[r#"
            [up]
            upcase Function -
        "#]],
    );
    check(
        "$x = 5.0.$0\n",
        "a",
        expect![[r#"
            []
            abs Function -
            alert Function -
            all Function all |\$${1:value}| { $0 }
            annotate Function annotate($1)
            any Function any |\$${1:value}| { $0 }
            assert_type Function assert_type($1)
        "#]],
    );
    check(
        "class a(Hash $h) {\n  $h.ma$0\n}\n",
        "m",
        expect![[r#"
            [ma]
            map Function map |\$${1:value}| { $0 }
            max Function max |\$${1:key}, \$${2:value}| { $0 }
            match Function match($1)
        "#]],
    );
}

#[test]
fn only_types_where_a_type_stands() {
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
            Init Type Init[$1]
            Integer Type -
        "#]],
    );
    check(
        "[1].each |$0| { }\n",
        "I",
        expect![[r#"
            []
            Init Type Init[$1]
            Integer Type -
            Iterable Type -
            Iterator Type -
        "#]],
    );
    check(
        "function f() >> $0 { }\n",
        "I",
        expect![[r#"
            []
            Init Type Init[$1]
            Integer Type -
            Iterable Type -
            Iterator Type -
        "#]],
    );
    check(
        "type A = $0\n",
        "I",
        expect![[r#"
            []
            Init Type Init[$1]
            Integer Type -
            Iterable Type -
            Iterator Type -
        "#]],
    );
}

#[test]
fn those_of_the_environment() {
    let modules = "//- environment: module_path=/m\n//- /m/stdlib/functions/own.pp\nfunction stdlib::own() { 1 }\n//- /m/stdlib/types/ip/address.pp\ntype Stdlib::IP::Address = String\n";
    check(
        &format!("{modules}//- /main.pp open\n$x = $0\n"),
        "st",
        expect![[r#"
            []
            stdlib::batch_escape Function stdlib::batch_escape($1)
            stdlib::crc32 Function stdlib::crc32($1)
            stdlib::end_with Function stdlib::end_with($1)
            stdlib::ensure_packages Function stdlib::ensure_packages($1)
            stdlib::extname Function stdlib::extname($1)
            stdlib::fqdn_rand_string Function stdlib::fqdn_rand_string($1)
            stdlib::fqdn_rotate Function stdlib::fqdn_rotate($1)
            stdlib::has_function Function stdlib::has_function($1)
            stdlib::has_interface_with Function stdlib::has_interface_with($1)
            stdlib::ip_in_range Function stdlib::ip_in_range($1)
            stdlib::merge Function stdlib::merge($1)
            stdlib::nested_values Function stdlib::nested_values($1)
            stdlib::os_version_gte Function stdlib::os_version_gte($1)
            stdlib::own Function stdlib::own($1)
            stdlib::powershell_escape Function stdlib::powershell_escape($1)
            stdlib::seeded_rand Function stdlib::seeded_rand($1)
            stdlib::seeded_rand_string Function stdlib::seeded_rand_string($1)
            stdlib::sha256 Function stdlib::sha256($1)
            stdlib::shell_escape Function stdlib::shell_escape($1)
            stdlib::start_with Function stdlib::start_with($1)
            stdlib::str2resource Function stdlib::str2resource($1)
            stdlib::to_json Function stdlib::to_json($1)
            stdlib::to_json_pretty Function stdlib::to_json_pretty($1)
            stdlib::to_python Function stdlib::to_python($1)
            stdlib::to_ruby Function stdlib::to_ruby($1)
            stdlib::to_toml Function stdlib::to_toml($1)
            stdlib::to_yaml Function stdlib::to_yaml($1)
            stdlib::xml_encode Function stdlib::xml_encode($1)
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
            stdlib::os_version_gte Function stdlib::os_version_gte($1)
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
fn nothing_in_texts_comments_and_names() {
    for fixture in [
        "# re$0\n",
        "/* re$0 */",
        "$x = 'a $0'\n",
        "$x = \"a $0 ${y}\"\n",
        "$x = \"a ${y} re$0\"\n",
        "$x = @(END)\n  re$0\n  END\n",
        "class re$0\n",
        "class a(String $re$0) { }\n",
        "class a(String re$0) { }\n",
        "[1].each |$re$0| { }\n",
        "node re$0 { }\n",
        "$x = /re$0/\n",
        "$x = 12$0\n",
        "file { '/x': ensure re$0\n",
    ] {
        let found = at_cursor(fixture, |analysis, file, offset, _| analysis.completions(file, offset));
        assert_eq!(found.map(|it| it.is_some()), Ok(false), "{fixture}");
    }
}

#[test]
fn no_second_list_of_arguments() {
    check(
        "$x = up$0('a')\n",
        "upc",
        expect![[r#"
            [up]
            upcase Function -
        "#]],
    );
}

#[test]
fn details_come_on_demand() {
    let details = |fixture: &str, kind, label: &'static str| {
        let details =
            at_cursor(fixture, |analysis, file, _, _| analysis.completion_details(file, kind, label, None));
        let details = details.expect("nothing is cancelled").expect("it is known");
        format!("{}\n---\n{}\n", details.detail, details.documentation.unwrap_or_default())
    };
    expect![[r#"
        abs(Numeric $val) >> Numeric
        abs(String $val) >> Numeric
        ---
        The absolute value of a number.
    "#]]
    .assert_eq(&details("$x = 1\n", ide::CompletionKind::Function, "abs"));
    expect![[r#"
        Enum[values..., ignore case]
        ---
        Strings from a list: `Enum['present', 'absent']`; with `true` at the end in any case.
    "#]]
    .assert_eq(&details("$x = 1\n", ide::CompletionKind::Type, "Enum"));
    expect![[r#"
        type A = Integer
        ---
        A.
    "#]]
    .assert_eq(&details("# A.\ntype A = Integer\n", ide::CompletionKind::Type, "A"));
}

const SITE: &str = "\
//- environment: module_path=/m
//- /m/stdlib/types/ensure.pp
type Stdlib::Ensure = Enum['present', 'absent']
//- /m/web/manifests/params.pp
class web::params { $port = 80 $root = '/srv' }
//- /m/web/manifests/init.pp
# @summary A server.
# @param port Where it listens.
class web(Integer $port, Stdlib::Ensure $ensure = 'present', Boolean $tls = false, Enum['a', 'b'] $mode = 'a') { }
//- /m/web/manifests/site.pp
define web::site(String $docroot, Optional[Array[Enum['x', 'y']]] $flags = undef, Struct[{ host => String, Optional[port] => Integer }] $on = {}) { }
//- /m/web/functions/url.pp
function web::url() { '' }
//- /m/web/types/port.pp
type Web::Port = Integer
//- /m/web/templates/vhost.conf.epp
<%- | String $host, Integer $port = 80 | -%>
";

/// The first items, and how many there are.
#[track_caller]
fn first(fixture: &str, expected: Expect) {
    let fixture =
        if fixture.contains("//-") { fixture.to_owned() } else { format!("//- /main.pp open\n{fixture}") };
    let shown = at_cursor(&format!("{SITE}{fixture}"), |analysis, file, offset, text| {
        let Some(found) = analysis.completions(file, offset).expect("nothing is cancelled") else {
            return "nothing\n".to_owned();
        };
        let mut shown = format!("[{}] {}\n", &text[found.range.as_range()], found.items.len());
        for item in found.items.iter().take(6) {
            let inserted = item.snippet.as_ref().unwrap_or(&item.text).replace('\n', "⏎");
            let detail = item.detail.as_deref().unwrap_or("-");
            shown.push_str(&format!("{} | {:?} | {detail} | {inserted}\n", item.label, item.kind));
        }
        shown
    });
    expected.assert_eq(&shown);
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
            [] 3
            a | Class | a | a
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
fn attributes_that_are_not_given_yet() {
    first(
        "class { 'web': $0\n",
        expect![[r#"
            [] 16
            port | Attribute | Integer | port => ${1:Integer},
            ensure | Attribute | Stdlib::Ensure = 'present' | ensure => ${1:'present'},
            tls | Attribute | Boolean = false | tls => ${1|true,false|},
            mode | Attribute | Enum['a', 'b'] = 'a' | mode => ${1:'a'},
            alias | Metaparameter | metaparameter | alias => ${1:value},
            audit | Metaparameter | metaparameter | audit => ${1:value},
        "#]],
    );
    first(
        "class { 'web':\n  port => 1,\n  $0\n}\n",
        expect![[r#"
            [] 15
            ensure | Attribute | Stdlib::Ensure = 'present' | ensure => ${1:'present'},
            tls | Attribute | Boolean = false | tls => ${1|true,false|},
            mode | Attribute | Enum['a', 'b'] = 'a' | mode => ${1:'a'},
            alias | Metaparameter | metaparameter | alias => ${1:value},
            audit | Metaparameter | metaparameter | audit => ${1:value},
            before | Metaparameter | metaparameter | before => ${1:Type}['${2:title}'],
        "#]],
    );
    first(
        "web::site { 'x':\n  fl$0\n  docroot => '/x',\n}\n",
        expect![[r#"
        [fl] 1
        flags | Attribute | Optional[Array[Enum['x', 'y']]] = undef | flags => ${1:undef},
    "#]],
    );
    first(
        "file { '/x':\n  ensure => file,\n  $0",
        expect![[r#"
            [] 45
            content | Attribute | property | content => ${1:value},
            checksum_value | Attribute | property | checksum_value => ${1:value},
            target | Attribute | property | target => ${1:notlink},
            owner | Attribute | property | owner => ${1:value},
            group | Attribute | property | group => ${1:value},
            mode | Attribute | property | mode => ${1:value},
        "#]],
    );
    first(
        "file { '/x': ow$0 => 'root' }\n",
        expect![[r#"
        [ow] 2
        owner | Attribute | property | owner
        show_diff | Attribute | parameter | show_diff
    "#]],
    );
    first(
        "File { mo$0 }\n",
        expect![[r#"
            [mo] 2
            mode | Attribute | property | mode => ${1:value}
            source_permissions | Attribute | parameter | source_permissions => ${1|use,use_when_creating,ignore|}
        "#]],
    );
    first(
        "File['/x'] { mo$0 }\n",
        expect![[r#"
            [mo] 2
            mode | Attribute | property | mode => ${1:value}
            source_permissions | Attribute | parameter | source_permissions => ${1|use,use_when_creating,ignore|}
        "#]],
    );
    first(
        "File <| title == 'x' |> { mo$0\n",
        expect![[r#"
        [mo] 2
        mode | Attribute | property | mode => ${1:value},
        source_permissions | Attribute | parameter | source_permissions => ${1|use,use_when_creating,ignore|},
    "#]],
    );
    first(
        "user { 'a': ensure => present; 'b': $0",
        expect![[r#"
            [] 47
            ensure | Attribute | property | ensure => ${1|present,absent,role|},
            home | Attribute | property | home => ${1:value},
            uid | Attribute | property | uid => ${1:value},
            gid | Attribute | property | gid => ${1:value},
            comment | Attribute | property | comment => ${1:value},
            shell | Attribute | property | shell => ${1:value},
        "#]],
    );
    first(
        "File <| ow$0",
        expect![[r#"
        [ow] 2
        owner | Attribute | property | owner
        show_diff | Attribute | parameter | show_diff
    "#]],
    );
    first(
        "nope { 'x': no$0\n",
        expect![[r#"
        [no] 2
        noop | Metaparameter | metaparameter | noop => ${1:true},
        notify | Metaparameter | metaparameter | notify => ${1:Type}['${2:title}'],
    "#]],
    );
}

#[test]
fn values_of_attributes() {
    first(
        "service { 'x': ensure => $0\n",
        expect![[r#"
            [] 200
            stopped | Value | - | stopped
            running | Value | - | running
            false | Value | as stopped | false
            true | Value | as running | true
            abs | Function | puppet | abs($1)
            alert | Function | puppet | alert($1)
        "#]],
    );
    first(
        "file { '/x': ensure => 'd$0'\n",
        expect![[r#"
        [d] 1
        directory | Value | - | directory
    "#]],
    );
    first(
        "file { '/x': ensure => pre$0",
        expect![[r#"
        [pre] 24
        present | Value | - | present
        prefix | Function | stdlib | prefix($1)
        to_json_pretty | Function | stdlib | to_json_pretty($1)
        stdlib::to_json_pretty | Function | stdlib | stdlib::to_json_pretty($1)
        private | Function | stdlib | private($1)
        assert_private | Function | stdlib | assert_private($1)
    "#]],
    );
    first(
        "class { 'web': tls => $0\n",
        expect![[r#"
            [] 200
            true | Value | - | true
            false | Value | - | false
            abs | Function | puppet | abs($1)
            alert | Function | puppet | alert($1)
            all | Function | puppet | all($1) |\$${2:value}| { $0 }
            annotate | Function | puppet | annotate($1)
        "#]],
    );
    first(
        "class { 'web': ensure => $0\n",
        expect![[r#"
            [] 200
            absent | Value | - | absent
            present | Value | - | present
            abs | Function | puppet | abs($1)
            alert | Function | puppet | alert($1)
            all | Function | puppet | all($1) |\$${2:value}| { $0 }
            annotate | Function | puppet | annotate($1)
        "#]],
    );
    first(
        "class { 'web': mode => $x ? { 1 => '$0' } }\n",
        expect![[r#"
        [] 2
        a | Value | - | a
        b | Value | - | b
    "#]],
    );
    first(
        "web::site { 'x': flags => [$0] }\n",
        expect![[r#"
            [] 200
            x | Value | - | 'x'
            y | Value | - | 'y'
            abs | Function | puppet | abs($1)
            alert | Function | puppet | alert($1)
            all | Function | puppet | all($1) |\$${2:value}| { $0 }
            annotate | Function | puppet | annotate($1)
        "#]],
    );
    first(
        "web::site { 'x': on => { $0 } }\n",
        expect![[r#"
            [] 2
            host | Key | String | 'host' => $1,
            port | Key | Integer | 'port' => $1,
        "#]],
    );
    first(
        "class b(Stdlib::Ensure $e = $0) { }\n",
        expect![[r#"
            [] 200
            absent | Value | - | absent
            present | Value | - | present
            abs | Function | puppet | abs($1)
            alert | Function | puppet | alert($1)
            all | Function | puppet | all($1) |\$${2:value}| { $0 }
            annotate | Function | puppet | annotate($1)
        "#]],
    );
    first(
        "class b(Enum['p', 'q'] $e) { if $e == $0 { } }\n",
        expect![[r#"
            [] 200
            p | Value | - | 'p'
            q | Value | - | 'q'
            default | Keyword | - | default
            Enum | Type | [values..., ignore case] | Enum[$1]
            abs | Function | puppet | abs($1)
            alert | Function | puppet | alert($1)
        "#]],
    );
    first(
        "class b(Enum['p', 'q'] $e) { case $e { $0 } }\n",
        expect![[r#"
            [] 200
            p | Value | - | 'p'
            q | Value | - | 'q'
            default | Keyword | - | default
            Enum | Type | [values..., ignore case] | Enum[$1]
            abs | Function | puppet | abs($1)
            alert | Function | puppet | alert($1)
        "#]],
    );
    first(
        "case $facts['os']['family'] { 'De$0' }",
        expect![[r#"
        [De] 1
        Debian | Value | - | Debian
    "#]],
    );
}

#[test]
fn references_to_resources() {
    first(
        "file { '/x': }\nexec { 'go': require => $0 }\n",
        expect![[r#"
            [] 200
            File['/x'] | Resource | - | File['/x']
            Class['web'] | Resource | - | Class['web']
            Class['web::params'] | Resource | - | Class['web::params']
            file | Function | puppet | file($1)
            require | Function | puppet | require $1
            abs | Function | puppet | abs($1)
        "#]],
    );
    first(
        "file { ['/x', \"/y/${z}\"]: }\nexec { 'go': require => File[$0\n",
        expect![[r#"
            [] 12
            /x | Resource | - | '/x'
            "/y/${z}" | Resource | - | "/y/${z}"
            $facts | Variable | Hash[String, Any] | $facts
            $caller_module_name | Variable | String | $caller_module_name
            $environment | Variable | String | $environment
            $module_name | Variable | String | $module_name
        "#]],
    );
    first(
        "file { '/x': }\nexec { 'go': require => [File['$0'\n",
        expect![[r#"
        [] 1
        /x | Resource | - | /x
    "#]],
    );
    first(
        "package { 'p': }\nPackage['p'] -> $0\n",
        expect![[r#"
            [] 200
            Package['p'] | Resource | - | Package['p']
            Class['web'] | Resource | - | Class['web']
            Class['web::params'] | Resource | - | Class['web::params']
            Package | ResourceType | reference, puppet | Package['$1']
            Augeas | ResourceType | reference, augeas_core | Augeas['$1']
            Cron | ResourceType | reference, cron_core | Cron['$1']
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
        [lo] 28
        $longest | Variable | - | longest
        lookup | Function | puppet | lookup($1)
        loadjson | Function | stdlib | loadjson($1)
        loadyaml | Function | stdlib | loadyaml($1)
        load_module_metadata | Function | stdlib | load_module_metadata($1)
        eyaml_lookup_key | Function | puppet | eyaml_lookup_key($1)
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
        [] 200
        $longest | Variable | - | longest
        $facts | Variable | Hash[String, Any] | facts
        $caller_module_name | Variable | String | caller_module_name
        $environment | Variable | String | environment
        $module_name | Variable | String | module_name
        $server_facts | Variable | Hash[String, Any] | server_facts
    "#]],
    );
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
fn statements() {
    first(
        "fi$0\n",
        expect![[r#"
            [fi] 24
            file | ResourceType | puppet | file { '${1:title}':⏎  ensure => ${2:file},$0⏎}
            filebucket | ResourceType | puppet | filebucket { '${1:title}':⏎  $0⏎}
            file | Function | puppet | file($1)
            filter | Function | puppet | filter($1) |\$${2:value}| { $0 }
            find_file | Function | puppet | find_file($1)
            find_template | Function | puppet | find_template($1)
        "#]],
    );
    first(
        "class b {\n  $0\n}\n",
        expect![[r#"
            [] 200
            if | Construct | if … { } | if ${1:condition} {⏎  $0⏎}
            unless | Construct | unless … { } | unless ${1:condition} {⏎  $0⏎}
            case | Construct | case … { } | case ${1:value} {⏎  ${2:'option'}: {⏎    $0⏎  }⏎  default: {⏎  }⏎}
            cron | ResourceType | cron_core | cron { '${1:title}':⏎  ensure => ${2:present},$0⏎}
            exec | ResourceType | puppet | exec { '${1:title}':⏎  $0⏎}
            file | ResourceType | puppet | file { '${1:title}':⏎  ensure => ${2:file},$0⏎}
        "#]],
    );
    first(
        "class b {\n  if true { }\n  el$0\n}\n",
        expect![[r#"
            [el] 43
            else | Construct | else { } | else {⏎  $0⏎}
            elsif | Construct | elsif … { } | elsif ${1:condition} {⏎  $0⏎}
            realize | Function | puppet | realize $1
            selmodule | ResourceType | selinux_core | selmodule { '${1:title}':⏎  ensure => ${2:present},$0⏎}
            selboolean | ResourceType | selinux_core | selboolean { '${1:title}':⏎  $0⏎}
            schedule | ResourceType | puppet | schedule { '${1:title}':⏎  $0⏎}
        "#]],
    );
    first(
        "@us$0\n",
        expect![[r#"
            [us] 4
            user | ResourceType | puppet | user { '${1:title}':⏎  ensure => ${2:present},$0⏎}
            augeas | ResourceType | augeas_core | augeas { '${1:title}':⏎  $0⏎}
            resources | ResourceType | puppet | resources { '${1:title}':⏎  $0⏎}
            scheduled_task | ResourceType | scheduled_task | scheduled_task { '${1:title}':⏎  ensure => ${2:present},$0⏎}
        "#]],
    );
    first(
        "web::$0\n",
        expect![[r#"
            [web::] 8
            web::site | ResourceType | web | web::site { '${1:title}':⏎  $0⏎}
            web::url | Function | web | web::url($1)
            $web::tls | Variable | - | $web::tls
            $web::mode | Variable | - | $web::mode
            $web::port | Variable | - | $web::port
            $web::ensure | Variable | - | $web::ensure
        "#]],
    );
    first(
        "include web\ncl$0",
        expect![[r#"
            [cl] 16
            class | Construct | define a class | # @summary ${2:What it is for}⏎class ${1:name} (⏎  ${3:String \$parameter},⏎) {⏎  $0⏎}
            clamp | Function | stdlib | clamp($1)
            include | Function | puppet | include $1
            schedule | ResourceType | puppet | schedule { '${1:title}':⏎  $0⏎}
            scheduled_task | ResourceType | scheduled_task | scheduled_task { '${1:title}':⏎  ensure => ${2:present},$0⏎}
            call | Function | puppet | call($1)
        "#]],
    );
    first(
        "if $x i$0\n",
        expect![[r#"
        [i] 1
        in | Keyword | - | in
    "#]],
    );
    first(
        "class b in$0\n",
        expect![[r#"
        [in] 1
        inherits | Keyword | - | inherits
    "#]],
    );
}

#[test]
fn paths() {
    first(
        "$x = epp('$0')\n",
        expect![[r#"
        [] 1
        web/vhost.conf.epp | Template | web | web/vhost.conf.epp
    "#]],
    );
    first(
        "$x = epp('web/vhost.conf.epp', { $0 })\n",
        expect![[r#"
            [] 2
            host | Key | String | 'host' => $1,
            port | Key | Integer | 'port' => $1,
        "#]],
    );
    first(
        "$x = epp('web/vhost.conf.epp', { host => 'a', '$0\n",
        expect![[r#"
        [] 1
        port | Key | Integer | port
    "#]],
    );
    first(
        "file { '/x': content => epp('web$0",
        expect![[r#"
        [web] 1
        web/vhost.conf.epp | Template | web | web/vhost.conf.epp
    "#]],
    );
}

#[test]
fn comments() {
    first(
        "# lint:ignore:arr$0\n",
        expect![[r#"
        [arr] 15
        arrow_alignment | LintCheck | arrows in one column | arrow_alignment
        arrow_on_right_operand_line | LintCheck | where a chaining arrow stands | arrow_on_right_operand_line
        space_before_arrow | LintCheck | blanks before an arrow | space_before_arrow
        anchor_resource | LintCheck | anchors | anchor_resource
        class_reference_syntax | LintCheck | references to classes | class_reference_syntax
        parameter_order | LintCheck | required parameters come first | parameter_order
    "#]],
    );
    first(
        "$x = 1 # lint:ig$0\n",
        expect![[r#"
        [lint:ig] 2
        lint:ignore: | LintCheck | from here, or on this line | lint:ignore:
        lint:endignore | LintCheck | up to here | lint:endignore
    "#]],
    );
    first(
        "# @pa$0\nclass a($x) { }\n",
        expect![[r#"
        [@pa] 1
        @param | DocumentationTag | a parameter | @param
    "#]],
    );
    first(
        "# @param x one\n# @param $0\nclass a($x, String $y_y) { }\n",
        expect![[r#"
        [] 1
        y_y | Variable | String | y_y
    "#]],
    );
    first(
        "# foo @pa$0\n",
        expect![[r#"
        nothing
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
        web::a::b | DefinitionName | as the path says | web::a::b
    "#]],
    );
    first(
        "//- /m/web/types/url.pp open\ntype $0\n",
        expect![[r#"
        [] 1
        Web::Url | DefinitionName | as the path says | Web::Url
    "#]],
    );
    first(
        "//- /m/web/manifests/c.pp open\n$0\n",
        expect![[r#"
            [] 200
            if | Construct | if … { } | if ${1:condition} {⏎  $0⏎}
            unless | Construct | unless … { } | unless ${1:condition} {⏎  $0⏎}
            case | Construct | case … { } | case ${1:value} {⏎  ${2:'option'}: {⏎    $0⏎  }⏎  default: {⏎  }⏎}
            class | Construct | define a class | # @summary ${2:What it is for}⏎class web::c (⏎  ${3:String \$parameter},⏎) {⏎  $0⏎}
            define | Construct | define a type of resources | # @summary ${2:What it is for}⏎define web::c (⏎  ${3:String \$parameter},⏎) {⏎  $0⏎}
            node | Construct | what a node gets | node '${1:host.example.com}' {⏎  $0⏎}
        "#]],
    );
}

#[test]
fn what_is_likely_meant_comes_first() {
    first(
        "include web::params\ninclude we$0\n",
        expect![[r#"
        [we] 2
        web | Class | web | web
        web::params | Class | web | web::params
    "#]],
    );
    first(
        "class b($zone, $port, $portal) {\n  $y = $portal\n  web::site { 'x': port => $$0 }\n}\n",
        expect![[r#"
            [$] 16
            $port | Variable | parameter | $port
            $zone | Variable | parameter | $zone
            $portal | Variable | parameter | $portal
            $y | Variable | - | $y
            $facts | Variable | Hash[String, Any] | $facts
            $title | Variable | Any | $title
        "#]],
    );
    let own = "//- /m/web/templates/zone/one.erb\n//- /m/web/templates/other.erb\n";
    first(
        &format!("{own}//- /m/web/manifests/zone.pp open\n$x = template('$0')\n"),
        expect![[r#"
        [] 2
        web/zone/one.erb | Template | web | web/zone/one.erb
        web/other.erb | Template | web | web/other.erb
    "#]],
    );
    let user = "//- /m/web/manifests/a.pp\nclass web::a { nope::x { 'a': } include zz::b }\n//- /m/zz/manifests/b.pp\nclass zz::b { }\n//- /m/zz/manifests/a.pp\nclass zz::a { }\n";
    first(
        &format!("{user}//- /m/web/manifests/c.pp open\ninclude z$0\n"),
        expect![[r#"
        [z] 2
        zz::b | Class | zz | zz::b
        zz::a | Class | zz | zz::a
    "#]],
    );
}
