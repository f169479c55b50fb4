//! What is said of Hiera's configurations and data.

use check::{Tier, diagnostics};
use expect_test::{Expect, expect};
use project::testing::TestWorkspace;

const OTHERS: &str = r#"
//- /modules/apache/hiera.yaml
version: 5
//- /modules/apache/data/other.yaml
apache::port: not read
//- /modules/apache/manifests/init.pp
class apache(Integer $port, Enum['on', 'off'] $mode = 'on', Optional[Hash[String, Array[String]]] $sites = undef, $any = 1) {
  $color = lookup('apache::color')
  notice($port, $mode, $sites, $any, $color)
}
"#;

/// The findings in the file, each with the text it is about.
fn check(path: &str, text: &str, expected: Expect) {
    let text = text.trim_start();
    let fixture = format!("//- environment: roots=/ module_path=/modules{OTHERS}//- {path}\n{text}");
    let found = std::thread::scope(|scope| {
        let ask = || {
            let workspace = TestWorkspace::new(&fixture);
            let mut found = Vec::new();
            for tier in Tier::LIVE {
                found.extend(diagnostics(&workspace.db, workspace.file(path), tier));
            }
            found
        };
        let thread = std::thread::Builder::new().stack_size(eval::STACK_SIZE);
        let thread = thread.spawn_scoped(scope, ask).expect("a thread");
        thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    });
    let lines = found.iter().map(|it| {
        let about = text[it.range.as_range()].lines().next().unwrap_or_default();
        format!("{:?} {} `{about}`: {}\n", it.severity(), it.code, it.message)
    });
    expected.assert_eq(&lines.collect::<String>());
}

