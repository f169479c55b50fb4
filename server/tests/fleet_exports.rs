//! Tests of `--exported`: what nodes collect of the resources that others export. The expected catalogs are those of real Puppet with
//! PuppetDB, recorded by `tests/fleet/puppetdb.py`.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value as Json, json};

use crate::fake_puppetdb::{PuppetDbRows, Reply, serve};
use crate::folders::{Folder, run};

/// Resources that a catalog may add whatever its code says, and that recordings leave out.
const LEFT_OUT: [&str; 3] = ["Class", "Node", "Stage"];

/// Code of nodes that export and collect.
const CODE: &str = "\
node /^web/ {
  @@host { $trusted['certname']: ip => $facts['networking']['ip'], tag => 'web' }
  @@file { \"/etc/${trusted['certname']}\": content => 'old' }
}
node /^lb/ {
  Host <<| tag == 'web' |>>
}
node /^bad/ { fail('broken') }
node default { }
";

const NODES: [&str; 5] = ["db1", "lb1", "web1", "web2", "web3"];

fn recordings() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/fleet/exported")
}

fn facts(names: &[&str]) -> Folder {
    let files: Vec<(String, String)> = names
        .iter()
        .map(|name| {
            let fqdn = format!("{name}.example.com");
            let ip = format!("10.0.0.{}", name.chars().last().unwrap_or('0'));
            let values = json!({
                "os": { "name": "Debian", "family": "Debian", "release": { "major": "12", "full": "12.5" } },
                "networking": { "fqdn": fqdn, "ip": ip },
            });
            (format!("{fqdn}.json"), json!({ "name": fqdn, "values": values }).to_string())
        })
        .collect();
    let files: Vec<(&str, &str)> = files.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    Folder::new("facts-exports", &files)
}

/// Creates a repository whose only commit has this main manifest.
fn repository(code: &str) -> Folder {
    let folder = Folder::new("exports", &[("manifests/site.pp", code), ("environment.conf", "\n")]);
    folder.git(&["init", "--quiet"]);
    folder.git(&["add", "."]);
    folder.git(&["commit", "--quiet", "--message", "step"]);
    folder
}

fn diff(folder: &Folder, facts: &Folder, arguments: &[&str]) -> (Option<i32>, String, String) {
    let facts = facts.0.to_str().expect("UTF-8");
    run(&folder.0, &[&["diff", "--nodes", facts], arguments].concat())
}

/// Returns the parameters of the resources of each node that the code adds, by node and reference, or the errors.
fn catalogs(code: &str) -> BTreeMap<String, Json> {
    let folder = repository("node default { }\n");
    folder.write(&[("manifests/site.pp", code)]);
    let facts = facts(&NODES);
    let exported = ["--exported", "from-run"];
    let mut catalogs = BTreeMap::new();
    let (_, out, err) = diff(&folder, &facts, &[&exported[..], &["--format", "json"]].concat());
    let report: Json = serde_json::from_str(&out).unwrap_or_else(|error| panic!("{error}: {out}{err}"));
    for failure in report["failures"].as_array().expect("failures") {
        let node = failure["node"].as_str().expect("a name").to_owned();
        // A node may fail and have open parts.
        let is_known = catalogs.get(&node).is_some_and(|it: &Json| it["error"].is_string());
        if failure["status"] == "failed" {
            catalogs.insert(node, json!({ "error": failure["reason"] }));
        } else if !is_known {
            catalogs.insert(node, json!({ "open": failure["reason"] }));
        }
    }
    for name in NODES {
        let node = format!("{name}.example.com");
        if catalogs.contains_key(&node) {
            continue;
        }
        let one = [&node, "--format", "octocatalog", "--no-compare-file-text"];
        let (_, out, err) = diff(&folder, &facts, &[&exported[..], &one].concat());
        let report: Json =
            serde_json::from_str(&out).unwrap_or_else(|error| panic!("{node}: {error}: {out}{err}"));
        catalogs.insert(node, json!({ "resources": added(&report) }));
    }
    catalogs
}

/// Returns a recorded catalog without what octocatalog-diff ignores: slashes at the ends of paths, the paths of files, and
/// relationships, and resources that the node exports itself.
fn as_octocatalog(recorded: &Json, node: &str) -> Json {
    let mut catalog: Json = serde_json::from_str(&recorded.to_string().replace("/]\"", "]\"")).expect("JSON");
    let resources = catalog["resources"].as_object_mut().expect("resources");
    resources.remove(&format!("User[{node}]"));
    for (_, parameters) in resources {
        let parameters = parameters.as_object_mut().expect("parameters");
        parameters.retain(|name, _| !["path", "before", "require"].contains(&name.as_str()));
    }
    catalog
}

