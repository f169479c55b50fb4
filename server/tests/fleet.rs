//! Tests of `diff --nodes` and `compile --all --nodes`: fleets of nodes with fact files.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;

use serde_json::{Value as Json, json};

use crate::folders::{Folder, run};

/// Code whose nodes differ in what they read.
const CODE: &[(&str, &str)] = &[
    ("environment.conf", "modulepath = modules\n"),
    (
        "hiera.yaml",
        "version: 5\nhierarchy:\n  - name: all\n    paths: ['nodes/%{trusted.certname}.yaml', 'os/%{facts.os.family}.yaml', common.yaml]\n",
    ),
    ("data/common.yaml", "motd::text: common\nrole::port: 80\n"),
    ("data/os/RedHat.yaml", "motd::text: red\n"),
    ("data/nodes/web2.example.com.yaml", "motd::text: special\n"),
    (
        "manifests/site.pp",
        "node /^web(\\d+)/ { include motd\n  include role }\nnode 'bad.example.com' { fail('broken') }\nnode default { include motd }\n",
    ),
    (
        "modules/motd/manifests/init.pp",
        "class motd(String $text) { file { '/etc/motd': content => $text } }\n",
    ),
    (
        "modules/role/manifests/init.pp",
        "class role(Integer $port) {\n  if $facts['os']['family'] == 'RedHat' { include role::red }\n  file { '/etc/role': content => epp('role/x.epp', { 'port' => $port }) }\n}\n",
    ),
    (
        "modules/role/manifests/red.pp",
        "class role::red { notify { 'red': message => $trusted['extensions']['pp_role'] } }\n",
    ),
    ("modules/role/templates/x.epp", "port <%= $port %> on <%= $facts['virtual'] %>\n"),
];

/// Returns a file of facts as PuppetDB and `puppet facts` write them.
fn facts(name: &str, family: &str, more: Json) -> (String, String) {
    let mut values = json!({
        "os": { "family": family, "name": family, "release": { "major": "12" } },
        "networking": { "fqdn": name, "ip": "10.0.0.1" },
        "virtual": "kvm",
        "uptime": name,
    });
    let values_object = values.as_object_mut().expect("an object");
    values_object.extend(more.as_object().expect("an object").clone());
    (format!("{name}.json"), json!({ "name": name, "values": values }).to_string())
}

/// Creates a repository with one commit, and a folder of facts next to it.
fn fleet(test: &str, nodes: &[(String, String)]) -> (Folder, Folder) {
    let folder = Folder::new(&format!("fleet-{test}"), CODE);
    folder.git(&["init", "--quiet"]);
    folder.git(&["add", "."]);
    folder.git(&["commit", "--quiet", "--message", "step"]);
    let facts: Vec<(&str, &str)> = nodes.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    (folder, Folder::new(&format!("facts-{test}"), &facts))
}

/// Runs `diff --nodes` and returns the report.
#[track_caller]
fn diff(folder: &Folder, facts: &Folder, arguments: &[&str], code: i32) -> (String, Json) {
    let facts = facts.0.to_str().expect("UTF-8");
    let all = [&["diff", "--nodes", facts, "--format", "json"], arguments].concat();
    let (found, out, err) = run(&folder.0, &all);
    assert_eq!(found, Some(code), "{arguments:?}: {out}{err}");
    let json = serde_json::from_str(&out).unwrap_or_default();
    (out, json)
}

fn many() -> Vec<(String, String)> {
    let name = |index: usize| match index % 3 {
        0 => format!("web{index}.example.com"),
        1 => format!("db{index}.example.com"),
        _ => format!("app{index}.example.com"),
    };
    let family = |index: usize| if index.is_multiple_of(2) { "Debian" } else { "RedHat" };
    let role =
        |index: usize| json!({ "trusted": { "extensions": { "pp_role": format!("r{}", index % 2) } } });
    (0..60).map(|index| facts(&name(index), family(index), role(index))).collect()
}

#[test]
fn nodes_with_the_same_change_are_grouped() {
    let (folder, facts) = fleet("groups", &many());
    let (_, same) = diff(&folder, &facts, &[], 0);
    assert_eq!(same["summary"], json!({ "same": 60, "changed": 0, "failed": 0, "open": 0 }));
    assert_eq!(same["groups"], json!([]));
    folder.write(&[("data/common.yaml", "motd::text: new\nrole::port: 80\n")]);
    let (text, json) = diff(&folder, &facts, &[], 1);
    assert_eq!(json["summary"], json!({ "same": 30, "changed": 30, "failed": 0, "open": 0 }), "{text}");
    assert_eq!(json["groups"].as_array().map(Vec::len), Some(1), "{text}");
    assert_eq!(json["groups"][0]["changes"][1]["resource"], "File[/etc/motd]", "{text}");
    assert_eq!(json["failures"], json!([]));
    assert_eq!(diff(&folder, &facts, &[], 1).0, text, "equal bytes");
    assert_eq!(diff(&folder, &facts, &["--separate"], 1).0, text, "shared results equal separate ones");
    let (code, out, _) = run(&folder.0, &["diff", "--nodes", facts.0.to_str().expect("UTF-8")]);
    assert_eq!(code, Some(1));
    assert!(out.contains("changes on 30 nodes: "), "{out}");
    assert!(out.ends_with("60 nodes: 30 same, 30 changed, 0 failed, 0 open\n"), "{out}");
}