#[test]
fn data_with_which_all_is_well() {
    check(
        "/modules/apache/data/common.yaml",
        "
---
apache::port: 80
apache::mode: 'on'
apache::sites:
  a: [b, \"%{facts.os.family}\"]
  c: \"%{alias('apache::color')}\"
apache::any: ~
apache::color: red
lookup_options:
  apache::sites: {merge: deep}
",
        expect![[""]],
    );
}

#[test]
fn values_that_do_not_fit_and_keys_of_nothing() {
    check(
        "/modules/apache/data/common.yaml",
        "
apache::port: '80'
apache::mode: on
apache::sites: {a: b}
apache::nope: 1
other::nope: 1
",
        expect![[r#"
            Warning data-type-mismatch `'80'`: the parameter $port of 'apache' expects an Integer value, got String '80'
            Warning data-type-mismatch `on`: the parameter $mode of 'apache' expects a match for Enum['off', 'on'], got Boolean true
            Warning data-type-mismatch `{a: b}`: the parameter $sites of 'apache', entry 'a' expects an Array[String] value, got String 'b'
            Hint data-unknown-parameter `apache::nope`: the class 'apache' has no parameter 'nope'
        "#]],
    );
}

#[test]
fn keys_that_are_read_are_no_parameters() {
    check(
        "/modules/apache/data/common.yaml",
        "
apache::port: 80
apache::zone: example.org
apache::host: \"%{hiera('apache::zone')}\"
apache::peer: \"%{alias('apache::any')}\"
apache::any: \"%{lookup('apache::peer.name')}\"
",
        expect![[r#"
            Hint data-unknown-parameter `apache::host`: the class 'apache' has no parameter 'host'
        "#]],
    );
}

#[test]
fn data_below_the_place_of_environments_on_a_server_are_the_environments() {
    for (datadir, is_read) in [
        ("/etc/puppetlabs/code/environments/%{environment}/nodes", true),
        ("/etc/puppetlabs/code/environments/%{::environment}/nodes", true),
        ("/etc/puppetlabs/code/environments/production/nodes", false),
        ("/etc/puppetlabs/code/environments/%{environment}x/nodes", false),
        ("/srv/%{environment}/nodes", false),
    ] {
        let fixture = format!(
            "//- environment: roots=/\n//- /hiera.yaml\nversion: 5\nhierarchy:\n  - {{name: one, datadir: '{datadir}', path: all.yaml}}\n\
             //- /manifests/site.pp\nnode default {{ }}\n//- /nodes/all.yaml\na: 1\na: 2\n"
        );
        let workspace = TestWorkspace::new(&fixture);
        let found =
            Tier::LIVE.map(|tier| diagnostics(&workspace.db, workspace.file("/nodes/all.yaml"), tier).len());
        assert_eq!(found.iter().sum::<usize>(), usize::from(is_read), "{datadir}");
    }
}

#[test]
fn texts_that_hiera_refuses() {
    check(
        "/modules/apache/data/common.yaml",
        "
apache::any: 2001-01-01
apache::port: 80
apache::port: 81
apache::color:
  - :symbol
  - \"%{nope('x')}\"
  - \"x%{alias('y')}\"
  - \"%{a..b}\" # lint:ignore:data-interpolation
  - [1, 2
",
        expect![[r#"
            Error data-value `2001-01-01`: data cannot hold a date; quote it to make it a text
            Warning data-duplicate-key `apache::port`: the key 'apache::port' stands twice; the last one wins
            Warning data-symbol `:symbol`: ':symbol' is a Ruby symbol, which data cannot hold; quote it to make it a text
            Error data-interpolation `%{nope('x')}`: 'nope' is no function of interpolations: there are lookup, hiera, alias, scope and literal
            Error data-interpolation `%{alias('y')}`: 'alias' must be the whole text; 'lookup' can stand between other text
            Error data-syntax `[1`: unclosed bracket '['
        "#]],
    );
}

#[test]
fn what_is_no_data_is_left_alone() {
    check("/modules/apache/data/unread.yaml", "a: [\n", expect![[""]]);
    check("/modules/apache/locales/config.yaml", "a: [\n", expect![[""]]);
}

#[test]
fn configurations() {
    check(
        "/modules/apache/hiera.yaml",
        "
version: 5
defaults:
  data_hash: yaml_data
  lookup_key: eyaml_lookup_key
hierarchy:
  - name: one
    path: a.yaml
    paths: [b.yaml]
  - name: one
    glob: '%{lookup(\"x\")}.yaml'
    nope: 1
  - path: c.yaml
",
        expect![[r#"
            Error hiera-configuration `lookup_key`: only one of data_hash, lookup_key, data_dig or hiera3_backend may stand in 'defaults'
            Error hiera-configuration `paths`: only one of path, paths, glob, globs, uri, uris, mapped_paths may stand in an entry
            Error hiera-configuration `one`: there are two entries named 'one'
            Error hiera-configuration `'%{lookup("x")}.yaml'`: only variables can be interpolated here, functions cannot
            Error hiera-configuration `nope`: an entry of the hierarchy has no key 'nope'; there are name, options, datadir, data_hash, lookup_key, data_dig, hiera3_backend, v4_data_hash, path, paths, glob, globs, uri, uris, mapped_paths
            Error hiera-configuration ``: 'name' is missing
        "#]],
    );
    // What an alias stands for counts.
    check(
        "/modules/apache/hiera.yaml",
        "
version: 5
hierarchy:
  - &base
    name: one
    paths: &paths [a.yaml, '%{nope(\"x\")}.yaml']
  - name: two
    paths: *paths
  - <<: *base
    name: three
",
        expect![[r#"
            Error hiera-configuration `'%{nope("x")}.yaml'`: 'nope' is no function of interpolations: there are lookup, hiera, alias, scope and literal
            Error hiera-configuration `*paths`: 'nope' is no function of interpolations: there are lookup, hiera, alias, scope and literal
            Error hiera-configuration `*base`: 'nope' is no function of interpolations: there are lookup, hiera, alias, scope and literal
        "#]],
    );
    check(
        "/modules/apache/hiera.yaml",
        ":backends: yaml\n",
        expect![[r#"
        Error hiera-configuration ``: version 3 works in the global layer only; write version 5 here, with 'version: 5'
    "#]],
    );
}

#[test]
fn legacy_facts_are_interpolated() {
    check(
        "/modules/apache/data/common.yaml",
        "
# %{::osfamily}
apache::port: 80 # %{::osfamily}
apache::color: \"%{::osfamily} %{facts.operatingsystem} %{ ::ipaddress_eth0 } %{osfamily} %{facts.os.family}\"
apache::any: {'%{::uptime_days}': '%{facts.nosuch}', b: ['%{::sshfp_rsa}']}
",
        expect![[r#"
            Warning legacy-fact `::osfamily`: 'osfamily' is a legacy fact, which Puppet 8 does not have by default; write %{facts.os.family}
            Warning legacy-fact `facts.operatingsystem`: 'operatingsystem' is a legacy fact, which Puppet 8 does not have by default; write %{facts.os.name}
            Warning legacy-fact `::ipaddress_eth0`: 'ipaddress_eth0' is a legacy fact, which Puppet 8 does not have by default; write %{facts.networking.interfaces.eth0.ip}
            Warning legacy-fact `::uptime_days`: 'uptime_days' is a legacy fact, which Puppet 8 does not have by default; write %{facts.system_uptime.days}
            Warning legacy-fact `::sshfp_rsa`: 'sshfp_rsa' is a legacy fact, which Puppet 8 does not have by default
        "#]],
    );
    check(
        "/modules/apache/hiera.yaml",
        "
version: 5
hierarchy:
  - name: 'By %{::osfamily}'
    paths: ['%{osfamily}.yaml', '%{facts.operatingsystemmajrelease}/%{trusted.certname}.yaml'] # %{osfamily}
  - {name: Zone, path: \"zone/%{zone}.yaml\"}
",
        expect![[r#"
            Warning legacy-fact `::osfamily`: 'osfamily' is a legacy fact, which Puppet 8 does not have by default; write %{facts.os.family}
            Warning legacy-fact `osfamily`: 'osfamily' is a legacy fact, which Puppet 8 does not have by default; write %{facts.os.family}
            Warning legacy-fact `facts.operatingsystemmajrelease`: 'operatingsystemmajrelease' is a legacy fact, which Puppet 8 does not have by default; write %{facts.os.release.major}
        "#]],
    );
}
