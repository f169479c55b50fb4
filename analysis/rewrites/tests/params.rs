//! From classes `params` to data.

use expect_test::{Expect, expect};
use rewrites::params_to_data;

use crate::{fixture, module};

/// Checks the rewrite of a module.
#[track_caller]
fn check(files: &str, expected: &Expect) {
    let rewrite = params_to_data(&module(files)).expect("is not refused");
    let mut found = fixture(&rewrite.files);
    rewrite.notes.iter().for_each(|it| found = found.clone() + "note: " + it + "\n");
    expected.assert_eq(&found);
}

/// Checks the reason of a refusal for the statements of the class; a class uses all of its variables.
#[track_caller]
fn check_refused(statements: &str, other: &str, expected: &str) {
    let files = format!(
        "//- manifests/params.pp\nclass m::params {{\n{statements}\n}}\n//- manifests/init.pp\nclass m (\n  $a = $m::params::a,\n) inherits m::params {{\n}}\n{other}"
    );
    let found = params_to_data(&module(&files)).expect_err(&files);
    let (path, line) = found.place.clone().unwrap_or_default();
    assert_eq!(format!("{path}:{line}: {}", found.reason), expected, "{statements}");
}

#[test]
fn families_and_systems() {
    check(
        "\
//- manifests/params.pp
# Defaults
class m::params {
  # Name of the package
  $package = 'm'
  $port    = 80
  $extra   = undef
  $mode    = '0644'
  $list    = ['a', { 'k' => -1.5 }, \"x-${module_name}\", \"%{y}\"]
  case $::osfamily {
    'debian': {
      $service = 'md'
      $proxy   = undef
      case $facts['os']['name'] {
        'Ubuntu': { $dir = '/u' }
        'RedHat': { $dir = '/never' }
        default:  { $dir = '/d' }
      }
    }
    'RedHat', 'Suse': {
      $service = 'm'
      $proxy   = 'p'
      $dir     = $facts['os']['release']['major'] ? {
        '7'     => '/seven',
        default => '/r',
      }
    }
    default: { fail(\"${::osfamily} is not supported\") }
  }
  $file = \"${dir}/m.conf\"
}
//- manifests/init.pp
# m
class m (
  String           $package = $m::params::package,
  Integer          $port    = $::m::params::port,
  Optional[String] $extra   = $m::params::extra,
  $mode                     = $mode_of_nothing,
  Array            $list    = $m::params::list,
  $service                  = $service,
  $proxy                    = $m::params::proxy,
  $file                     = $m::params::file,
  $other                    = 1,
) inherits m::params {
  file { $file: mode => $mode }
}
//- manifests/sub.pp
class m::sub ($own = $m::params::package) {
  include m::params

  notice($own)
}
//- templates/x.erb
<%= @package %>
//- spec/classes/params_spec.rb
describe 'm::params'
",
        &expect![[r#"
            //- data/common.yaml
            ---
            # Name of the package
            m::package: m
            m::port: 80
            m::list:
            - a
            - k: -1.5
            - x-m
            - "%{literal('%')}{y}"
            # Name of the package
            m::sub::own: m
            //- data/family/Debian.yaml
            ---
            m::proxy: ~
            m::file: "/d/m.conf"
            //- data/family/RedHat.yaml
            ---
            m::proxy: p
            m::file: "/r/m.conf"
            //- data/family/RedHat/7.yaml
            ---
            m::file: "/seven/m.conf"
            //- data/family/Suse.yaml
            ---
            m::proxy: p
            m::file: "/r/m.conf"
            //- data/family/Suse/7.yaml
            ---
            m::file: "/seven/m.conf"
            //- data/os/Ubuntu.yaml
            ---
            m::file: "/u/m.conf"
            //- hiera.yaml
            ---
            version: 5
            defaults:
              datadir: data
              data_hash: yaml_data
            hierarchy:
              - name: Operating system
                path: "os/%{facts.os.name}.yaml"
              - name: Family and release
                path: "family/%{facts.os.family}/%{facts.os.release.major}.yaml"
              - name: Family
                path: "family/%{facts.os.family}.yaml"
              - name: Common
                path: common.yaml
            //- manifests/init.pp
            # m
            class m (
              String           $package,
              Integer          $port,
              Optional[String] $extra   = undef,
              $mode                     = $mode_of_nothing,
              Array            $list,
              $service                  = $service,
              $proxy,
              $file,
              $other                    = 1,
            ) {
              file { $file: mode => $mode }
            }
            //- manifests/params.pp is deleted
            //- manifests/sub.pp
            class m::sub ($own) {
              notice($own)
            }
            note: on other platforms, parameters without a value are errors instead of `fail`
            note: `spec/classes/params_spec.rb` tests the class and can be removed
        "#]],
    );
}

#[test]
fn conditions() {
    check(
        "\
//- manifests/params.pp
class m::params {
  if $facts['os']['family'] == 'RedHat' {
    $a = 1
  } elsif $::osfamily in ['Debian', 'Suse'] {
    $a = 2
  } else {
    warning('new')
    $a = 3
  }
  if $::kernel != 'windows' {
    $b = 'unix'
  } else {
    $b = 'win'
  }
  $c = $::operatingsystem ? { /^(Ubuntu|Debian)$/ => 'apt', default => 'other' }
}
//- manifests/init.pp
class m ($a = $m::params::a, $b = $m::params::b, $c = $m::params::c) inherits m::params { }
",
        &expect![[r#"
            //- data/common.yaml
            ---
            m::a: 3
            m::b: unix
            m::c: other
            //- data/family/Debian.yaml
            ---
            m::a: 2
            //- data/family/RedHat.yaml
            ---
            m::a: 1
            //- data/family/Suse.yaml
            ---
            m::a: 2
            //- data/kernel/windows.yaml
            ---
            m::b: win
            //- data/os/Debian.yaml
            ---
            m::c: apt
            //- data/os/Ubuntu.yaml
            ---
            m::c: apt
            //- hiera.yaml
            ---
            version: 5
            defaults:
              datadir: data
              data_hash: yaml_data
            hierarchy:
              - name: Operating system
                path: "os/%{facts.os.name}.yaml"
              - name: Family
                path: "family/%{facts.os.family}.yaml"
              - name: Kernel
                path: "kernel/%{facts.kernel}.yaml"
              - name: Common
                path: common.yaml
            //- manifests/init.pp
            class m ($a, $b, $c) { }
            //- manifests/params.pp is deleted
            note: messages of the class are not logged
        "#]],
    );
}

#[test]
fn refusals() {
    let cases = [
        ("  $a = lookup('x')", "", "manifests/params.pp:2: `lookup('x')` is not a literal value"),
        ("  $a = Sensitive('x')", "", "manifests/params.pp:2: `Sensitive[…]` is not a literal value"),
        ("  $a = $b", "", "manifests/params.pp:2: the value of `$b` is not known"),
        ("  include x\n  $a = 1", "", "manifests/params.pp:2: `include x` is not an assignment"),
        (
            "  case $::osfamily {\n    /Red/: { $a = 1 }\n    default: { $a = 2 }\n  }",
            "",
            "manifests/params.pp:3: platforms are compared with `/Red/`",
        ),
        (
            "  case $::osfamily {\n    'RedHat': { $b = 1 }\n    default: { $a = 2 }\n  }",
            "",
            "manifests/params.pp:2: `$a` has a default, but no value for `RedHat`",
        ),
        (
            "  case $::osfamily {\n    'RedHat': { fail('no') }\n    default: { $a = 2 }\n  }",
            "",
            "manifests/params.pp:3: a platform is not supported (`fail`)",
        ),
        (
            "  if versioncmp($::kernelversion, '5') > 0 { $a = 1 } else { $a = 2 }",
            "",
            "manifests/params.pp:2: the condition is not a comparison of a fact with a string",
        ),
        (
            "  case $::timezone { 'UTC': { $a = 1 } default: { $a = 2 } }",
            "",
            "manifests/params.pp:2: values depend on `$::timezone`",
        ),
        (
            "  case $::operatingsystem {\n    'Fedora': {\n      case $::osfamily { 'RedHat': { $a = 1 } default: { $a = 2 } }\n    }\n    default: { $a = 3 }\n  }",
            "",
            "manifests/params.pp:4: the order of the conditions is not that of a hierarchy",
        ),
        (
            "  $a = 1",
            "//- manifests/d.pp\ndefine m::d ($x = $m::params::a) {\n}\n",
            "manifests/d.pp:1: `$m::params::a` is used outside of the default of a parameter",
        ),
        (
            "  $a = 1\n  $b = 2",
            "//- manifests/e.pp\nclass m::e inherits m::params {\n  notice(\"x ${b}\")\n}\n",
            "manifests/e.pp:2: `$b` of the class `params` is used",
        ),
        (
            "  $a = 1\n  $b = 2",
            "//- templates/t.erb\nx\n<%= @b %>\n",
            "templates/t.erb:2: `b` of the class `params` is used",
        ),
        (
            "  $a = 1",
            "//- templates/t.erb\n<%= scope['m::params::a'] %>\n",
            "templates/t.erb:1: `m::params` is used",
        ),
        ("  $a = 1", "//- data/common.yaml\n--- {}\n", ":0: the module already has data"),
        ("  $b = 1", "", "manifests/init.pp:2: the class `params` does not assign `$a`"),
    ];
    for (statements, other, expected) in cases {
        check_refused(statements, other, expected);
    }
}
