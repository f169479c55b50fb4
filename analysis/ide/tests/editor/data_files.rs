//! Files beside manifests: `Puppetfile`, `hiera.yaml` and Hiera data; created and deleted files.

use expect_test::{Expect, expect};
use ide::FilePath;

use crate::at_cursor;

const OTHERS: &str = r#"
//- /environment.conf
//- /modules/stdlib/metadata.json
{"name": "puppetlabs-stdlib", "version": "8.5.0", "source": "https://github.com/puppetlabs/stdlib"}
//- /modules/stdlib/manifests/init.pp
class stdlib {}
//- /modules/apache/metadata.json
{"name": "puppetlabs-apache", "version": "10.1.1", "dependencies": [
  {"name": "puppetlabs/stdlib"}, {"name": "puppetlabs/concat"}]}
//- /modules/apache/types/mode.pp
type Apache::Mode = Enum['prefork', 'worker', 'on']
//- /modules/apache/manifests/init.pp
# @param mode The model
class apache (
  Apache::Mode $mode,
  Boolean $tls = true,
  Optional[Array[Enum['a', 'b c']]] $names = undef,
  Optional[Struct[{ port => Integer, Optional[tls] => Boolean }]] $options = undef,
) {}
//- /modules/apache/manifests/vhost.pp
class apache::vhost { include apache }
//- /data/nodes/a.yaml
x: 1
//- /data/common.yaml
apache::tls: false
"#;

fn fixture(path: &str, text: &str) -> String {
    let config = "version: 5\nhierarchy:\n  - name: all\n    path: common.yaml\n";
    let config = if path == "/hiera.yaml" { String::new() } else { format!("//- /hiera.yaml\n{config}") };
    let others = OTHERS.replace("//- /data/common.yaml\napache::tls: false\n", "");
    let others = if path == "/data/common.yaml" { others } else { OTHERS.to_owned() };
    format!("//- environment: roots=/ module_path=/modules{others}{config}//- {path}\n{text}")
}

/// Returns the items at the cursor: the inserted texts, and the replaced text.
fn completed(path: &str, text: &str) -> String {
    at_cursor(&fixture(path, text), |analysis, file, offset, text| {
        let Some(found) = analysis.completions(file, offset).expect("nothing is cancelled") else {
            return "nothing".to_owned();
        };
        let shown = found.items.iter().take(8).map(|item| {
            let inserted = item.snippet.as_ref().unwrap_or(&item.text).replace('\n', "⏎");
            let detail = item.detail.as_ref().map(|it| format!(" ({it})")).unwrap_or_default();
            format!("{inserted}{detail}")
        });
        let replaced = &text[found.range.as_range()];
        let more = if found.items.len() > 8 { " …" } else { "" };
        format!("[{replaced}] {}{more}", shown.collect::<Vec<_>>().join(" | "))
    })
}

#[track_caller]
fn complete(path: &str, cases: &[&str], expected: Expect) {
    let shown = cases
        .iter()
        .map(|text| format!("{}\n  {}\n", text.trim_end().replace('\n', "⏎"), completed(path, text)));
    expected.assert_eq(&shown.collect::<String>());
}

fn hovered(path: &str, text: &str) -> String {
    at_cursor(&fixture(path, text), |analysis, file, offset, text| {
        match analysis.hover(file, offset).expect("nothing is cancelled") {
            Some(hover) => format!("[{}] {}", &text[hover.range.as_range()], hover.markdown),
            None => "nothing".to_owned(),
        }
    })
}

fn defined(path: &str, text: &str) -> String {
    at_cursor(&fixture(path, text), |analysis, file, offset, _| {
        let found = analysis.definition(file, offset).expect("nothing is cancelled");
        let targets = found.into_iter().flat_map(|it| it.targets);
        let paths = targets.map(|it| analysis.path(it.file).as_str().to_owned());
        paths.collect::<Vec<_>>().join(" ")
    })
}

