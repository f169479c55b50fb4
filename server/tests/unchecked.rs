//! Checks that nothing is reported as correct, as equal, or not at all that was not looked at.

use crate::folders::{Folder, run};

const STDLIB: &[(&str, &str)] = &[
    ("environment.conf", "modulepath = modules\n"),
    ("modules/stdlib/metadata.json", "{ \"name\": \"puppetlabs-stdlib\", \"version\": \"9.0.0\" }\n"),
    ("modules/stdlib/lib/puppet/functions/ensure_packages.rb", FUNCTIONS[0]),
    ("modules/stdlib/lib/puppet/functions/stdlib/ensure_packages.rb", FUNCTIONS[1]),
    ("modules/stdlib/lib/puppet/parser/functions/ensure_resource.rb", FUNCTIONS[2]),
    ("modules/stdlib/lib/puppet/parser/functions/ensure_resources.rb", FUNCTIONS[3]),
];

const FUNCTIONS: [&str; 4] = [
    "Puppet::Functions.create_function(:ensure_packages) do\nend\n",
    "Puppet::Functions.create_function(:'stdlib::ensure_packages') do\nend\n",
    "Puppet::Parser::Functions.newfunction(:ensure_resource) { |arguments| }\n",
    "Puppet::Parser::Functions.newfunction(:ensure_resources) { |arguments| }\n",
];

const ENSURED: &str = "class web {
  ensure_packages(['a', 'b'])
  ensure_packages(['a'])
  ensure_packages({ 'c' => { ensure => '1.0' } })
  stdlib::ensure_packages(['d'])
  ensure_resource('user', 'u', { 'uid' => 1 })
  ensure_resources('file', { '/f' => { 'mode' => '0644' } })
  ensure_resource('web::site', 's', {})
  if !defined(Package['z']) { package { 'z': } }
  if tagged('other') { notify { 'tagged': } }
  notify { 'last': require => Package['a'] }
}
define web::site { notify { \"in ${title}\": } }
";

const HIERA: &str = "version: 5
hierarchy:
  - name: Node
    path: nodes/%{trusted.certname}.yaml
  - name: Common
    path: common.yaml
";

const NTP: &str = "class ntp(String $server = 'none') { notify { \"x${server}\": } }\n";

/// A command, with its exit code and parts of its output.
struct Case {
    name: &'static str,
    files: &'static [(&'static str, &'static str)],
    arguments: &'static [&'static str],
    code: i32,
    expected: &'static [&'static str],
}

