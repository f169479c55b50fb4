//! Tests of archives of PuppetDB.

use std::fs;
use std::io::Write;
use std::path::Path;

use flate2::Compression;
use flate2::write::GzEncoder;
use fleet::nodes::{NodeSet, SelectedNodes};
use fleet::shard::Shard;
use serde_json::json;

/// Adds a member to an archive.
fn add(archive: &mut Vec<u8>, name: &str, kind: u8, contents: &[u8]) {
    let mut header = [0u8; 512];
    // The start of a long path is in another field.
    let (prefix, name) = match name.len() {
        0..=100 => ("", name),
        _ => name.split_at(name.len() - 100),
    };
    let prefix = prefix.trim_end_matches('/');
    let name = name.trim_start_matches('/');
    header[..name.len()].copy_from_slice(name.as_bytes());
    header[124..135].copy_from_slice(format!("{:011o}", contents.len()).as_bytes());
    header[156] = kind;
    header[257..262].copy_from_slice(b"ustar");
    header[345..345 + prefix.len()].copy_from_slice(prefix.as_bytes());
    header[148..156].copy_from_slice(b"        ");
    let sum: u32 = header.iter().map(|byte| u32::from(*byte)).sum();
    header[148..155].copy_from_slice(format!("{sum:06o}\0").as_bytes());
    archive.extend(header);
    archive.extend(contents);
    archive.resize(archive.len().div_ceil(512) * 512, 0);
}

fn compressed(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).expect("memory");
    encoder.finish().expect("memory")
}

/// Returns facts in the format of an archive.
fn facts(certname: &str) -> Vec<u8> {
    let values = json!({ "os": { "family": "Debian" }, "text": "x".repeat(700) });
    json!({ "certname": certname, "environment": "production", "values": values }).to_string().into_bytes()
}

fn archive() -> Vec<u8> {
    let mut archive = Vec::new();
    add(&mut archive, "puppetdb-bak/", b'5', b"");
    add(&mut archive, "puppetdb-bak/export-metadata.json", b'0', b"{}");
    add(&mut archive, "puppetdb-bak/catalogs/a-1.json", b'0', &facts("not.facts"));
    add(&mut archive, "puppetdb-bak/facts/a-1.json", b'0', &facts("a"));
    add(&mut archive, "././@LongLink", b'L', b"puppetdb-bak/facts/b-1.json\0");
    add(&mut archive, "cut", b'0', &facts("b"));
    add(&mut archive, "pax", b'x', b"30 path=puppetdb-bak/facts/c.json\n");
    add(&mut archive, "cut", b'0', &facts("c"));
    add(&mut archive, &format!("{}/facts/d.json", "puppetdb-bak/deep/".repeat(6)), 0, &facts("d"));
    add(&mut archive, "puppetdb-bak/facts/e.json", b'0', &facts("e"));
    archive.resize(archive.len() + 1024, 0);
    archive
}

/// Returns the nodes in a shard.
fn nodes_of(path: &Path, shard: Shard) -> anyhow::Result<Vec<String>> {
    let selection = SelectedNodes { shard, ..SelectedNodes::default() };
    let mut nodes = NodeSet::open_selected(path, selection, 1)?;
    assert_eq!(nodes.count(), 5);
    let mut names = Vec::new();
    while let Some(node) = nodes.next_node()? {
        let node = node.parse()?;
        assert_eq!(node.set.facts.len(), 2);
        names.push(node.certname);
    }
    Ok(names)
}

#[test]
fn archives_have_the_facts_of_nodes() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("archive.tgz");
    fs::write(&path, compressed(&archive())).expect("a file");
    assert_eq!(nodes_of(&path, Shard::WHOLE).expect("nodes"), ["a", "b", "c", "d", "e"]);
    let shards = (1..=3).flat_map(|index| nodes_of(&path, Shard { index, count: 3 }).expect("nodes"));
    let mut all: Vec<String> = shards.collect();
    all.sort();
    assert_eq!(all, ["a", "b", "c", "d", "e"]);
}

#[test]
fn damaged_archives_are_rejected() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("archive.tgz");
    let message = |bytes: &[u8]| {
        fs::write(&path, bytes).expect("a file");
        let error =
            NodeSet::open(&path).err().unwrap_or_else(|| panic!("{} bytes are accepted", bytes.len()));
        format!("{error:#}")
    };
    let whole = archive();
    let bytes = compressed(&whole);
    for length in 2..bytes.len() {
        message(&bytes[..length]);
    }
    // Archives that end between members, or within one.
    for blocks in 1..whole.len() / 512 - 1 {
        assert!(message(&compressed(&whole[..blocks * 512])).contains("truncated"), "{blocks} blocks");
    }
    let edited = |position: usize| {
        let mut edited = whole.clone();
        edited[position] ^= 1;
        message(&compressed(&edited))
    };
    assert!(edited(3).contains("not an archive of PuppetDB, or damaged"));
    assert!(message(&compressed(b"text")).contains("truncated"));
    assert!(message(&compressed(&[b'x'; 2048])).contains("not an archive of PuppetDB"));
    assert!(message(&compressed(&[0; 1024])).contains("it has no facts"));
    let mut with_other_sum = bytes.clone();
    let last = with_other_sum.len() - 6;
    with_other_sum[last] ^= 1;
    assert!(message(&with_other_sum).contains("damaged"));
}
