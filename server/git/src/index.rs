//! The index: tracked files, and which of them are unmodified on disk.

use std::collections::BTreeMap;
use std::fs::Metadata;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::Context;

use crate::pack::number;
use crate::{EntryKind, ObjectName, Repository, small_file};

/// Flag of an entry that is assumed to be unchanged.
const ASSUME_VALID: u16 = 0x8000;

/// Flag of an entry that is followed by extended flags.
const EXTENDED: u16 = 0x4000;

/// Bits of the stage of an entry during a merge.
const STAGE: u16 = 0x3000;

/// Extended flag of an entry that is absent from disk on purpose.
const SKIP_WORKTREE: u16 = 0x4000;

/// Extended flag of an entry that will be added later.
const INTENT_TO_ADD: u16 = 0x2000;

/// Tracked files, by path from the top of the repository.
#[derive(Clone, Default, Debug)]
pub struct Index {
    pub entries: BTreeMap<String, IndexEntry>,
    /// Folders that a sparse index collapses into one entry, with a trailing `/`.
    pub sparse_folders: Vec<String>,
}

/// A tracked file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct IndexEntry {
    pub kind: EntryKind,
    pub object: ObjectName,
    /// True if the file on disk is known to be unmodified since Git wrote it or compared it with the object.
    /// Then it has the contents that a checkout produces, including conversions of line endings, filters and
    /// large files. False in case of doubt.
    pub is_as_checked_out: bool,
    /// True if the file is absent from disk on purpose (sparse checkout).
    pub is_sparse: bool,
}

/// An entry as stored in the index.
struct StoredEntry<'b> {
    changed: (u32, u32),
    inode: u32,
    mode: u32,
    size: u32,
    object: ObjectName,
    flags: u16,
    more_flags: u16,
    /// Number of bytes to remove from the end of the previous path; `None` for all.
    dropped: Option<usize>,
    /// Bytes to append to the rest of the previous path.
    path: &'b [u8],
}

impl Repository {
    /// Reads the index; empty if nothing has been added yet.
    ///
    /// # Errors
    /// Fails if the index cannot be read or has an unsupported format.
    pub fn index(&self) -> anyhow::Result<Index> {
        let path = self.own.join("index");
        let Some(bytes) = small_file::read_optional_bytes(&path)? else { return Ok(Index::default()) };
        let written = path.metadata().and_then(|it| it.modified()).unwrap_or(UNIX_EPOCH);
        self.parse_index(&bytes, written).with_context(|| format!("cannot read `{}`", path.display()))
    }

    fn parse_index(&self, bytes: &[u8], written: SystemTime) -> anyhow::Result<Index> {
        let damaged = "index is corrupt";
        let mut rest = bytes.strip_prefix(b"DIRC").context("not an index file")?;
        let (header, after) = rest.split_at_checked(8).context(damaged)?;
        let (version, count) = (number(&header[..4]), number(&header[4..]));
        anyhow::ensure!((2..=4).contains(&version), "unsupported index version {version}");
        rest = after;
        let mut index = Index::default();
        let mut path = Vec::new();
        for _ in 0..count {
            let entry = next_entry(&mut rest, version, self.objects.name_length()).context(damaged)?;
            let kept = path.len().checked_sub(entry.dropped.unwrap_or(path.len()));
            path.truncate(kept.context(damaged)?);
            path.extend_from_slice(entry.path);
            let Ok(path) = std::str::from_utf8(&path) else { continue };
            if entry.mode >> 12 == 0o4 {
                index.sparse_folders.push(path.to_owned());
                continue;
            }
            let is_judged = entry.mode >> 12 == 0o10
                && entry.flags & (ASSUME_VALID | STAGE) == 0
                && entry.more_flags & (SKIP_WORKTREE | INTENT_TO_ADD) == 0;
            let is_as_checked_out = is_judged && is_untouched(&entry, &self.top.join(path), written);
            let is_sparse = entry.more_flags & SKIP_WORKTREE != 0;
            let kind = match entry.mode >> 12 {
                0o12 => EntryKind::Link,
                0o16 => EntryKind::Submodule,
                _ => EntryKind::File,
            };
            let known = IndexEntry { kind, object: entry.object, is_as_checked_out, is_sparse };
            index.entries.insert(path.to_owned(), known);
        }
        // A split index stores some entries in another file.
        anyhow::ensure!(
            !has_extension(rest, b"link"),
            "split indexes are not supported\nhelp: run `git update-index --no-split-index`"
        );
        Ok(index)
    }
}

fn take_byte(rest: &mut &[u8]) -> Option<u8> {
    let (byte, after) = rest.split_first()?;
    *rest = after;
    Some(*byte)
}

/// Parses the next entry.
fn next_entry<'b>(rest: &mut &'b [u8], version: u32, name_length: usize) -> Option<StoredEntry<'b>> {
    let whole = rest.len();
    let (fixed, after) = rest.split_at_checked(40)?;
    let field = |position: usize| number(&fixed[position * 4..]);
    let (object, after) = after.split_at_checked(name_length)?;
    let short = |bytes: &[u8]| u16::from_be_bytes([bytes[0], bytes[1]]);
    let (flags, mut after) = after.split_at_checked(2).map(|(it, after)| (short(it), after))?;
    let mut more_flags = 0;
    if flags & EXTENDED != 0 {
        (more_flags, after) = after.split_at_checked(2).map(|(it, after)| (short(it), after))?;
    }
    let mut dropped = None;
    if version == 4 {
        let mut byte = take_byte(&mut after)?;
        let mut count = usize::from(byte & 0x7f);
        while byte & 0x80 != 0 {
            byte = take_byte(&mut after)?;
            count = count.checked_add(1)?.checked_mul(0x80)? | usize::from(byte & 0x7f);
        }
        dropped = Some(count);
    }
    let end = after.iter().position(|byte| *byte == 0)?;
    let (path, after) = after.split_at(end);
    // Up to version 3, entries are padded to a multiple of eight bytes, with at least one NUL.
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

/// Returns true if a file on disk is the one that Git looked at. False if it was changed at the time of that
/// look, because the change may not be detectable.
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

/// Returns true if an extension is present. Each one after the entries consists of a name, a size and that
/// many bytes; a checksum follows.
fn has_extension(bytes: &[u8], name: &[u8; 4]) -> bool {
    let mut rest = bytes;
    while let Some((header, after)) = rest.split_at_checked(8) {
        if header.starts_with(name) {
            return true;
        }
        let Some(after) = after.get(number(&header[4..]) as usize..) else { return false };
        rest = after;
    }
    false
}
