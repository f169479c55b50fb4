//! Git repositories: objects, packs with deltas, indexes, references, and the configuration.
//!
//! An input is a list of files. A line `=== PATH` begins a file below `.git`. Objects are listed uncompressed,
//! so that mutations affect their contents and not only the compression:
//!
//! * `=== loose NAME`: the unpacked bytes of a loose object
//! * `=== entry NAME KIND`: the unpacked bytes of an object in the pack, with the number of its kind
//! * `=== delta NAME BACK`: a delta against the object that is stored `BACK` objects earlier
//! * `=== delta-of NAME BASE`: a delta against the object with the name `BASE`

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use git::{ObjectContents, Repository};
use miniz_oxide::deflate::compress_to_vec_zlib;

/// Files that an input may contain. Others could be outside of the temporary folder.
const FILES: &[&str] = &[
    "HEAD",
    "commondir",
    "config",
    "config.worktree",
    "index",
    "info/attributes",
    "logs/HEAD",
    "objects/info/alternates",
    "objects/pack/pack-a.idx",
    "objects/pack/pack-a.pack",
    "packed-refs",
    "refs/heads/main",
    "refs/heads/topic/one",
    "refs/remotes/origin/main",
    "refs/tags/v1.0",
    "shallow",
];

/// Revisions that are read.
const REVISIONS: &[&str] =
    &["HEAD", "main", "HEAD~1", "HEAD^2", "v1.0^{commit}", "HEAD@{1}", "main@{u}", "1111", "v1-2-g1111"];

/// Maximum size of the blobs that are read, in bytes.
const LIMIT: u64 = 1 << 16;

/// Maximum number of blobs that are read per revision.
const MAX_BLOBS: usize = 64;

/// Length of object names in bytes.
const NAME_LENGTH: usize = 20;

pub(crate) fn run(bytes: &[u8]) {
    let _ = read(bytes);
}

/// Reads the repository of an input. Returns the number of entries in its index and of blobs in its revisions.
pub(crate) fn read(bytes: &[u8]) -> (usize, usize) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    write_repository(&folder.path().join(".git"), bytes).expect("temporary files can be written");
    let Ok(repository) = Repository::at(folder.path()) else { return (0, 0) };
    let _ = (repository.is_partial(), repository.replaces_objects(), repository.own_attributes());
    let indexed = repository.index().map_or(0, |it| it.entries.len());
    let commits: BTreeSet<_> = REVISIONS.iter().filter_map(|it| repository.commit(it).ok()).collect();
    let mut blobs = 0;
    for commit in commits {
        let Ok(tree) = repository.tree(commit) else { continue };
        for entry in tree.entries.values().take(MAX_BLOBS) {
            if let Ok(ObjectContents::Bytes(bytes)) = repository.read(entry.object, LIMIT) {
                assert!(bytes.len() as u64 <= LIMIT, "a blob of {} bytes", bytes.len());
                blobs += 1;
            }
        }
    }
    (indexed, blobs)
}

/// Pack under construction.
#[derive(Default)]
struct PackWriter {
    bytes: Vec<u8>,
    /// Offsets of all objects, in the order of the pack.
    offsets: Vec<usize>,
    /// Offsets by name.
    names: BTreeMap<[u8; NAME_LENGTH], usize>,
}

impl PackWriter {
    /// Appends an object: its header, the reference to the base of a delta, and the compressed bytes.
    fn push(&mut self, name: [u8; NAME_LENGTH], kind: u8, base: &[u8], content: &[u8]) {
        if self.bytes.is_empty() {
            self.bytes.extend_from_slice(b"PACK\0\0\0\x02\0\0\0\0");
        }
        let offset = self.bytes.len();
        self.offsets.push(offset);
        self.names.insert(name, offset);
        let mut size = content.len();
        let mut byte = (kind & 7) << 4 | (size & 0x0f) as u8;
        size >>= 4;
        while size > 0 {
            self.bytes.push(byte | 0x80);
            byte = (size & 0x7f) as u8;
            size >>= 7;
        }
        self.bytes.push(byte);
        self.bytes.extend_from_slice(base);
        self.bytes.extend_from_slice(&compress_to_vec_zlib(content, 1));
    }