/// Returns the parameters of the resources that a report of octocatalog-diff adds.
fn added(report: &Json) -> BTreeMap<String, Json> {
    let items = report["diff"].as_array().expect("differences").iter();
    let new = items.map(|it| &it["new_value"]).filter(|it| it.is_object());
    let named = new.map(|it| {
        let text = |key: &str| it[key].as_str().expect("a string").to_owned();
        (text("type"), text("title"), it["parameters"].clone())
    });
    let wanted = named.filter(|(kind, ..)| !LEFT_OUT.contains(&kind.as_str()));
    let empty = |parameters: Json| if parameters.is_null() { json!({}) } else { parameters };
    wanted.map(|(kind, title, parameters)| (format!("{kind}[{title}]"), empty(parameters))).collect()
}

#[test]
fn nodes_collect_what_real_nodes_collect() {
    let files = fs::read_dir(recordings()).expect("a folder").map(|it| it.expect("a file").path());
    let mut programs: Vec<PathBuf> = files.filter(|it| it.extension().is_some_and(|it| it == "pp")).collect();
    programs.sort();
    assert!(programs.len() >= 5);
    let mut open = BTreeSet::new();
    for program in programs {
        let code = fs::read_to_string(&program).expect("UTF-8");
        let recorded = fs::read_to_string(program.with_extension("json")).expect("UTF-8");
        let recorded: BTreeMap<String, Json> = serde_json::from_str(&recorded).expect("JSON");
        for (node, found) in catalogs(&code) {
            let place = format!("{node} of {}", program.display());
            // What nodes export that fail, or that have to be compiled with the exports of others first, is unknown.
            if let Json::String(reason) = &found["open"] {
                assert!(reason.starts_with("resources of type `file` that node "), "{place}: {reason}");
                open.insert(place);
                continue;
            }
            match (&recorded[&node]["error"], &found["error"]) {
                (Json::Null, Json::Null) => {
                    assert_eq!(found, as_octocatalog(&recorded[&node], &node), "{place}");
                }
                (Json::String(_), Json::String(message)) => {
                    assert!(message.contains("is already declared"), "{place}: {message}");
                }
                (recorded, found) => panic!("{place}: {found} instead of {recorded}"),
            }
        }
    }
    assert!(open.len() <= 7, "{open:?}");
}

const FROM_RUN: [&str; 4] = ["--exported", "from-run", "--format", "json"];

#[test]
fn a_change_of_exports_reaches_the_nodes_that_collect_them() {
    let (folder, facts) = (repository(CODE), facts(&NODES));
    folder.write(&[("manifests/site.pp", &CODE.replace("['ip'], tag", "['ip'], target => '/h', tag"))]);
    let (code, out, err) = diff(&folder, &facts, &FROM_RUN);
    let report: Json = serde_json::from_str(&out).unwrap_or_else(|error| panic!("{error}: {out}{err}"));
    assert_eq!(report["summary"], json!({ "same": 1, "changed": 4, "failed": 0, "open": 0 }), "{out}");
    assert_eq!(code, Some(1));
    assert_eq!(diff(&folder, &facts, &[&FROM_RUN[..], &["--separate"]].concat()).1, out, "shared compiles");
    // Without the option, nothing is known about the exports of others.
    let (code, out, _) = diff(&folder, &facts, &["--format", "json"]);
    let report: Json = serde_json::from_str(&out).expect("JSON");
    assert_eq!(report["summary"]["open"], 1, "{out}");
    assert_eq!(
        report["failures"][0]["reason"],
        "resources of type `host` that other nodes export are unknown"
    );
    assert_eq!(code, Some(3));
}

#[test]
fn shards_collect_what_all_nodes_export() {
    let (folder, facts) = (repository(CODE), facts(&NODES));
    folder.write(&[("manifests/site.pp", &CODE.replace("'web' }", "'web', target => '/h' }"))]);
    let (_, whole, _) = diff(&folder, &facts, &FROM_RUN);
    let results = Folder::new("results", &[]);
    let mut files = Vec::new();
    for index in 1..=3 {
        let file = results.0.join(index.to_string()).to_str().expect("UTF-8").to_owned();
        let shard = format!("{index}/3");
        let (code, out, err) =
            diff(&folder, &facts, &["--exported", "from-run", "--shard", &shard, "--output", &file]);
        assert_eq!(code, Some(0), "{out}{err}");
        files.push(file);
    }
    let files: Vec<&str> = files.iter().map(String::as_str).collect();
    let merged = run(&folder.0, &[&["diff", "merge", "--format", "json"], &files[..]].concat());
    assert_eq!(merged.1, whole, "{}", merged.2);
    // Results without exports are those of another run.
    let (code, ..) = diff(&folder, &facts, &["--shard", "3/3", "--output", files[2]]);
    assert_eq!(code, Some(0));
    assert_eq!(run(&folder.0, &[&["diff", "merge"], &files[..]].concat()).0, Some(2));
}

