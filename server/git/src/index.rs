//! The index: what Git tracks, and which files are on disk as they were checked out.

use std::collections::BTreeMap;
use std::fs::Metadata;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::Context;

use crate::pack::number;
use crate::{EntryKind, ObjectName, Repository, small_file};

/// The flags of an entry: assumed to be unchanged, more flags follow, of a merge that is not done.
const ASSUMED: u16 = 0x8000;
const EXTENDED: u16 = 0x4000;
const STAGE: u16 = 0x3000;

/// Those that follow: not on disk on purpose, to be added later.
const LEFT_OUT: u16 = 0x4000;
const INTENDED: u16 = 0x2000;

/// What Git tracks, by path from the top of the repository.
#[derive(Clone, Default, Debug)]
pub struct Index {
    pub entries: BTreeMap<String, IndexEntry>,
    /// Folders that Git keeps from the disk as a whole, with a `/` behind them.
    pub left_out_folders: Vec<String>,
}

/// A tracked file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct IndexEntry {
    pub kind: EntryKind,
    pub object: ObjectName,
    /// Nothing has touched the file on disk since Git wrote it or compared it with the object: it is what a checkout of the
    /// object gives, however lines, filters or large files are converted there. What is not certain is false.
    pub is_as_checked_out: bool,
    /// Git keeps it from the disk on purpose (a sparse checkout).
    pub is_left_out: bool,
}

/// What the index remembers of a file on disk.
struct StoredEntry<'b> {
    changed: (u32, u32),
    inode: u32,
    mode: u32,
    size: u32,
    object: ObjectName,
    flags: u16,
    more_flags: u16,
    /// How many bytes at the end of the path before are not in this one; `None` for all.
    dropped: Option<usize>,
    /// What stands in their place.
    path: &'b [u8],
}

impl Repository {
    /// Reads the index; it is empty where nothing was added yet.
    ///
    /// # Errors
    /// When it cannot be read, or is of a form that is not known.
    pub fn index(&self) -> anyhow::Result<Index> {
        let path = self.own.join("index");
        let Some(bytes) = small_file::bytes_if_there(&path)? else { return Ok(Index::default()) };
        let written = path.metadata().and_then(|it| it.modified()).unwrap_or(UNIX_EPOCH);
        self.parse_index(&bytes, written).with_context(|| format!("cannot read {}", path.display()))
    }

    fn parse_index(&self, bytes: &[u8], written: SystemTime) -> anyhow::Result<Index> {
        let damaged = "it is damaged";
        let mut rest = bytes.strip_prefix(b"DIRC").context("it is no index")?;
        let (header, behind) = rest.split_at_checked(8).context(damaged)?;
        let (version, count) = (number(&header[..4]), number(&header[4..]));
        anyhow::ensure!((2..=4).contains(&version), "its version {version} is not known");
        rest = behind;
        let mut index = Index::default();
        let mut path = Vec::new();
        for _ in 0..count {
            let entry = next_entry(&mut rest, version, self.objects.name_length()).context(damaged)?;
            let kept = path.len().checked_sub(entry.dropped.unwrap_or(path.len()));
            path.truncate(kept.context(damaged)?);
            path.extend_from_slice(entry.path);
            let Ok(path) = std::str::from_utf8(&path) else { continue };
            if entry.mode >> 12 == 0o4 {
                index.left_out_folders.push(path.to_owned());
                continue;
            }
            let is_judged = entry.mode >> 12 == 0o10
                && entry.flags & (ASSUMED | STAGE) == 0
                && entry.more_flags & (LEFT_OUT | INTENDED) == 0;
            let is_as_checked_out = is_judged && is_untouched(&entry, &self.top.join(path), written);
            let is_left_out = entry.more_flags & LEFT_OUT != 0;
            let kind = match entry.mode >> 12 {
                0o12 => EntryKind::Link,
                0o16 => EntryKind::Submodule,
                _ => EntryKind::File,
            };
            let known = IndexEntry { kind, object: entry.object, is_as_checked_out, is_left_out };
            index.entries.insert(path.to_owned(), known);
        }
        // A part of the index may be kept elsewhere.
        anyhow::ensure!(
            !has_extension(rest, b"link"),
            "it is split, which is not known here (`git update-index --no-split-index` makes it one again)"
        );
        Ok(index)
    }
}

fn next_entry<'b>(rest: &mut &'b [u8], version: u32, name_length: usize) -> Option<StoredEntry<'b>> {
    let whole = rest.len();
    let (fixed, behind) = rest.split_at_checked(40)?;
    let field = |position: usize| number(&fixed[position * 4..]);
    let (object, behind) = behind.split_at_checked(name_length)?;
    let short = |bytes: &[u8]| u16::from_be_bytes([bytes[0], bytes[1]]);
    let (flags, mut behind) = behind.split_at_checked(2).map(|(it, behind)| (short(it), behind))?;
    let mut more_flags = 0;
    if flags & EXTENDED != 0 {
        (more_flags, behind) = behind.split_at_checked(2).map(|(it, behind)| (short(it), behind))?;
    }
    let mut dropped = None;
    if version == 4 {
        let (mut byte, mut after) = behind.split_first()?;
        let mut count = usize::from(byte & 0x7f);
        while byte & 0x80 != 0 {
            (byte, after) = after.split_first()?;
            count = (count + 1).checked_mul(0x80)? | usize::from(byte & 0x7f);
        }
        dropped = Some(count);
        behind = after;
    }
    let end = behind.iter().position(|byte| *byte == 0)?;
    let (path, after) = behind.split_at(end);
    // Up to version 3 each entry is filled up to a multiple of eight, with one zero at least.
    let filled = whole - after.len();
    let zeros = if version == 4 { 1 } else { 8 - filled % 8 };
    *rest = after.get(zeros..)?;
    Some(StoredEntry {
        changed: (field(2), field(3)),
        inode: field(5),
        mode: field(6),
        size: field(9),
        object: ObjectName::from_bytes(object)?,
        flags,
        more_flags,
        dropped,
        path,
    })
}

/// Is a file on disk the one that Git has looked at? Not certain where it was changed in the moment of the look.
fn is_untouched(entry: &StoredEntry<'_>, path: &Path, written: SystemTime) -> bool {
    let Ok(found) = path.symlink_metadata() else { return false };
    let Ok(changed) = found.modified() else { return false };
    let Ok(since) = changed.duration_since(UNIX_EPOCH) else { return false };
    found.is_file()
        && changed < written
        && entry.changed == (since.as_secs() as u32, since.subsec_nanos())
        && entry.size == found.len() as u32
        && has_inode(&found, entry.inode)
}

#[cfg(unix)]
fn has_inode(found: &Metadata, inode: u32) -> bool {
    std::os::unix::fs::MetadataExt::ino(found) as u32 == inode
}

#[cfg(not(unix))]
fn has_inode(_: &Metadata, _: u32) -> bool {
    true
}

/// Behind the entries are extensions: a name, a size, and that many bytes; behind them a checksum.
fn has_extension(bytes: &[u8], name: &[u8; 4]) -> bool {
    let mut rest = bytes;
    while let Some((header, behind)) = rest.split_at_checked(8) {
        if header.starts_with(name) {
            return true;
        }
        let Some(behind) = behind.get(number(&header[4..]) as usize..) else { return false };
        rest = behind;
    }
    false
}
