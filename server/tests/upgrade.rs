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

#[test]
fn conversions_and_unknown_variables() {
    let code = "# c
class m::c {
  $port = '80'
  notify { 'n': message => '5' + 3 + $port }
  notify { 'h': message => \"$::osfamily\" }
  notice($unknown)
}
";
    let folder = module("upgrade-conversions", &[("m/templates/m.erb", "x\n"), ("m/manifests/c.pp", code)]);
    let (found, errors) = check(&folder, &["--upgrade-to", "8"]);
    for expected in ["manifests/c.pp:4 numeric-coercion", "manifests/c.pp:6 unknown-variable"] {
        assert!(found.iter().any(|it| it == expected), "{expected}: {found:?}\n{errors}");
    }
    let (found, _) = check(&folder, &["--upgrade-to", "9", "--puppet-version", "8"]);
    assert!(!found.iter().any(|it| it.ends_with("unknown-variable")), "{found:?}");
    let (_, errors) = check(&folder, &["--upgrade-to", "8", "--fix", "--unsafe-fixes"]);
    let fixed = text(&folder, "m/manifests/c.pp");
    assert!(fixed.contains("5 + 3 + Numeric($port)"), "{fixed}\n{errors}");
    assert!(fixed.contains("\"${facts['os']['family']}\""), "{fixed}");
}

#[test]
fn old_hiera_configurations() {
    let files = [
        (
            "hiera.yaml",
            "# levels\n:yaml:\n  :datadir: /etc/puppetlabs/code/environments/%{environment}/hd\n:hierarchy:\n  - '%{::osfamily}'\n  - common\n",
        ),
        ("hd/common.yaml", "k: 1\n"),
        ("manifests/site.pp", "node default {\n  notice(lookup('k'))\n}\n"),
        ("etc/hiera.yaml", ":backends: [yaml, redis]\n:yaml:\n  :datadir: /x\n"),
    ];
    let folder = Folder::new("upgrade-hiera", &files);
    let output = folder.run(&["check", "--format", "concise", "--upgrade-to", "8"]);
    for expected in [
        "hiera.yaml:2:1: error[hiera-configuration] version 3 is only supported",
        "etc/hiera.yaml:1:1: hint[hiera-configuration] version 3 is deprecated (help: convert the file to version 5 by hand: backend `redis`",
    ] {
        assert!(output.stdout.contains(expected), "{expected}: {}", output.stdout);
    }
    check(&folder, &["--upgrade-to", "8", "--fix"]);
    assert_eq!(text(&folder, "hiera.yaml"), files[0].1);
    check(&folder, &["--upgrade-to", "8", "--fix", "--unsafe-fixes"]);
    let expected = "---\n# levels\nversion: 5\ndefaults:\n  datadir: hd\n  data_hash: yaml_data\nhierarchy:\n  \
        - name: \"%{facts.os.family}\"\n    path: \"%{facts.os.family}.yaml\"\n  - name: common\n    path: common.yaml\n";
    assert_eq!(text(&folder, "hiera.yaml"), expected);
}

#[test]
fn versions_of_a_puppetfile() {
    let metadata = METADATA.replace("me-m", "me-old").replace("1.0.0", "2.0.0");
    let files = [
        ("environment.conf", "modulepath = site:modules\n"),
        ("manifests/site.pp", "node default { }\n"),
        ("Puppetfile", "mod 'puppetlabs-stdlib', '8.6.0'\nmod 'me-old', '2.0.0'\nmod 'me-newer', '3.0.0'\n"),
        ("modules/old/metadata.json", &metadata),
        ("modules/newer/metadata.json", &METADATA.replace("me-m", "me-newer")),
    ];
    let folder = Folder::new("upgrade-puppetfile", &files);
    let bounds = |arguments: &[&str]| {
        let output = folder.run(&[&["check", "--format", "concise", "Puppetfile"], arguments].concat());
        let lines = output.stdout.lines().filter(|it| it.contains("metadata-version-bound"));
        lines.map(|it| it.split(": ").skip(1).collect::<Vec<_>>().join(": ")).collect::<Vec<_>>()
    };
    let expected = [
        "hint[metadata-version-bound] stdlib 8.6.0 does not support Puppet 8; the first version that does is 9.0.0",
        "hint[metadata-version-bound] this version of module `me-old` excludes Puppet 8",
    ];
    assert_eq!(bounds(&["--upgrade-to", "8"]), expected);
    assert!(bounds(&[]).is_empty());
}

#[test]
fn reports_by_effort() {
    let code = "# c\nclass m::c($x) {\n  notice(3 * '5', $::osfamily, type3x($x))\n}\n";
    let metadata = METADATA.replace("< 9.0.0", "< 10.0.0").replace("< 8.0.0", "< 9.0.0");
    let folder = Folder::new("upgrade-effort", &[("m/metadata.json", &metadata), ("m/manifests/c.pp", code)]);
    let report = |arguments: &[&str]| {
        let all =
            [&["check", "--upgrade-to", "8", "--format", "markdown", "m/manifests"], arguments].concat();
        folder.run(&all).stdout
    };
    let expected = "\
| Rule | Level | Findings | Files | `--fix` | `--unsafe-fixes` | By hand |
|---|---|---|---|---|---|---|
| `numeric-coercion` | error | 1 | 1 | 1 | 0 | 0 |
| `legacy-fact` | warning | 1 | 1 | 0 | 1 | 0 |
| `removed-function` | warning | 1 | 1 | 0 | 0 | 1 |
| **all** | | 3 | 1 | 1 | 1 | 1 |
";
    assert_eq!(report(&["--statistics"]), expected);
    let lists = report(&[]);
    for expected in [
        "**Fixed by `--fix`** (1)\n\n- `m/manifests/c.pp:3`: error `numeric-coercion`: ",
        "**Fixed by `--fix --unsafe-fixes`** (1)\n\n- `m/manifests/c.pp:3`: warning `legacy-fact`: ",
        "**To be fixed by hand** (1)\n\n- `m/manifests/c.pp:3`: warning `removed-function`: ",
        "**Not checked** (",
    ] {
        assert!(lists.contains(expected), "{expected}\n{lists}");
    }
}
