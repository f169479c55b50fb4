//! Defective files of every kind that r10k, the Forge, Puppet, and Bolt describe, one row each. Each has a finding, and
//! the same file without the defect has none.

use check::{Tier, diagnostics};
use project::testing::TestWorkspace;
use syntax::Severity;

/// Returns the codes of the findings in a file of a fixture, without hints.
fn codes(fixture: &str, file: &str) -> Vec<&'static str> {
    let fixture = format!("//- environment: roots=/ module_path=/modules\n{fixture}");
    let workspace = TestWorkspace::new(&fixture);
    let tiers = Tier::LIVE.into_iter();
    let found = tiers.flat_map(|tier| diagnostics(&workspace.db, workspace.file(file), tier));
    found.filter(|it| it.severity() != Severity::Hint).map(|it| it.code.as_str()).collect()
}

/// Checks that each row has a finding with the code before its first space.
#[track_caller]
fn check(rows: &str, is_defect_of: impl Fn(&str) -> (String, &'static str)) -> usize {
    let mut missed = Vec::new();
    let rows: Vec<&str> = rows.lines().filter(|it| !it.trim().is_empty()).collect();
    for row in &rows {
        let (code, text) = row.trim().split_once(' ').expect("a code before the text");
        let (fixture, file) = is_defect_of(&text.replace("\\n", "\n"));
        let found = codes(&fixture, file);
        if !found.contains(&code) {
            missed.push(format!("{row}: {found:?}"));
        }
    }
    assert!(missed.is_empty(), "{} of {}:\n{}", missed.len(), rows.len(), missed.join("\n"));
    rows.len()
}

const PUPPETFILES: &str = r#"
puppetfile-syntax mod
puppetfile-syntax mod()
puppetfile-syntax mod :web
puppetfile-syntax mod 5, '1.0.0'
puppetfile-syntax mod nil
puppetfile-syntax mod 'a-b' => '1.0.0'
puppetfile-name mod 'c'
puppetfile-name mod 'a--b', '1.0.0'
puppetfile-name mod 'a:b', '1.0.0'
puppetfile-version mod 'a-b', '1.x'
puppetfile-version mod 'a-b', '1.2'
puppetfile-version mod 'a-b', 'v1.0.0'
puppetfile-version mod 'a-b', '01.0.0'
puppetfile-version mod 'a-b', '>= 1.0.0'
puppetfile-version mod 'a-b', '~> 1.0'
puppetfile-version mod 'a-b', ''
puppetfile-version mod 'a-b', 'latest'
puppetfile-version mod 'a-b', :newest
puppetfile-version mod 'a-b', 1.2
puppetfile-version mod 'a-b', true
puppetfile-version mod 'a-b', ['1.0.0']
puppetfile-option mod 'a-b', version: '1.0.0'
puppetfile-version mod 'a-b', type: 'forge', version: '1.x'
puppetfile-name mod 'b', type: 'forge', version: '1.0.0'
puppetfile-option mod 'a-b', '1.0.0', '2.0.0'
puppetfile-option mod 'a-b', '1.0.0', git: 'https://x'
puppetfile-option mod 'a', ref: 'm'
puppetfile-option mod 'a', gti: 'https://x', ref: 'm'
puppetfile-option mod 'a', 'git' => 'https://x', 'ref' => 'm'
puppetfile-option mod 'a', git: 'https://x', reff: 'm', tag: 'v1'
puppetfile-option mod 'a', git: 'https://x', ref: 'm', tag: 'v1'
puppetfile-option mod 'a', git: 'https://x', ref: 'm', ref: 'n'
puppetfile-option mod 'a', git: 'https://x', ref: :m
puppetfile-option mod 'a', git: 'https://x', tag: 3
puppetfile-option mod 'a', git: 'https://x', tag: true
puppetfile-option mod 'a', git: 'https://x', ref: ''
puppetfile-option mod 'a', git: 'https://x', commit: 'main'
puppetfile-option mod 'a', git: 'https://x', commit: '1.2.3'
puppetfile-option mod 'a', git: 'https://x', ref: 'm', default_branch: :main
puppetfile-option mod 'a', git: 'https://x', source: 'https://y', ref: 'm'
puppetfile-option mod 'a', git: 'https://x', svn: 'https://y', ref: 'm'
puppetfile-option mod 'a', git: nil, ref: 'm'
puppetfile-option mod 'a', git: '', ref: 'm'
puppetfile-option mod 'a', git: :x, ref: 'm'
puppetfile-option mod 'a', type: 'git', ref: 'm'
puppetfile-option mod 'a', type: 'gti', source: 'https://x'
puppetfile-option mod 'a', type: 'svn', rev: '5'
puppetfile-option mod 'a', type: 'tarball', checksum: 'abc'
puppetfile-option mod 'a', type: 'tarball', source: 'ftp://x/a.tgz'
puppetfile-option mod 'a', type: 'tarball', source: 'https://x', tag: 'v1'
puppetfile-option mod 'a', svn: 'https://x', ref: '5'
puppetfile-option mod 'a', svn: 'https://x', rev: '5', revision: '6'
puppetfile-source mod 'a', git: 'http://x', ref: 'm'
puppetfile-source mod 'a', git: 'git://x', ref: 'm'
puppetfile-option mod 'a', git: 'https://x', ref: 'm', install_path: '../x'
puppetfile-option mod 'a', git: 'https://x', ref: 'm', install_path: :x
puppetfile-option mod 'a', git: 'https://x', ref: 'm', exclude_spec: 'yes'
puppetfile-option mod 'a', local: false
puppetfile-option mod 'a', path: './a'
puppetfile-duplicate mod 'a-b', '1.0.0'\nmod 'c-b', '1.0.0'
puppetfile-duplicate mod 'a-b', '1.0.0'\nmod 'b', git: 'https://x', ref: 'm'
puppetfile-syntax mod 'a-b', '1.0.0' if
puppetfile-syntax mod 'a-b', '1.0.0
puppetfile-syntax mod 'a', git: 'https://x' ref: 'm'
puppetfile-syntax mod 'a-b', '1.0.0'\n}
puppetfile-unknown-word mods 'a-b'
puppetfile-unknown-word module_from 'a-b'
puppetfile-syntax raise 'no'
puppetfile-syntax forge
puppetfile-syntax forge 'https://a', 'https://b'
puppetfile-syntax moduledir
puppetfile-syntax moduledir 5
"#;