    /// Encodes the distance from the end of the pack to the object stored `back` objects earlier.
    fn distance(&self, back: usize) -> Vec<u8> {
        let base = self.offsets.len().checked_sub(back).and_then(|at| self.offsets.get(at));
        let mut distance = base.map_or(0, |base| self.bytes.len() - base);
        let mut encoded = vec![(distance & 0x7f) as u8];
        distance >>= 7;
        while distance > 0 {
            distance -= 1;
            encoded.insert(0, 0x80 | (distance & 0x7f) as u8);
            distance >>= 7;
        }
        encoded
    }

    /// Returns the index, without the checksums at its end, which are not read.
    fn index(&self) -> Vec<u8> {
        let mut index = b"\xfftOc\0\0\0\x02".to_vec();
        for first in 0..=u8::MAX {
            let count = self.names.keys().filter(|name| name[0] <= first).count();
            index.extend_from_slice(&(count as u32).to_be_bytes());
        }
        index.extend(self.names.keys().flatten());
        index.extend(std::iter::repeat_n(0, self.names.len() * 4));
        index.extend(self.names.values().flat_map(|offset| (*offset as u32).to_be_bytes()));
        index
    }
}

/// Writes the files of an input below a Git directory.
fn write_repository(git: &Path, bytes: &[u8]) -> std::io::Result<()> {
    let mut pack = PackWriter::default();
    write(git, "HEAD", b"ref: refs/heads/main\n")?;
    for (header, content) in sections(bytes) {
        let words: Vec<&str> = header.split(' ').collect();
        match words.as_slice() {
            ["loose", hex] if name(hex).is_some() => {
                let packed = compress_to_vec_zlib(content, 1);
                write(git, &format!("objects/{}/{}", &hex[..2], &hex[2..]), &packed)?;
            }
            ["entry", hex, kind] => {
                let Some((name, kind)) = name(hex).zip(kind.parse().ok()) else { continue };
                pack.push(name, kind, &[], content);
            }
            ["delta", hex, back] => {
                let Some((name, back)) = name(hex).zip(back.parse().ok()) else { continue };
                pack.push(name, 6, &pack.distance(back), content);
            }
            ["delta-of", hex, base] => {
                let Some((name, base)) = name(hex).zip(name(base)) else { continue };
                pack.push(name, 7, &base, content);
            }
            [path] if FILES.contains(path) => write(git, path, content)?,
            _ => {}
        }
    }
    // Files of the input take precedence.
    if !pack.offsets.is_empty() && !git.join("objects/pack/pack-a.idx").exists() {
        write(git, "objects/pack/pack-a.idx", &pack.index())?;
    }
    if !pack.offsets.is_empty() && !git.join("objects/pack/pack-a.pack").exists() {
        write(git, "objects/pack/pack-a.pack", &pack.bytes)?;
    }
    Ok(())
}

/// Creates a file and its parent folders.
fn write(git: &Path, path: &str, content: &[u8]) -> std::io::Result<()> {
    let path = git.join(path);
    fs::create_dir_all(path.parent().unwrap_or(git))?;
    fs::write(path, content)
}

/// Returns the header and content of each section.
fn sections(bytes: &[u8]) -> Vec<(&str, &[u8])> {
    const MARK: &[u8] = b"=== ";
    let mut found: Vec<(&str, &[u8])> = Vec::new();
    let mut at = 0;
    let mut start = 0;
    for line in bytes.split_inclusive(|byte| *byte == b'\n') {
        let header = line.strip_prefix(MARK).and_then(|it| std::str::from_utf8(it).ok());
        if let Some(header) = header {
            found.push((header.trim_end_matches('\n'), &[]));
            start = at + line.len();
        } else if let Some((_, content)) = found.last_mut() {
            let section = &bytes[start..at + line.len()];
            *content = section.strip_suffix(b"\n").unwrap_or(section);
        }
        at += line.len();
    }
    found
}

/// Parses the name of an object.
fn name(hex: &str) -> Option<[u8; NAME_LENGTH]> {
    let digits: Option<Vec<u8>> = hex.chars().map(|it| it.to_digit(16).map(|it| it as u8)).collect();
    let pairs = digits?.chunks_exact(2).map(|it| it[0] << 4 | it[1]).collect::<Vec<u8>>();
    <[u8; NAME_LENGTH]>::try_from(pairs).ok().filter(|_| hex.len() == NAME_LENGTH * 2)
}