/// Changes of what nodes read.
const CHANGES: &[(&str, &str)] = &[
    ("data/common.yaml", "motd::text: new\nrole::port: 80\n"),
    ("data/os/RedHat.yaml", "{}\n"),
    ("data/nodes/web12.example.com.yaml", "role::port: 81\n"),
    ("modules/role/templates/x.epp", "<%= $facts['networking']['fqdn'] %> <%= $port %>\n"),
    ("modules/role/templates/x.epp", "<%= $facts['os'] %> <%= getvar('facts.networking.ip') %>\n"),
    ("modules/role/manifests/red.pp", "class role::red { notify { 'red': message => \"${facts}\" } }\n"),
    (
        "modules/role/manifests/red.pp",
        "class role::red { $facts.each |$n, $v| { if $n == 'uptime' { notify { \"${v}\": } } } }\n",
    ),
    (
        "modules/role/manifests/red.pp",
        "class role::red { $x = $facts['networking'] notify { $x['fqdn']: } }\n",
    ),
    ("modules/role/manifests/red.pp", "class role::red { notify { $trusted['certname']: } }\n"),
    (
        "modules/role/manifests/red.pp",
        "class role::red { notify { inline_template('<%= @facts[\"uptime\"] %><%= @uptime %>'): } }\n",
    ),
    ("modules/role/manifests/red.pp", "class role::red { notify { $facts.dig('networking', 'fqdn'): } }\n"),
    (
        "modules/role/manifests/red.pp",
        "class role::red { notify { dig($trusted, 'hostname'): message => $trusted.get('certname') } }\n",
    ),
    (
        "modules/role/manifests/red.pp",
        "class role::red { notify { lookup('missing', default_value => $facts['uptime']): } }\n",
    ),
    (
        "modules/role/manifests/red.pp",
        "class role::red { if 'uptime' in $facts { notify { $::uptime: } } }\n",
    ),
    (
        "modules/role/manifests/red.pp",
        "class role::red { $k = 'uptime' notify { $facts[$k]: message => $facts['os', 'virtual'] } }\n",
    ),
    ("manifests/site.pp", "node /^(\\w+)\\.example/ { notify { $1: } }\nnode default { }\n"),
    (
        "manifests/site.pp",
        "node /^web/ { notify { $trusted['hostname']: } }\nnode default { notify { \"${title}\": } }\n",
    ),
    ("manifests/site.pp", "node /^web/ { }\n"),
    ("manifests/site.pp", "if $facts['uptime'] =~ /^web(\\d)/ { notify { \"x${1}\": } }\nnode default { }\n"),
    (
        "hiera.yaml",
        "version: 5\nhierarchy:\n  - name: all\n    paths: ['%{facts.networking.fqdn}.yaml', '%{uptime}.yaml', common.yaml]\n",
    ),
    ("data/common.yaml", "motd::text: \"%{facts.uptime} %{facts}\"\nrole::port: 80\n"),
    ("data/common.yaml", "motd::text: \"%{lookup('a')}\"\na: \"%{::networking.fqdn}\"\nrole::port: 80\n"),
];

#[test]
fn shared_results_equal_separate_ones() {
    let (folder, facts) = fleet("sharing", &many());
    for change in CHANGES {
        folder.write(&[*change]);
        let facts_folder = facts.0.to_str().expect("UTF-8");
        let both = ["diff", "--nodes", facts_folder, "--format", "json", "--separate"];
        let separate = run(&folder.0, &both);
        let shared = run(&folder.0, &both[..5]);
        assert_eq!(shared, separate, "{change:?}");
        assert_ne!(shared.0, Some(2), "{change:?}: {shared:?}");
        assert_ne!(shared.0, Some(0), "{change:?} has an effect: {shared:?}");
        folder.git(&["checkout", "--quiet", "."]);
        folder.git(&["clean", "--quiet", "--force"]);
    }
}

/// Runs `compile --all` with and without sharing, and returns exit code and output.
#[track_caller]
fn compile_all(folder: &Folder, arguments: &[&str]) -> (Option<i32>, String) {
    let all = [&["compile", "--all"], arguments].concat();
    let shared = run(&folder.0, &all);
    assert_eq!(shared, run(&folder.0, &[&all[..], &["--separate"]].concat()), "{arguments:?}");
    (shared.0, shared.1)
}