/// Keys that replace those of a valid file.
const METADATA: &str = r#"
metadata-name "name": "web"
metadata-name "name": "a/web"
metadata-name "name": "a-Web"
metadata-name "name": "a-1web"
metadata-value "name": 5
metadata-version "version": "1.0"
metadata-version "version": "v1.0.0"
metadata-value "version": 1
metadata-missing-key "version": null
metadata-missing-key "author": null
metadata-value "author": ["a"]
metadata-license "license": "Apache License, Version 2.0"
metadata-license "license": "GPLv3"
metadata-license "license": ""
metadata-missing-key "summary": null
metadata-value "summary": 5
metadata-value "issues_url": "no url"
metadata-value "tags": "web"
metadata-value "tags": [1]
metadata-value "dependencies": {}
metadata-value "dependencies": ["a/b"]
metadata-missing-key "dependencies": [{"version_requirement": "1.x"}]
metadata-name "dependencies": [{"name": "stdlib", "version_requirement": "1.x"}]
metadata-name "dependencies": [{"name": "a/Stdlib", "version_requirement": "1.x"}]
metadata-duplicate "dependencies": [{"name": "a/b", "version_requirement": "1.x"}, {"name": "a-b", "version_requirement": "1.x"}]
metadata-open-range "dependencies": [{"name": "a/b", "version_requirement": ">= 1.0.0"}]
metadata-open-range "dependencies": [{"name": "a/b", "version_requirement": ">= 1.0.0 < 2.0.0 || >= 3.0.0"}]
metadata-open-range "dependencies": [{"name": "a/b"}]
metadata-version "dependencies": [{"name": "a/b", "version_requirement": ">= 1.0.0, < 2.0.0"}]
metadata-version "dependencies": [{"name": "a/b", "version_requirement": ">= 3.0.0 < 2.0.0"}]
metadata-version "dependencies": [{"name": "a/b", "version_requirement": ">= 1.0.x < 2.0.0"}]
metadata-version "dependencies": [{"name": "a/b", "version_requirement": ">=1.* <3.0.0"}]
metadata-value "dependencies": [{"name": "a/b", "version_requirement": 5}]
metadata-obsolete "dependencies": [{"name": "a/b", "version_range": "1.x", "version_requirement": "1.x"}]
metadata-obsolete "requirements": [{"name": "pe", "version_requirement": ">= 3.0.0"}]
metadata-value "requirements": [{"name": "puppett", "version_requirement": ">= 7.0.0 < 9.0.0"}]
metadata-duplicate "requirements": [{"name": "puppet", "version_requirement": "7.x"}, {"name": "Puppet", "version_requirement": "7.x"}]
metadata-value "requirements": "puppet"
metadata-missing-key "operatingsystem_support": [{"operatingsystemrelease": ["12"]}]
metadata-value "operatingsystem_support": [{"operatingsystem": "Debian", "operatingsystemrelease": "12"}]
metadata-value "operatingsystem_support": [{"operatingsystem": "Debian", "operatingsystemrelease": [12]}]
metadata-value "operatingsystem_support": [{"operatingsystem": "debian", "operatingsystemrelease": ["12"]}]
metadata-value "operatingsystem_support": [{"operatingsystem": "Ubunut", "operatingsystemrelease": ["22.04"]}]
metadata-value "operatingsystem_support": [{"operatingsystem": "RHEL", "operatingsystemrelease": ["9"]}]
metadata-value "operatingsystem_support": [{"operatingsystem": "Ubuntu", "operatingsystemrelease": ["22"]}]
metadata-value "operatingsystem_support": [{"operatingsystem": "Debian", "operatingsystemrelease": ["bookworm"]}]
metadata-value "operatingsystem_support": [{"operatingsystem": "Debian", "operatingsystemrelease": ["99"]}]
metadata-duplicate "operatingsystem_support": [{"operatingsystem": "Debian", "operatingsystemrelease": ["12", "12"]}]
metadata-duplicate "operatingsystem_support": [{"operatingsystem": "Debian"}, {"operatingsystem": "Debian"}]
metadata-obsolete "types": []
metadata-obsolete "checksum": {}
metadata-syntax "summary" "x"
"#;

