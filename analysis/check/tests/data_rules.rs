//! Findings in Hiera configurations and data.

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

/// Returns the findings in a file.
fn findings(path: &str, text: &str) -> Vec<check::Diagnostic> {
    let fixture = format!("//- environment: roots=/ module_path=/modules{OTHERS}//- {path}\n{text}");
    std::thread::scope(|scope| {
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
    })
}

/// Checks the findings in the file, each with the text of its range.
fn check(path: &str, text: &str, expected: Expect) {
    let text = text.trim_start();
    let found = findings(path, text);
    let lines = found.iter().map(|it| {
        let about = text[it.range.as_range()].lines().next().unwrap_or_default();
        format!("{:?} {} `{about}`: {}\n", it.severity(), it.code, codes::single_line(&it.message))
    });
    expected.assert_eq(&lines.collect::<String>());
}

#[test]
fn valid_data_have_no_findings() {
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
fn mismatched_values_and_unknown_parameters() {
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
            Warning data-type-mismatch `'80'`: parameter `$port` of class `apache` expects an Integer value, got String '80'
            Warning data-type-mismatch `on`: parameter `$mode` of class `apache` expects a match for Enum['off', 'on'], got Boolean true
            Warning data-type-mismatch `{a: b}`: parameter `$sites` of class `apache`, entry 'a' expects an Array[String] value, got String 'b'
            Hint data-unknown-parameter `apache::nope`: class `apache` has no parameter `nope`
        "#]],
    );
}

#[test]
fn keys_that_are_looked_up_are_not_parameters() {
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
            Hint data-unknown-parameter `apache::host`: class `apache` has no parameter `host`
        "#]],
    );
}

#[test]
fn data_below_the_environments_folder_belong_to_their_environment() {
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
fn invalid_data_files() {
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
            Error data-value `2001-01-01`: a date is not allowed in data (help: quote it to make it a string)
            Warning data-duplicate-key `apache::port`: duplicate key `apache::port`; the last value wins
            Warning data-symbol `:symbol`: Ruby symbol `:symbol` is not allowed in data (help: quote it to make it a string)
            Error data-interpolation `%{nope('x')}`: unknown interpolation method `nope` (help: use `lookup`, `hiera`, `alias`, `scope` or `literal`)
            Error data-interpolation `%{alias('y')}`: `alias` interpolation is only permitted if it is the entire string (help: use `lookup` inside a longer string)
            Error data-syntax `[1`: unclosed bracket `[`
        "#]],
    );
}

