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
    assert!(errors.contains("puppet.conf") && errors.contains("OpenVox 9: the type `zone`"), "{errors}");
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

const TEST: &str = "describe 'm' do
  let(:facts) do
    {
      osfamily: 'RedHat',
      path: '/bin',
      operatingsystemmajrelease: '7',
    }
  end

  it { allow(File).to receive(:exists?) }
  it { is_expected.to compile if facts[:osfamily] == 'RedHat' }
  # $::osfamily
  let(:manifest) { \"if $facts['osfamily'] == 'RedHat' and $::selinux and $::apt::domain { include m }\" }
end
";

const FIXTURES: &str = "fixtures:
  forge_modules:
    concat:
      repo: puppetlabs/concat
      ref: 4.1.0
  repositories:
    stdlib:
      repo: https://github.com/puppetlabs/puppetlabs-stdlib.git
      ref: 'v8.6.0'
    own:
      repo: https://example.com/other/puppet-own.git
      ref: 1.0.0
";

#[test]
fn tests_and_their_modules() {
    let files = [("m/spec/classes/m_spec.rb", TEST), ("m/.fixtures.yml", FIXTURES)];
    let folder = module("upgrade-tests", &files);
    let (found, errors) = check(&folder, &["--upgrade-to", "8", ".", "m/.fixtures.yml"]);
    for expected in [
        ".fixtures.yml:5 metadata-version-bound",
        ".fixtures.yml:9 metadata-version-bound",
        "spec/classes/m_spec.rb:4 legacy-fact",
        "spec/classes/m_spec.rb:6 legacy-fact",
        "spec/classes/m_spec.rb:10 removed-ruby-api",
        "spec/classes/m_spec.rb:11 legacy-fact",
        "spec/classes/m_spec.rb:13 legacy-fact",
    ] {
        assert!(found.iter().any(|it| it == expected), "{expected}: {found:?}\n{errors}");
    }
    assert!(
        !found.iter().any(|it| it.contains(".fixtures.yml:12") || it.contains("m_spec.rb:12")),
        "{found:?}"
    );
    assert_eq!(found.iter().filter(|it| it.contains("m_spec.rb:13")).count(), 2, "{found:?}");
    let (found, _) = check(&folder, &[]);
    assert!(!found.iter().any(|it| it.contains("spec/") || it.contains("fixtures")), "{found:?}");
    check(&folder, &["--upgrade-to", "8", "--fix"]);
    assert!(text(&folder, "m/spec/classes/m_spec.rb").contains("osfamily: 'RedHat'"));
    check(&folder, &["--upgrade-to", "8", "--fix", "--unsafe-fixes"]);
    let fixed = text(&folder, "m/spec/classes/m_spec.rb");
    let facts = "    {
      os: { 'family' => 'RedHat', 'release' => { 'major' => '7' } },
      path: '/bin',
    }";
    assert!(fixed.contains(facts), "{fixed}");
    assert!(fixed.contains("if $facts['os']['family'] == 'RedHat' and $::selinux"), "{fixed}");
    assert!(fixed.contains("receive(:exist?)") && fixed.contains("if facts[:os]['family'] == "), "{fixed}");
}

#[test]
fn dependencies_without_support() {
    let metadata = METADATA.replace("puppetlabs-stdlib", "puppetlabs/concat").replace("< 9.0.0", "< 8.0.0");
    let folder = module("upgrade-dependencies", &[("m/metadata.json", &metadata)]);
    let output = folder.run(&["check", "--upgrade-to", "8", "--format", "concise"]).stdout;
    assert!(output.contains("range excludes concat 8, the first version that supports Puppet 8"), "{output}");
}

#[test]
fn data_of_old_configurations() {
    let data = "a: '%{::fqdn} %{domain}'\nb: '%{calling_module}'\n";
    let files = [
        ("environment.conf", ""),
        ("hiera.yaml", "---\n:hierarchy:\n  - '%{::role}'\n:backends:\n  - yaml\n"),
        ("hiera_aws.yml", "---\n:hierarchy:\n  - 'common.%{::lsbdistcodename}'\n"),
        ("hieradata_aws/common.yaml", data),
    ];
    let folder = Folder::new("upgrade-data", &files);
    let output = folder.run(&["check", "--upgrade-to", "8", "--format", "concise"]).stdout;
    for expected in [
        "hiera_aws.yml:3:15: warning[legacy-fact] legacy fact `lsbdistcodename`",
        "hieradata_aws/common.yaml:1:7: warning[legacy-fact] legacy fact `fqdn`",
        "hieradata_aws/common.yaml:2:5: warning[data-interpolation] `calling_module` is only set by Hiera 3",
    ] {
        assert!(output.contains(expected), "{expected}:\n{output}");
    }
    assert!(!output.contains("`domain`"), "{output}");
}

#[test]
fn variables_that_nothing_sets() {
    let code = "# v
class m::v {
  notice($::fooserver, $::role, $::site_name, $::apt_release)
  if $maybe { notice(getvar('::other')) }
  $a = [getvar(\"::ipaddress_${title}\"), $facts[\"netmask_${title}\"], \"ipaddress_${title}\"]
}
";
    let files = [
        ("environment.conf", ""),
        ("Puppetfile", "mod 'puppetlabs-apt', '9.4.0'\n"),
        ("manifests/site.pp", "$site_name = 1\n"),
        ("hiera.yaml", "version: 5\nhierarchy:\n  - name: r\n    path: '%{::role}.yaml'\n"),
        ("modules/m/manifests/v.pp", code),
        (
            "modules/m/templates/v.erb",
            "<%= scope.lookupvar(\"::ipaddress_#{@i}\") %> <%= [1].to_pson %>\n<%= scope['::unset'] %>\n",
        ),
    ];
    let folder = Folder::new("upgrade-variables", &files);
    let output = folder.run(&["check", "--upgrade-to", "8", "--format", "concise"]).stdout;
    for expected in [
        "v.pp:3:13: hint[unknown-variable] variable `$::fooserver` is not set in this project",
        "v.pp:4:7: hint[unknown-variable] variable `$maybe` is not set in this project",
        "v.pp:5:19: warning[legacy-fact] legacy fact `ipaddress_*`",
        "v.pp:5:49: warning[legacy-fact] legacy fact `netmask_*`",
        "v.erb:1:5: warning[legacy-fact] legacy fact `ipaddress_*`",
        "v.erb:2:5: hint[unknown-template-variable] variable `$::unset` is not set in this project",
        "v.erb:1:53: warning[removed-ruby-api] `to_pson` was removed in Puppet 8",
    ] {
        assert!(output.contains(expected), "{expected}:\n{output}");
    }
    for unexpected in ["`$::role`", "`$::site_name`", "apt_release", "other", "v.pp:5:7"] {
        assert!(!output.contains(unexpected), "{unexpected}:\n{output}");
    }
}
