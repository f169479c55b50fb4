//! `check --upgrade-to`.

use std::fs;

use crate::folders::Folder;

const METADATA: &str = r#"{ "name": "me-m", "version": "1.0.0", "author": "me", "license": "MIT", "source": "", "summary": "m",
  "dependencies": [{ "name": "puppetlabs-stdlib", "version_requirement": ">= 4.0.0 < 9.0.0" }],
  "operatingsystem_support": [{ "operatingsystem": "Debian", "operatingsystemrelease": ["12"] }],
  "requirements": [{ "name": "puppet", "version_requirement": ">= 6.0.0 < 8.0.0" }] }"#;

const CLASS: &str = "# m
class m {
  case $::osfamily {
    'Debian': { $path = '/etc/default/m' }
    default:  { $path = '/etc/sysconfig/m' }
  }
  file { $path: content => template('m/m.erb') }
}
";

fn text(folder: &Folder, path: &str) -> String {
    fs::read_to_string(folder.0.join(path)).expect("exists")
}

/// Returns an old module with some files.
fn module(name: &str, files: &[(&str, &str)]) -> Folder {
    let all = [&[("m/metadata.json", METADATA), ("m/manifests/init.pp", CLASS)], files].concat();
    Folder::new(name, &all)
}

/// Runs `check` and returns the findings as `path:line code`, and standard error.
fn check(folder: &Folder, arguments: &[&str]) -> (Vec<String>, String) {
    let output = folder.run(&[&["check", "--format", "concise"], arguments].concat());
    let finding = |line: &str| {
        let (place, rest) = line.split_once(": ")?;
        let code = rest.split_once('[')?.1.split_once(']')?.0;
        let place = place.rsplit_once(':')?.0.strip_prefix("m/")?;
        Some(format!("{place} {code}"))
    };
    (output.stdout.lines().filter_map(finding).collect(), output.stderr)
}

const FILES: &[(&str, &str)] = &[
    ("m/templates/m.erb", "<%= @fqdn %> <% if File.exists?('/x') %>x<% end %>\n"),
    (
        "m/lib/puppet/functions/m/f.rb",
        "Puppet::Functions.create_function(:'m::f') do\n  def f(x)\n    x.is_a?(Fixnum)\n  end\nend\n",
    ),
    (
        "m/manifests/old.pp",
        "# old\nclass m::old($list) {\n  if is_array($list) { notice(hiera('a', 1)) }\n  validate_string($x)\n}\n",
    ),
];

#[test]
fn findings_of_an_old_module() {
    let folder = module("upgrade-findings", FILES);
    let (found, errors) = check(&folder, &["--upgrade-to", "9"]);
    for expected in [
        "manifests/init.pp:3 legacy-fact",
        "manifests/old.pp:3 removed-function",
        "manifests/old.pp:4 removed-function",
        "templates/m.erb:1 legacy-fact",
        "templates/m.erb:1 removed-ruby-api",
        "lib/puppet/functions/m/f.rb:3 removed-ruby-api",
        "metadata.json:2 metadata-version-bound",
        "metadata.json:4 metadata-version-bound",
    ] {
        assert!(found.iter().any(|it| it == expected), "{expected}: {found:?}\n{errors}");
    }
    assert!(errors.contains("spec files") && errors.contains("OpenVox 9: the type `zone`"), "{errors}");
    let (_, errors) = check(&folder, &["--upgrade-to", "8"]);
    assert!(!errors.contains("zone"), "{errors}");
    let (_, errors) = check(&folder, &["--upgrade-to", "8", "--puppet-version", "8"]);
    assert!(errors.contains("needs a later version"), "{errors}");
}

#[test]
fn proven_fixes_are_applied() {
    let folder = module("upgrade-proven", &[("m/templates/m.erb", "x\n")]);
    let (_, errors) = check(&folder, &["--upgrade-to", "9", "--fix"]);
    let fixed = text(&folder, "m/manifests/init.pp");
    assert!(fixed.contains("case $facts['os']['family'] {"), "{fixed}\n{errors}");
    assert!(errors.contains("1 finding fixed in 1 file"), "{errors}");
    assert_eq!(text(&folder, "m/metadata.json"), METADATA);
}

#[test]
fn fixes_that_change_a_catalog_are_not_applied() {
    // `in` ignores the case of strings.
    let code =
        "# o\nclass m::o {\n  $h = { 'Key' => 1 }\n  if has_key($h, 'key') { notify { 'found': } }\n}\n";
    let stdlib = [
        (
            "stdlib/metadata.json",
            r#"{ "name": "puppetlabs-stdlib", "version": "8.6.0", "author": "p", "license": "MIT", "source": "", "dependencies": [] }"#,
        ),
        (
            "stdlib/lib/puppet/parser/functions/has_key.rb",
            "Puppet::Parser::Functions.newfunction(:has_key, :type => :rvalue) do |args|\n  args[0].has_key?(args[1])\nend\n",
        ),
        ("m/templates/m.erb", "x\n"),
        ("m/manifests/o.pp", code),
    ];
    let folder = module("upgrade-changes", &stdlib);
    let (_, errors) = check(&folder, &["--upgrade-to", "8", "--fix"]);
    assert_eq!(text(&folder, "m/manifests/o.pp"), code, "{errors}");
    assert!(errors.contains("not applied in `m/manifests/o.pp`"), "{errors}");
}

#[test]
fn unproven_fixes_need_the_option() {
    // Nothing declares the defined type.
    let code = "# d\ndefine m::d() {\n  notice($::osfamily)\n}\n";
    let folder = module("upgrade-unproven", &[("m/templates/m.erb", "x\n"), ("m/manifests/d.pp", code)]);
    let (_, errors) = check(&folder, &["--upgrade-to", "8", "--fix"]);
    assert_eq!(text(&folder, "m/manifests/d.pp"), code, "{errors}");
    assert!(errors.contains("no catalog contains the code"), "{errors}");
    check(&folder, &["--upgrade-to", "8", "--fix", "--unsafe-fixes"]);
    let fixed = text(&folder, "m/manifests/d.pp");
    assert!(fixed.contains("$facts['os']['family']"), "{fixed}");
}
