//! Small environments and the catalogs that real Puppet compiles in them:
//! `catalogs/environments.jsonl`, recorded by `environments.rb`.

use conformance::catalogs::{Projects, catalog};
use serde_json::{Value, json};

/// Returns the titles of the notify resources, or `!error`.
fn answer(projects: &mut Projects, question: &Value) -> Value {
    let request = json!({
        "code": question["code"], "files": question["files"],
        "facts": { "fqdn": "node1.example.com" }, "node": "node1.example.com", "modulepath": [],
    });
    let got = catalog(projects, &request);
    if got["ok"] == false {
        return json!("!error");
    }
    let resources = got["catalog"]["resources"].as_array().cloned().unwrap_or_default();
    let mut titles: Vec<String> = resources
        .iter()
        .filter(|it| it["type"].as_str().is_some_and(|it| it.eq_ignore_ascii_case("notify")))
        .filter_map(|it| it["title"].as_str().map(str::to_owned))
        .collect();
    titles.sort();
    json!(titles)
}

#[test]
fn environments_match_puppet() {
    let mut projects = Projects::default();
    let mut differences = Vec::new();
    for line in include_str!("../catalogs/environments.jsonl").lines() {
        let question: Value = serde_json::from_str(line).expect("the recorder writes JSON");
        let got = answer(&mut projects, &question);
        if got != question["is"] {
            let hiera = &question["files"]["hiera.yaml"];
            differences.push(format!("{} {hiera}\n  is {}, ours {got}", question["code"], question["is"]));
        }
    }
    assert!(differences.is_empty(), "{} differ:\n{}", differences.len(), differences.join("\n"));
}
