use project::FileRole;
use project::testing::TestWorkspace;

use super::*;
use crate::class_checks::module_classes::classes_of_module;

const MODULE: &str = r#"
//- environment: roots=/modules module_path=/modules version=8
//- /modules/web/hiera.yaml
version: 5
hierarchy:
  - { name: family, path: "%{facts.os.family}.yaml" }
//- /modules/web/data/Debian.yaml
web::sized::size: 2
//- /modules/web/manifests/params.pp
class web::params {
  $package = $facts['os']['family'] ? { 'Debian' => 'nginx', default => 'httpd' }
}
//- /modules/web/templates/family.epp
<%= $facts['os']['family'] %>
"#;

/// Compiles a class for all groups and all platforms: where a group fails, each platform fails that is part of it or of a
/// group that it covers. Returns the number of groups that fail.
#[track_caller]
fn failing_groups(class: &str) -> usize {
    let workspace = TestWorkspace::new(&format!("{MODULE}//- /modules/web/manifests/init.pp\n{class}\n"));
    let db = &workspace.db;
    let file = workspace.file("/modules/web/manifests/init.pp");
    let environment = file.environments(db)[0];
    let FileRole::Module { module, .. } = file.role(db) else { panic!("no module") };
    let classes = classes_of_module(db, *module);
    let class_id = *classes.iter().find(|it| it.file(db) == file).expect("there is a class");
    let mut failing = 0;
    let groups: Vec<_> = platform_groups(db, environment).map(|(members, _)| members).collect();
    let indexes = || (0..groups.len()).map(PlatformSet::Group);
    for group in indexes().chain([PlatformSet::All]) {
        let compiled = compiled_for_group(db, environment, class_id, group);
        let CompileOutcome::Fails(finding) = compiled.outcome else { continue };
        failing += 1;
        let is_covered =
            |other| other == group || covers_group(db, environment, &compiled.reads, group, other);
        let covered = groups.iter().zip(indexes()).filter(|(_, other)| is_covered(*other));
        for facts in covered.flat_map(|(members, _)| members) {
            let of_platform = class_outcome(db, environment, class_id, *facts);
            let is_failure = matches!(of_platform, CompileOutcome::Fails(_));
            assert!(is_failure, "{class}: {group:?} fails: {}; {of_platform:?}", finding.message);
        }
    }
    failing
}

fn class(body: &str) -> String {
    format!("class web {{ {body} }}")
}

#[test]
fn certain_failures_are_found_once() {
    for body in [
        "notice($::osfamily)",
        "notify { 'x': content => 1 }",
        "$x = $facts['os']['family'] notify { $x: } notice($::osfamily)",
        "if $facts['os']['family'] == 'Debian' { notify { 'x': } } notice($::osfamily)",
        "case $facts['os']['name'] { 'Debian': { $y = 1 } default: { $y = 2 } } notice($y) notice($::osfamily)",
        "include web::params notify { $web::params::package: } notice($::osfamily)",
        "$facts.each |$name, $value| { notice($name) } notice($::osfamily)",
        "notify { epp('web/family.epp'): } notice($::osfamily)",
        "if 'kernel' in $facts { notice($::osfamily) }",
    ] {
        assert!(failing_groups(&class(body)) > 8, "{body}");
    }
}

#[test]
fn groups_do_not_fail_where_a_platform_compiles() {
    for body in [
        "notify { 'x': }",
        "if $facts['os']['family'] == 'RedHat' { notice($::osfamily) }",
        "unless $facts['os']['family'] == 'RedHat' { notice($::osfamily) }",
        "if $facts['os']['name'] =~ /^(Debian|RedHat)/ { if $1 == 'RedHat' { notice($::osfamily) } }",
        "case $facts['os']['name'] { 'RedHat', 'Rocky': { notice($::osfamily) } default: { } }",
        "case $facts['os']['name'] { 'RedHat', 'Rocky': { } default: { notice($::osfamily) } }",
        "$x = $facts['os']['name'] ? { 'SLES' => 1 }",
        "$x = $facts['os']['name'] ? { /(D|R)/ => $1, default => 'x' } if $x == 'R' { notice($::osfamily) }",
        "if $facts.dig('os', 'name') == 'RedHat' { notice($::osfamily) }",
        "$facts.each |$name, $value| { if $name == 'kernel' and $value == 'Linux' { notice($::osfamily) } }",
        "if 'dmi' in $facts { notice($::osfamily) }",
        "if 'distro' in $facts['os'] { notice($::osfamily) }",
        "if $facts['os']['distro'] { notice($::osfamily) }",
        "if $facts['os']['selinux'] { if $facts['os']['selinux']['enabled'] { notice($::osfamily) } }",
        "if $facts['identity']['uid'] == 0 { notice($::osfamily) }",
        "if inline_template(\"<%= @facts['os']['family'] %>\") == 'RedHat' { notice($::osfamily) }",
        "if inline_template(\"<%= @facts['os'].keys.include?('distro') %>\") == 'true' { notice($::osfamily) }",
        "if epp('web/family.epp') == \"RedHat\\n\" { notice($::osfamily) }",
        "include web::params if $web::params::package == 'httpd' { notice($::osfamily) }",
        "if versioncmp($facts['os']['release']['major'], '10') < 0 { notice($::osfamily) }",
        "if Integer($facts['os']['release']['major']) > 8 { notice($::osfamily) }",
        "$facts['os']['release'].each |$key, $value| { if $key == 'minor' { notice($::osfamily) } }",
        "if size($facts['os']) > 6 { notice($::osfamily) }",
        "if $facts['kernelmajversion'] =~ /^[34]/ { notice($::osfamily) }",
        "if $facts['processors']['count'] > 1 and $facts['os']['family'] == 'Debian' { notice($::osfamily) }",
        "if $facts['memory']['system']['total_bytes'] =~ Integer[0, 100] { notice($::osfamily) }",
        "if $facts['service_provider'] == 'systemd' { notice($::osfamily) }",
        "if $facts['systemd'] { notice($::osfamily) }",
        "$length = $facts['os']['name'].length if $length > 6 { notice($::osfamily) }",
        "file { $facts['os']['family'] ? { 'windows' => 'C:/x', default => '/x' }: ensure => file } if $facts['path'] =~ /;/ { notice($::osfamily) }",
    ] {
        failing_groups(&class(body));
    }
    failing_groups("class web($size = 0) { if $size == 2 { notice($::osfamily) } }");
}