#[test]
fn files_without_data_are_ignored() {
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
            Error hiera-configuration `lookup_key`: multiple data functions in `defaults` (help: keep only one of `data_hash`, `lookup_key`, `data_dig` or `hiera3_backend`)
            Hint hiera-path `a.yaml`: no file matches `a.yaml`
            Error hiera-configuration `paths`: multiple locations in a hierarchy entry (help: keep only one of `path`, `paths`, `glob`, `globs`, `uri`, `uris`, `mapped_paths`)
            Error hiera-configuration `one`: duplicate hierarchy entry `one`
            Error hiera-configuration `'%{lookup("x")}.yaml'`: interpolation using method syntax is not allowed in this context
            Error hiera-configuration `nope`: unknown key `nope` in a hierarchy entry (help: use one of `name`, `options`, `datadir`, `data_hash`, `lookup_key`, `data_dig`, `hiera3_backend`, `v4_data_hash`, `path`, `paths`, `glob`, `globs`, `uri`, `uris`, `mapped_paths`)
            Error hiera-configuration ``: missing key `name`
            Hint hiera-path `c.yaml`: no file matches `c.yaml`
        "#]],
    );
    // The type of an alias applies.
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
            Hint hiera-path `a.yaml`: no file matches `a.yaml`
            Error hiera-configuration `'%{nope("x")}.yaml'`: unknown interpolation method `nope` (help: use `lookup`, `hiera`, `alias`, `scope` or `literal`)
            Error hiera-configuration `*paths`: unknown interpolation method `nope` (help: use `lookup`, `hiera`, `alias`, `scope` or `literal`)
            Hint hiera-path `*paths`: no file matches `a.yaml`
            Error hiera-configuration `*base`: unknown interpolation method `nope` (help: use `lookup`, `hiera`, `alias`, `scope` or `literal`)
            Hint hiera-path `*base`: no file matches `a.yaml`
        "#]],
    );
    check(
        "/modules/apache/hiera.yaml",
        "
version: 5
hierarchy:
  - {name: one, data_hash: 'apache::nope', path: other.yaml}
  - {name: two, lookup_key: 'missing::nope'}
  - {name: three, lookup_key: eyaml_lookup_key, path: other.yaml}
",
        expect![[r#"
            Error hiera-configuration `'apache::nope'`: unknown function `apache::nope`
        "#]],
    );
    check(
        "/modules/apache/hiera.yaml",
        ":backends: yaml\n",
        expect![[r#"
            Error hiera-configuration ``: version 3 is only supported in the global layer (help: convert the file to version 5 by hand: Puppet ignores it, and a module may not need it)
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
apache::mode: \"%{scope('ipaddress')}\"
other: '%{hostname}'
",
        expect![[r#"
            Warning legacy-fact `::osfamily`: legacy fact `osfamily` is not available in Puppet 8 by default (help: use `%{facts.os.family}`)
            Warning legacy-fact `facts.operatingsystem`: legacy fact `operatingsystem` is not available in Puppet 8 by default (help: use `%{facts.os.name}`)
            Warning legacy-fact `::ipaddress_eth0`: legacy fact `ipaddress_eth0` is not available in Puppet 8 by default (help: use `%{facts.networking.interfaces.eth0.ip}`)
            Warning legacy-fact `osfamily`: legacy fact `osfamily` is not available in Puppet 8 by default (help: use `%{facts.os.family}`)
            Warning legacy-fact `::uptime_days`: legacy fact `uptime_days` is not available in Puppet 8 by default (help: use `%{facts.system_uptime.days}`)
            Warning legacy-fact `::sshfp_rsa`: legacy fact `sshfp_rsa` is not available in Puppet 8 by default
            Warning legacy-fact `ipaddress`: legacy fact `ipaddress` is not available in Puppet 8 by default (help: use `%{facts.networking.ip}`)
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
            Warning legacy-fact `::osfamily`: legacy fact `osfamily` is not available in Puppet 8 by default (help: use `%{facts.os.family}`)
            Warning legacy-fact `osfamily`: legacy fact `osfamily` is not available in Puppet 8 by default (help: use `%{facts.os.family}`)
            Hint hiera-path `'%{facts.operatingsystemmajrelease}/%{trusted.certname}.yaml'`: no file matches `%{facts.operatingsystemmajrelease}/%{trusted.certname}.yaml`
            Warning legacy-fact `facts.operatingsystemmajrelease`: legacy fact `operatingsystemmajrelease` is not available in Puppet 8 by default (help: use `%{facts.os.release.major}`)
            Hint hiera-path `"zone/%{zone}.yaml"`: no file matches `zone/%{zone}.yaml`
        "#]],
    );
}

#[test]
fn files_without_a_hash() {
    for (text, expected) in [
        (
            "apache::port:8081\napache::mode:on\n",
            "Error `apache::port:8081`: help: add a space after each colon: `key: value`",
        ),
        ("- apache::port\n", "Error `- apache::port`: "),
        ("8081\n", "Error `8081`: "),
        ("", ""),
        ("---\n", ""),
        ("# apache::port: 1\n", ""),
        ("~\n", ""),
    ] {
        let found = findings("/modules/apache/data/common.yaml", text);
        let found = found.iter().map(|it| {
            let help = codes::single_line(&it.message);
            let help = help.split_once('(').map_or("", |(_, help)| help.trim_end_matches(')'));
            assert_eq!(it.code.as_str(), "data-not-a-hash");
            format!(
                "{:?} `{}`: {help}",
                it.severity(),
                &text[it.range.as_range()].lines().next().unwrap_or_default()
            )
        });
        assert_eq!(found.collect::<String>(), expected, "{text:?}");
    }
}

#[test]
fn byte_order_marks_in_data() {
    for (text, expected) in [
        ("\u{feff}---\napache::port: 1\n", "so Puppet cannot parse it"),
        ("\u{feff}apache::port: 1\napache::mode: 'on'\n", "so Puppet ignores what follows the first entry"),
        ("\u{feff}apache::port: 1\n", ""),
        ("\u{feff}# comment\napache::port: 1\napache::mode: 'on'\n", ""),
    ] {
        let found = findings("/modules/apache/data/common.yaml", text);
        match expected {
            "" => assert_eq!(found, []),
            expected => {
                assert_eq!(found[0].code.as_str(), "byte-order-mark");
                assert!(found[0].message.contains(expected), "{}", found[0].message);
            }
        }
    }
}

#[test]
fn lookup_options() {
    check(
        "/modules/apache/data/common.yaml",
        "
apache::port: 80
apache::any: [a]
lookup_options:
  apache::any: {merge: {strategy: unique, knockout_prefix: '--'}}
  apache::port: {merge: nonsense, convert_to: 'Array['}
  apache::sites: {merge: {strategy: deep, knockout_prefix: 1}, strategy: deep}
  apache::color: {merge: {sort_merged_arrays: true}}
  apache::mode: unique
  other::any: {merge: unique}
  '^apache::(': {merge: 5}
  apache::nothing: {merge: unique}
  'apache::(a|b)': {merge: unique}
",
        expect![[r#"
            Error data-lookup-options `knockout_prefix`: merge strategy `unique` does not accept the option `knockout_prefix`
            Error data-lookup-options `nonsense`: unknown merge strategy `nonsense` (help: use `first`, `unique`, `hash`, or `deep`)
            Error data-lookup-options `'Array['`: invalid type `Array[`: unclosed delimiter (help: add the closing `]`)
            Error data-lookup-options `knockout_prefix`: invalid option `knockout_prefix` for merge strategy `deep`
            Warning data-lookup-options `strategy`: unknown option `strategy` is ignored (help: write `merge: {strategy: ...}`)
            Error data-lookup-options `{sort_merged_arrays: true}`: `merge` must have a `strategy` (help: use `first`, `unique`, `hash`, or `deep`)
            Warning data-lookup-options `unique`: options of `apache::mode` must be a hash; they are ignored
            Error data-lookup-options `other::any`: options of a module must be for keys that begin with `apache::`
            Error data-lookup-options `'^apache::('`: invalid regular expression `^apache::(`
            Error data-lookup-options `5`: merge strategy must be a string (help: use `first`, `unique`, `hash`, or `deep`)
            Warning data-lookup-options `apache::nothing`: options of `apache::nothing` have no effect: no data and no class parameter has this key
            Warning data-lookup-options `'apache::(a|b)'`: `apache::(a|b)` is read as a key, because it does not begin with `^` (help: write `^apache::(a|b)`)
        "#]],
    );
}

#[test]
fn keys_that_no_parameter_has() {
    check(
        "/modules/apache/data/common.yaml",
        "
'::apache::port': 1
apache::Port: 1
apache:port: 1
Apache::port: 1
apache::po-rt: 1
apache::port: 1
'http://example.com': 1
a::B: 1
'apache::port:': 1
apache:::three: 1
apache:single: 1
other:single: 1
",
        expect![[r#"
            Warning data-key `'::apache::port'`: key `::apache::port` is not looked up automatically: it begins with `::` (help: write `apache::port`)
            Warning data-key `apache::Port`: key `apache::Port` is not looked up automatically: names of classes and parameters are lowercase (help: write `apache::port`)
            Hint data-unknown-parameter `apache::Port`: class `apache` has no parameter `Port`
            Warning data-key `apache:port`: key `apache:port` is not looked up automatically: its parts are not separated by `::` (help: write `apache::port`)
            Warning data-key `Apache::port`: key `Apache::port` is not looked up automatically: names of classes and parameters are lowercase (help: write `apache::port`)
            Hint data-unknown-parameter `apache::po-rt`: class `apache` has no parameter `po-rt`
            Warning data-key `'apache::port:'`: key `apache::port:` is not looked up automatically: its parts are not separated by `::` (help: write `apache::port`)
            Hint data-unknown-parameter `'apache::port:'`: class `apache` has no parameter `port:`
            Warning data-key `apache:::three`: key `apache:::three` is not looked up automatically: its parts are not separated by `::` (help: write `apache::three`)
            Warning data-key `apache:single`: key `apache:single` is not looked up automatically: its parts are not separated by `::` (help: write `apache::single`)
        "#]],
    );
}

#[test]
fn interpolations_without_a_value() {
    check(
        "/modules/apache/data/common.yaml",
        "
apache::any:
  - \"%{lookup(apache::port)}\"
  - \"%{lookup('apache::port)}\"
  - \"%{facts[os][family]}\"
  - \"%{$facts.os.family}\"
  - \"%{facts.networking.fqdnn}\"
  - \"%{facts.os.family} %{my-fact} %{trusted.certname}\"
  - \"%{literal('%')}{x}\"
",
        expect![[r#"
            Error data-interpolation `%{lookup(apache::port)}`: `lookup(apache::port)` is read as the name of a variable, which cannot exist (help: quote the argument: `%{lookup('apache::port')}`)
            Error data-interpolation `%{lookup('apache::port)}`: invalid key `lookup('apache::port)` (help: separate names or quoted names with dots)
            Error data-interpolation `%{facts[os][family]}`: `facts[os][family]` is read as the name of a variable, which cannot exist (help: write `%{facts.os.family}`)
            Error data-interpolation `%{$facts.os.family}`: `$facts.os.family` is read as the name of a variable, which cannot exist (help: write `%{facts.os.family}`)
            Warning unknown-fact `fqdnn`: fact `networking` has no key `fqdnn` (help: did you mean `fqdn`?)
        "#]],
    );
}

#[test]
fn encrypted_blocks() {
    check(
        "/modules/apache/data/common.yaml",
        "
apache::any:
  - ENC[PKCS7,MIIBeQYJ]
  - 'ENC[PKCS7,not base64!!]'
  - 'user:ENC[PKCS7,MIIBeQYJKoZ]@host'
  - 'ENC[PKCS7,MIIBeQYJ'
  - 'ENC[GPG,]'
  - 'an ENC[ in prose'
  - 'ENC[MIIBeQYJ]'
  - >
    ENC[PKCS7,MIIB
    eQYJ]
",
        expect![[r#"
            Warning data-encrypted `'ENC[PKCS7,not base64!!]'`: invalid encrypted block: not base64
            Warning data-encrypted `'user:ENC[PKCS7,MIIBeQYJKoZ]@host'`: invalid encrypted block: truncated base64
            Warning data-encrypted `'ENC[PKCS7,MIIBeQYJ'`: invalid encrypted block: missing `]`
            Warning data-encrypted `'ENC[GPG,]'`: invalid encrypted block: no data
        "#]],
    );
}

#[test]
fn interpolated_keys_that_nothing_has() {
    let fixture = "//- environment: roots=/\n//- /hiera.yaml\nversion: 5\n//- /data/common.yaml\n\
                   a: \"%{lookup('nokey')}\"\nb: \"%{alias('a')} %{hiera('none.x')}\"\nc: \"%{lookup('missing::key')}\"\n";
    let workspace = TestWorkspace::new(fixture);
    let found = Tier::LIVE.map(|tier| diagnostics(&workspace.db, workspace.file("/data/common.yaml"), tier));
    let found: Vec<String> = found.iter().flatten().map(|it| it.message.clone()).collect();
    let about = |key: &str| format!("no data has the key `{key}`, so the interpolation is an empty string");
    assert!(found.contains(&about("nokey")), "{found:?}");
    assert!(!found.iter().any(|it| it.contains("missing::key")), "{found:?}");
}

#[test]
fn keys_of_files_outside_of_the_repository_are_unknown() {
    for (path, is_reported) in [
        ("secrets/vault.yaml", false),
        ("common.yaml", true),
        ("nodes/%{trusted.certname}.yaml", true),
        ("vault", false),
    ] {
        let fixture = format!(
            "//- environment: roots=/\n//- /hiera.yaml\nversion: 5\nhierarchy:\n  - {{name: one, path: common.yaml}}\n  - {{name: two, path: '{path}'}}\n\
             //- /data/common.yaml\na: \"%{{lookup('gw.worker_id')}}\"\n"
        );
        let workspace = TestWorkspace::new(&fixture);
        let found = diagnostics(&workspace.db, workspace.file("/data/common.yaml"), Tier::Names);
        assert_eq!(found.len(), usize::from(is_reported), "{path}: {found:?}");
    }
}

#[test]
fn values_that_are_not_encrypted() {
    check(
        "/modules/apache/data/common.yaml",
        "
apache::port: 80
a_password: ENC[PKCS7,MIIBeQYJ]
b_password: hunter2
nested: {user: x, password: hunter3, password_file: /etc/x, token: \"%{lookup('apache::any')}\"}
apache::any:
  - DEC::PKCS7[secret]!
  - DEC(12)::GPG[secret]!
  - DEC::x
",
        expect![[r#"
            Warning data-encrypted `hunter2`: value of `b_password` is not encrypted, unlike other values of this file (help: encrypt it with `eyaml encrypt`)
            Warning data-encrypted `hunter3`: value of `password` is not encrypted, unlike other values of this file (help: encrypt it with `eyaml encrypt`)
            Warning data-encrypted `DEC::PKCS7[secret]!`: decrypted block is neither encrypted nor valid data (help: encrypt it with `eyaml edit`)
            Warning data-encrypted `DEC(12)::GPG[secret]!`: decrypted block is neither encrypted nor valid data (help: encrypt it with `eyaml edit`)
        "#]],
    );
}

#[test]
fn keys_that_depend_on_themselves() {
    check(
        "/modules/apache/data/common.yaml",
        "
apache::port: \"%{alias('apache::port')}\"
apache::any: \"%{lookup('apache::color')}\"
apache::color: {a: ['x %{lookup(\"apache::any\")}', \"%{lookup('apache::mode')}\"]}
apache::mode: \"%{lookup('apache::color.b')}\"
apache::sites: \"%{alias('apache::color')}\"
",
        expect![[r#"
            Error data-interpolation `%{alias('apache::port')}`: the value of `apache::port` depends on itself, so its lookup fails
            Error data-interpolation `%{lookup('apache::color')}`: the value of `apache::any` depends on itself, so its lookup fails
            Error data-interpolation `%{lookup("apache::any")}`: the value of `apache::color` depends on itself, so its lookup fails
        "#]],
    );
}

#[test]
fn paths_into_values_and_unclosed_interpolations() {
    let fixture = "//- environment: roots=/\n//- /hiera.yaml\nversion: 5\n//- /data/common.yaml\n\
                   a: {b: {c: 1}, d: \"%{x}\"}\nb: \"%{lookup('a.b.c')} %{lookup('a.b.x')} %{lookup('a.d.e')} %{lookup('a.z')}\"\n\
                   c: 'x %{facts.os.name'\nd: \"%{literal('%')}{x %{::y} %{\"\n";
    let workspace = TestWorkspace::new(fixture);
    let found = diagnostics(&workspace.db, workspace.file("/data/common.yaml"), Tier::Names);
    let found: Vec<String> = found.iter().map(|it| codes::single_line(&it.message).to_string()).collect();
    assert_eq!(
        found,
        [
            "no data has the key `a.b.x`, so the interpolation is an empty string",
            "no data has the key `a.z`, so the interpolation is an empty string",
            "unclosed interpolation is not replaced (help: add the closing `}`)",
            "unclosed interpolation is not replaced (help: add the closing `}`)",
        ]
    );
}

#[test]
fn secrets_in_data() {
    let key = format!("-----BEGIN RSA PRIVATE KEY-----{}", "a1b2".repeat(20));
    let fixture = format!(
        "//- environment: roots=/ lint=security-hardcoded-password:warning,security-hardcoded-secret:warning\n\
         //- /hiera.yaml\nversion: 5\n//- /data/common.yaml\na::db_password: hunter2\nb: {{api_key: b2c7f1c9}}\n\
         c: https://user:hunter2@x.test/y\nd: ghp_0123456789abcdef0123456789abcdef0123\ne: '{key}'\n\
         f_password: \"%{{lookup('x::y')}}\"\ng_password: changeme.pem\n"
    );
    let workspace = TestWorkspace::new(&fixture);
    let found = diagnostics(&workspace.db, workspace.file("/data/common.yaml"), Tier::Names);
    let found: Vec<String> = found.iter().map(|it| format!("{} {}", it.code, it.message)).collect();
    assert_eq!(
        found,
        [
            "security-hardcoded-password value of `a::db_password` is written in the data",
            "security-hardcoded-secret value of `api_key` is written in the data",
            "security-hardcoded-password URL with a password in the data",
            "security-hardcoded-secret access token in the data",
            "security-private-key private key in the data",
        ]
    );
}
