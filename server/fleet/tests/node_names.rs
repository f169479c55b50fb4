//! Names of nodes that are found without parsing facts, and nodes as files.

use std::path::Path;

use fleet::container::LineWriter;
use fleet::node_name::of_facts;
use fleet::nodes::{NodeFiles, SNAPSHOT};
use serde_json::{Value as Json, json};

/// Returns the name that parsing the facts finds.
fn parsed(file: &str, text: &str) -> Option<String> {
    let set = facts::read(file, text).ok()?;
    Some(set.certname.unwrap_or(set.name).to_string())
}

#[test]
fn names_are_those_of_parsed_facts() {
    let cache = "--- !ruby/object:Puppet::Node::Facts\nname: db1.example.com\nvalues:\n  os:\n    family: RedHat\n  text: 'a\n\n    name: b'\ntimestamp: 2026-01-01\nexpiration: 2026-01-02\n";
    let known = [
        (
            "a.json",
            r#"{"name": "b.example.com", "values": {"os": {"family": "Debian", "name": "c"}}}"#,
            "b.example.com",
        ),
        ("a.json", r#"{"values": {"x": "y"}, "expiration": 1, "name": "b"}"#, "b"),
        ("a.b.JSON", r#"{"certname": "b", "facts": {"x": [1.5, "}"]}, "trusted": {"certname": "c"}}"#, "b"),
        ("a.facts", "\u{feff}{\"name\": \"b\\u0063\", \"values\": {\"x\": 1}}\n", "bc"),
        // Facts without a node, also some that are named like the keys of one.
        (
            "a.example.com.json",
            r#"{"os": {"family": "Debian"}, "networking": {"fqdn": "b"}}"#,
            "a.example.com",
        ),
        ("a.json", r#"{"name": "b", "values": "c"}"#, "a"),
        ("a.json", r#"{"name": 1, "values": {"x": 1}}"#, "a"),
        ("a.json", r#"{"name": "b", "facts": {"x": 1}}"#, "a"),
        ("a.json", r#"{"name": "b", "values": [1], "certname": "c", "facts": {"x": 1}}"#, "c"),
        ("a.yaml", cache, "db1.example.com"),
    ];
    for (file, text, name) in known {
        assert_eq!(parsed(file, text).as_deref(), Some(name), "{file}: {text}");
        assert_eq!(of_facts(file, text).as_deref(), Some(name), "{file}: {text}");
    }
}

#[test]
fn other_names_are_left_to_the_parser() {
    let unknown = [
        r#"{"name": "b", "values": {"x": 1}, "name": "c"}"#,
        r#"{"name": "b", "values": {"x": 1}, "values": []}"#,
        r#"{"certname": "b", "facts": {"href": "/x", "data": [{"name": "os", "value": 1}]}}"#,
        r#"{"certname": "b", "facts": {"\u0068ref": "/x", "data": [1]}}"#,
        r#"{"name": "\ud800", "values": {"x": 1}}"#,
        r#"{"name": "", "values": {"x": 1}}"#,
        r#"{"name": "b", "values": {"x": 1}} {}"#,
        r#"{"name": "b", "values": {"x": 1}"#,
        "[]",
        "",
    ];
    for text in unknown {
        assert_eq!(of_facts("a.json", text), None, "{text}");
    }
    let start = "--- !ruby/object:Puppet::Node::Facts\nname: ";
    let unknown = [
        "b.c\nvalues:\n  x: 1\nname: d\n",
        "b.c\nvalues:\n  x: 'y\nname: d'\n",
        "b.c\nvalues:\n  x: 1\n\"name\": d\n",
        "b.c\nvalues: {}\n",
        "b.c\r\nvalues:\r\n  x: 1\r\n",
        "'b.c'\nvalues:\n  x: 1\n",
        "1.5\nvalues:\n  x: 1\n",
        "yes\nvalues:\n  x: 1\n",
    ];
    for text in unknown {
        assert_eq!(of_facts("a.yaml", &format!("{start}{text}")), None, "{text}");
    }
    assert_eq!(of_facts("a.yaml", "name: b.c\nvalues:\n  x: 1\n"), None);
    assert_eq!(of_facts("a", "{}"), None);
}

#[test]
fn nodes_are_files_with_their_names() {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |path: &Path, nodes: &[Json]| {
        let mut writer = LineWriter::create(path, SNAPSHOT, &json!({})).expect("a writer");
        nodes.iter().try_for_each(|it| writer.line(it)).expect("lines");
        writer.finish().expect("a snapshot");
    };
    let node = |name: &str| json!({ "certname": name, "facts": { "clientcert": "x", "kernel": "Linux" } });
    let path = folder.path().join("nodes.snapshot");
    let without_facts = json!({ "certname": "n", "facts": {} });
    write(&path, &[node("a.example.com"), without_facts, node("b"), node("c")]);
    let found = NodeFiles::read(&path, 2).expect("nodes");
    assert_eq!(found.total, 4);
    let names: Vec<_> = found.files.iter().map(|(path, _)| path.clone()).collect();
    assert_eq!(names, [path.join("a.example.com.json"), path.join("b.json")]);
    let set = facts::read("a.example.com.json", &found.files[0].1).expect("facts");
    assert_eq!(facts::node_name(&set.facts), Some("a.example.com"));
    assert_eq!(set.certname.as_deref(), Some("a.example.com"));
    for names in [&["../a"][..], &["a\\b"], &["a", "A"], &[".b"]] {
        write(&path, &names.iter().map(|it| node(it)).collect::<Vec<_>>());
        NodeFiles::read(&path, 9).expect_err("invalid names");
    }
    NodeFiles::read(&folder.path().join("nowhere"), 9).expect_err("missing");
}