const TASKS: &str = r#"
task-metadata {"descripton": "x"}
task-metadata {"description": 5}
task-metadata {"input_method": "pipe"}
task-metadata {"supports_noop": "yes"}
task-metadata {"private": "no"}
task-metadata {"parameters": []}
task-metadata {"parameters": {"A": {}}}
task-metadata {"parameters": {"a": "String"}}
task-metadata {"parameters": {"a": {"tpye": "String"}}}
task-metadata {"parameters": {"a": {"type": "Strng"}}}
task-metadata {"parameters": {"a": {"type": "String["}}}
task-metadata {"parameters": {"a": {"type": "Enum[a, b]", "default": "c"}}}
task-metadata {"parameters": {"a": {"sensitive": "yes"}}}
task-metadata {"files": "web/files/a"}
task-metadata {"files": ["a"]}
task-metadata {"files": ["web/templates/a"]}
task-metadata {"files": ["web/files/../a"]}
task-metadata {"files": ["web/files/nope"]}
task-metadata {"files": ["web/files/a/"]}
task-metadata {"files": ["web/files/folder"]}
task-metadata {"implementations": []}
task-metadata {"implementations": {}}
task-metadata {"implementations": [{}]}
task-metadata {"implementations": [{"name": "nope.sh"}]}
task-metadata {"implementations": [{"name": "x.sh", "requirements": "shell"}]}
task-metadata {"implementations": [{"name": "x.sh", "requirement": ["shell"]}]}
task-metadata {"description": "a \d b"}
task-metadata {"description": "x",}
task-metadata []
"#;

const PROJECTS: &str = r#"
bolt-configuration name: my-project
bolt-configuration name: log
bolt-configuration concurency: 10
bolt-configuration concurrency: 0
bolt-configuration concurrency: ten
bolt-configuration format: xml
bolt-configuration modules: a-b
bolt-configuration modules: [stdlib]
bolt-configuration modules:\n  - name: a/b\n    version_requirement: foo
bolt-configuration modules: [a/b, c/b]
bolt-configuration modules:\n  - git: https://x
bolt-configuration log:\n  console: loud
bolt-configuration - name
"#;