const CASES: &[Case] = &[
    Case {
        name: "data-of-the-machine",
        files: &[
            (
                "modules/stdlib/lib/puppet/parser/functions/loadyaml.rb",
                "Puppet::Parser::Functions.newfunction(:loadyaml, type: :rvalue) { |args| args[1] }\n",
            ),
            (
                "modules/web/manifests/init.pp",
                "class web {\n  $port = loadyaml('/srv/web.yaml')['port']\n}\n",
            ),
        ],
        arguments: &["compile", "--class", "web", "--os", "debian12", "--deny-open"],
        code: 1,
        expected: &["file `/srv/web.yaml` on the compiling machine is not read"],
    },
    Case {
        name: "template-with-unknown-conditions",
        files: &[(
            "modules/web/manifests/init.pp",
            "class web($a, Array $b) {
  notify { 'if': message => inline_epp('<% if $web::a { %>q<% } %>z') }
  notify { 'else': message => inline_epp('<% if $web::a { %>q<% } else { %>r<% } %>z') }
  notify { 'each': message => inline_epp('<% $web::b.each |$x| { %>q<% } %>z') }
  notify { 'same': message => inline_epp('<% if $web::a { %>q<% } else { %>q<% } %>z') }
}
",
        )],
        arguments: &["compile", "--class", "web", "--os", "debian12"],
        code: 0,
        expected: &[
            "Notify[if]  modules/web/manifests/init.pp:2\n│    message => <String>",
            "Notify[else]  modules/web/manifests/init.pp:3\n│    message => <String>",
            "Notify[each]  modules/web/manifests/init.pp:4\n│    message => <String>",
            "Notify[same]  modules/web/manifests/init.pp:5\n     message => 'qz'",
        ],
    },
    Case {
        name: "function-of-two-modules",
        files: &[
            (
                "modules/a/lib/puppet/parser/functions/size_of.rb",
                "Puppet::Parser::Functions.newfunction(:size_of, type: :rvalue) { |arguments| 1 }\n",
            ),
            (
                "modules/b/lib/puppet/parser/functions/size_of.rb",
                "Puppet::Parser::Functions.newfunction(:size_of, type: :rvalue) { |arguments| 2 }\n",
            ),
            ("modules/web/manifests/init.pp", "class web {\n  notify { \"${size_of('x')}\": }\n}\n"),
        ],
        arguments: &["compile", "--class", "web", "--os", "debian12", "--deny-open"],
        code: 1,
        expected: &["several modules define the function `size_of` differently"],
    },
    Case {
        name: "require-with-unknown-attributes",
        files: &[
            (
                "modules/web/lib/puppet/functions/web/given.rb",
                "Puppet::Functions.create_function(:'web::given') do\n  def given\n    YAML.load_file('/srv/web.yaml')\n  end\nend\n",
            ),
            ("modules/web/manifests/base.pp", "class web::base {}\n"),
            (
                "modules/web/manifests/init.pp",
                "class web {\n  web::site { 'x': * => web::given() }\n}\ndefine web::site {\n  require web::base\n}\n",
            ),
        ],
        arguments: &["compile", "--class", "web", "--os", "debian12"],
        code: 0,
        expected: &["require => <Any>"],
    },
    Case {
        name: "class-with-ensured-resources",
        files: &[("modules/web/manifests/init.pp", ENSURED)],
        arguments: &["compile", "--class", "web", "--os", "debian12"],
        code: 0,
        expected: &[
            "Package[a] (possibly)",
            "Package[b] (possibly)",
            "Package[c] (possibly)",
            "Package[d] (possibly)",
            "User[u] (possibly)",
            "File[/f] (possibly)",
            "Web::Site[s] (possibly)",
            "Notify[in s] (possibly)",
            "Package[z] (possibly)",
            "Notify[tagged] (possibly)",
            "Notify[last]  ",
            "mode => '0644'",
            "uid => 1",
            "11 resources, 1 class; 10 possible only",
        ],
    },
    Case {
        name: "node-with-ensured-resources",
        files: &[
            ("modules/web/manifests/init.pp", ENSURED),
            ("manifests/site.pp", "node 'n1' { include web }\n"),
        ],
        arguments: &["compile", "n1", "--os", "debian12"],
        code: 0,
        expected: &["Package[a]  ", "User[u]  ", "File[/f]  ", "Notify[in s]  ", "10 resources, 1 class\n"],
    },
    Case {
        name: "exported-and-collected",
        files: &[(
            "manifests/site.pp",
            "node 'n1' {
  @@file { '/tmp/e': content => 'a' }
  @@notify { 'f': tag => 'zz' }
  @@user { 'x': }
  File <<| |>>
  Notify <<| tag == 'zz' |>> { message => 'm' }
}
",
        )],
        arguments: &["compile", "n1", "--os", "debian12", "--deny-open"],
        code: 1,
        expected: &[
            "@@File[/tmp/e]",
            "@@Notify[f]",
            "message => 'm'",
            "\n@@User[x]",
            "2 resources, 0 classes; 1 exported resource for other nodes",
            "open: resources of type `file` that other nodes export are unknown",
            "open: resources of type `notify` that other nodes export are unknown",
        ],
    },
    Case {
        name: "exports-of-other-nodes-may-be-required",
        files: &[(
            "manifests/site.pp",
            "node 'n1' {
  File <<| |>>
  notify { 'x': require => File['/from/elsewhere'] }
}
",
        )],
        arguments: &["compile", "--all"],
        code: 0,
        expected: &["n1 ?", "that other nodes export are unknown on all platforms; in n1"],
    },
    Case {
        name: "other-types-are-still-checked",
        files: &[(
            "manifests/site.pp",
            "node 'n1' {
  File <<| |>>
  notify { 'x': require => User['elsewhere'] }
}
",
        )],
        arguments: &["compile", "--all"],
        code: 1,
        expected: &["resource `User[elsewhere]` not found", "n1 ✗"],
    },
    Case {
        name: "failure-under-an-unknown-condition",
        files: &[(
            "manifests/site.pp",
            "node n1 { include a }\nclass a { if $facts['my_fact'] == 1 { fail('no') } }\n",
        )],
        arguments: &["compile", "--all", "--os", "debian12", "--deny-open"],
        code: 1,
        expected: &["open: `a` fails for some of the unknown values: no", "n1 ?"],
    },
    Case {
        name: "assertion-of-an-unknown-value",
        files: &[(
            "manifests/site.pp",
            "node n1 { include a }\nclass a { $x = assert_type(Integer, $facts['my_fact']) notify { 'n': } }\n",
        )],
        arguments: &["compile", "--all", "--os", "debian12", "--deny-open"],
        code: 1,
        expected: &["open: `a` fails for some of the unknown values: assert_type()", "n1 ?"],
    },
    Case {
        name: "number-from-an-unknown-value",
        files: &[(
            "manifests/site.pp",
            "node n1 { include a }\nclass a { $x = Integer($facts['my_fact']) notify { 'n': } }\n",
        )],
        arguments: &["compile", "--all", "--os", "debian12", "--deny-open"],
        code: 1,
        expected: &[
            "open: `a` fails for some of the unknown values: the value cannot be converted to `Integer`",
            "n1 ?",
        ],
    },
    Case {
        name: "converted-unknown-string",
        files: &[(
            "manifests/site.pp",
            "node n1 { include a }\nclass a { $x = \"${facts['my_fact']}\".convert_to(Boolean) notify { 'n': } }\n",
        )],
        arguments: &["compile", "--all", "--os", "debian12", "--deny-open"],
        code: 1,
        expected: &[
            "open: `a` fails for some of the unknown values: the value cannot be converted to `Boolean`",
            "n1 ?",
        ],
    },
    Case {
        name: "conversions-that-always-succeed",
        files: &[(
            "manifests/site.pp",
            "node n1 { include a }
class a {
  $x = String($facts['my_fact'])
  $n = Integer(length($x))
  $b = Boolean($facts['my_fact'] == 1)
  assert_type(String, $x)
  assert_type(Integer, $facts['my_fact']) |$expected, $actual| { 1 }
  notify { 'n': }
}
",
        )],
        arguments: &["compile", "--all", "--os", "debian12", "--deny-open"],
        code: 0,
        expected: &["n1 ✓"],
    },
    Case {
        name: "default-without-configuration",
        files: &[("manifests/site.pp", "notify { lookup('x', String, 'first', 'y'): }\n")],
        arguments: &["compile", "--os", "debian12", "--deny-open"],
        code: 1,
        expected: &["open: no hiera.yaml defines the data for `x`"],
    },
    Case {
        name: "server-is-unknown",
        files: &[("manifests/site.pp", "notify { 'x': message => $servername }\n")],
        arguments: &["compile", "--os", "debian12"],
        code: 0,
        expected: &["message => <String>"],
    },
    Case {
        name: "relationship-in-an-undecided-branch",
        files: &[(
            "manifests/site.pp",
            "notify { ['a', 'b']: }
if $facts['nobody_knows'] { Notify['a'] -> Notify['b'] }
Notify['b'] ~> Notify[$facts['nobody_knows']]
",
        )],
        arguments: &["compile", "--os", "debian12"],
        code: 0,
        expected: &["before => <", "notify => <"],
    },
    Case {
        name: "data-of-other-nodes",
        files: &[
            ("hiera.yaml", HIERA),
            ("data/common.yaml", "ntp::server: base\n"),
            ("data/nodes/special.yaml", "ntp::server: own\n"),
            ("manifests/site.pp", "node /^web\\d+$/ { include ntp }\nnode default { include ntp }\n"),
            ("modules/ntp/manifests/init.pp", NTP),
        ],
        arguments: &["compile", "--all", "--os", "debian12", "--deny-open"],
        code: 1,
        expected: &[
            "open: data for `ntp::server` depends on the name of the node on all platforms; in /^web\\d+$/, default",
            "default    ?",
        ],
    },
    Case {
        name: "backend-in-ruby",
        files: &[
            (
                "hiera.yaml",
                "version: 5\nhierarchy:\n  - name: Ruby\n    data_hash: host_self\n    path: x.yaml\n",
            ),
            ("data/x.yaml", "{}\n"),
            (
                "lib/puppet/functions/host_self.rb",
                "Puppet::Functions.create_function(:host_self) do\n  def host_self(options, context)\n    `cat /x`\n  end\nend\n",
            ),
            ("manifests/site.pp", "node 'n1' { include ntp }\n"),
            ("modules/ntp/manifests/init.pp", NTP),
        ],
        arguments: &["compile", "--all", "--os", "debian12", "--deny-open"],
        code: 1,
        expected: &["open: data for `ntp::server` is undecided", "n1 ?"],
    },
    Case {
        name: "one-cause-is-one-group",
        files: &[
            (
                "manifests/site.pp",
                "node 'n1' { include web }\nnode 'n2' {\n  notify { 'x': }\n  include web\n}\n",
            ),
            ("modules/web/manifests/init.pp", "class web {\n  package { 'p': require => User['u'] }\n}\n"),
        ],
        arguments: &["compile", "--all", "--os", "debian12"],
        code: 1,
        expected: &["= note: on all platforms; in n1, n2\n"],
    },
    Case {
        name: "cycles-are-reported-once",
        files: &[(
            "modules/web/manifests/init.pp",
            "# Web
class web {
  file { '/1': require => File['/2'] }
  file { '/2': require => File['/1'] }
}
",
        )],
        arguments: &["check", "--compile", "modules/web"],
        code: 1,
        expected: &["part of the cycle", "1 error in 1 file"],
    },
    Case {
        name: "duplicates-are-reported-once",
        files: &[(
            "modules/web/manifests/init.pp",
            "# Web
class web {
  ensure_packages('p')
  package { 'p': }
}
",
        )],
        arguments: &["check", "--compile", "modules/web"],
        code: 1,
        expected: &["first declared here", "1 error in 1 file"],
    },
    Case {
        name: "each-level-is-checked",
        files: &[
            ("hiera.yaml", HIERA),
            ("data/common.yaml", "ntp::server: [base]\n"),
            ("data/nodes/special.yaml", "ntp::server: own\n"),
            ("modules/ntp/manifests/init.pp", NTP),
        ],
        arguments: &["check", "."],
        code: 1,
        expected: &["warning[data-type-mismatch]: parameter `$server` of class `ntp` expects a String value"],
    },
];

