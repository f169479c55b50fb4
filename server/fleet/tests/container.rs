//! Tests of the file format.

use std::fs;
use std::path::Path;

use fleet::container::{LineReader, LineWriter};
use fleet::nodes::SNAPSHOT;
use fleet::results::RESULTS;
use serde_json::json;

fn write(path: &Path) {
    let mut writer = LineWriter::create(path, SNAPSHOT, &json!({ "x": 1 })).expect("a file");
    for number in 0..100 {
        writer.line(&json!({ "number": number })).expect("a line");
    }
    writer.finish().expect("a file");
}

#[test]
fn files_are_read_back() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("x");
    write(&path);
    let mut reader = LineReader::open(&path, SNAPSHOT).expect("a whole file");
    assert_eq!(reader.header["x"], 1);
    let mut lines = Vec::new();
    while let Some(line) = reader.next_line().expect("a line") {
        lines.push(line);
    }
    assert_eq!((lines.len(), lines[99].as_str()), (100, r#"{"number":99}"#));
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        assert_eq!(fs::metadata(&path).expect("exists").permissions().mode() & 0o777, 0o600);
    }
    assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 1, "no temporary files");
}

#[test]
fn damaged_files_are_rejected() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("x");
    write(&path);
    let bytes = fs::read(&path).expect("a file");
    for length in 0..bytes.len() {
        fs::write(&path, &bytes[..length]).expect("a file");
        assert!(LineReader::open(&path, SNAPSHOT).is_err(), "{length} of {} bytes", bytes.len());
    }
    let text = String::from_utf8(zstd::decode_all(&bytes[..]).expect("zstd")).expect("UTF-8");
    for (text, message) in [
        (text.replace("\"number\":7}", "\"number\":8}"), "checksum"),
        (text.replace("\"version\":1", "\"version\":2"), "version 2"),
        (text.replace("puppet-analyzer-nodes", "puppet-analyzer-diff"), "not a snapshot of nodes"),
        (text.lines().take(50).map(|line| format!("{line}\n")).collect(), "truncated"),
        (format!("{text}{{}}\n"), "truncated"),
    ] {
        fs::write(&path, zstd::encode_all(text.as_bytes(), 3).expect("zstd")).expect("a file");
        let Err(error) = LineReader::open(&path, SNAPSHOT) else { panic!("{message}: accepted") };
        assert!(format!("{error:#}").contains(message), "{message}: {error:#}");
    }
    write(&path);
    assert!(LineReader::open(&path, RESULTS).is_err(), "another kind");
}

#[test]
fn an_unfinished_file_leaves_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("x");
    write(&path);
    let before = fs::read(&path).expect("a file");
    let mut writer = LineWriter::create(&path, SNAPSHOT, &json!({})).expect("a file");
    writer.line(&json!(1)).expect("a line");
    drop(writer);
    assert_eq!(fs::read(&path).expect("a file"), before);
    assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 1);
}