const INVENTORIES: &str = r#"
bolt-configuration targets: web
bolt-configuration targets:\n  - {}
bolt-configuration targets:\n  - name: a\n    ur: b
bolt-configuration targets:\n  - {name: a, alias: c}\n  - {name: b, alias: c}
bolt-configuration targets:\n  - {name: a, alias: 'c d'}
bolt-configuration groups:\n  - targets: [a]
bolt-configuration groups:\n  - name: a\n  - name: a
bolt-configuration groups:\n  - name: a b
bolt-configuration groups:\n  - name: a\n    nodes: [b]
bolt-configuration version: 1
bolt-configuration config:\n  transport: sssh
bolt-configuration config:\n  ssh: {usr: root}
bolt-configuration config:\n  ssh: {port: '22'}
bolt-configuration config:\n  winrm: {ssl: 'no'}
bolt-configuration vars: []
"#;

const PLANS: &str = r#"
yaml-plan stps: []
yaml-plan steps: ls
yaml-plan steps: [ls]
yaml-plan steps: []\nreturns: 5
yaml-plan steps: []\nprivate: 'yes'
yaml-plan steps: []\nparameters: [a]
yaml-plan steps: []\nparameters:\n  A: {}
yaml-plan steps: []\nparameters:\n  a: {type: Strng}
yaml-plan steps: []\nparameters:\n  a: {tpye: String}
yaml-plan steps:\n  - commnd: ls\n    targets: all
yaml-plan steps:\n  - targets: all
yaml-plan steps:\n  - command: ls
yaml-plan steps:\n  - command: ls\n    script: a.sh\n    targets: all
yaml-plan steps:\n  - command: ls\n    targets: all\n    target: web
yaml-plan steps:\n  - name: Step-1\n    message: x
yaml-plan steps:\n  - name: a\n    message: x\n  - name: a\n    message: x
unknown-attribute steps:\n  - task: web::x\n    targets: all\n    parameters: {nope: 1}
missing-parameter steps:\n  - plan: web::p
yaml-plan steps:\n  - eval: $a +
unknown-task steps:\n  - task: web::nope\n    targets: all
unknown-plan steps:\n  - plan: web::nope
"#;

