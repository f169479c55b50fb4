//! Tests of the distribution of nodes.

use std::path::Path;

use fleet::container::LineWriter;
use fleet::nodes::{NodeSet, SNAPSHOT, SNAPSHOT_WITH_EXPORTS, SelectedNodes};
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