#[test]
fn shared_compiles_of_all_equal_separate_ones() {
    let mut nodes = many();
    nodes.push(facts("bad.example.com", "Debian", json!({})));
    let (folder, facts) = fleet("compile-sharing", &nodes);
    let facts = facts.0.to_str().expect("UTF-8");
    let broken = ("modules/motd/manifests/init.pp", "class motd { fail($facts['os']['family']) }\n");
    for change in CHANGES.iter().chain([&broken]) {
        folder.write(&[*change]);
        for format in ["text", "json"] {
            compile_all(&folder, &["--format", format]);
            compile_all(&folder, &["--format", format, "--nodes", facts]);
        }
        folder.git(&["checkout", "--quiet", "."]);
        folder.git(&["clean", "--quiet", "--force"]);
    }
}

#[test]
fn nodes_without_a_hash_differ_from_nodes_without_its_key() {
    let disks = [json!({ "disk": {} }), json!({}), json!({ "disk": "sda" }), json!({ "disk": { "a": 1 } })];
    let nodes: Vec<_> =
        disks.into_iter().zip('a'..).map(|(disk, it)| facts(&it.to_string(), "Debian", disk)).collect();
    let (folder, facts) = fleet("missing-keys", &nodes);
    let facts = facts.0.to_str().expect("UTF-8");
    folder.write(&[("manifests/site.pp", "notify { \"x${facts['disk']['a']}\": }\n")]);
    let (code, text) = compile_all(&folder, &["--nodes", facts]);
    assert_eq!(code, Some(1), "{text}");
    assert!(text.contains("4 nodes on 1 platform: 2 of 4 catalogs compile\n"), "{text}");
}

#[test]
fn all_nodes_of_a_fleet_are_compiled() {
    let debian =
        json!({ "os": { "family": "Debian", "name": "Debian", "release": { "major": "12", "full": "12" } } });
    let mut nodes = vec![
        facts("web1.example.com", "Debian", debian),
        facts("web2.example.com", "RedHat", json!({ "trusted": { "extensions": { "pp_role": "r" } } })),
    ];
    let (folder, facts_folder) = fleet("compile", &nodes);
    let path = facts_folder.0.to_str().expect("UTF-8");
    let (code, out) = compile_all(&folder, &["--nodes", path]);
    assert_eq!((code, out.contains("2 of 2 catalogs compile")), (Some(0), true), "{out}");
    nodes.push(facts("bad.example.com", "Debian", json!({})));
    nodes.push((
        "none.example.com.json".to_owned(),
        json!({ "name": "none.example.com", "values": {} }).to_string(),
    ));
    let (folder, facts_folder) = fleet("compile-failures", &nodes);
    let path = facts_folder.0.to_str().expect("UTF-8");
    let (code, out) = compile_all(&folder, &["--nodes", path, "--format", "json"]);
    let json: Json = serde_json::from_str(&out).expect("JSON");
    let names: Vec<_> =
        json.as_array().expect("an array").iter().map(|it| (&it["node"], &it["ok"])).collect();
    assert_eq!(code, Some(1), "{out}");
    assert_eq!(
        json!(names),
        json!([
            ["bad.example.com", false],
            ["web1.example.com", true],
            ["web2.example.com", true],
            ["none.example.com", false],
        ])
    );
    assert_eq!(json[3]["open"], json!(["no facts"]), "{out}");
    let only = |name: &str, more: &[&str]| {
        let (folder, facts) = fleet(name, &nodes[3..]);
        compile_all(&folder, &[&["--nodes", facts.0.to_str().expect("UTF-8")], more].concat()).0
    };
    assert_eq!(only("compile-open", &[]), Some(0));
    assert_eq!(only("compile-deny-open", &["--deny-open"]), Some(1));
    let (code, _, err) = run(&folder.0, &["compile", "--nodes", path]);
    assert_eq!(code, Some(2), "{err}");
    let (code, _, err) = run(&folder.0, &["compile", "--all", "--nodes", "nowhere"]);
    assert!(code == Some(2) && err.contains("`nowhere` not found"), "{err}");
}