fn outline(path: &str, text: &str) -> String {
    fn add(symbol: &ide::DocumentSymbol, depth: usize, shown: &mut String) {
        let detail = symbol.detail.as_ref().map(|it| format!(": {it}")).unwrap_or_default();
        shown.push_str(&format!("{}{}{detail}\n", "  ".repeat(depth), symbol.name));
        assert!(symbol.range.contains_range(symbol.selection));
        symbol.children.iter().for_each(|it| add(it, depth + 1, shown));
    }
    at_cursor(&fixture(path, &format!("$0{text}")), |analysis, file, _, _| {
        let mut shown = String::new();
        let symbols = analysis.document_symbols(file).expect("nothing is cancelled");
        symbols.iter().for_each(|it| add(it, 0, &mut shown));
        shown
    })
}

#[test]
fn puppetfile_completion() {
    complete(
        "/Puppetfile",
        &[
            "$0",
            "forge 'x'\nmo$0",
            "mod 'puppetlabs-$0'\n",
            "mod $0",
            "mod 'puppetlabs-apache'\nmod 'a/$0",
            "mod 'puppetlabs/stdlib', '1.0'\nmod 'puppetlabs/$0'",
            "mod 'puppetlabs-x', '1'\nmod 'puppetlabs/std$0'",
            "mod 'puppetlabs-stdlib', '$0'\n",
            "mod 'puppetlabs-stdlib', $0\n",
            "mod 'tool',\n  :g$0\n",
            "mod 'tool',\n  git: 'https://x',\n  re$0\n",
            "mod 'stdlib', :git => '$0'\n",
            "mod 'a', :git => 'x', :branch => 'main'\nmod 'b', :git => 'y', :branch => $0\n",
            "mod 'a', :local => $0\n",
            "mod 'a', :svn => 'x', $0\n",
            "mod 'a-b' # $0",
            "mod 'a-b', '1.0'$0",
        ],
        expect![[r#"
            $0
              [] mod '$1' | forge '${1:https://forgeapi.puppet.com}' | moduledir '${1:modules}'
            forge 'x'⏎mo$0
              [mo] mod '$1' | moduledir '${1:modules}'
            mod 'puppetlabs-$0'
              [puppetlabs-] puppetlabs-concat (required by apache) | puppetlabs-apache (10.1.1) | puppetlabs-stdlib (8.5.0)
            mod $0
              [] 'puppetlabs-concat' (required by apache) | 'puppetlabs-apache' (10.1.1) | 'puppetlabs-stdlib' (8.5.0)
            mod 'puppetlabs-apache'⏎mod 'a/$0
              [a/] puppetlabs/concat (required by apache) | puppetlabs/stdlib (8.5.0)
            mod 'puppetlabs/stdlib', '1.0'⏎mod 'puppetlabs/$0'
              [puppetlabs/] puppetlabs/concat (required by apache) | puppetlabs/apache (10.1.1)
            mod 'puppetlabs-x', '1'⏎mod 'puppetlabs/std$0'
              [puppetlabs/std] puppetlabs/stdlib (8.5.0)
            mod 'puppetlabs-stdlib', '$0'
              [] 8.5.0 (deployed)
            mod 'puppetlabs-stdlib', $0
              [] '8.5.0' (deployed) | :latest (newest version) | :git => '$1' | :svn => '$1' | :local => $1 | :type => $1 | :install_path => '$1' | :exclude_spec => $1
            mod 'tool',⏎  :g$0
              [:g] :git => '$1'
            mod 'tool',⏎  git: 'https://x',⏎  re$0
              [re] ref: '$1'
            mod 'stdlib', :git => '$0'
              [] https://github.com/puppetlabs/stdlib (deployed)
            mod 'a', :git => 'x', :branch => 'main'⏎mod 'b', :git => 'y', :branch => $0
              [] 'main' | :control_branch
            mod 'a', :local => $0
              [] true
            mod 'a', :svn => 'x', $0
              [] :revision => '$1' | :username => '$1' | :password => '$1' | :install_path => '$1' | :exclude_spec => $1
            mod 'a-b' # $0
              nothing
            mod 'a-b', '1.0'$0
              nothing
        "#]],
    );
}

#[test]
fn puppetfile_hover() {
    for (text, expected) in [
        ("mo$0d 'a-b'\n", "[mod] `mod`\n\nDeclares a module: its name, then its version or its source."),
        ("mod 'a',\n  :re$0f => 'x'\n", "[:ref] `:ref`\n\nBranch, tag or commit to check out."),
        ("mod 'a',\n  $0tag: 'x'\n", "[tag] `tag`\n\nTag to check out."),
        ("mod 'a', :git => 'git$0'\n", "nothing"),
        ("# mod$0\n", "nothing"),
    ] {
        assert_eq!(hovered("/Puppetfile", text), expected, "{text}");
    }
}

#[test]
fn hiera_config_completion() {
    complete(
        "/hiera.yaml",
        &[
            "$0",
            "version: $0",
            "version: 5\nhierarchy:\n  $0",
            "version: 5\nhierarchy:\n  - na$0",
            "version: 5\nhierarchy:\n  - name: x\n    path: a.yaml\n    $0",
            "version: 5\nhierarchy:\n  - name: x\n    path: $0",
            "version: 5\nhierarchy:\n  - name: x\n    paths:\n      - \"no$0\"",
            "version: 5\nhierarchy:\n  - name: x\n    path: \"nodes/%{trusted.c$0}.yaml\"",
            "version: 5\nhierarchy:\n  - name: x\n    path: \"%{facts.os.f$0",
            "version: 5\nhierarchy:\n  - name: x\n    path: \"%{lookup('$0",
            "version: 5\ndefaults:\n  data_hash: $0",
            "version: 5\ndefaults:\n  $0",
            "version: 5 # $0",
            "version: 5\nhierarchy:\n  - name: x\n    options: { $0 }",
            "version: 5\nhierarchy:\n  - name: x\n    lookup_key: eyaml_lookup_key\n    options:\n      $0",
            "version: 5\nhierarchy:\n  - name: x\n    mapped_paths: [$0]",
            "version: 5\nhierarchy:\n  - name: x\n    mapped_paths: [facts.os.name, $0]",
            "version: 5\nhierarchy:\n  - name: x\n    mapped_paths:\n      - $0",
        ],
        expect![[r#"
            $0
              [] version:  | defaults:⏎  $1 | hierarchy:⏎  - name: "$1"⏎    path: "$2" | default_hierarchy:⏎  - name: "$1"⏎    path: "$2" | plan_hierarchy:⏎  - name: "$1"⏎    path: "$2"
            version: $0
              [] 5
            version: 5⏎hierarchy:⏎  $0
              [] - name: "$1"⏎    path: "$2"
            version: 5⏎hierarchy:⏎  - na$0
              [na] name: 
            version: 5⏎hierarchy:⏎  - name: x⏎    path: a.yaml⏎    $0
              [] datadir:  | data_hash:  | lookup_key:  | data_dig:  | options:⏎      $1
            version: 5⏎hierarchy:⏎  - name: x⏎    path: $0
              [] common.yaml | "nodes/%{trusted.certname\}.yaml" | "os/%{facts.os.family\}.yaml" | "os/%{facts.os.name\}.yaml" | nodes/a.yaml
            version: 5⏎hierarchy:⏎  - name: x⏎    paths:⏎      - "no$0"
              [no] nodes/%{trusted.certname}.yaml | nodes/a.yaml
            version: 5⏎hierarchy:⏎  - name: x⏎    path: "nodes/%{trusted.c$0}.yaml"
              [trusted.c] trusted.certname (Optional[String]) | trusted.authenticated (Variant[Boolean, String])
            version: 5⏎hierarchy:⏎  - name: x⏎    path: "%{facts.os.f$0
              [facts.os.f] facts.os.family} (String) | facts.os.release.full} (String) | facts.os.selinux.enforced} (Optional[Boolean]) | facts.os.selinux.config_mode} (Optional[String]) | facts.os.selinux.config_policy} (Optional[String]) | facts.os.distro.specification} (Optional[String])
            version: 5⏎hierarchy:⏎  - name: x⏎    path: "%{lookup('$0
              nothing
            version: 5⏎defaults:⏎  data_hash: $0
              [] yaml_data | json_data | hocon_data
            version: 5⏎defaults:⏎  $0
              [] datadir:  | data_hash:  | lookup_key:  | data_dig:  | options:⏎    $1
            version: 5 # $0
              nothing
            version: 5⏎hierarchy:⏎  - name: x⏎    options: { $0 }
              nothing
            version: 5⏎hierarchy:⏎  - name: x⏎    lookup_key: eyaml_lookup_key⏎    options:⏎      $0
              [] pkcs7_private_key:  (path of the private key) | pkcs7_public_key:  (path of the public key) | pkcs7_private_key_env_var:  (environment variable with the private key) | pkcs7_public_key_env_var:  (environment variable with the public key) | gpg_gnupghome:  (folder of the GnuPG keys) | gpg_recipients:  (recipients of encrypted values)
            version: 5⏎hierarchy:⏎  - name: x⏎    mapped_paths: [$0]
              [] facts.agent_specified_environment | facts.aio_agent_version | facts.augeas | facts.az_metadata | facts.clientcert | facts.clientnoop | facts.clientversion | facts.cloud …
            version: 5⏎hierarchy:⏎  - name: x⏎    mapped_paths: [facts.os.name, $0]
              nothing
            version: 5⏎hierarchy:⏎  - name: x⏎    mapped_paths:⏎      - $0
              [] facts.agent_specified_environment | facts.aio_agent_version | facts.augeas | facts.az_metadata | facts.clientcert | facts.clientnoop | facts.clientversion | facts.cloud …
        "#]],
    );
}

