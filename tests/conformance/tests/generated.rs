//! Programs that `generated.rb` made, and what real Puppet says of them: `generated/programs.tsv`.

use conformance::catalogs::{Projects, catalog};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

/// Where we differ, and why.
const DIFFERENCES: [(&str, &str); 1] =
    [("200397", "of two mistakes Puppet meets the one in the type of a parameter of a class within first")];

/// A value as `generated.rb` writes it.
fn plain(value: &Value) -> String {
    let joined = |parts: Vec<String>| parts.join(",");
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(value) => value.to_string(),
        Value::Number(number) => match number.as_i64() {
            Some(integer) => integer.to_string(),
            None => format!("f{:016x}", number.as_f64().unwrap_or_default().to_bits()),
        },
        Value::String(text) => format!("{}:{text}", text.len()),
        Value::Array(elements) => format!("[{}]", joined(elements.iter().map(plain).collect())),
        Value::Object(entries) => {
            let mut entries: Vec<(&String, &Value)> = entries.iter().collect();
            entries.sort_by_key(|(name, _)| *name);
            let entries =
                entries.iter().map(|(name, value)| format!("{}:{name}={}", name.len(), plain(value)));
            format!("{{{}}}", joined(entries.collect()))
        }
    }
}

fn digest(text: &str) -> String {
    Sha256::digest(text.as_bytes()).iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}

fn sorted(list: &Value, text: impl Fn(&Value) -> String) -> String {
    let mut lines: Vec<String> = list.as_array().into_iter().flatten().map(text).collect();
    lines.sort();
    lines.join("\n")
}

/// Whether an answer is the recorded one.
fn agrees(expected: &str, answer: &Value) -> bool {
    let logs: Vec<Value> = answer["logs"].as_array().into_iter().flatten().cloned().collect();
    let logs = logs.iter().filter(|log| log["level"] != "debug" && log["level"] != "err");
    // Of a warning counts that it is there: its words are our own.
    let message = |log: &Value| if log["level"] == "warning" { json!("") } else { log["message"].clone() };
    let logs = plain(&logs.map(|log| json!([log["level"], message(log)])).collect());
    match expected.split(' ').collect::<Vec<_>>()[..] {
        ["ok", recorded] => {
            let resource = |it: &Value| {
                let is_exported = it["exported"].as_bool().unwrap_or(false);
                let mut parameters = it["params"].clone();
                if let Some(known) = parameters.as_object_mut()
                    && known.get("name") == Some(&it["title"])
                {
                    known.remove("name");
                }
                plain(&json!([it["type"], it["title"], is_exported, parameters]))
            };
            let catalog = &answer["catalog"];
            let (resources, edges) =
                (sorted(&catalog["resources"], resource), sorted(&catalog["edges"], plain));
            answer["ok"] == true && digest(&format!("{resources}\n{edges}{logs}")) == recorded
        }
        ["error", lines, recorded] => {
            let line = answer["error"]["line"].to_string();
            answer["ok"] == false
                && (lines == "-" || lines.split(',').any(|it| it == line))
                && (lines == "-" || digest(&logs) == recorded)
        }
        _ => false,
    }
}

#[test]
fn generated_programs_are_what_puppet_makes_of_them() {
    let mut projects = Projects::default();
    let environment = concat!(env!("CARGO_MANIFEST_DIR"), "/generated/environment");
    let modules = [
        concat!(env!("CARGO_MANIFEST_DIR"), "/generated/environment/modules"),
        concat!(env!("CARGO_MANIFEST_DIR"), "/catalogs/modules"),
    ];
    let (mut count, mut wrong) = (0, Vec::new());
    for row in include_str!("../generated/programs.tsv").lines() {
        let [seed, code, expected] = row.split('\t').collect::<Vec<_>>()[..] else { panic!("{row}") };
        let code: String = serde_json::from_str(code).expect("the recorder writes JSON");
        let facts = json!({ "count": 3, "fqdn": "node1.example.com", "os": { "family": "Debian", "name": "Debian" } });
        // As in the script: every fourth program is compiled as version 8 does by default.
        let settings = match seed.parse::<u64>().is_ok_and(|seed| seed % 4 == 0) {
            true => json!({ "strict": "error", "strict_variables": true }),
            false => json!({ "strict": "warning", "strict_variables": false }),
        };
        let request = json!({
            "code": code, "facts": facts, "node": "node1.example.com", "environment": environment,
            "modulepath": modules, "settings": settings,
        });
        let answer = catalog(&mut projects, &request);
        count += 1;
        let may_differ = DIFFERENCES.iter().any(|(it, _)| *it == seed);
        if agrees(expected, &answer) == may_differ {
            wrong.push(format!("seed {seed}, Puppet: {expected}\n{code}\nwe: {}", answer["error"]));
        }
    }
    assert!(count > 1000, "only {count} programs were asked");
    assert!(wrong.is_empty(), "{} of {count} differ:\n{}", wrong.len(), wrong.join("\n---\n"));
}