#[test]
fn unchecked_parts_are_reported() {
    for Case { name, files, arguments, code, expected } in CASES {
        let folder = Folder::new(&format!("unchecked-{name}"), STDLIB);
        folder.write(files);
        let (found, out, err) = run(&folder.0, arguments);
        assert_eq!(found, Some(*code), "{name}: {out}{err}");
        for text in *expected {
            assert!(format!("{out}{err}").contains(text), "{name}: no `{text}` in\n{out}{err}");
        }
    }
}

/// A change of one file, with the exit code of `diff` and parts of its output.
struct Change {
    name: &'static str,
    files: &'static [(&'static str, &'static str)],
    arguments: &'static [&'static str],
    changed: (&'static str, &'static str),
    code: i32,
    expected: &'static [&'static str],
}

const NODES_WITH_DATA: &[(&str, &str)] = &[
    ("hiera.yaml", HIERA),
    ("data/common.yaml", "ntp::server: base\n"),
    ("data/nodes/special.yaml", "ntp::server: own\n"),
    ("manifests/site.pp", "node default { include ntp }\n"),
    ("modules/ntp/manifests/init.pp", NTP),
];

const CHANGES: &[Change] = &[
    Change {
        name: "ensured-package",
        files: &[("modules/web/manifests/init.pp", "class web { ensure_packages(['x']) }\n")],
        arguments: &["--class", "web"],
        changed: ("modules/web/manifests/init.pp", "class web { ensure_packages(['xx']) }\n"),
        code: 1,
        expected: &["- Package[x]", "+ Package[xx]"],
    },
    Change {
        name: "ensured-resource",
        files: &[(
            "modules/web/manifests/init.pp",
            "class web { ensure_resource('user', 'u', { uid => 1 }) }\n",
        )],
        arguments: &["--class", "web"],
        changed: (
            "modules/web/manifests/init.pp",
            "class web { ensure_resource('user', 'u', { uid => 2 }) }\n",
        ),
        code: 1,
        expected: &["- ", "uid => 1", "uid => 2"],
    },
    Change {
        name: "exported-resource",
        files: &[("manifests/site.pp", "node 'n' { @@file { '/e': content => 'a' } }\n")],
        arguments: &[],
        changed: ("manifests/site.pp", "node 'n' { @@file { '/e': content => 'b' } }\n"),
        code: 1,
        expected: &["~ File[/e]", "content => 'b'"],
    },
    Change {
        name: "data-of-all-nodes",
        files: NODES_WITH_DATA,
        arguments: &[],
        changed: ("data/common.yaml", "ntp::server: other\n"),
        code: 3,
        expected: &[
            "Possible changes, unless the data of a node takes precedence:",
            "~ ntp::server of default",
            "-     'base'",
            "+     'other'",
            "open: data for `ntp::server` depends on the name of the node",
        ],
    },
    Change {
        name: "data-of-all-nodes-by-class",
        files: NODES_WITH_DATA,
        arguments: &["--class", "ntp"],
        changed: ("data/common.yaml", "ntp::server: other\n"),
        code: 3,
        expected: &["~ ntp::server of ntp", "+     'other'"],
    },
    Change {
        name: "unknown-on-both-sides",
        files: &[("manifests/site.pp", "node 'n' { notify { 'x': message => \"a${facts['my_fact']}\" } }\n")],
        arguments: &[],
        changed: ("manifests/site.pp", "node 'n' { notify { 'x': message => \"b${facts['my_fact']}\" } }\n"),
        code: 3,
        expected: &["`message` of `Notify[x]` is unknown before and after"],
    },
];

