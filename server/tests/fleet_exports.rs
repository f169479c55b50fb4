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