#[test]
fn hiera_config_hover_and_definition() {
    let level = |rest: &str| format!("version: 5\nhierarchy:\n  - name: x\n    {rest}\n");
    let cases = [
        "pa$0th: common.yaml",
        "path: com$0mon.yaml",
        "path: missi$0ng.yaml",
        "path: \"nod$0es/%{trusted.certname}.yaml\"",
        "path: \"nodes/%{trusted.cert$0name}.yaml\"",
        "glob: \"nodes/$0*.yaml\"",
        "mapped_paths: [facts.x, y, \"nodes/%{y}.y$0aml\"]",
        "paths: [common.yaml, nodes/a.yam$0l]",
        "na$0me2: 1",
        "options: { pa$0th: x }",
    ];
    let shown = cases.map(|text| {
        let text = level(text);
        let paths = defined("/hiera.yaml", &text);
        format!("{}\n=> {paths}\n\n", hovered("/hiera.yaml", &text))
    });
    expect![[r#"
        [path] `path`

        Data file of the level, relative to `datadir`.
        => 

        [common.yaml] `data/common.yaml`
        => /data/common.yaml

        [missing.yaml] `data/missing.yaml`

        No such file.
        => 

        ["nodes/%{trusted.certname}.yaml"] `data/nodes/*.yaml`

        1 file:

        * `data/nodes/a.yaml`
        => /data/nodes/a.yaml

        [certname] ```puppet
        $trusted['certname']: Optional[String]
        ```

        Name in the certificate.
        => /data/nodes/a.yaml

        ["nodes/*.yaml"] `data/nodes/*.yaml`

        1 file:

        * `data/nodes/a.yaml`
        => /data/nodes/a.yaml

        ["nodes/%{y}.yaml"] `data/nodes/*.yaml`

        1 file:

        * `data/nodes/a.yaml`
        => /data/nodes/a.yaml

        [nodes/a.yaml] `data/nodes/a.yaml`
        => /data/nodes/a.yaml

        nothing
        => 

        nothing
        => 

    "#]]
    .assert_eq(&shown.concat());
}

#[test]
fn data_completion() {
    complete(
        "/data/common.yaml",
        &[
            "apache::tls: $0",
            "apache::mode: $0",
            "apache::mode: wo$0",
            "apache::mode: 'o$0'",
            "apache::names:\n  - $0",
            "apache::names: [a, $0]",
            "apache::options:\n  $0",
            "apache::options:\n  port: 1\n  t$0",
            "apache::options:\n  tls: $0",
            "apache::options:\n  port: $0",
            "other: $0",
            "classes:\n  - apache::$0",
            "lookup_options:\n  $0",
            "lookup_options:\n  apache::names:\n    $0",
            "lookup_options:\n  apache::names:\n    merge:\n      $0",
            "lookup_options:\n  apache::names:\n    merge:\n      strategy: $0",
            "lookup_options:\n  apache::names:\n    merge:\n      strategy: deep\n      sort_merged_arrays: $0",
            "---\n$0",
            "lookup_options:\n  apache::names:\n    merge: $0",
            "x: \"%{$0}\"",
            "y: \"%{lookup('$0')}\"",
            "y: '%{alias(\"$0",
            "x: |\n  apache::tls: $0",
        ],
        expect![[r#"
            apache::tls: $0
              [] true | false
            apache::mode: $0
              [] 'on' | prefork | worker
            apache::mode: wo$0
              [wo] worker
            apache::mode: 'o$0'
              [o] on | worker | prefork
            apache::names:⏎  - $0
              [] a | 'b c'
            apache::names: [a, $0]
              [] a | 'b c'
            apache::options:⏎  $0
              [] port:  (Integer) | tls:  (Boolean)
            apache::options:⏎  port: 1⏎  t$0
              [t] tls:  (Boolean)
            apache::options:⏎  tls: $0
              [] true | false
            apache::options:⏎  port: $0
              nothing
            other: $0
              nothing
            classes:⏎  - apache::$0
              [apache::] apache::vhost
            lookup_options:⏎  $0
              [] apache::mode: (required parameter) | apache::tls: (parameter) | apache::names: (parameter) | apache::options: (parameter)
            lookup_options:⏎  apache::names:⏎    $0
              [] merge:  (how values are combined) | convert_to:  (type of the result)
            lookup_options:⏎  apache::names:⏎    merge:⏎      $0
              [] strategy:  (merge behavior) | knockout_prefix:  (prefix of elements to remove) | sort_merged_arrays:  (sort all merged arrays) | merge_hash_arrays:  (merge hashes in arrays)
            lookup_options:⏎  apache::names:⏎    merge:⏎      strategy: $0
              [] first (first value found) | unique (all values as one array without duplicates) | hash (all hashes, merged at their top level) | deep (all hashes, merged at all levels)
            lookup_options:⏎  apache::names:⏎    merge:⏎      strategy: deep⏎      sort_merged_arrays: $0
              [] true | false
            ---⏎$0
              [] apache::mode:  (required parameter) | apache::tls:  (parameter) | apache::names:  (parameter) | apache::options:  (parameter) | lookup_options: (merge and conversion options)
            lookup_options:⏎  apache::names:⏎    merge: $0
              [] first (first value found) | unique (all values as one array without duplicates) | hash (all hashes, merged at their top level) | deep (all hashes, merged at all levels)
            x: "%{$0}"
              [] trusted.authenticated (Variant[Boolean, String]) | trusted.certname (Optional[String]) | trusted.domain (Optional[String]) | trusted.extensions (Hash[String, Any]) | trusted.external (Optional[Hash[String, Any]]) | trusted.hostname (Optional[String]) | environment (name of the environment) | facts.agent_specified_environment (Optional[String]) …
            y: "%{lookup('$0')}"
              [] y
            y: '%{alias("$0
              [] y
            x: |⏎  apache::tls: $0
              nothing
        "#]],
    );
}

#[test]
fn parameters_of_used_classes_come_first() {
    let others = "//- /modules/aaa/manifests/init.pp\nclass aaa(String $x) { }\n\
                  //- /modules/profile/manifests/init.pp\nclass profile { include apache }\n//- /data/common.yaml";
    let fixture = fixture("/data/common.yaml", "---\n$0").replace("//- /data/common.yaml", others);
    let labels = at_cursor(&fixture, |analysis, file, offset, _| {
        let found = analysis.completions(file, offset).expect("nothing is cancelled");
        found.iter().flat_map(|it| &it.items).map(|it| it.label.clone()).collect::<Vec<_>>()
    });
    assert_eq!(labels.first().map(String::as_str), Some("apache::mode"), "{labels:?}");
    assert!(labels.iter().any(|it| it == "aaa::x"));
}

#[test]
fn data_hover_shows_interpolated_facts_and_classes() {
    for (text, expected) in [
        ("x: \"%{facts.os.fam$0ily}\"\n", "[os.family] ```puppet\n$facts['os']['family']: String\n```"),
        ("classes:\n  - apache::vh$0ost\n", "[apache::vhost] ```puppet\nclass apache::vhost\n```"),
    ] {
        let shown = hovered("/data/common.yaml", text);
        assert!(shown.starts_with(expected), "{shown}");
    }
}

#[test]
fn outlines() {
    let puppetfile = "forge 'x'\nmod 'a-b', '1.2'\nmod 'c',\n  :git => 'https://c',\n  :tag => 'v1'\n";
    let config = "version: 5\nhierarchy:\n  - name: nodes\n    paths: [a.yaml, b.yaml]\n";
    let data = "a::b: 1\na::secret: ENC[PKCS7,x]\nc:\n  d: [1, 2]\n  e:\n    - name: f\n      g: h\nlookup_options:\n  \
                a::token: { convert_to: Sensitive }\na::token: hunter2\n? [x]\n: 1\n";
    let metadata = r#"{"name": "a-b", "dependencies": [{"name": "c-d", "version_requirement": ">= 1"}],
        "operatingsystem_support": [{"operatingsystem": "Debian", "operatingsystemrelease": ["11", "12"]}]}"#;
    let shown = [
        ("/Puppetfile", puppetfile),
        ("/hiera.yaml", config),
        ("/data/common.yaml", data),
        ("/modules/x/metadata.json", metadata),
        ("/data/common.yaml", "a: [\n"),
    ]
    .map(|(path, text)| format!("{path}\n{}", outline(path, text)));
    expect![[r#"
            /Puppetfile
            a-b: 1.2
            c: v1
            /hiera.yaml
            version: 5
            hierarchy
              nodes: a.yaml, b.yaml
                name: nodes
                paths
            /data/common.yaml
            a::b: 1
            a::secret
            c
              d
              e
                f: h
                  name: f
                  g: h
            lookup_options
              a::token
                convert_to: Sensitive
            a::token
            (unnamed): 1
            /modules/x/metadata.json
            name: a-b
            dependencies
              c-d: >= 1
                name: c-d
                version_requirement: >= 1
            operatingsystem_support
              Debian: 11, 12
                operatingsystem: Debian
                operatingsystemrelease
            /data/common.yaml
            a
        "#]]
    .assert_eq(&shown.concat());
}

#[test]
fn new_files_get_the_definition_of_their_path() {
    let cases = [
        ("/modules/apache/manifests/mod/ssl.pp", "class apache::mod::ssl {⏎}"),
        ("/modules/apache/functions/port.pp", "function apache::port() {⏎}"),
        ("/modules/apache/types/port.pp", "type Apache::Port = Any"),
        ("/modules/apache/plans/init.pp", "plan apache() {⏎}"),
        ("/modules/apache/manifests/vhost.pp", ""),
        ("/modules/apache/manifests/Wrong.pp", ""),
        ("/modules/apache/files/a.pp", ""),
        ("/modules/apache/README.md", ""),
        ("/manifests/site.pp", ""),
        ("/elsewhere/manifests/a.pp", ""),
    ];
    at_cursor(&fixture("/main.pp", ""), |analysis, _, _, _| {
        for (path, expected) in cases {
            let path = FilePath::from_native(path).expect("absolute");
            let text = analysis.text_of_new_file(&path).expect("nothing is cancelled").unwrap_or_default();
            let code = text.split_once('\n').map_or("", |(_, code)| code.trim_end());
            assert_eq!(code.replace('\n', "⏎"), expected, "{}", path.as_str());
        }
    });
}

#[test]
fn deleted_files_report_what_is_used_elsewhere() {
    let cases = [
        ("/modules/apache/manifests/init.pp", "class apache 2"),
        ("/modules/apache/types/mode.pp", "type Apache::Mode 1"),
        ("/modules/apache/manifests/vhost.pp", ""),
        ("/modules/apache", "class apache 1"),
        ("/modules", "class apache 1"),
        ("/nothing", ""),
    ];
    at_cursor(&fixture("/manifests/site.pp", "include apache\n"), |analysis, _, _, _| {
        for (path, expected) in cases {
            let path = FilePath::from_native(path).expect("absolute");
            let names =
                analysis.names_of_deleted_files(std::slice::from_ref(&path)).expect("nothing is cancelled");
            let shown = names.iter().map(|it| format!("{} {} {}", it.kind.label(), it.name, it.uses.len()));
            assert_eq!(shown.collect::<Vec<_>>().join(", "), expected, "{}", path.as_str());
        }
    });
}

/// Returns names, kinds, and containers of the symbols that match a query.
fn symbols(fixture: &str, query: &str) -> String {
    at_cursor(fixture, |analysis, _, _, _| {
        let found = analysis.workspace_symbols(query).expect("nothing is cancelled");
        let text = |it: &ide::WorkspaceSymbol| {
            let text = analysis.text(it.file).expect("nothing is cancelled").expect("a text");
            let at = text.get(it.range.as_range()).unwrap_or_default().to_owned();
            format!("{} {} in {}: {at}\n", it.kind.label(), it.name, it.container)
        };
        found.iter().map(text).collect()
    })
}

#[test]
fn symbols_of_the_workspace_include_hiera_keys() {
    let files = "
//- environment: roots=/ module_path=/modules
//- /environment.conf
//- /hiera.yaml
version: 5
hierarchy:
  - name: all
    paths: ['nodes/%{trusted.certname}.yaml', common.yaml]
//- /data/common.yaml
apache::tls: false
'tls_version': 1
lookup_options: { apache::tls: { merge: first } }
//- /data/nodes/a.yaml
apache::tls: true
//- /data/nodes/a.txt
apache::tls: true
//- /modules/tls/manifests/init.pp
class tls { }
";
    expect![[r#"
        class tls in tls: tls
        key tls_version in data/common.yaml: 'tls_version'
        key apache::tls in data/common.yaml: apache::tls
        key apache::tls in data/nodes/a.yaml: apache::tls
    "#]]
    .assert_eq(&symbols(files, "tls"));
    assert_eq!(symbols(files, ""), "class tls in tls: tls\n");
    let unconfigured = files.replace("/hiera.yaml", "/other.yaml");
    expect![[r#"
        class tls in tls: tls
        key tls_version in data/common.yaml: 'tls_version'
        key apache::tls in data/common.yaml: apache::tls
        key apache::tls in data/nodes/a.yaml: apache::tls
    "#]]
    .assert_eq(&symbols(&unconfigured, "tls"));
}

#[test]
fn much_data_leaves_the_other_symbols() {
    let mut files = String::from(
        "//- environment: roots=/ module_path=/modules\n//- /environment.conf\n//- /hiera.yaml\n",
    );
    files.push_str("version: 5\nhierarchy:\n  - name: all\n    glob: '*.yaml'\n");
    files.push_str("//- /modules/keyed_by_name/manifests/init.pp\nclass keyed_by_name { }\n");
    for file in 0..20 {
        files.push_str(&format!("//- /data/{file}.yaml\n"));
        files.extend((0..100).map(|key| format!("key_{key}: {file}\n")));
    }
    let found = symbols(&files, "key_");
    assert_eq!(found.lines().filter(|it| it.starts_with("key key_")).count(), 200);
    assert_eq!(found.lines().filter(|it| it.starts_with("key key_7 ")).count(), 5);
    assert!(found.contains("class keyed_by_name"));
}