#[test]
fn undecided_parts_are_never_equal() {
    for Change { name, files, arguments, changed, code, expected } in CHANGES {
        let folder = Folder::new(&format!("undecided-{name}"), STDLIB);
        folder.write(files);
        folder.git(&["init", "--quiet"]);
        folder.git(&["add", "."]);
        folder.git(&["commit", "--quiet", "--message", "step"]);
        folder.write(&[*changed]);
        let (found, out, err) = run(&folder.0, &[&["diff", "--os", "debian12"], *arguments].concat());
        assert_eq!(found, Some(*code), "{name}: {out}{err}");
        for text in *expected {
            assert!(format!("{out}{err}").contains(text), "{name}: no `{text}` in\n{out}{err}");
        }
    }
}

#[test]
fn versions_are_compared_with_a_snapshot_of_the_forge() {
    let snapshot =
        r#"{"format": "puppet-analyzer-forge", "version": 1, "modules": {"puppetlabs-stdlib": ["9.6.0"]}}"#;
    let folder = Folder::new(
        "forge",
        &[
            ("environment.conf", "modulepath = modules\n"),
            ("Puppetfile", "mod 'puppetlabs/stdlib', '9.7.0'\nmod 'x/other', '1.0.0'\n"),
            ("forge.json", snapshot),
        ],
    );
    let check = |arguments: &[&str], code: i32| {
        let (found, out, err) =
            run(&folder.0, &[&["check", "--forge-snapshot", "forge.json"], arguments].concat());
        assert_eq!(found, Some(code), "{out}{err}");
        (out, err)
    };
    let (out, err) = check(&[], 1);
    assert!(
        out.contains("error[puppetfile-version]: module `puppetlabs-stdlib` has no release `9.7.0`"),
        "{out}"
    );
    assert!(err.contains("module `x-other` is not in the snapshot of the Forge"), "{err}");
    folder.write(&[("Puppetfile", "mod 'puppetlabs/stdlib', '9.6.0'\nmod 'x/other', '1.0.0'\n")]);
    check(&[], 0);
    check(&["--deny-open"], 1);
    folder.write(&[("puppet-analyzer.toml", "ignore = [\"puppetfile-version\"]\n")]);
    folder.write(&[("Puppetfile", "mod 'puppetlabs/stdlib', '9.7.0'\n")]);
    check(&["--deny-open"], 0);
    folder.write(&[("forge.json", "{}")]);
    let (_, err) = check(&[], 2);
    assert!(err.contains("`forge.json` is not a usable snapshot of the Forge"), "{err}");
}

