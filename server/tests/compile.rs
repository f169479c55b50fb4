//! Tests of `compile`, `lookup` and `diff` on the example repository and on small test repositories.

use crate::folders::{Folder, example, run};
use expect_test::expect;

const MODULE: &[(&str, &str)] = &[
    (
        "metadata.json",
        r#"{ "name": "x-small", "operatingsystem_support": [{ "operatingsystem": "Debian", "operatingsystemrelease": ["12"] }, { "operatingsystem": "RedHat", "operatingsystemrelease": ["9"] }] }"#,
    ),
    (
        "manifests/init.pp",
        "class small(\n  String $package = $facts['os']['family'] ? { 'Debian' => 'small', 'RedHat' => 'rh-small' },\n) {\n  package { $package: ensure => present }\n  -> file { '/etc/small': content => Sensitive('secret'), mode => '0600' }\n}\n",
    ),
    (
        "manifests/debian.pp",
        "class small::debian {\n  if $facts['os']['family'] != 'Debian' {\n    fail('not here')\n  }\n  include small\n}\n",
    ),
];

const CONTROL: &[(&str, &str)] = &[
    ("environment.conf", "modulepath = modules\n"),
    ("hiera.yaml", "version: 5\nhierarchy:\n  - name: common\n    path: common.yaml\n"),
    ("data/common.yaml", "web::port: 8080\n"),
    ("manifests/site.pp", "node default { }\nnode /^www\\d+$/ {\n  include web\n}\n"),
    (
        "modules/web/manifests/init.pp",
        "class web(Integer $port) {\n  file { '/etc/port': content => \"${port} on ${facts['os']['name']} for ${trusted['certname']}\" }\n  if $facts['virtual'] == 'moon' {\n    @@notify { 'exported': }\n  }\n  web::site { ['a', 'b']: }\n}\n",
    ),
    (
        "modules/web/manifests/site.pp",
        "define web::site {\n  file { \"/srv/${title}\": ensure => directory, require => File['/etc/port'] }\n}\n",
    ),
];

/// Checks the exit code and a part of the output.
fn check_run(folder: &Folder, arguments: &[&str], code: i32, expected: &str) {
    let (found, out, err) = run(&folder.0, arguments);
    assert_eq!(found, Some(code), "{arguments:?}: {out}{err}");
    assert!(format!("{out}{err}").contains(expected), "{arguments:?}: {out}{err}");
}