#[test]
fn failures_of_nodes_are_findings_of_check() {
    let role = json!({ "trusted": { "extensions": { "pp_role": "r" } } });
    let mut nodes: Vec<(String, String)> =
        (0..9).map(|index| facts(&format!("web{index}.example.com"), "Debian", role.clone())).collect();
    nodes.push(facts("web9.example.com", "RedHat", role));
    let (folder, facts_folder) = fleet("check", &nodes);
    let path = facts_folder.0.to_str().expect("UTF-8").to_owned();
    let check = |arguments: &[&str], code: i32| {
        let all = [&["check", "--nodes", &path], arguments].concat();
        let (found, out, err) = run(&folder.0, &all);
        assert_eq!(found, Some(code), "{arguments:?}: {out}{err}");
        (out, err)
    };
    check(&["--deny-open"], 0);
    // Only nodes with these facts fail.
    let code = "class role(Integer $port) {\n  $size = $facts['os']['family'] ? { 'RedHat' => 1, default => 'x' }\n  file { '/etc/role': content => \"${$size + $port}\" }\n}\n";
    folder.write(&[("modules/role/manifests/init.pp", code)]);
    let (out, _) = check(&[], 1);
    assert!(out.contains("error[failing-node]: nodes `web0.example.com`, "), "{out}");
    assert!(out.contains("and 3 more cannot be compiled: "), "{out}");
    assert!(out.contains("modules/role/manifests/init.pp:3:"), "{out}");
    let (out, _) = check(&["--format", "json"], 1);
    let json: Json = serde_json::from_str(&out).expect("JSON");
    let names: Vec<String> = (0..9).map(|index| format!("web{index}.example.com")).collect();
    assert_eq!((json.as_array().map(Vec::len), &json[0]["nodes"]), (Some(1), &json!(names)), "{out}");
    // The innermost location in the checked files.
    let (out, _) = check(&["manifests", "--format", "concise"], 1);
    assert!(out.starts_with("manifests/site.pp:") && out.contains("failing-node"), "{out}");
    // Failures elsewhere are counted.
    let (out, err) = check(&["data"], 1);
    assert!(err.contains("fails (modules/role/manifests/init.pp:3)"), "{out}{err}");
    check(&["data", "--fail-on", "never"], 0);
    folder.write(&[("puppet-analyzer.toml", "[lint]\nfailing-node = \"warning\"\n")]);
    let (out, _) = check(&[], 0);
    assert!(out.contains("warning[failing-node]: nodes "), "{out}");
}

#[test]
fn nodes_of_check_that_are_open() {
    let (folder, facts_folder) = fleet(
        "check-open",
        &[("a.json".to_owned(), json!({ "name": "a.example.com", "values": {} }).to_string())],
    );
    let path = facts_folder.0.to_str().expect("UTF-8");
    let (code, out, err) = run(&folder.0, &["check", "--nodes", path]);
    assert!(code == Some(0) && err.contains("no facts"), "{out}{err}");
    let (code, out, err) = run(&folder.0, &["check", "--nodes", path, "--deny-open"]);
    assert!(code == Some(1) && err.contains("a.example.com"), "{out}{err}");
    let (code, _, err) = run(&folder.0, &["check", "--nodes", "nowhere"]);
    assert!(code == Some(2) && err.contains("`nowhere` not found"), "{err}");
    let (code, _, err) = run(&folder.0.join("data"), &["check", "--enc-dir", "x"]);
    assert!(code == Some(2) && err.contains("--nodes"), "{err}");
    let module = Folder::new("check-module", &[("manifests/init.pp", "class m { }\n")]);
    let (code, _, err) = run(&module.0, &["check", "--nodes", path]);
    assert!(code == Some(2) && err.contains("main manifest not found"), "{err}");
}

#[test]
fn nothing_is_silently_fine() {
    let mut nodes =
        vec![facts("web1.example.com", "Debian", json!({})), facts("bad.example.com", "Debian", json!({}))];
    nodes.push((
        "none.example.com.json".to_owned(),
        json!({ "name": "none.example.com", "values": {} }).to_string(),
    ));
    let (folder, facts_folder) = fleet("failures", &nodes);
    let (text, json) = diff(&folder, &facts_folder, &[], 3);
    assert_eq!(json["summary"], json!({ "same": 1, "changed": 0, "failed": 1, "open": 1 }), "{text}");
    let failures = &json["failures"];
    assert_eq!(
        failures,
        &json!([
            { "node": "bad.example.com", "side": "both", "status": "failed", "reason": "broken" },
            { "node": "none.example.com", "side": "both", "status": "open", "reason": "no facts" },
        ])
    );
    folder.write(&[("modules/role/manifests/init.pp", "class role { fail('new') }\n")]);
    let (text, json) = diff(&folder, &facts_folder, &[], 3);
    assert_eq!(json["failures"][2]["node"], "web1.example.com", "{text}");
    assert_eq!(json["failures"][2]["side"], "head", "{text}");
    folder.write(&[("modules/role/manifests/init.pp", "class role { include absent::x }\n")]);
    let (text, json) = diff(&folder, &facts_folder, &["web1.example.com", "gone.example.com"], 3);
    assert_eq!(json["failures"][0]["reason"], "no facts", "{text}");
    assert!(text.contains("absent::x"), "{text}");
    assert_eq!(json["failures"][0]["node"], "gone.example.com", "{text}");
}

