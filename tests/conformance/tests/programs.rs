//! Small programs and their catalogs in real Puppet: `catalogs/programs.md`, recorded by
//! `programs.rb`.

use conformance::catalogs::{Projects, catalog};
use serde_json::{Value, json};

/// Returns the parts of a catalog that must be equal, in canonical order.
fn comparable(catalog: &Value) -> Value {
    let mut resources: Vec<Value> = catalog["resources"].as_array().cloned().unwrap_or_default();
    for resource in &mut resources {
        let Some(fields) = resource.as_object_mut() else { continue };
        fields.retain(|name, _| matches!(name.as_str(), "type" | "title" | "params" | "exported"));
    }
    resources.sort_by_key(|it| (it["type"].to_string(), it["title"].to_string()));
    let sorted = |list: &Value| {
        let mut all: Vec<String> = list.as_array().into_iter().flatten().map(Value::to_string).collect();
        all.sort();
        all
    };
    let (edges, classes) = (sorted(&catalog["edges"]), sorted(&catalog["classes"]));
    json!({ "resources": resources, "edges": edges, "classes": classes })
}

#[test]
fn catalogs_of_programs_match_puppet() {
    let recorded = include_str!("../catalogs/programs.jsonl");
    let mut projects = Projects::default();
    let mut differences = Vec::new();
    for line in recorded.lines() {
        let expected: Value = serde_json::from_str(line).expect("the recorder writes JSON");
        let request = json!({
            "code": expected["code"],
            "facts": { "fqdn": "node1.example.com" },
            "node": "node1.example.com",
            "modulepath": [concat!(env!("CARGO_MANIFEST_DIR"), "/catalogs/modules")],
        });
        let got = catalog(&mut projects, &request);
        let is_same = if expected["ok"] == got["ok"] {
            expected["ok"] == false || comparable(&expected["catalog"]) == comparable(&got["catalog"])
        } else {
            false
        };
        if !is_same {
            let (expected_catalog, got_catalog) =
                (comparable(&expected["catalog"]), comparable(&got["catalog"]));
            differences.push(format!(
                "{}\n  expected {} {expected_catalog}\n  got      {} {got_catalog} {}",
                expected["name"], expected["ok"], got["ok"], got["error"]
            ));
        }
    }
    assert!(differences.is_empty(), "{} differ:\n{}", differences.len(), differences.join("\n"));
}