#[test]
fn exports_of_nodes_that_do_not_compile_are_unknown() {
    let (folder, facts) = (repository(CODE), facts(&[&NODES[..], &["bad1"]].concat()));
    folder.write(&[("manifests/site.pp", &CODE.replace("'old'", "'new'"))]);
    let (code, out, _) = diff(&folder, &facts, &FROM_RUN);
    let report: Json = serde_json::from_str(&out).expect("JSON");
    assert_eq!(code, Some(3), "{out}");
    assert_eq!(report["summary"], json!({ "same": 1, "changed": 3, "failed": 1, "open": 1 }), "{out}");
    let reasons: Vec<&Json> =
        report["failures"].as_array().expect("failures").iter().map(|it| &it["reason"]).collect();
    let unknown = json!("resources of type `host` that node `bad1.example.com` exports are unknown");
    assert!(reasons.contains(&&unknown), "{reasons:?}");
}

#[test]
fn catalogs_of_all_nodes_compile_with_their_exports() {
    let (folder, facts) = (repository(CODE), facts(&NODES));
    let facts_path = facts.0.to_str().expect("UTF-8");
    let all = ["compile", "--all", "--deny-open", "--nodes", facts_path];
    assert_eq!(run(&folder.0, &all).0, Some(1), "open");
    let (code, out, err) = run(&folder.0, &[&all[..], &["--exported", "from-run"]].concat());
    assert_eq!(code, Some(0), "{out}{err}");
}

#[test]
fn only_snapshots_have_exported_resources() {
    let (folder, facts) = (repository(CODE), facts(&NODES));
    let (code, _, err) = diff(&folder, &facts, &["--exported", "snapshot"]);
    assert_eq!(code, Some(2));
    assert!(err.contains("facts fetch --exported"), "{err}");
    let (code, _, err) = run(&folder.0, &["diff", "--exported", "from-run"]);
    assert_eq!(code, Some(2), "{err}");
}

/// Starts a server with the facts of the nodes, and with a resource that another node exports; returns its address.
fn puppetdb(facts: &Folder) -> String {
    let row = |name: &str| {
        let text = fs::read_to_string(facts.0.join(format!("{name}.example.com.json"))).expect("facts");
        let node: Json = serde_json::from_str(&text).expect("JSON");
        json!({ "certname": node["name"], "facts": node["values"], "trusted": {} })
    };
    let host = json!({
        "certname": "old.example.com", "type": "Host", "title": "old.example.com", "exported": true,
        "tags": ["host", "web"], "parameters": { "ip": "10.9.9.9", "tag": "web" },
    });
    let rows = PuppetDbRows { inventory: NODES.map(row).to_vec(), resources: vec![host] };
    serve(move |request| Reply::new(rows.answer(request)))
}

#[test]
fn nodes_collect_what_a_snapshot_says() {
    let (folder, facts) = (repository(CODE), facts(&NODES));
    let url = puppetdb(&facts);
    let snapshots = Folder::new("snapshots", &[]);
    let fetch = |name: &str, more: &[&str]| {
        let path = snapshots.0.join(name).to_str().expect("UTF-8").to_owned();
        let (code, out, err) =
            run(&folder.0, &[&["facts", "fetch", "--puppetdb", &url, "--output", &path], more].concat());
        assert_eq!(code, Some(0), "{out}{err}");
        (path, out)
    };
    let (plain, _) = fetch("plain", &[]);
    let (exported, out) = fetch("exported", &["--exported"]);
    assert!(out.starts_with("wrote 5 nodes and 1 exported resource to "), "{out}");
    let compile = |path: &str, more: &[&str]| {
        run(&folder.0, &[&["compile", "--all", "--deny-open", "--nodes", path], more].concat())
    };
    assert_eq!(compile(&exported, &["--exported", "snapshot"]).0, Some(0));
    assert_eq!(compile(&exported, &[]).0, Some(1), "open");
    let (code, _, err) = compile(&plain, &["--exported", "snapshot"]);
    assert_eq!((code, err.contains("facts fetch --exported")), (Some(2), true), "{err}");
    let target = [
        "impact",
        "Host[old.example.com]",
        "--exported",
        "snapshot",
        "--nodes",
        &exported,
        "--format",
        "json",
    ];
    let (code, out, err) = run(&folder.0, &target);
    assert_eq!(code, Some(0), "{out}{err}");
    assert!(out.contains("lb1.example.com") && !out.contains("web1.example.com"), "{out}");
}