#[test]
fn forms_of_facts() {
    let stored = "--- !ruby/object:Puppet::Node::Facts\nname: db1.example.com\nvalues:\n  os: { family: RedHat }\n  virtual: kvm\ntimestamp: 2026-01-01\n";
    let inventory = json!({
        "certname": "db2.example.com", "environment": "production", "timestamp": "x",
        "facts": { "os": { "family": "RedHat" } }, "trusted": { "certname": "db2.example.com", "extensions": {} },
    });
    let factset = json!({
        "certname": "db3.example.com",
        "facts": { "href": "/pdb/x", "data": [{ "name": "os", "value": { "family": "RedHat" } }] },
    });
    let plain = json!({ "os": { "family": "Debian" } });
    let nodes = [
        ("db1.example.com.yaml".to_owned(), stored.to_owned()),
        ("2.json".to_owned(), inventory.to_string()),
        ("3.json".to_owned(), factset.to_string()),
        ("web2.example.com.json".to_owned(), plain.to_string()),
        ("notes.txt".to_owned(), "not facts".to_owned()),
    ];
    let (folder, facts_folder) = fleet("forms", &nodes);
    folder.write(&[
        ("data/os/RedHat.yaml", "motd::text: redder\n"),
        ("data/nodes/web2.example.com.yaml", "motd::text: other\n"),
    ]);
    let (text, json) = diff(&folder, &facts_folder, &[], 1);
    let groups = json["groups"].as_array().expect("an array");
    assert_eq!(groups.len(), 2, "{text}");
    assert_eq!(
        groups[0]["nodes"],
        json!(["db1.example.com", "db2.example.com", "db3.example.com"]),
        "{text}"
    );
    assert_eq!(groups[1]["nodes"], json!(["web2.example.com"]), "{text}");
}