#[test]
fn nodes_of_an_environment() {
    let folder = Folder::new("nodes", CONTROL);
    let (code, out, err) = run(&folder.0, &["compile", "--os", "debian12", "WWW1"]);
    assert_eq!((code, err.as_str()), (Some(0), ""), "{out}");
    expect![[r#"
        Class[main]
        └─ Node[__node_regexp__wwwd]  manifests/site.pp:2
        Class[Web]  manifests/site.pp:3  (5 resources)
        │ port => 8080
        ├─ File[/etc/port]  modules/web/manifests/init.pp:2
        │    content => '8080 on Debian for www1'
        ├─ Web::Site[a]  modules/web/manifests/init.pp:6
        │  └─ File[/srv/a]  modules/web/manifests/site.pp:2
        │       ensure => 'directory'
        │       require => 'File[/etc/port]'
        └─ Web::Site[b]  modules/web/manifests/init.pp:6
           └─ File[/srv/b]  modules/web/manifests/site.pp:2
                ensure => 'directory'
                require => 'File[/etc/port]'
        5 resources, 1 class
    "#]]
    .assert_eq(&out);
    let (code, out, err) = run(&folder.0, &["compile", "www1"]);
    assert_eq!(
        (code, err.as_str()),
        (Some(0), "no facts given (--os, --facts): values that depend on facts are unknown\n")
    );
    expect![[r#"
        Class[main]
        └─ Node[__node_regexp__wwwd]  manifests/site.pp:2
        Class[Web]  manifests/site.pp:3  (5 resources)
        │ port => 8080
        ├─ File[/etc/port]  modules/web/manifests/init.pp:2
        │    content => <String[17]>
        ├─ Web::Site[a]  modules/web/manifests/init.pp:6
        │  └─ File[/srv/a]  modules/web/manifests/site.pp:2
        │       ensure => 'directory'
        │       require => 'File[/etc/port]'
        └─ Web::Site[b]  modules/web/manifests/init.pp:6
           └─ File[/srv/b]  modules/web/manifests/site.pp:2
                ensure => 'directory'
                require => 'File[/etc/port]'
        @@Notify[exported] (possibly)  modules/web/manifests/init.pp:4
        5 resources, 1 class; 1 exported resource for other nodes; 1 unknown value
    "#]]
    .assert_eq(&out);
    let (code, out, _) = run(&folder.0, &["compile", "--all", "--os", "debian12", "--os", "windows-2022"]);
    assert_eq!(code, Some(0));
    expect![[r#"
                   ┌ Debian 12
                   │┌ Windows Server 2022
        default    ✓✓
        /^www\d+$/ ✓✓
        2 nodes on 2 platforms: 4 of 4 catalogs compile
    "#]]
    .assert_eq(&out);
    let (code, out, _) = run(&folder.0, &["compile", "--os", "debian12", "--format", "json", "www1"]);
    assert_eq!(code, Some(0));
    let catalog: serde_json::Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!((&catalog["name"], &catalog["environment"]), (&"www1".into(), &"production".into()));
    assert_eq!(catalog["classes"], serde_json::json!(["settings", "__node_regexp__wwwd", "web"]));
    let edge = serde_json::json!({ "source": "Web::Site[a]", "target": "File[/srv/a]" });
    assert!(catalog["edges"].as_array().expect("a list").contains(&edge), "{out}");
}

#[test]
fn catalogs_in_their_formats() {
    let own = Folder::new("formats", MODULE);
    let folder = own.0.clone();
    let (code, out, _) = run(&folder, &["compile", "--class", "small", "--os", "debian12"]);
    assert_eq!(code, Some(0));
    expect![[r#"
        Class[Small]  (2 resources)
        │ package => 'small'
        ├─ Package[small]  manifests/init.pp:4
        │    before => ['File[/etc/small]']
        │    ensure => 'present'
        └─ File[/etc/small]  manifests/init.pp:5
             content => [value redacted]
             mode => '0600'
        2 resources, 1 class
    "#]]
    .assert_eq(&out);
    let (code, out, _) = run(&folder, &["compile", "--class", "small", "--os", "rhel9", "--format", "json"]);
    assert_eq!(code, Some(0));
    assert!(!out.contains("secret"), "{out}");
    let catalog: serde_json::Value = serde_json::from_str(&out).expect("JSON");
    let resources = catalog["resources"].as_array().expect("a list");
    let file = resources.iter().find(|it| it["title"] == "/etc/small").expect("exists");
    assert_eq!(file["sensitive_parameters"], serde_json::json!(["content"]));
    assert!(file["file"].as_str().is_some_and(|it| it.ends_with("formats/manifests/init.pp")), "{file}");
    assert_eq!((&file["line"], &file["kind"]), (&5.into(), &"compilable_type".into()));
    let (code, out, _) = run(&folder, &["compile", "--class", "small", "--os", "rhel9", "--format", "dot"]);
    assert_eq!(code, Some(0));
    assert!(out.starts_with("digraph") && out.contains("Package[rh-small]"), "{out}");
}

#[test]
fn failures_show_their_source() {
    let folder = Folder::new("failures", MODULE);
    let (code, out, err) = run(&folder.0, &["compile", "--class", "small::debian", "--os", "rhel9"]);
    assert_eq!((code, out.as_str()), (Some(1), ""));
    expect![[r#"
        error[deliberate-failure]: not here
         --> manifests/debian.pp:3:5
          |
        3 |     fail('not here')
          |     ^^^^^^^^^^^^^^^^
          = note: called from <code>: include small::debian

    "#]]
    .assert_eq(&err);
    let (code, out, _) = run(&folder.0, &["compile", "--all"]);
    assert_eq!(code, Some(1));
    expect![[r#"
        error[deliberate-failure]: not here
         --> manifests/debian.pp:3:5
          |
        3 |     fail('not here')
          |     ^^^^^^^^^^^^^^^^
          = note: on RedHat 9; in small::debian

                      ┌ Debian 12
                      │┌ RedHat 9
        small         ✓✓
        small::debian ✓✗

        ✓ compiles, ✗ fails
        2 classes on 2 platforms: 3 of 4 catalogs compile
    "#]]
    .assert_eq(&out);
    let (_, out, _) = run(&folder.0, &["compile", "--all", "--format", "json"]);
    let all: serde_json::Value = serde_json::from_str(&out).expect("JSON");
    let failed: Vec<&serde_json::Value> =
        all.as_array().expect("a list").iter().filter(|it| it["ok"] == false).collect();
    assert_eq!(failed.len(), 1, "{out}");
    assert_eq!((&failed[0]["class"], &failed[0]["platform"]), (&"small::debian".into(), &"RedHat 9".into()));
    for (arguments, message) in [
        (&["compile", "--os", "nix"][..], "unknown platform `nix`"),
        (&["compile"], "main manifest not found"),
        (&["compile", "--class", "small", "--facts", "nothing.json"], "cannot read `nothing.json`"),
        (&["compile", "--environment", "nowhere"], "folder `nowhere` not found"),
        (&["compile", "--all", "--format", "dot"], "`--all` cannot be combined with `--format dot`"),
        (&["diff", "--base", "nothing"], "is not in a Git repository"),
    ] {
        let (code, _, err) = run(&folder.0, arguments);
        assert_eq!(code, Some(2), "{arguments:?}");
        assert!(err.contains(message), "{arguments:?}: {err}");
    }
}

#[test]
fn node_classifiers_set_classes_and_parameters() {
    let folder = Folder::new("enc", MODULE);
    folder.write(&[("node.yaml", "classes:\n  small:\n    package: other\nparameters:\n  x: 1\n")]);
    let (code, out, err) = run(&folder.0, &["compile", "--enc", "node.yaml", "--os", "debian12"]);
    assert_eq!(code, Some(0), "{err}");
    assert!(out.contains("Package[other]"), "{out}");
}

#[test]
fn fact_files_are_selected_by_node_name() {
    let folder = Folder::new("machines", CONTROL);
    folder.write(&[
        ("facts/one.json", r#"{ "networking": { "fqdn": "www1" }, "os": { "name": "One" } }"#),
        ("facts/two.yaml", "networking:\n  fqdn: www2\nos:\n  name: Two\n"),
        ("puppet-analyzer.toml", "fact-files = ['facts']\n"),
    ]);
    for (arguments, code, expected) in [
        (&["compile", "www2"][..], 0, "8080 on Two for www2"),
        (&["compile", "www1", "--facts", "facts"], 0, "8080 on One for www1"),
        (&["compile", "--facts", "facts/one.json"], 0, "8080 on One for www1"),
        (&["compile", "--os", "debian12", "www1"], 0, "8080 on Debian for www1"),
        (&["compile"], 2, "facts for several platforms given"),
        (&["compile", "www3"], 2, "no fact file for node `www3`"),
        (&["compile", "--all"], 0, "2 nodes on 2 platforms: 4 of 4 catalogs compile"),
    ] {
        check_run(&folder, arguments, code, expected);
    }
}

#[test]
fn missing_facts_of_fact_files() {
    let text = "class small {\n  notify { $facts['role']['name']: }\n  notify { $facts['networking']['hostname']: }\n}\n";
    let ruby = "Facter.add('role') { setcode { Facter::Util::Resolution.exec('role') } }\n";
    let folder =
        Folder::new("whole", &[MODULE[0], ("manifests/init.pp", text), ("lib/facter/role.rb", ruby)]);
    folder.write(&[("facts.json", r#"{ "networking": { "fqdn": "www1", "hostname": "www1" } }"#)]);
    for (arguments, code, expected) in [
        (&["--facts", "facts.json"][..], 1, "role"),
        (&["--facts", "facts.json", "--partial-facts"], 0, "Notify[www1]"),
        (&["--os", "debian12"], 0, "Notify[node1]"),
    ] {
        check_run(&folder, &[&["compile", "--class", "small"], arguments].concat(), code, expected);
    }
}

#[test]
fn resources_that_move_to_another_class() {
    let outer = "class small {\n  include small::extra\n";
    let inner = "class small::extra {\n  notify { 'extra': }\n";
    let file = "  file { '/etc/small': mode => '0600' }\n";
    let folder = Folder::new(
        "moves",
        &[
            MODULE[0],
            ("manifests/init.pp", &format!("{outer}{file}}}\n")),
            ("manifests/extra.pp", &format!("{inner}}}\n")),
        ],
    );
    folder.git(&["init", "--quiet"]);
    folder.git(&["add", "."]);
    folder.git(&["commit", "--quiet", "--message", "first"]);
    folder.write(&[
        ("manifests/init.pp", &format!("{outer}}}\n")),
        ("manifests/extra.pp", &format!("{inner}{file}}}\n")),
    ]);
    let (code, out, _) = run(&folder.0, &["diff", "--class", "small", "--os", "debian12"]);
    assert_eq!(code, Some(1));
    expect![[r#"
        small on Debian 12
          ~ File[/etc/small]
          -     (container) => Class[Small]
          +     (container) => Class[Small::Extra]

        1 of 1 catalog differs
    "#]]
    .assert_eq(&out);
}

/// Puppet loads `init.pp` before any other manifest of a module, and no others that it does not need.
#[test]
fn broken_init_manifest() {
    let good = |what: &str| format!("{what} {{ }}\n");
    let (class, define) = (good("class shop::till"), good("define shop::shelf()"));
    let broken = "class shop { notify { 'shop':\n";
    let rows = [
        ("include shop::till", broken, Some(1)),
        ("shop::shelf { 'a': }", broken, Some(1)),
        ("notice(defined(shop::till))", broken, Some(1)),
        ("include shop::missing", broken, Some(1)),
        ("notice(shop::price())", broken, Some(0)),
        ("notice(2 =~ Shop::Number)", broken, Some(1)),
        ("include shop", "class shop { }\n", Some(0)),
        ("include shop::till", "class shop { }\n", Some(0)),
        ("include shop::till", "class shop { }\nnotice(1)\n", Some(1)),
    ];
    for (index, (site, first, expected)) in rows.into_iter().enumerate() {
        let files = [
            ("manifests/site.pp", site),
            ("modules/shop/manifests/init.pp", first),
            ("modules/shop/manifests/till.pp", class.as_str()),
            ("modules/shop/manifests/shelf.pp", define.as_str()),
            ("modules/shop/manifests/broken.pp", "class shop::broken {\n"),
            ("modules/shop/functions/price.pp", "function shop::price() { 1 }\n"),
            ("modules/shop/types/number.pp", "type Shop::Number = Integer\n"),
        ];
        let folder = Folder::new(&format!("first-manifest-{index}"), &files);
        let (code, _, errors) = run(&folder.0, &["compile", "--os", "debian12", "www1"]);
        assert_eq!(code, expected, "{site} with {first:?}: {errors}");
    }
}

#[test]
fn syntax_errors_show_the_call_stack() {
    let folder = Folder::new(
        "chain",
        &[
            MODULE[0],
            ("manifests/init.pp", "class small {\n  include small::extra\n}\n"),
            ("manifests/extra.pp", "class small::extra {\n  notify { 'extra' }\n}\n"),
        ],
    );
    let (code, _, err) = run(&folder.0, &["compile", "--class", "small", "--os", "debian12"]);
    assert_eq!(code, Some(1));
    for part in
        ["--> manifests/extra.pp:2:20", "included here: manifests/init.pp:2:3", "<code>: include small"]
    {
        assert!(err.contains(part), "{part}: {err}");
    }
}

#[test]
fn messages_have_locations() {
    let site = "node 'a' {\n  warning('careful')\n  notice('fine')\n}\n";
    let folder = Folder::new("locations", &[("environment.conf", ""), ("manifests/site.pp", site)]);
    let (code, _, err) = run(&folder.0, &["compile", "--os", "debian12", "a"]);
    assert_eq!(code, Some(0), "{err}");
    assert!(err.contains("careful (manifests/site.pp:2)\n") && !err.contains("site.pp:3"), "{err}");
    // The error says that the class is missing.
    let (code, _, err) = run(&folder.0, &["compile", "--os", "debian12", "--class", "nothing::here"]);
    assert!(code == Some(1) && err.contains("nothing::here") && !err.contains("open: "), "{err}");
}

#[test]
fn data_of_missing_modules_is_unknown() {
    let site =
        "node 'a' {\n  notify { lookup('far::key'): }\n}\nnode 'b' {\n  notify { lookup('near::key'): }\n}\n";
    let folder = Folder::new(
        "far-data",
        &[
            ("environment.conf", ""),
            ("Puppetfile", "mod 'x-far', '1.0.0'\n"),
            ("hiera.yaml", "version: 5\nhierarchy:\n  - name: c\n    path: c.yaml\n"),
            ("data/c.yaml", "far::kex: 1\n"),
            ("manifests/site.pp", site),
        ],
    );
    // The module may have the key. No module is called `near`.
    for (arguments, code, expected) in [
        (&["compile", "a"][..], 0, "open: module `far` not found"),
        (&["compile", "b"], 1, "no value for `near::key`"),
        (&["lookup", "far::key", "--node", "a"], 3, "unknown: any value; install the missing module\n"),
        (&["lookup", "far::key", "--node", "a"], 3, "open: module `far` is not installed\n"),
        (&["lookup", "far::key", "--node", "a"], 3, "help: did you mean `far::kex`?\n"),
        (&["lookup", "far::key", "--node", "a", "--explain"], 3, "      far: module is not installed\n"),
        (&["lookup", "far::kex", "--node", "a"], 0, "1\n"),
        (&["lookup", "near::key", "--node", "a"], 1, "no value found for `near::key`\n"),
    ] {
        check_run(&folder, &[arguments, &["--os", "debian12"]].concat(), code, expected);
    }
    folder.write(&[("modules/far/manifests/init.pp", "class far { }\n")]);
    check_run(&folder, &["compile", "a", "--os", "debian12"], 1, "no value for `far::key`");
}

#[test]
fn causes_and_signs_are_explained() {
    let classes = (1..=7).map(|it| format!("  include gone{it}::x\n"));
    let site = format!(
        "node 'a' {{\n{}}}\nnode 'b' {{ fail('why') }}\nnode 'c' {{ }}\n",
        classes.collect::<String>()
    );
    let folder = Folder::new("signs", &[("environment.conf", ""), ("manifests/site.pp", &site)]);
    let (code, out, _) = run(&folder.0, &["compile", "--all", "--os", "debian12"]);
    assert_eq!(code, Some(1), "{out}");
    for part in [
        "open: modules `gone1`, `gone2`, `gone3`, `gone4`, `gone5` and 2 others not found on all platforms; in a\n",
        "  help: install the modules, or add their folder with `--modulepath`\n  `--verbose` lists each part\n",
        "\n✓ compiles, ? open: some parts are unknown, ✗ fails\n3 nodes on 1 platform: 1 of 3 catalogs compile",
    ] {
        assert!(out.contains(part), "{part}: {out}");
    }
    let (_, out, _) = run(&folder.0, &["compile", "--all", "--os", "debian12", "--verbose"]);
    assert!(out.contains("open: class `gone7::x` not found on all platforms; in a\n"), "{out}");
    let (code, _, err) = run(&folder.0, &["compile", "--os", "debian12", "a"]);
    let expected =
        "open: modules `gone1`, `gone2`, `gone3`, `gone4`, `gone5` and 2 others not found\n  help: ";
    assert!(code == Some(0) && err.contains(expected) && err.matches("open: ").count() == 1, "{err}");
}

#[test]
fn lookups_report_ruby_functions() {
    let files = [
        (
            "hiera.yaml",
            "version: 5\nhierarchy:\n  - name: Vault\n    lookup_key: vault::key\n  - name: Files\n    path: common.yaml\n",
        ),
        ("data/common.yaml", "web::port: 80\n"),
        ("modules/vault/lib/puppet/functions/vault/key.rb", VAULT),
    ];
    let folder = Folder::new("vault", &files);
    let (code, out, _) = run(&folder.0, &["lookup", "--os", "debian12", "--explain", "web::port"]);
    assert_eq!(code, Some(3));
    expect![[r#"
        web::port
          environment
            Vault
              vault::key: Ruby function with unknown result
            Files
              data/common.yaml:1: 80

        unknown: any value; some data comes from Ruby functions, which are not run
        open: level `Vault` (vault::key) is a Ruby function, which is not run
        value if these levels have none: 80 (data/common.yaml)
    "#]]
    .assert_eq(&out);
}

const VAULT: &str = "Puppet::Functions.create_function(:'vault::key') do
  dispatch :key do
    param 'String', :key
    param 'Hash', :options
    param 'Puppet::LookupContext', :context
  end
end
";

#[test]
fn lookups_explain_values() {
    let folder = example();
    let key = "profile::web::service_name";
    let (code, out, err) = run(&folder, &["lookup", "--os", "debian12", key]);
    let note = "no node given (--node): looking up for node1.example.com\n";
    assert_eq!((code, out.as_str(), err.as_str()), (Some(0), "'apache2'\n", note));
    let (code, out, _) = run(&folder, &["lookup", "--os", "rhel9", "--explain", key]);
    assert_eq!(code, Some(0));
    expect![[r#"
        profile::web::service_name
          environment
            Node
              data/nodes/node1.example.com.yaml: file not found
            Operating system
              data/os/RedHat.yaml:2: 'httpd'

        'httpd'
    "#]]
    .assert_eq(&out);
    let (code, out, _) = run(&folder, &["lookup", "--os", "rhel9", "profile::web::servce_name"]);
    let help = "help: did you mean `profile::web::service_name`?\n";
    assert_eq!(code, Some(1), "{out}");
    assert_eq!(out, format!("no value found for `profile::web::servce_name`\n{help}"));
    let (code, out, _) = run(&folder, &["lookup", "--os", "rhel9", "nothing::here"]);
    assert_eq!((code, out.as_str()), (Some(1), "no value found for `nothing::here`\n"));
    let (code, out, _) = run(&folder, &["lookup", key]);
    assert_eq!(code, Some(3));
    expect![[r#"
        unknown: any value; set facts with `--os` or `--facts`
        open: level `Operating system` (os/%{facts.os.family}.yaml) depends on unknown values
    "#]]
    .assert_eq(&out);
    let (_, out, _) = run(&folder, &["lookup", "--os", "rhel9", "--format", "json", key]);
    let answer: serde_json::Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!((&answer["found"], &answer["value"]), (&true.into(), &"httpd".into()));
    assert_eq!((&answer["steps"][0]["line"], &answer["steps"][1]["line"]), (&().into(), &2.into()));
}

#[test]
fn lookups_on_all_nodes() {
    let folder = example();
    let key = "profile::web::service_name";
    let (code, out, err) = run(&folder, &["lookup", "--all-nodes", "--os", "debian12", "--os", "rhel9", key]);
    assert_eq!(code, Some(0), "{out}{err}");
    expect![[r#"
        profile::web::service_name on 5 nodes

        'apache2' (data/os/Debian.yaml:4)
          bastion.example.com on Debian 12
          db1.example.com on Debian 12
          db2.example.com on Debian 12
          www1.example.com on Debian 12
          www2.example.com on Debian 12

        'httpd' (data/os/RedHat.yaml:2)
          bastion.example.com on RedHat 9
          db1.example.com on RedHat 9
          db2.example.com on RedHat 9
          www1.example.com on RedHat 9
          www2.example.com on RedHat 9
    "#]]
    .assert_eq(&out);
    let (code, out, _) =
        run(&folder, &["lookup", "--all-nodes", "--os", "debian12", "--format", "json", key]);
    let answer: serde_json::Value = serde_json::from_str(&out).expect("JSON");
    let first = &answer["nodes"][0];
    assert_eq!((code, &first["value"], &first["found"]), (Some(0), &"apache2".into(), &true.into()));
    assert_eq!(first["origins"][0], serde_json::json!({ "path": "data/os/Debian.yaml", "line": 4 }));
    let (code, out, _) = run(&folder, &["lookup", "--all-nodes", "--os", "debian12", "nothing::here"]);
    assert!(code == Some(1) && out.contains("no value"), "{out}");
}

#[test]
fn lookups_on_all_nodes_of_fact_files() {
    let hierarchy = "version: 5\nhierarchy:\n  - name: Node\n    path: nodes/%{trusted.certname}.yaml\n  - name: Tier\n    path: tier/%{facts.tier}.yaml\n  - name: Common\n    path: common.yaml\n";
    let facts =
        |name: &str, tier: &str| format!("{{\"name\": \"{name}\", \"values\": {{\"tier\": \"{tier}\"}}}}");
    let folder = Folder::new(
        "all-nodes",
        &[
            ("manifests/site.pp", "\n"),
            ("hiera.yaml", hierarchy),
            ("data/common.yaml", "a: 1\nm::password: ENC[PKCS7,x]\n"),
            ("data/tier/gold.yaml", "a: 2\n"),
            ("data/nodes/web3.yaml", "a: 3\n"),
            ("facts/web1.json", &facts("web1", "gold")),
            ("facts/web2.json", &facts("web2", "gold")),
            ("facts/web3.json", &facts("web3", "gold")),
            ("facts/web4.json", &facts("web4", "tin")),
        ],
    );
    let (code, out, err) = run(&folder.0, &["lookup", "--all-nodes", "--facts", "facts", "a"]);
    assert_eq!(code, Some(0), "{out}{err}");
    expect![[r#"
        a on 4 nodes

        2 (data/tier/gold.yaml:1)
          web1
          web2

        1 (data/common.yaml:1)
          web4

        3 (data/nodes/web3.yaml:1)
          web3
    "#]]
    .assert_eq(&out);
    let (_, out, _) = run(&folder.0, &["lookup", "--all-keys", "--facts", "facts", "--node", "web1"]);
    expect![[r#"
        a: 2 (data/tier/gold.yaml:1)
        m::password: 'ENC[…]' (data/common.yaml:2)
    "#]]
    .assert_eq(&out);
    check_run(&folder, &["lookup", "--all-nodes", "a"], 2, "no node names are known");
    check_run(&folder, &["lookup", "--all-nodes", "--node", "web1", "a"], 2, "cannot be used with");
    check_run(&folder, &["lookup"], 2, "required");
}

#[test]
fn lookup_outcomes() {
    let hierarchy = "version: 5\nhierarchy:\n  - name: Family\n    path: os/%{facts.os.family}.yaml\n  - name: Common\n    path: common.yaml\n";
    let folder = Folder::new(
        "answers",
        &[
            ("manifests/site.pp", "\n"),
            ("hiera.yaml", hierarchy),
            ("data/common.yaml", "a: 1\nb: '%{lookup(\"b\")}'\n"),
        ],
    );
    for (arguments, code, expected) in [
        (&["a", "--os", "debian12"][..], 0, "1"),
        (
            &["a"],
            3,
            "open: level `Family` (os/%{facts.os.family}.yaml) depends on unknown values\nvalue if these levels have none: 1 (data/common.yaml)",
        ),
        (&["a", "--node", "web"], 3, "unknown: "),
        (&["c", "--os", "debian12"], 1, "no value found for `c`"),
        (&["b", "--os", "debian12"], 2, "recursive lookup detected"),
        (&["a", "--os", "debian12"], 0, "no node given (--node): looking up for node1.example.com"),
    ] {
        check_run(&folder, &[&["lookup"], arguments].concat(), code, expected);
    }
    folder.write(&[("hiera.yaml", &hierarchy.replace("facts.os.family", "tier"))]);
    let advice = "unknown: any value; set the facts that these paths contain with `--facts FILE`\n";
    check_run(&folder, &["lookup", "a", "--os", "debian12"], 3, advice);
    folder.write(&[("hiera.yaml", "version: 5\nhierarchy:\n  - nam: x\n")]);
    let (code, out, err) = run(&folder.0, &["lookup", "a", "--os", "debian12"]);
    assert_eq!(code, Some(2), "{out}{err}");
    assert!(err.contains(" --> hiera.yaml:3:"), "{out}{err}");
}

#[test]
fn module_path_option_overrides_the_environment() {
    let web = ("far/web/manifests/init.pp", "class web { notify { 'far': } }\n");
    let folder = Folder::new("both", &[CONTROL[0], CONTROL[1], CONTROL[2], CONTROL[3], CONTROL[4], web]);
    let arguments = ["compile", "--os", "debian12", "--environment", ".", "--modulepath", "far", "www1"];
    let (code, out, err) = run(&folder.0, &arguments);
    assert!(code == Some(0) && out.contains("Notify[far]") && !out.contains("File["), "{out}{err}");
}

#[test]
fn differences_between_revisions() {
    let folder = Folder::new("diff", MODULE);
    folder.git(&["init", "--quiet"]);
    folder.git(&["add", "."]);
    folder.git(&["commit", "--quiet", "--message", "first"]);
    let (code, out, err) = run(&folder.0, &["diff"]);
    assert_eq!((code, err.as_str()), (Some(3), ""));
    expect![[r#"
        Not compared:
        fails before and after: not here
            small::debian on RedHat 9

        no difference in 4 catalogs; 1 fails before and after; 3 are unchanged
    "#]]
    .assert_eq(&out);
    let changed = MODULE[1].1.replace("'0600'", "'0640'").replace("'secret'", "'other'");
    let changed =
        changed.replace("package { $package: ensure => present }", "package { $package: ensure => latest }");
    folder.write(&[
        ("manifests/init.pp", &changed),
        ("manifests/fresh.pp", "class small::fresh {\n  notify { 'fresh': }\n}\n"),
    ]);
    let (code, out, _) = run(&folder.0, &["diff", "--class", "small"]);
    assert_eq!(code, Some(1));
    expect![[r#"
        small on Debian 12
          ~ File[/etc/small]
          ~     content => [value redacted] (changed)
          -     mode => '0600'
          +     mode => '0640'
          ~ Package[small]
          -     ensure => 'present'
          +     ensure => 'latest'

        small on RedHat 9
          ~ File[/etc/small]
          ~     content => [value redacted] (changed)
          -     mode => '0600'
          +     mode => '0640'
          ~ Package[rh-small]
          -     ensure => 'present'
          +     ensure => 'latest'

        2 of 2 catalogs differ
    "#]]
    .assert_eq(&out);
    let (code, out, _) = run(&folder.0, &["diff", "--format", "json", "--os", "debian12"]);
    assert_eq!(code, Some(1));
    assert!(!out.contains("secret") && !out.contains("other"), "{out}");
    let all: serde_json::Value = serde_json::from_str(&out).expect("JSON");
    let kinds: Vec<String> = all
        .as_array()
        .expect("a list")
        .iter()
        .map(|it| format!("{} {}", it["class"], it["change"]))
        .collect();
    assert_eq!(
        kinds,
        [r#""small" "resources""#, r#""small::debian" "resources""#, r#""small::fresh" "new""#]
    );
    let (code, out, _) =
        run(&folder.0, &["diff", "--format", "markdown", "--os", "debian12", "--class", "small"]);
    assert_eq!(code, Some(1));
    expect![[r#"
        ### Catalogs compared with `HEAD`

        1 of 1 catalog differs.

        **`small`** on Debian 12 (2 resources)

        ```diff
        ! File[/etc/small]
        !     content => [value redacted] (changed)
        -     mode => '0600'
        +     mode => '0640'
        ! Package[small]
        -     ensure => 'present'
        +     ensure => 'latest'
        ```
    "#]]
    .assert_eq(&out);
}

#[test]
fn folders_outside_of_the_module_path_are_reported() {
    let class = |name: &str| format!("class {name} {{ notify {{ '{name}': }} }}\n");
    let (shop, stock) = (class("shop"), class("stock"));
    let files = [
        ("manifests/site.pp", "include shop\ninclude stock\n"),
        ("modules/shop/manifests/init.pp", shop.as_str()),
        ("site/stock/manifests/init.pp", stock.as_str()),
    ];
    let folder = Folder::new("folders", &files);
    let (code, _, errors) = run(&folder.0, &["compile", "--os", "debian12", "www1"]);
    assert_eq!(code, Some(0), "{errors}");
    assert_eq!(
        errors,
        "modules are also loaded from site: Puppet only does so if environment.conf lists them\n"
    );
    folder.write(&[("environment.conf", "modulepath = modules:site\n")]);
    let (code, _, errors) = run(&folder.0, &["compile", "--os", "debian12", "www1"]);
    assert_eq!((code, errors.as_str()), (Some(0), ""));
    let expected = "modules are also loaded from modules, site: they are not on the module path of Puppet\n";
    for path in ["", "\"\"", ":", "elsewhere"] {
        folder.write(&[("environment.conf", &format!("modulepath = {path}\n"))]);
        let (code, _, errors) = run(&folder.0, &["compile", "--os", "debian12", "www1"]);
        assert_eq!((code, errors.as_str()), (Some(0), expected), "{path:?}");
    }
    folder.write(&[("environment.conf", "modulepath = modules:site\n")]);
    let arguments = ["compile", "--os", "debian12", "--environment", ".", "--modulepath", "site", "www1"];
    let (code, _, errors) = run(&folder.0, &arguments);
    assert_eq!((code, errors.as_str()), (Some(0), &*expected.replace(", site", "")));
}

#[test]
fn recursion_through_a_shadowed_module() {
    let folder = Folder::new("hidden", CONTROL);
    let shout = "Puppet::Parser::Functions.newfunction(:ensure_packages) do |args|\n  call_function('ensure_packages', args)\nend\n";
    folder.write(&[
        ("environment.conf", "modulepath = modules:vendor\n"),
        ("vendor/stdlib/lib/puppet/parser/functions/ensure_packages.rb", shout),
        ("manifests/site.pp", "ensure_packages(['git'])\n"),
    ]);
    check_run(&folder, &["compile", "--os", "debian12", "www1"], 0, "Package[git]");
    folder.write(&[(".gitmodules", "[submodule \"stdlib\"]\n\tpath = modules/stdlib\n")]);
    check_run(&folder, &["compile", "--os", "debian12", "www1"], 1, "stack level too deep");
}

/// A collector in an undecided branch may or may not override what it collects, declared before or after it.
#[test]
fn overrides_of_undecided_collectors() {
    let folder = Folder::new("undecided-collector", CONTROL);
    let (given, kept) =
        ("notify { 'a': tag => 'p', message => 'given' }", "notify { 'b': message => 'kept' }");
    let branch = "if $facts['zzz'] { Notify<| tag == 'p' |> { message => 'other' } }";
    for text in [format!("{given}\n{kept}\n{branch}\n"), format!("{branch}\n{given}\n{kept}\n")] {
        folder.write(&[("manifests/site.pp", &text)]);
        let (_, out, err) = run(&folder.0, &["compile", "--os", "debian12", "www1"]);
        assert!(out.contains("message => <Any>") && out.contains("message => 'kept'"), "{text}{out}{err}");
    }
}

/// Functions of older versions of stdlib are evaluated from their code where they behave differently.
#[test]
fn functions_of_older_versions_of_stdlib() {
    let folder = Folder::new("older-stdlib", CONTROL);
    let function = |name: &str, body: &str| {
        format!(
            "module Puppet::Parser::Functions\n  newfunction(:{name}, :type => :rvalue) do |args|\n    {body}\n  end\nend\n"
        )
    };
    let path = |name: &str| format!("modules/stdlib/lib/puppet/parser/functions/{name}.rb");
    let merge = "raise Puppet::ParseError, 'merge(): two hashes' if args.length < 2\n    args.reduce({}) { |all, it| it == '' ? all : all.merge(it) }";
    let files = [
        (path("dirname"), function("dirname", "File.dirname(args[0])")),
        (path("merge"), function("merge", merge)),
        (path("parsejson"), function("parsejson", "PSON.load(args[0])")),
    ];
    for (path, text) in &files {
        folder.write(&[(path, text)]);
    }
    for (code, exit, text) in [
        ("notify { dirname(''): }", 0, "Notify[.]"),
        ("notify { dirname('/a/b'): }", 0, "Notify[/a]"),
        ("notify { merge({ 'a' => 'b' }, undef)['a']: }", 0, "Notify[b]"),
        ("notify { merge({ 'a' => 'b' })['a']: }", 1, "merge(): two hashes"),
        ("notify { 'x': message => parsejson('1') }", 0, "message => <"),
    ] {
        folder.write(&[("manifests/site.pp", &format!("{code}\n"))]);
        check_run(&folder, &["compile", "--os", "debian12", "www1"], exit, text);
    }
    // Current versions have implementations here.
    folder.write(&[(&path("dirname"), &function("dirname", "raise 'non-empty' if args[0].empty?"))]);
    folder.write(&[("manifests/site.pp", "notify { dirname('/a/b'): }\n")]);
    check_run(&folder, &["compile", "--os", "debian12", "www1"], 0, "Notify[/a]");
}

#[test]
fn errors_in_inline_templates_have_a_line() {
    let folder = Folder::new("inline", CONTROL);
    let text = "$text = \"<%- $x = 1 -%>\\n<%= $x + 'a' %>\"\nnotice(inline_epp($text))\n";
    folder.write(&[("manifests/site.pp", &text.replace("$x", "\\$x"))]);
    let expected = "line 2 of the template: `'a'` is not a number\n --> manifests/site.pp:2:";
    check_run(&folder, &["compile", "--os", "debian12", "www1"], 1, expected);
}

#[test]
fn missing_module_of_a_file() {
    let folder = Folder::new("absent", CONTROL);
    folder.write(&[("manifests/site.pp", "notify { file('gone/a.txt'): }\n")]);
    check_run(&folder, &["compile", "--os", "debian12", "www1"], 0, "open: module `gone` not found");
}

#[test]
fn absolute_paths_of_module_files() {
    let folder = Folder::new("full-path", CONTROL);
    folder.write(&[
        ("modules/web/files/a.txt", "of the module"),
        ("manifests/site.pp", "notify { file(\"${module_directory('web')}/files/a.txt\"): }\n"),
    ]);
    check_run(&folder, &["compile", "--os", "debian12", "www1"], 0, "Notify[of the module]");
}

const TWO_FUNCTIONS: &str = "\
module Puppet::Parser::Functions
  newfunction(:'boxes::quote', type: :rvalue) do |args|
    \"<#{args[0]}>\"
  end

  newfunction(:boxes_flags, type: :rvalue) do |args|
    flags = []
    flags << \"-u #{call_function('boxes::quote', [args[0]['user']])}\" if args[0]['user']
    flags.join(' ')
  end
end
";

/// Code with the catalogs and errors of real Puppet.
#[test]
fn code_that_loads_and_calls_in_unusual_ways() {
    let files = [
        ("boxes/lib/puppet/parser/functions/boxes_flags.rb", TWO_FUNCTIONS),
        ("me-shop/metadata.json", r#"{ "name": "me-shop" }"#),
        ("me-shop/manifests/init.pp", "class shop { notify { 'x': } }\n"),
        ("k/manifests/a.pp", "class k::a { notify { 'a': } }\nclass k::ab { notify { 'kab': } }\n"),
    ];
    let folder = Folder::new("unusual", &files);
    let cases = [
        ("notify { 'a': message => boxes_flags({ 'user' => 'me' }) }", 0, "message => '-u <me>'"),
        ("include shop", 1, "unknown class `shop`"),
        ("include k::ab", 1, "unknown class `k::ab`"),
        ("include k::a  include k::ab", 0, "Notify[kab]"),
        ("include k::a  class { 'k::ab': }", 0, "Notify[kab]"),
        (
            "function f($x) { if $x == 2 { break() } $x } notify { [1, 2, 3].map |$x| { \"n${f($x)}\" }: }",
            0,
            "Notify[n1]",
        ),
        ("function f() { break() } with(1) |$x| { f() }", 1, "`break()` outside of an iteration"),
    ];
    for (code, expected_code, expected) in cases {
        let arguments = ["compile", "--modulepath", ".", "--os", "debian12", "--code", code];
        check_run(&folder, &arguments, expected_code, expected);
    }
}

#[test]
fn facts_and_certificates_are_those_given() {
    let facts = r#""dmi": { "bios": { "version": "1.2" } }, "networking": { "fqdn": "a.b" }"#;
    let files = [
        ("without.json", format!("{{ {facts} }}")),
        ("with.json", format!(r#"{{ {facts}, "fqdn": "a.b" }}"#)),
        ("trusted.json", format!(r#"{{ {facts}, "trusted": {{ "extensions": {{ "pp_role": "db" }} }} }}"#)),
    ];
    let files = files.each_ref().map(|(path, text)| (*path, text.as_str()));
    let folder = Folder::new("given", &files);
    let fact = r#"notify { "[${facts['bios_version']}] [${facts['fqdn']}]": }"#;
    for version in ["7", "8"] {
        for (file, expected) in [("without.json", "Notify[[] []]"), ("with.json", "Notify[[] [a.b]]")] {
            let arguments = ["compile", "--puppet-version", version, "--code", fact, "--facts", file];
            check_run(&folder, &arguments, 0, expected);
        }
    }
    let role = r#"notify { "role ${trusted['extensions']['pp_role']}": }"#;
    let from_file = ["compile", "--code", role, "--facts", "trusted.json"];
    check_run(&folder, &from_file, 0, "Notify[role db]");
    let given = ["compile", "--code", role, "--facts", "trusted.json", "--trusted", "pp_role=web"];
    check_run(&folder, &given, 0, "Notify[role web]");
    check_run(&folder, &["compile", "--code", role, "--trusted", "pp_role"], 2, "NAME=VALUE");
}

#[test]
fn origins_of_resources_and_parameters() {
    let files = [
        ("environment.conf", ""),
        ("manifests/site.pp", "File { mode => '0600' }\nnode 'a' {\n  include web\n}\n"),
        (
            "modules/web/manifests/init.pp",
            "class web(Integer $port = 80) {\n  @web::site { 'x':\n    port => $port,\n  }\n  Web::Site <| title == 'x' |> {\n    log => true,\n  }\n  file { '/web': content => String(1) }\n  -> file { '/web/b': }\n}\n",
        ),
        (
            "modules/web/manifests/site.pp",
            "define web::site($port, $log = false, $size = 1) {\n  create_resources('file', { '/srv' => { ensure => directory } })\n}\n",
        ),
    ];
    let folder = Folder::new("why", &files);
    let why = |reference: &str| {
        let (code, out, err) = run(&folder.0, &["compile", "--os", "debian12", "a", "--why", reference]);
        assert_eq!((code, err.as_str()), (Some(0), ""), "{out}");
        out
    };
    expect![[r#"
        Web::Site[x]
          declared at modules/web/manifests/init.pp:2
          by Class[Web], declared at manifests/site.pp:3 (`include`)
          by Node[a], declared at manifests/site.pp:2
          collected at modules/web/manifests/init.pp:5

          log => true  modules/web/manifests/init.pp:6 (collector)
          port => 80  modules/web/manifests/init.pp:3
          size => 1  default of the parameter
    "#]]
    .assert_eq(&why("web::site[x]"));
    expect![[r#"
        File[/web]
          declared at modules/web/manifests/init.pp:8
          by Class[Web], declared at manifests/site.pp:3 (`include`)
          by Node[a], declared at manifests/site.pp:2

          before => ['File[/web/b]']  modules/web/manifests/init.pp:9
          content => '1'  modules/web/manifests/init.pp:8
          mode => '0600'  manifests/site.pp:1 (resource default)
    "#]]
    .assert_eq(&why("File['/web']"));
    expect![[r#"
        File[/srv]
          declared at modules/web/manifests/site.pp:2 (`create_resources`)
          by Web::Site[x], declared at modules/web/manifests/init.pp:2
          by Class[Web], declared at manifests/site.pp:3 (`include`)
          by Node[a], declared at manifests/site.pp:2

          ensure => 'directory'  from a function, the title, or the default of the parameter
          mode => '0600'  manifests/site.pp:1 (resource default)
    "#]]
    .assert_eq(&why("File[/srv]"));
    expect![[r#"
        Class[Web]
          declared at manifests/site.pp:3 (`include`)
          by Node[a], declared at manifests/site.pp:2

          port => 80  default of the parameter
    "#]]
    .assert_eq(&why("class[web]"));
    let (code, _, err) = run(&folder.0, &["compile", "--os", "debian12", "a", "--why", "File[/wob]"]);
    let expected = "error: resource `File[/wob]` is not in the catalog\nhelp: did you mean `File[/web]`?\n";
    assert_eq!((code, err.as_str()), (Some(1), expected));

    let (code, out, _) = run(&folder.0, &["compile", "--os", "debian12", "a", "--only", "Web::Site[x]"]);
    assert_eq!(code, Some(0));
    expect![[r#"
        Web::Site[x]  modules/web/manifests/init.pp:2
        │ log => true
        │ port => 80
        │ size => 1
        └─ File[/srv]  modules/web/manifests/site.pp:2
             ensure => 'directory'
             mode => '0600'
        2 of 4 resources
    "#]]
    .assert_eq(&out);
    let json = ["compile", "--os", "debian12", "a", "--only", "Web::Site[x]", "--format", "json"];
    let (_, out, _) = run(&folder.0, &json);
    let catalog: serde_json::Value = serde_json::from_str(&out).expect("JSON");
    let titles = catalog["resources"].as_array().expect("an array").iter().map(|it| &it["title"]);
    assert_eq!(titles.collect::<Vec<_>>(), ["x", "/srv"]);
    folder.write(&[
        ("hiera.yaml", "version: 5\nhierarchy:\n  - name: n\n    path: common.yaml\n"),
        ("data/common.yaml", "other: 1\nweb::port: 8080\n"),
    ]);
    let out = why("Class[web]");
    assert!(out.contains("  port => 8080  data/common.yaml:2 (data)\n"), "{out}");
}

#[test]
fn ruby_functions_call_others_in_the_top_scope() {
    let files = [
        ("environment.conf", "modulepath = modules\n"),
        ("manifests/site.pp", "$x = 'global'\nnode default { include n }\n"),
        (
            "modules/n/manifests/init.pp",
            "class n {\n  $x = 'local'\n  n::make('modern')\n  old_make('legacy')\n  ensure_packages('git')\n  notify { n::text(): }\n}\n",
        ),
        (
            "modules/n/lib/puppet/functions/n/make.rb",
            "Puppet::Functions.create_function(:'n::make') do
  def make(title)
    call_function('create_resources', 'notify', { title => {} })
  end
end\n",
        ),
        (
            "modules/n/lib/puppet/functions/n/text.rb",
            "Puppet::Functions.create_function(:'n::text') do
  def text
    call_function('inline_template', 'x is <%= @x %>')
  end
end\n",
        ),
        (
            "modules/n/lib/puppet/parser/functions/old_make.rb",
            "module Puppet::Parser::Functions
  newfunction(:old_make) { |args| call_function('create_resources', ['notify', { args[0] => {} }]) }
end\n",
        ),
        (
            "modules/stdlib/lib/puppet/functions/ensure_packages.rb",
            "Puppet::Functions.create_function(:ensure_packages) do
  dispatch :forward do
    repeated_param 'Any', :args
  end
  def forward(*args)
    call_function('stdlib::ensure_packages', *args)
  end
end\n",
        ),
        (
            "modules/stdlib/lib/puppet/functions/stdlib/ensure_packages.rb",
            "Puppet::Functions.create_function(:'stdlib::ensure_packages') do\nend\n",
        ),
    ];
    let folder = Folder::new("top-scope", &files);
    let (code, out, err) = run(&folder.0, &["compile", "web1", "--os", "debian12"]);
    assert_eq!(code, Some(0), "{out}{err}");
    expect![[r#"
        Class[main]  (2 resources)
        ├─ Node[default]  manifests/site.pp:2
        ├─ Notify[modern]  modules/n/manifests/init.pp:3
        └─ Package[git]  modules/n/manifests/init.pp:5
             ensure => 'installed'
        Class[N]  manifests/site.pp:2  (2 resources)
        ├─ Notify[legacy]  modules/n/manifests/init.pp:4
        └─ Notify[x is global]  modules/n/manifests/init.pp:6
        4 resources, 1 class
    "#]]
    .assert_eq(&out);
}

#[test]
fn certificate_extensions_are_unknown_without_facts() {
    let files = [
        ("environment.conf", "modulepath = modules\n"),
        (
            "hiera.yaml",
            "version: 5\nhierarchy:\n  - name: Role\n    path: \"%{trusted.extensions.pp_role}.yaml\"\n",
        ),
        ("data/web.yaml", "some::key: 1\n"),
        ("manifests/site.pp", "if $trusted['extensions']['pp_role'] == undef { fail('no role') }\n"),
    ];
    let folder = Folder::new("extensions", &files);
    let (code, out, err) = run(&folder.0, &["compile", "web1"]);
    assert_eq!(code, Some(0), "{out}{err}");
    let (code, out, err) = run(&folder.0, &["compile", "web1", "--trusted", "pp_role=web"]);
    assert_eq!(code, Some(0), "{out}{err}");
    for facts in [&["--os", "debian12"][..], &[]] {
        let (code, out, _) = run(&folder.0, &[&["lookup", "some::key", "--node", "web1"], facts].concat());
        assert_eq!(code, Some(3), "{out}");
        assert!(out.starts_with("unknown: any value; set certificate extensions with `--trusted`"), "{out}");
    }
}

#[test]
fn variables_of_the_main_manifest_are_no_reason_to_fail() {
    let folder = Folder::new("variables-of-main", CONTROL);
    let class = "class web {\n  notify { $osfamily: }\n  notify { \"${role} ${other}\": }\n}\n";
    folder.write(&[
        ("manifests/site.pp", "$osfamily = 'mine'\nnode default {\n  $role = 'web'\n}\n"),
        ("modules/web/manifests/init.pp", class),
    ]);
    let (code, out, err) = run(&folder.0, &["compile", "--class", "web", "--os", "debian12"]);
    assert_eq!(code, Some(0), "{out}{err}");
    assert!(err.contains("variable `$other` is not set in the project"), "{err}");
    assert!(!err.contains("`$role`") && !err.contains("`$osfamily`"), "{err}");
}

#[test]
fn wrong_types_of_data_are_located_in_the_data_file() {
    let folder = Folder::new("types-of-data", CONTROL);
    folder.write(&[
        ("data/common.yaml", "other: 1\nweb::port: 'text'\n"),
        ("manifests/site.pp", "node default {\n  include web\n}\n"),
    ]);
    for arguments in
        [&["compile", "--os", "debian12", "a"][..], &["compile", "--os", "debian12", "--class", "web"]]
    {
        let (code, _, err) = run(&folder.0, arguments);
        assert_eq!(code, Some(1), "{err}");
        for part in ["parameter 'port' expects an Integer value, got String", "--> data/common.yaml:2:12"] {
            assert!(err.contains(part), "{part}: {err}");
        }
    }
    check_run(&folder, &["compile", "--os", "debian12", "a"], 1, "included here: manifests/site.pp:2:3");
}
