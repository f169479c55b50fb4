//! Tests of the distribution of nodes.

use std::fs;
use std::path::Path;

use fleet::container::{LineReader, LineWriter};
use fleet::nodes::{NodeSet, SNAPSHOT, SNAPSHOT_WITH_EXPORTS, SelectedNodes};
use fleet::report::FleetReport;
use fleet::results::{NodeResult, RESULTS, ResultHeader, ResultReader, ResultWriter, RunKey};
use fleet::shard::Shard;
use serde_json::json;

#[test]
fn each_node_is_in_one_shard() {
    for count in [1, 2, 3, 64] {
        for node in 0..1_000 {
            let name = format!("node{node}.example.com");
            let found = (1..=count).filter(|index| Shard { index: *index, count }.contains(&name)).count();
            assert_eq!(found, 1, "{name} of {count}");
        }
    }
}

#[test]
fn the_distribution_is_stable() {
    // A change would make the results of other versions unusable without notice.
    let shard = |name: &str| (1..=64).find(|index| Shard { index: *index, count: 64 }.contains(name));
    let names = ["web1.example.com", "db1.example.com", "a"];
    assert_eq!(names.map(shard), [Some(36), Some(60), Some(11)]);
}

#[test]
fn malformed_shards_are_rejected() {
    for text in ["", "1", "0/1", "2/1", "1/0", "a/b", "1/2/3", "-1/2"] {
        assert!(text.parse::<Shard>().is_err(), "{text}");
    }
    assert_eq!("2/3".parse(), Ok(Shard { index: 2, count: 3 }));
}

/// Writes a snapshot, and returns its nodes in a shard as they are read.
fn nodes_of(path: &Path, shard: Shard) -> Vec<String> {
    let selection = SelectedNodes { shard, ..SelectedNodes::default() };
    let mut nodes = NodeSet::open_selected(path, selection, 1).expect("a snapshot");
    let count = nodes.remaining();
    let mut names = Vec::new();
    while let Some(node) = nodes.next_node().expect("a node") {
        names.push(node.parse().expect("facts").certname);
    }
    assert_eq!(names.len(), count);
    names
}

#[test]
fn the_shards_of_a_snapshot_have_all_nodes() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("nodes.snapshot");
    for kind in [SNAPSHOT, SNAPSHOT_WITH_EXPORTS] {
        let mut writer = LineWriter::create(&path, kind, &json!({})).expect("a file");
        let names: Vec<String> = (0..100).map(|number| format!("node{number:02}.example.com")).collect();
        for name in &names {
            writer.line(&json!({ "certname": name, "facts": { "name": name } })).expect("a line");
        }
        if kind == SNAPSHOT_WITH_EXPORTS {
            writer.line(&json!({ "exported": [], "certname": "node00.example.com" })).expect("a line");
        }
        writer.finish().expect("a file");
        assert_eq!(nodes_of(&path, Shard::WHOLE), names);
        let shards = (1..=7).map(|index| nodes_of(&path, Shard { index, count: 7 }));
        let mut all: Vec<String> = shards.collect::<Vec<_>>().concat();
        all.sort();
        assert_eq!(all, names);
    }
}

/// Writes the results of a shard of a run with four nodes.
fn write_results(path: &Path, shard: Shard) -> ResultHeader {
    let text = |text: &str| text.to_owned();
    let (program, base) = (text("1"), text("HEAD"));
    let run = RunKey { program, base, code: text("c"), nodes: text("n"), count: 4, is_octocatalog: false };
    let header = ResultHeader { run, shard };
    let mut writer = ResultWriter::create(path, &header).expect("a file");
    for node in ["a", "b", "d", "g"].into_iter().filter(|it| shard.contains(it)) {
        let (node, failures) = (node.to_owned(), Vec::new());
        writer.add_node(NodeResult { node, changes: None, failures, ignored: 0 }).expect("a line");
    }
    writer.finish().expect("a file");
    header
}

/// Edit of the lines of a file, whose checksum is computed again.
type Edit = fn(&mut Vec<String>);

/// Edits with the message of the merge.
const EDITS: &[(Edit, &str)] = &[
    (|lines| drop(lines.remove(0)), "it has 1 of 2 nodes"),
    (|lines| lines.push(lines[0].clone()), "continues after its end"),
    (|lines| lines.insert(0, lines[0].clone()), "occurs more than once"),
    (|lines| drop(lines.pop()), "no list of nodes at its end"),
    (|lines| lines.swap(0, 1), "other nodes than it lists"),
    (|lines| lines[0] = lines[0].replace("\"a\"", "\"d\""), "does not belong to shard"),
    (
        |lines| {
            lines.remove(0);
            *lines.last_mut().expect("the end") = END_OF_ONE.to_owned();
        },
        "other nodes than it lists",
    ),
];

/// Last line that names other nodes.
const END_OF_ONE: &str = "{\"end\":{\"count\":1,\"names\":\"0\"}}";

#[test]
fn missing_nodes_are_noticed() {
    let folder = tempfile::tempdir().expect("a folder");
    let paths = [1, 2].map(|index| folder.path().join(index.to_string()));
    let headers = [1, 2].map(|index| write_results(&paths[index as usize - 1], Shard { index, count: 2 }));
    let report = FleetReport::merge(&paths).expect("a report");
    assert_eq!(report.nodes(), 4);
    // Both shards have two nodes.
    let mut reader = LineReader::open(&paths[0], RESULTS).expect("a file");
    let header = reader.header.clone();
    let lines: Vec<String> = std::iter::from_fn(|| reader.next_line().expect("a line")).collect();
    assert_eq!(lines.len(), 3, "{lines:?}");
    for (number, (edit, message)) in EDITS.iter().enumerate() {
        let mut edited = lines.clone();
        edit(&mut edited);
        let mut writer = LineWriter::create(&paths[0], RESULTS, &header).expect("a file");
        for line in &edited {
            let json: serde_json::Value = serde_json::from_str(line).expect("JSON");
            writer.line(&json).expect("a line");
        }
        writer.finish().expect("a file");
        let error = FleetReport::merge(&paths).err().unwrap_or_else(|| panic!("{number} is accepted"));
        assert!(format!("{error:#}").contains(message), "{message}: {error:#}");
        assert!(!ResultReader::is_of(&paths[0], &headers[0]), "{message}");
    }
    write_results(&paths[0], Shard { index: 1, count: 2 });
    assert!(ResultReader::is_of(&paths[0], &headers[0]));
    assert!(!ResultReader::is_of(&paths[0], &headers[1]));
    fs::remove_file(&paths[0]).expect("a file");
    assert!(!ResultReader::is_of(&paths[0], &headers[0]));
}

#[test]
fn all_nodes_of_a_run_are_reported() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("results");
    let header = write_results(&path, Shard::WHOLE);
    let run = RunKey { count: 5, ..header.run };
    let mut writer = ResultWriter::create(&path, &ResultHeader { run, shard: Shard::WHOLE }).expect("a file");
    let node = "a".to_owned();
    writer.add_node(NodeResult { node, changes: None, failures: Vec::new(), ignored: 0 }).expect("a line");
    writer.finish().expect("a file");
    let error = FleetReport::merge(&[path]).expect_err("nodes are missing");
    assert_eq!(error.to_string(), "the results have 1 of the 5 nodes of the run");
}