const HIERARCHIES: &str = r#"
hiera-path path: common.yml
hiera-path path: common
hiera-path path: Common.yaml
hiera-path path: node/%{trusted.certname}.yaml
hiera-path path: nodes/%{trusted.certname}.yml
hiera-path glob: nodes/*.yml
data-interpolation path: nodes/%{trusted.certnme}.yaml
unknown-fact path: os/%{facts.os.famly}.yaml
"#;

const DATA: &str = r#"
data-lookup-options lookup_options:\n  a: {convert_to: Sensitiv}\na: 1
data-lookup-options lookup_options:\n  a: {convert_to: [Strng, x]}\na: 1
data-lookup-options lookup_options:\n  a: {merge: deeep}\na: 1
data-lookup-options lookup_options:\n  a: {merge: {strategy: hash, knockout_prefix: '--'}}\na: 1
data-lookup-options lookup_option:\n  a: {merge: deep}\na: 1
data-interpolation a: "%{trusted.certnme}"
data-interpolation a: "%{server_facts.environmnt}"
data-interpolation a: "%{Referer}i"
data-interpolation a: "%{lookup(b)}"
data-interpolation a: "%{lokup('b')}"
data-key "::web::port": 80
data-symbol a: :b
"#;

/// Returns a valid `metadata.json` in which the keys of `replaced` replace others.
fn metadata(replaced: &str) -> String {
    let valid = [
        r#""name": "a-web""#,
        r#""version": "1.0.0""#,
        r#""author": "a""#,
        r#""license": "MIT""#,
        r#""summary": "x""#,
        r#""source": """#,
        r#""dependencies": []"#,
    ];
    let name = |entry: &str| entry.split('"').nth(1).map(str::to_owned);
    let kept = valid.into_iter().filter(|it| name(it) != name(replaced));
    let entries: Vec<&str> = kept.chain([replaced]).collect();
    format!("{{{}}}", entries.join(", "))
}

const MODULE: &str = "//- /modules/web/tasks/x.sh\nexit 0\n//- /modules/web/files/a\nx\n//- /modules/web/files/folder/b\nx\n\
                      //- /modules/web/plans/p.pp\nplan web::p(Integer $n) { return $n }\n";

#[test]
fn defects_are_reported() {
    let mut rows = 0;
    rows += check(PUPPETFILES, |text| (format!("//- /Puppetfile\n{text}\n"), "/Puppetfile"));
    rows += check(METADATA, |text| {
        (format!("//- /modules/web/metadata.json\n{}\n", metadata(text)), "/modules/web/metadata.json")
    });
    rows += check(TASKS, |text| {
        (format!("{MODULE}//- /modules/web/tasks/x.json\n{text}\n"), "/modules/web/tasks/x.json")
    });
    rows += check(PROJECTS, |text| (format!("//- /bolt-project.yaml\n{text}\n"), "/bolt-project.yaml"));
    rows += check(INVENTORIES, |text| {
        (format!("//- /bolt-project.yaml\nname: x\n//- /inventory.yaml\n{text}\n"), "/inventory.yaml")
    });
    let task = "//- /modules/web/tasks/x.json\n{\"parameters\": {\"a\": {}}}\n";
    rows += check(PLANS, |text| {
        (format!("{MODULE}{task}//- /modules/web/plans/y.yaml\n{text}\n"), "/modules/web/plans/y.yaml")
    });
    rows += check(HIERARCHIES, |text| {
        let data =
            "//- /data/common.yaml\na: 1\n//- /data/nodes/x.yaml\na: 1\n//- /data/os/Debian.yaml\na: 1\n";
        let config = format!("version: 5\nhierarchy:\n  - name: x\n    {text}\n");
        (format!("{data}//- /hiera.yaml\n{config}"), "/hiera.yaml")
    });
    rows += check(DATA, |text| {
        let config = "//- /hiera.yaml\nversion: 5\nhierarchy:\n  - {name: x, path: common.yaml}\n";
        (format!("{config}//- /data/common.yaml\n{text}\n"), "/data/common.yaml")
    });
    assert!(rows >= 200, "{rows}");
}

#[test]
fn valid_files_have_no_findings() {
    let files = [
        (
            "/Puppetfile",
            "forge 'https://forgeapi.puppet.com'\nmod 'a-b', '1.0.0'\nmod 'c', git: 'https://x', tag: 'v1'\n",
        ),
        ("/modules/web/metadata.json", &metadata("\"tags\": [\"web\"]")),
        ("/modules/web/tasks/x.json", r#"{"files": ["web/files/a", "web/files/folder/", "other/lib/x.rb"]}"#),
        (
            "/bolt-project.yaml",
            "name: x\nmodules:\n  - puppetlabs-stdlib\n  - name: a/b\n    version_requirement: '>= 1.0.0'\n  - git: https://x\n    \
             ref: main\nlog:\n  console: {level: info}\n  bolt.log: disable\n",
        ),
        (
            "/inventory.yaml",
            "version: 2\nconfig:\n  transport: ssh\n  ssh:\n    user: root\n    password: {_plugin: prompt, message: x}\n\
             groups:\n  - name: web\n    targets:\n      - web1\n      - {uri: 10.0.0.1, alias: [web1, first]}\n  - name: db\n    \
             targets: {_plugin: puppetdb, query: x}\n    config: {remote: {token: x}}\n",
        ),
        (
            "/modules/web/plans/y.yaml",
            "description: x\nprivate: false\nparameters:\n  targets: {type: TargetSpec}\n  n: {type: Integer, default: 5}\nsteps:\n  \
             - {name: first, command: ls, targets: $targets, env_vars: {A: b}}\n  - {task: web::x, targets: $targets, parameters: \
             {_noop: true}}\n  - {plan: web::p, parameters: {n: $n}}\n  - eval: |\n      $first.map |$it| { $it.target }\n  - {plan: \
             other::p}\nreturn: $first\n",
        ),
        (
            "/data/common.yaml",
            "lookup_options:\n  a: {convert_to: [Sensitive]}\na: \"%{trusted.certname} %{trusted.extensions.pp_role} %{literal('%')}{Referer}i\"\n",
        ),
        (
            "/hiera.yaml",
            "version: 5\nhierarchy:\n  - name: x\n    paths: [common.yaml, 'nodes/%{trusted.certname}.yaml', 'secret.gpg']\n  - name: y\n    \
             path: /etc/x.yaml\n",
        ),
    ];
    let others: String = files.iter().map(|(path, text)| format!("//- {path}\n{text}\n")).collect();
    let data = "//- /data/nodes/x.yaml\na: 1\n";
    for (path, _) in files {
        assert_eq!(codes(&format!("{MODULE}{data}{others}"), path), Vec::<&str>::new(), "{path}");
    }
}
