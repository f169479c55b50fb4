//! Sharing of compiles between platforms: a class that does not observe any difference is compiled once.

use project::FileRole;
use project::testing::TestWorkspace;

const MODULE: &str = r#"
//- environment: roots=/modules module_path=/modules version=7
//- /modules/web/metadata.json
{ "name": "me-web", "version": "1.0.0", "operatingsystem_support": [
  { "operatingsystem": "Debian", "operatingsystemrelease": ["12"] },
  { "operatingsystem": "RedHat", "operatingsystemrelease": ["9"] }
] }
//- /modules/web/hiera.yaml
version: 5
hierarchy:
  - { name: family, path: "%{facts.os.family}.yaml" }
//- /modules/web/data/Debian.yaml
web::size: 1
//- /modules/web/data/RedHat.yaml
web::size: 2
//- /modules/web/templates/family.epp
<%= $facts['os']['family'] %>
//- /modules/web/templates/kernel.epp
<%= $facts['kernel'] %>
//- /modules/web/manifests/release.pp
class web::release { $major = $facts['os']['release']['major'] $kind = 'server' }
//- /modules/web/manifests/params.pp
class web::params inherits web::release {
  $package = $facts['os']['family'] ? { 'Debian' => 'nginx', default => 'httpd' }
  $user = 'www'
}
//- /modules/web/manifests/base.pp
class web::base { $osfamily = 'Suse' notify { 'base': } }
"#;

/// Compiles the class `web` on both platforms with Puppet 7, which has legacy facts. `compiles` is the number of
/// compiles, and `fails` are the platforms on which it fails.
#[track_caller]
fn check(class: &str, compiles: usize, fails: &[&str]) {
    check_with(MODULE, class, compiles, fails);
}

#[track_caller]
fn check_with(module: &str, class: &str, compiles: usize, fails: &[&str]) {
    let workspace = TestWorkspace::new(&format!("{module}//- /modules/web/manifests/init.pp\n{class}\n"));
    let db = &workspace.db;
    let file = workspace.file("/modules/web/manifests/init.pp");
    let definition = project::definitions(db, file).into_iter().find(|it| it.key(db).name == "web");
    let (FileRole::Module { module, .. }, Some(definition)) = (file.role(db), definition) else {
        panic!("there is no class web");
    };
    workspace.take_executed();
    let found = compile::class_compiles(db, file.environments(db)[0], *module, definition);
    let executed = workspace.take_executed().get("compiled_class").copied().unwrap_or_default();
    assert_eq!((executed, found.platforms), (compiles, 2), "{class}");
    assert_eq!(found.fails, fails, "{class}");
    assert_eq!(found.fails, fails, "{class}");
}

const BOTH: &[&str] = &["Debian 12", "RedHat 9"];

#[test]
fn equal_results_on_both_platforms_are_compiled_once() {
    for body in [
        "notify { 'x': }",
        "if $facts['os']['family'] == 'Suse' { fail('x') }",
        "if $facts['os']['family'] == 'Suse' or $::osfamily == 'Gentoo' { fail('x') }",
        "if !($osfamily in ['Debian', 'RedHat']) { fail('x') }",
        "if $facts['os']['name'] =~ /^Arch/ { fail('x') }",
        "if versioncmp($facts['os']['release']['major'], '5') < 0 { fail('x') }",
        "case $facts['os']['name'] { 'SLES': { fail('x') } default: { } }",
        "case $facts['os']['name'] { 'SLES': { fail('x') } /^Arch/: { fail('y') } }",
        "case $facts['os']['name'] { 'Debian', 'RedHat': { notify { 'x': } } default: { fail('x') } }",
        "$x = $facts['os']['name'] ? { 'SLES' => 1, default => 2 } if $x == 1 { fail('x') }",
        "include web::params if $web::params::package == 'apache' { fail('x') }",
        "include web::params if $web::params::user != 'www' { fail('x') }",
        "include web::params if versioncmp($web::params::major, '5') < 0 { fail('x') }",
        "case $facts['os']['no such fact'] { 'x': { fail('x') } default: { } }",
        "notice($facts['kernel'])",
        // Elements that no platform expression reads.
        "$fact = 'kernel' notify { $facts[$fact]: }",
        "$fact = 'none' if $facts[$fact] { fail('x') }",
        "notify { getvar('facts.kernel'): }",
        "notify { inline_template(\"<%= @facts['kernel'] %>\"): }",
        "notify { inline_template(\"x<%= @facts['none'] %>\"): }",
        "notify { epp('web/kernel.epp'): }",
    ] {
        check(&format!("class web {{ {body} }}"), 1, &[]);
    }
    check("class web { if $facts['kernel'] == 'Linux' { fail('x') } }", 1, BOTH);
    check("class web inherits web::params { if $package == 'apache' { fail('x') } }", 1, &[]);
    check("class web inherits web::params { if $user != 'www' { fail('x') } }", 1, &[]);
}