#[test]
fn unusable_input() {
    let (folder, facts_folder) = fleet("unusable", &[facts("a", "Debian", json!({}))]);
    let facts_path = facts_folder.0.to_str().expect("UTF-8").to_owned();
    let check = |arguments: &[&str], message: &str| {
        let (code, out, err) = run(&folder.0, &[&["diff", "--format", "json"], arguments].concat());
        assert_eq!(code, Some(2), "{arguments:?}: {out}{err}");
        assert_eq!(out, "", "{arguments:?}");
        assert!(err.contains(message), "{arguments:?}: {err}");
    };
    check(&["--nodes", "nowhere"], "`nowhere` not found");
    check(&["--nodes", "manifests"], "no fact files");
    check(&["--nodes", "environment.conf"], "neither a folder of fact files, a snapshot");
    check(&["--nodes", &facts_path, "--shard", "1/2"], "--output");
    check(&["--nodes", &facts_path, "--shard", "3/2", "--output", "x"], "between 1 and the number of shards");
    check(&["--nodes", &facts_path, "--base", "nowhere"], "unknown revision");
    facts_folder.write(&[("b.json", "{")]);
    check(&["--nodes", &facts_path], "cannot read facts from");
    facts_folder.write(&[("b.json", r#"{ "name": "A", "values": { "x": 1 } }"#)]);
    check(&["--nodes", &facts_path], "occurs more than once");
    let empty = Folder::new("fleet-empty", &[("x.pp", "")]);
    empty.git(&["init", "--quiet"]);
    empty.git(&["add", "."]);
    empty.git(&["commit", "--quiet", "--message", "step"]);
    let (code, _, err) = run(&empty.0, &["diff", "--nodes", &facts_path]);
    assert_eq!(code, Some(2), "{err}");
    assert!(err.contains("no main manifest"), "{err}");
}

#[test]
fn shards_are_merged() {
    let mut nodes = many();
    nodes.push(facts("bad.example.com", "Debian", json!({})));
    let (folder, facts_folder) = fleet("shards", &nodes);
    let facts_path = facts_folder.0.to_str().expect("UTF-8").to_owned();
    folder.write(&[("data/common.yaml", "motd::text: \"%{trusted.certname}\"\nrole::port: 80\n")]);
    let results = Folder::new("fleet-results", &[]);
    let path = |name: &str| results.0.join(name).to_str().expect("UTF-8").to_owned();
    let (whole, _) = diff(&folder, &facts_folder, &[], 3);
    let shard = |number: usize, count: usize, name: &str| {
        let shard = format!("{number}/{count}");
        let all = ["diff", "--nodes", &facts_path, "--shard", &shard, "--output", &path(name)];
        let (code, out, err) = run(&folder.0, &all);
        assert_eq!((code, out.as_str()), (Some(0), ""), "{err}");
        err
    };
    for number in 1..=3 {
        shard(number, 3, &format!("{number}"));
    }
    let merge = |names: &[&str], code: i32, message: &str| {
        let paths: Vec<String> = names.iter().map(|name| path(name)).collect();
        let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
        let (found, out, err) =
            run(&folder.0, &[&["diff", "merge", "--format", "json"], &paths[..]].concat());
        assert_eq!(found, Some(code), "{names:?}: {out}{err}");
        assert!(err.contains(message), "{names:?}: {err}");
        out
    };
    assert_eq!(merge(&["3", "1", "2"], 3, ""), whole);
    assert!(shard(2, 3, "2").contains("already has these results"));
    assert_eq!(merge(&["1", "2"], 2, "missing shards: 3/3"), "");
    assert_eq!(merge(&["1", "2", "3", "2"], 2, "are both shard 2/3"), "");
    let bytes = fs::read(path("2")).expect("results");
    fs::write(path("truncated"), &bytes[..bytes.len() - 20]).expect("a file");
    assert_eq!(merge(&["1", "truncated", "3"], 2, "truncated"), "");
    fs::write(path("text"), "{}\n").expect("a file");
    assert_eq!(merge(&["1", "text", "3"], 2, "not a usable file"), "");
    assert_eq!(merge(&["1", "nowhere", "3"], 2, "cannot read"), "");
    shard(2, 4, "of-four");
    assert_eq!(merge(&["1", "of-four", "3"], 2, "another number of shards"), "");
    folder.write(&[("data/common.yaml", "motd::text: other\nrole::port: 80\n")]);
    shard(2, 3, "other");
    assert_eq!(merge(&["1", "other", "3"], 2, "other code"), "");
    facts_folder.write(&[("more.json", &facts("more", "Debian", json!({})).1)]);
    shard(3, 3, "facts");
    shard(2, 3, "2");
    assert_eq!(merge(&["facts", "1", "2"], 2, "than"), "");
}

#[test]
fn shards_contain_nodes_by_the_names_in_their_files() {
    let mut nodes: Vec<(String, String)> = (0..12)
        .map(|index| {
            let (_, text) = facts(&format!("n{index}"), "Debian", json!({}));
            (format!("file-{index}.json"), text)
        })
        .collect();
    let cached = |name: &str| {
        format!(
            "--- !ruby/object:Puppet::Node::Facts\nname: {name}\nvalues:\n  os:\n    family: Debian\ntimestamp: 2026-01-01\n"
        )
    };
    nodes.extend((0..6).map(|index| (format!("x{index}.yaml"), cached(&format!("c{index}.example.com")))));
    nodes.push(("plain.example.com.json".to_owned(), json!({ "os": { "family": "Debian" } }).to_string()));
    let (folder, facts_folder) = fleet("names-in-files", &nodes);
    folder.write(&[("data/common.yaml", "motd::text: \"%{trusted.certname}\"\nrole::port: 80\n")]);
    let (whole, _) = diff(&folder, &facts_folder, &[], 1);
    let results = Folder::new("fleet-names-in-files-results", &[]);
    let path = |number: usize| results.0.join(number.to_string()).to_str().expect("UTF-8").to_owned();
    let shards = |code: i32| {
        for number in 1..=5 {
            let _ = fs::remove_file(path(number));
            let shard = format!("{number}/5");
            let arguments = ["diff", "--nodes", facts_folder.0.to_str().expect("UTF-8"), "--shard", &shard];
            let (found, _, err) = run(&folder.0, &[&arguments[..], &["--output", &path(number)]].concat());
            assert!(found == Some(0) || code == 2 && err.contains("more than once"), "{err}");
        }
        let paths: Vec<String> = (1..=5).map(path).collect();
        let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
        let (found, out, err) =
            run(&folder.0, &[&["diff", "merge", "--format", "json"], &paths[..]].concat());
        assert_eq!(found, Some(code), "{out}{err}");
        out
    };
    assert_eq!(shards(1), whole);
    let (selected, json) = diff(&folder, &facts_folder, &["n3", "c2.example.com", "plain.example.com"], 1);
    assert_eq!(json["summary"]["changed"], 3, "{selected}");
    // The same node in two files is in one shard, which fails.
    facts_folder.write(&[("again.json", &facts("n3", "Debian", json!({})).1)]);
    assert_eq!(shards(2), "");
}

#[test]
fn each_node_is_in_one_shard() {
    let mut counts: BTreeMap<usize, usize> = BTreeMap::new();
    let nodes: Vec<(String, String)> =
        (0..40).map(|index| facts(&format!("n{index}"), "Debian", json!({}))).collect();
    let (folder, facts_folder) = fleet("parts", &nodes);
    let mut names = String::new();
    for number in 1..=4 {
        let output = folder.0.join(format!("../shard{number}"));
        let output = output.to_str().expect("UTF-8");
        let shard = format!("{number}/4");
        diff(&folder, &facts_folder, &["--shard", &shard, "--output", output], 0);
        let _ = write!(names, "{output} ");
        let size = fs::metadata(output).expect("results").len();
        counts.insert(number, usize::try_from(size).expect("a size"));
    }
    let paths: Vec<&str> = names.split_whitespace().collect();
    let (code, out, err) = run(&folder.0, &[&["diff", "merge"], &paths[..]].concat());
    assert_eq!(code, Some(0), "{err}");
    assert_eq!(out, "40 nodes: 40 same, 0 changed, 0 failed, 0 open\n");
    assert_eq!(counts.len(), 4);
}

#[test]
fn node_classifiers_and_overrides() {
    let (folder, facts_folder) =
        fleet("enc", &[facts("web1", "Debian", json!({})), facts("web2", "Debian", json!({}))]);
    folder.write(&[("manifests/site.pp", "notify { \"${facts['os']['family']} ${mode}\": }\n")]);
    folder.git(&["commit", "--quiet", "--all", "--message", "step"]);
    let enc = Folder::new("fleet-enc", &[("web1.yaml", "classes: [motd]\nparameters: { mode: x }\n")]);
    let enc_path = enc.0.to_str().expect("UTF-8").to_owned();
    let (text, json) = diff(&folder, &facts_folder, &["--enc-dir", &enc_path], 3);
    assert_eq!(json["summary"], json!({ "same": 1, "changed": 0, "failed": 0, "open": 1 }), "{text}");
    assert_eq!(json["failures"][0]["reason"], "no output of the node classifier", "{text}");
    enc.write(&[("web2.yaml", "classes: {}\nparameters: { mode: y }\n")]);
    folder.write(&[("data/common.yaml", "motd::text: new\nrole::port: 80\n")]);
    let (text, json) = diff(&folder, &facts_folder, &["--enc-dir", &enc_path], 1);
    assert_eq!(json["groups"][0]["nodes"], json!(["web1"]), "{text}");
    folder.git(&["checkout", "--quiet", "."]);
    let family =
        ["--enc-dir", &enc_path, "--fact", "os.family=RedHat", "--base-fact", "os.family=(string)Suse"];
    let (text, json) = diff(&folder, &facts_folder, &family, 1);
    assert_eq!(json["summary"]["changed"], 2, "{text}");
    assert!(text.contains("Notify[Suse x]") && text.contains("Notify[RedHat y]"), "{text}");
    let (_, json) = diff(&folder, &facts_folder, &[&family[..4], &["--separate"]].concat(), 0);
    assert_eq!(json["summary"]["same"], 2);
    let (code, _, err) = run(&folder.0, &["diff", "--nodes", "x", "--fact", "a=(integer)b"]);
    assert_eq!(code, Some(2), "{err}");
    assert!(err.contains("is not of the type `integer`"), "{err}");
}

/// Options with the number of changed nodes, and with the numbers of ignored changes and of their nodes.
type RuleCase = (&'static [&'static str], u64, Option<(u64, u64)>);

const RULES: &[RuleCase] = &[
    (&[], 30, None),
    (&["--ignore", "File[/etc/motd]::parameters::content"], 30, Some((30, 30))),
    (&["--ignore", "File[/etc/motd],Class[Motd]"], 0, Some((60, 30))),
    (&["--ignore", "File[/other]"], 30, None),
];

#[test]
fn ignored_changes_of_fleets_are_counted() {
    let nodes: Vec<(String, String)> =
        (0..30).map(|it| facts(&format!("app{it}.example.com"), "Debian", json!({}))).collect();
    let (folder, facts) = fleet("ignored", &nodes);
    folder.write(&[("data/common.yaml", "motd::text: changed\nrole::port: 80\n")]);
    for (rules, changed, ignored) in RULES {
        let code = i32::from(*changed > 0);
        let (out, json) = diff(&folder, &facts, rules, code);
        let counted = json.get("ignored").map(|it| (it["changes"].as_u64(), it["nodes"].as_u64()));
        let expected = ignored.map(|(changes, nodes)| (Some(changes), Some(nodes)));
        assert_eq!(
            (json["summary"]["changed"].as_u64(), counted),
            (Some(*changed), expected),
            "{rules:?}: {out}"
        );
        let (separate, _) = diff(&folder, &facts, &[&["--separate"], *rules].concat(), code);
        assert_eq!(out, separate, "{rules:?}");
    }
}

#[test]
fn fleets_have_the_format_of_octocatalog_diff() {
    let nodes = many();
    let (folder, facts) = fleet("octocatalog", &nodes);
    folder.write(&[("data/common.yaml", "motd::text: changed\nrole::port: 81\n")]);
    let path = facts.0.to_str().expect("UTF-8");
    let command = ["diff", "--nodes", path, "--format", "octocatalog", "--default-header"];
    let (code, whole, err) = run(&folder.0, &command);
    assert_eq!(code, Some(2), "{err}");
    for line in whole.lines() {
        let found: Json = serde_json::from_str(line).expect("JSON");
        let header = found["header"].as_str().unwrap_or_default();
        let node = header.strip_prefix("diff HEAD/").and_then(|it| it.split_once(' ')).expect("a header").0;
        let file = facts.0.join(format!("{node}.json"));
        let alone = ["diff", node, "--facts", file.to_str().expect("UTF-8"), "--format", "octocatalog"];
        let (_, alone, err) = run(&folder.0, &[&alone[..], &["--default-header"]].concat());
        assert_eq!(format!("{line}\n"), alone, "{err}");
    }
    assert!(whole.lines().count() > 3, "{whole}");
    for part in ["1/2", "2/2"] {
        let output = format!("part{}", &part[..1]);
        run(&folder.0, &[&command[..5], &["--shard", part, "--output", &output]].concat());
    }
    let merged =
        run(&folder.0, &["diff", "merge", "part2", "part1", "--format", "octocatalog", "--default-header"]);
    assert_eq!((merged.0, merged.1), (Some(2), whole));
    let mixed = run(&folder.0, &["diff", "merge", "part2", "part1", "--format", "json"]);
    assert_eq!((mixed.0, mixed.1.as_str()), (Some(2), ""), "{}", mixed.2);
}

#[test]
fn comments_on_fleets_have_a_limited_size() {
    let nodes: Vec<(String, String)> = (0..400)
        .map(|it| {
            facts(
                &format!("web{it}.example.com"),
                "Debian",
                json!({ "virtual": format!("{it}-{}", "x".repeat(90)) }),
            )
        })
        .collect();
    let (folder, facts) = fleet("comment", &nodes);
    folder.write(&[("data/common.yaml", "motd::text: changed\nrole::port: 81\n")]);
    let path = facts.0.to_str().expect("UTF-8");
    let command = ["diff", "--nodes", path, "--format", "markdown"];
    let (code, whole, err) = run(&folder.0, &command);
    assert_eq!(code, Some(1), "{err}");
    assert!(whole.starts_with("### Nodes compared with `HEAD`\n\n400 nodes: "), "{whole}");
    assert!(whole.len() < 65_536 && whole.len() > 20_000, "{}", whole.len());
    let left = whole.lines().find(|line| line.contains("left out")).expect("a line on what was left out");
    assert!(left.contains("more groups of changes on") && left.contains("`--format html`"), "{left}");
    let shown = whole.matches("on one node").count();
    let count: usize = left.split(' ').next().and_then(|it| it.parse().ok()).expect("a number");
    assert_eq!(shown + count, 400, "{left}");
    let (_, named, _) = run(&folder.0, &[&command[..], &["--report-url", "https://example.com/r"]].concat());
    assert!(named.contains("the whole report is at https://example.com/r"), "{named}");
}

/// Targets with the nodes that contain them, and with the exit code.
const IMPACTS: &[(&str, &[&str], i32)] = &[
    ("modules/motd/manifests/init.pp", &["app", "db", "web"], 0),
    ("modules/role/manifests/init.pp", &["web"], 0),
    ("modules/role/manifests/red.pp", &["web"], 0),
    ("modules/role/templates/x.epp", &["web"], 0),
    ("File[/etc/role]", &["web"], 0),
    ("Class[role]", &["web"], 0),
    ("Notify[red]", &["web"], 0),
    ("File[/etc/other]", &[], 1),
];

#[test]
fn impact_lists_the_nodes_that_contain_a_target() {
    let nodes = many();
    let (folder, facts) = fleet("impact", &nodes);
    let path = facts.0.to_str().expect("UTF-8");
    for (target, kinds, code) in IMPACTS {
        let (found, out, err) = run(&folder.0, &["impact", "--nodes", path, target, "--format", "json"]);
        assert_eq!(found, Some(*code), "{target}: {out}{err}");
        let json: Json = serde_json::from_str(&out).expect("JSON");
        let mut contained: Vec<String> = Vec::new();
        for catalog in json["targets"][0]["catalogs"].as_array().into_iter().flatten() {
            contained.push(catalog["node"].as_str().unwrap_or_default().to_owned());
        }
        let is_red = |name: &str| {
            nodes.iter().any(|(file, text)| *file == format!("{name}.json") && text.contains("RedHat"))
        };
        let needs_red = target.contains("red");
        let mut expected: Vec<String> =
            nodes.iter().map(|(file, _)| file.trim_end_matches(".json").to_owned()).collect();
        expected
            .retain(|name| kinds.iter().any(|kind| name.starts_with(kind)) && (!needs_red || is_red(name)));
        expected.sort();
        assert_eq!(contained, expected, "{target}: {out}");
        assert_eq!(json["summary"]["affected"].as_u64(), Some(expected.len() as u64), "{target}");
    }
}

#[test]
fn nodes_that_fail_or_are_open_are_unknown() {
    let nodes = [
        facts("web1.example.com", "Debian", json!({})),
        facts("bad.example.com", "Debian", json!({})),
        ("empty.json".to_owned(), json!({ "name": "empty", "values": {} }).to_string()),
    ];
    let (folder, facts) = fleet("impact-unknown", &nodes);
    let path = facts.0.to_str().expect("UTF-8");
    // Nodes that fail have no catalog, whatever precedes the failure.
    folder.write(&[(
        "manifests/site.pp",
        "file { '/etc/role': }\nnode 'web1.example.com' { }\nnode default { fail('broken') }\n",
    )]);
    let (code, out, err) = run(&folder.0, &["impact", "--nodes", path, "File[/etc/role]"]);
    assert_eq!(code, Some(3), "{out}{err}");
    assert_eq!(
        out,
        "1 node contains File[/etc/role]:\n    web1.example.com\n\nUnknown, or in part:\nopen, on 1 node: no facts\n    empty\nfails, on 1 node: broken\n    bad.example.com\n\n3 nodes: 1 affected, 0 not affected, 1 failed, 1 open\n"
    );
}