/// Returns the content of `/out` and the open parts of each node, when this code reads the rows of `query`.
fn rows_of(query: &str, arguments: &[&str]) -> (Option<i32>, BTreeMap<String, String>) {
    let code = format!(
        "define role(String $kind, Optional[Boolean] $active = undef) {{ }}
class base {{ }}
class web(Integer $port = 80) {{ @@host {{ $trusted['certname']: ip => $facts['networking']['ip'], tag => 'web' }} }}
node /^web/ {{ include base include web role {{ 'r': kind => $facts['networking']['fqdn'], active => true }} }}
node /^lb/ {{
  include base
  $rows = puppetdb_query({query})
  file {{ '/out': content => inline_epp('<%= $rows %>', {{ 'rows' => $rows }}) }}
}}
node /^bad/ {{ fail('broken') }}
node default {{ include base }}
"
    );
    let folder = repository("node default { }\n");
    folder.write(&[("manifests/site.pp", &code)]);
    let facts = facts(if arguments.contains(&"--bad") { &["lb1", "web1", "web2", "bad1"] } else { &NODES });
    let arguments: Vec<&str> = arguments.iter().copied().filter(|it| *it != "--bad").collect();
    let (exit, out, err) = diff(&folder, &facts, &[&arguments[..], &["--format", "json"]].concat());
    let report: Json = serde_json::from_str(&out).unwrap_or_else(|error| panic!("{error}: {out}{err}"));
    let mut found = BTreeMap::new();
    for group in report["groups"].as_array().expect("groups") {
        let changes = group["changes"].as_array().expect("changes").iter();
        let of_file = changes.filter(|it| it["resource"] == "File[/out]");
        let content = of_file.flat_map(|it| it["parameters"].as_array().cloned().unwrap_or_default());
        let content = content.filter(|it| it["name"] == "content").map(|it| it["after"].to_string());
        let content: String = content.collect();
        for node in group["nodes"].as_array().expect("nodes") {
            found.insert(node.as_str().expect("a name").to_owned(), content.clone());
        }
    }
    for failure in report["failures"].as_array().expect("failures") {
        let node = failure["node"].as_str().expect("a name").to_owned();
        *found.entry(node).or_default() += &format!("; {}", failure["reason"].as_str().expect("a reason"));
    }
    (exit, found)
}

#[test]
fn queries_are_answered_from_the_run() {
    let run = ["--exported", "from-run"];
    let cases = [
        (
            "'nodes[certname] { resources { type = \"Class\" and title = \"Web\" } order by certname }'",
            "web1 web2 web3",
        ),
        (
            "'resources[certname] { type = \"Role\" and parameters.active = true and certname != \"web2.example.com\" }'",
            "web1 web3",
        ),
        (
            "'resources[title, parameters] { type = \"Host\" and exported = true and tag = \"web\" order by title }'",
            "10.0.0.1 10.0.0.2 10.0.0.3",
        ),
        (
            "['from', 'resources', ['extract', ['certname'], ['and', ['=', 'type', 'Class'], ['=', 'title', 'Web'], ['=', ['node', 'active'], true]]]]",
            "web1 web2 web3",
        ),
        ("'inventory[certname, facts.networking.ip] { facts.networking.fqdn ~ \"^db\" }'", "db1 10.0.0.1"),
        ("'facts[certname, value] { name = \"os\" and certname = \"db1.example.com\" }'", "db1 Debian"),
        ("'resources[certname] { type = \"Nothing\" }'", "[]"),
    ];
    for (query, expected) in cases {
        let (exit, found) = rows_of(query, &run);
        assert_eq!(exit, Some(1), "{query}: {found:?}");
        let content = &found["lb1.example.com"];
        let mut rest = content.as_str();
        for part in expected.split(' ') {
            let (_, after) =
                rest.split_once(part).unwrap_or_else(|| panic!("{query}: `{part}` in {content}"));
            rest = after;
        }
        assert!(!rest.contains(".example.com\\\"") || expected != "[]", "{query}: {content}");
    }
}