/// Puppet loads `init.pp` of a module before any of its classes and defined types, and evaluates the types of all parameters
/// there. Each row was run with Puppet 7.23.
#[test]
fn refused_types_in_a_loaded_manifest() {
    for (ty, message) in [
        ("Optional[Integer[101, 10]]", Some("range minimum 101 exceeds the maximum 10")),
        ("Variant[Undef, Array[String, 5, 1]]", Some("range minimum 5 exceeds the maximum 1")),
        ("Enum[1]", Some("argument of `Enum[ ]` must be a string")),
        ("Optional[Pattern['[']]", Some("invalid regular expression")),
        ("Hash[String]", Some("`Hash[ ]` takes two to four arguments")),
        ("Optional[String[1, x]]", Some("size must be an `Integer` type")),
        ("Optional[Timespan['x']]", Some("does not match the format")),
        ("Variant[Web::Size, Integer[3, 1]]", Some("range minimum 3 exceeds the maximum 1")),
        ("Struct[{a => Web::Size, b => Integer[3, 1]}]", Some("range minimum 3 exceeds the maximum 1")),
        ("NotUndef[1]", Some("argument of `NotUndef[ ]` must be a type or a string")),
        ("Optional[Class[1]]", Some("class name must be a string")),
        ("Optional[Enum]", None),
        ("Struct[{a => 1}]", None),
        ("Optional[Callable[1]]", None),
        ("Optional[Regexp['(']]", None),
        ("Optional[Init[Integer, 'x']]", None),
    ] {
        let folder = Folder::new(
            "refused-types",
            &[
                ("environment.conf", ""),
                ("modules/web/types/size.pp", "type Web::Size = Integer[1, 9]\n"),
                ("modules/web/manifests/init.pp", &format!("class web({ty} $size = undef) {{ }}\n")),
                ("modules/web/manifests/a.pp", "class web::a { }\n"),
                ("modules/web/manifests/d.pp", "define web::d { }\n"),
                ("manifests/site.pp", "node a { include web::a }\nnode d { web::d { 'x': } }\n"),
            ],
        );
        for node in ["a", "d"] {
            let (code, out, errors) = run(&folder.0, &["compile", node, "--os", "debian12"]);
            assert_eq!(code, Some(i32::from(message.is_some())), "{ty} {node}: {out}{errors}");
            let message = message.unwrap_or_default();
            assert!(format!("{out}{errors}").contains(message), "{ty} {node}: {out}{errors}");
        }
    }
}
