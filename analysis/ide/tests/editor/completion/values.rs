//! Completion of attributes and their values.

use expect_test::expect;

use super::first;

#[test]
fn missing_attributes_are_completed() {
    first(
        "class { 'web': $0\n",
        expect![[r#"
            [] 16
            port | Attribute | Integer | port => $1,
            ensure | Attribute | Stdlib::Ensure = 'present' | ensure => $1,
            tls | Attribute | Boolean = false | tls => $1,
            mode | Attribute | Enum['a', 'b'] = 'a' | mode => $1,
            alias | Metaparameter | metaparameter | alias => $1,
            audit | Metaparameter | metaparameter | audit => $1,
        "#]],
    );
    first(
        "class { 'web':\n  port => 1,\n  $0\n}\n",
        expect![[r#"
            [] 15
            ensure | Attribute | Stdlib::Ensure = 'present' | ensure => $1,
            tls | Attribute | Boolean = false | tls => $1,
            mode | Attribute | Enum['a', 'b'] = 'a' | mode => $1,
            alias | Metaparameter | metaparameter | alias => $1,
            audit | Metaparameter | metaparameter | audit => $1,
            before | Metaparameter | metaparameter | before => $1,
        "#]],
    );
    // A name relative to the enclosing class, as older Puppet versions resolved it.
    first(
        "//- /m/web/manifests/inner.pp open\nclass web::inner {\n  define part($path, $color) { }\n  part { 'x':\n    co$0\n  }\n}\n",
        expect![[r#"
            [co] 1
            color | Attribute | - | color => $1,
        "#]],
    );
    first(
        "web::site { 'x':\n  fl$0\n  docroot => '/x',\n}\n",
        expect![[r#"
            [fl] 1
            flags | Attribute | Optional[Array[Enum['x', 'y']]] = undef | flags => $1,
        "#]],
    );
    first(
        "file { '/x':\n  ensure => file,\n  $0",
        expect![[r#"
            [] 45
            mode | Attribute | property | mode => $1,
            owner | Attribute | property | owner => $1,
            content | Attribute | property | content => $1,
            group | Attribute | property | group => $1,
            require | Metaparameter | metaparameter | require => $1,
            notify | Metaparameter | metaparameter | notify => $1,
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
            mode | Attribute | property | mode => $1
            source_permissions | Attribute | parameter | source_permissions => $1
        "#]],
    );
    first(
        "File['/x'] { mo$0 }\n",
        expect![[r#"
            [mo] 2
            mode | Attribute | property | mode => $1
            source_permissions | Attribute | parameter | source_permissions => $1
        "#]],
    );
    first(
        "File <| title == 'x' |> { mo$0\n",
        expect![[r#"
            [mo] 2
            mode | Attribute | property | mode => $1,
            source_permissions | Attribute | parameter | source_permissions => $1,
        "#]],
    );
    first(
        "user { 'a': ensure => present; 'b': $0",
        expect![[r#"
            [] 47
            ensure | Attribute | property | ensure => $1,
            gid | Attribute | property | gid => $1,
            home | Attribute | property | home => $1,
            system | Attribute | parameter | system => $1,
            shell | Attribute | property | shell => $1,
            groups | Attribute | property | groups => $1,
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
            noop | Metaparameter | metaparameter | noop => $1,
            notify | Metaparameter | metaparameter | notify => $1,
        "#]],
    );
}

#[test]
fn values_of_attributes() {
    first(
        "service { 'x': ensure => $0\n",
        expect![[r#"
            [] 196
            running | Value | - | running
            stopped | Value | - | stopped
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
            [pre] 1
            present | Value | - | present
        "#]],
    );
    first(
        "class { 'web': tls => $0\n",
        expect![[r#"
            [] 194
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
            [] 196
            present | Value | - | present
            absent | Value | - | absent
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
            [] 196
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
            host | Key | String | 'host' => $1
            port | Key | Integer | 'port' => $1
        "#]],
    );
    first(
        "class b(Stdlib::Ensure $e = $0) { }\n",
        expect![[r#"
            [] 198
            present | Value | - | present
            absent | Value | - | absent
            abs | Function | puppet | abs($1)
            alert | Function | puppet | alert($1)
            all | Function | puppet | all($1) |\$${2:value}| { $0 }
            annotate | Function | puppet | annotate($1)
        "#]],
    );
    first(
        "class b(Enum['p', 'q'] $e) { if $e == $0 { } }\n",
        expect![[r#"
            [] 199
            p | Value | - | 'p'
            q | Value | - | 'q'
            $e | Variable | Enum['p', 'q'] | $e
            default | Keyword | - | default
            Enum | Type | [values..., ignore case] | Enum[$1]
            abs | Function | puppet | abs($1)
        "#]],
    );
    first(
        "class b(Enum['p', 'q'] $e) { case $e { $0 } }\n",
        expect![[r#"
            [] 199
            p | Value | - | 'p'
            q | Value | - | 'q'
            $e | Variable | Enum['p', 'q'] | $e
            default | Keyword | - | default
            Enum | Type | [values..., ignore case] | Enum[$1]
            abs | Function | puppet | abs($1)
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
            [] 197
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
            [] 158
            Class['web'] | Resource | - | Class['web']
            Class['web::params'] | Resource | - | Class['web::params']
            Package | ResourceType | reference, puppet | Package['$1']
            Class | ResourceType | reference, puppet | Class['$1']
            Augeas | ResourceType | reference, augeas_core | Augeas['$1']
            Cron | ResourceType | reference, cron_core | Cron['$1']
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
            host | Key | String | 'host' => $1
            port | Key | Integer | 'port' => $1
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