#[test]
fn queries_without_an_answer_are_open() {
    let run = ["--exported", "from-run"];
    let cases = [
        ("'reports[certname] { }'", "the entity `reports` is not supported"),
        ("'nodes[certname] { certname ~ \"(?i)a\" }'", "is not supported"),
        ("'nodes[certname] { catalog_environment = \"production\" }'", "do not decide it"),
        ("$facts['os']", "it is malformed"),
    ];
    for (query, expected) in cases {
        let (exit, found) = rows_of(query, &run);
        let content = &found["lb1.example.com"];
        assert_eq!(exit, Some(3), "{query}: {found:?}");
        assert!(content.contains(expected), "{query}: {content}");
    }
    // The resources of a node that fails are unknown, but not its name and its facts.
    let bad = ["--exported", "from-run", "--bad"];
    let (exit, found) = rows_of("'resources[certname] { type = \"Class\" and title = \"Web\" }'", &bad);
    assert_eq!(exit, Some(3), "{found:?}");
    let content = &found["lb1.example.com"];
    assert!(content.contains("resources of node `bad1.example.com` are unknown"), "{content}");
    let (_, found) = rows_of("'resources[certname] { type = \"Class\" and certname ~ \"^web\" }'", &bad);
    assert!(!found["lb1.example.com"].contains("unknown"), "{found:?}");
    let (_, found) = rows_of("'nodes[certname] { }'", &bad);
    assert!(found["lb1.example.com"].contains("bad1"), "{found:?}");
    // Without `--exported`, nothing is known about PuppetDB.
    let (exit, found) = rows_of("'nodes[certname] { }'", &[]);
    assert_eq!(exit, Some(3), "{found:?}");
}

#[test]
fn queries_are_answered_from_a_snapshot() {
    let row = |name: &str, role: &str| json!({ "certname": name, "facts": { "role": role, "os": { "family": "Debian" } } });
    let host = |node: &str, ip: &str| {
        let parameters = json!({ "ip": ip, "alias": [node] });
        json!({ "certname": node, "type": "Host", "title": node, "tags": ["web"], "parameters": parameters })
    };
    let data = PuppetDbRows {
        inventory: vec![row("lb1", "lb"), row("web1", "web"), row("web2", "web")],
        resources: vec![host("web1", "1.1.1.1"), host("web2", "2.2.2.2")],
    };
    let url = serve(move |request| Reply::new(data.answer(request)));
    let folder = repository("node default { }\n");
    let fetch = |arguments: &[&str]| {
        let all = [&["facts", "fetch", "--puppetdb", &url, "--exported"], arguments].concat();
        let (exit, out, err) = run(&folder.0, &all);
        assert_eq!(exit, Some(0), "{out}{err}");
    };
    let open_parts = |query: &str| {
        let code = format!(
            "node 'lb1' {{ $rows = puppetdb_query('{query}') notify {{ \"${{rows}}\": }} }}\nnode default {{ }}\n"
        );
        folder.write(&[("manifests/site.pp", &code)]);
        let arguments = ["diff", "--nodes", "nodes.snapshot", "--exported", "snapshot", "--format", "json"];
        let (_, out, err) = run(&folder.0, &arguments);
        let report: Json = serde_json::from_str(&out).unwrap_or_else(|error| panic!("{error}: {out}{err}"));
        report["failures"].as_array().expect("failures").first().map(|it| it["reason"].to_string())
    };
    let of_facts = "inventory[certname] { facts.role = \"web\" }";
    let exported =
        "resources[certname, parameters] { type = \"Host\" and exported = true and parameters.ip ~ \"1\" }";
    let all = "resources[certname] { type = \"Host\" }";
    let hosts = "resources[certname] { type = \"Host\" and exported = true and parameters.ip = \"1.1.1.1\" }";
    fetch(&[]);
    assert_eq!(open_parts(of_facts), None);
    assert_eq!(open_parts(hosts), None);
    for (query, expected) in [(all, "only exported resources"), (exported, "is not known completely")] {
        let reason = open_parts(query).expect("an open part");
        assert!(reason.contains(expected), "{reason}");
    }
    fetch(&["--drop", "role"]);
    assert!(open_parts(of_facts).expect("an open part").contains("do not decide it"));
    assert_eq!(open_parts(hosts), None);
    fetch(&["--nodes", "re:^lb"]);
    assert!(open_parts(hosts).expect("an open part").contains("may lack nodes"));
}