#[test]
fn differences_are_compiled_for_each_platform() {
    for body in [
        "if $facts['os']['family'] == 'RedHat' { fail('x') }",
        "if $facts['os']['name'] =~ /^(Debian|RedHat)/ { if $1 == 'RedHat' { fail('x') } }",
        "unless $facts['os']['name'] !~ /^(Debian|RedHat)/ { if $1 == 'RedHat' { fail('x') } }",
        "case $facts['os']['name'] { /^(Debian|RedHat)/: { if $1 == 'RedHat' { fail('x') } } default: { } }",
        "if $facts['os']['name'] in [/^(Debian|RedHat)/] { if $1 == 'RedHat' { fail('x') } }",
        "case $facts['os']['name'] { 'RedHat', 'Rocky': { fail('x') } }",
        "$x = $facts['os']['name'] ? { /(D|R)/ => $1 } if $x == 'R' { fail('x') }",
        "$x = $facts['os']['name'] if $x == 'RedHat' { fail('x') }",
        "if $facts.dig('os', 'name') == 'RedHat' { fail('x') }",
        "$facts.each |$name, $value| { if $name == 'osfamily' and $value == 'RedHat' { fail('x') } }",
        "if getvar('facts.os.name') == 'RedHat' { fail('x') }",
        "if inline_template('<%= @osfamily %>') == 'RedHat' { fail('x') }",
        "if inline_template(\"<%= @facts['os']['family'] %>\") == 'RedHat' { fail('x') }",
        "$fact = 'os' if $facts[$fact]['family'] == 'RedHat' { fail('x') }",
        "$fact = 'os' $os = $facts[$fact] if $os['family'] == 'RedHat' { fail('x') }",
        "if inline_template(\"<%= @facts['kernel'] %><%= @facts['os']['family'] %>\") == 'LinuxRedHat' { fail('x') }",
        "if inline_template(\"<% os = @facts['os'] %><%= os['family'] %>\") == 'RedHat' { fail('x') }",
        "if inline_template(\"<%= @facts.dig('os', 'family') %>\") == 'RedHat' { fail('x') }",
        "if inline_template(\"<%= @facts['kernel']; @facts.keys.include?('none') || @facts['os']['family'] %>\") == 'RedHat' { fail('x') }",
        "if inline_template(\"<%= scope['facts']['os']['family'] %>\") == 'RedHat' { fail('x') }",
        "if epp('web/family.epp') == \"RedHat\\n\" { fail('x') }",
        "include web::params if $web::params::package == 'httpd' { fail('x') }",
        "include web::params if $web::params::major == '9' { fail('x') }",
        "if versioncmp($facts['os']['release']['major'], '10') < 0 { fail('x') }",
    ] {
        check(&format!("class web {{ {body} }}"), 2, &["RedHat 9"]);
    }
    check("class web($size = 0) { if $size == 2 { fail('x') } }", 2, &["RedHat 9"]);
    // The message depends on the platform.
    check("class web { $x = $facts['os']['name'] ? { 'SLES' => 1 } }", 2, BOTH);
}

#[test]
fn missing_keys_differ_from_missing_hashes() {
    let module = MODULE.replace(
        "RedHat\", \"operatingsystemrelease\": [\"9\"]",
        "FreeBSD\", \"operatingsystemrelease\": [\"13\"]",
    );
    for body in [
        "$fact = 'distro' notify { \"x${facts['os'][$fact]['none']}\": }",
        "notify { \"x${facts['os']['distro']['none']}\": }",
        "notify { inline_template(\"x<%= @facts['os']['distro']['none'] %>\"): }",
    ] {
        check_with(&module, &format!("class web {{ {body} }}"), 2, &["FreeBSD 13"]);
    }
}

#[test]
fn newer_versions_have_no_legacy_facts() {
    let newer = MODULE.replace("version=7", "version=8");
    for (body, compiles, fails) in [
        ("if $::osfamily == 'Suse' { fail('x') }", 1, BOTH),
        ("if $osfamily == 'RedHat' { notify { 'x': } }", 1, BOTH),
        ("if $facts['osfamily'] { fail('x') }", 1, &[]),
        ("if defined('$osfamily') { fail('x') }", 1, &[]),
        ("if $facts['os']['family'] == 'RedHat' { fail('x') }", 2, &["RedHat 9"]),
    ] {
        check_with(&newer, &format!("class web {{ {body} }}"), compiles, fails);
    }
}

#[test]
fn shadowed_variables_are_not_facts() {
    check("class web inherits web::base { if $osfamily == 'RedHat' { fail('x') } }", 1, &[]);
    check("class web inherits web::base { if $osfamily == 'Suse' { fail('x') } }", 1, BOTH);
    let given = "class web { web::inner { 'x': } }\n\
        define web::inner($osfamily = 'Suse') { if $osfamily == 'RedHat' { fail('x') } }";
    check(given, 1, &[]);
    let lambda = "class web { ['Suse'].each |$osfamily| { if $osfamily == 'RedHat' { fail('x') } } }";
    check(lambda, 1, &[]);
}
