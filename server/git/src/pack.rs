//! Packs: files with many objects, most of them stored as deltas, each with an index file.

use std::cell::RefCell;
use std::collections::HashMap;
use std::fs::File;
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::Path;
use std::sync::Arc;

use anyhow::Context;

use crate::ObjectName;
use crate::inflate::Inflater;
use crate::object::{MAX_OBJECT_SIZE, ObjectContents, ObjectKind};

/// Maximum length of a chain of deltas.
const MAX_CHAIN_LENGTH: usize = 10_000;

/// Maximum number of bytes of unpacked objects that are cached as bases for deltas.
const MAX_CACHED_BYTES: usize = 32 << 20;

/// Magic number and version at the start of an index.
const INDEX_MARK: [u8; 8] = [0xff, b't', b'O', b'c', 0, 0, 0, 2];

/// Size in bytes of the fanout table after the magic number. Each row is the number of objects whose name
/// begins with at most this byte.
const FANOUT: u64 = 256 * 4;

/// An open pack with its index.
pub(crate) struct Pack {
    index: File,
    pack: File,
    /// Fanout table: number of objects whose first byte is at most the index.
    fanout: Vec<u32>,
    name_length: usize,
    cache: RefCell<ObjectCache>,
}

/// Cache of unpacked objects, by offset.
#[derive(Default)]
struct ObjectCache {
    objects: HashMap<u64, (ObjectKind, Arc<Vec<u8>>)>,
    size: usize,
}

/// Representation of an object in a pack.
enum Stored {
    Whole(ObjectKind),
    /// Delta against the object at this offset.
    Delta(u64),
}

impl Pack {
    /// Opens a pack by the path of its index.
    pub(crate) fn open(index_path: &Path, name_length: usize) -> anyhow::Result<Pack> {
        let open = || {
            let index = regular_file(index_path)?;
            let pack = regular_file(&index_path.with_extension("pack"))?;
            let mut start = Vec::new();
            (&index).take(8 + FANOUT).read_to_end(&mut start)?;
            anyhow::ensure!(start.starts_with(&INDEX_MARK), "not a pack index of version 2");
            let fanout: Vec<u32> = start[8..].chunks_exact(4).map(number).collect();
            anyhow::ensure!(fanout.len() == 256 && fanout.is_sorted(), "fanout table is corrupt");
            let needed = 8 + FANOUT + u64::from(fanout[255]) * (name_length as u64 + 8);
            anyhow::ensure!(index.metadata()?.len() >= needed, "pack index is truncated");
            Ok(Pack { index, pack, fanout, name_length, cache: RefCell::default() })
        };
        open().with_context(|| format!("cannot read {}", index_path.display()))
    }

    /// Returns the offset of an object in the pack, if present.
    pub(crate) fn find(&self, name: &ObjectName) -> anyhow::Result<Option<u64>> {
        let first = name.as_bytes()[0];
        let names = self.name_bytes(first)?;
        let (mut low, mut high) = (0, names.len() / self.name_length);
        while low < high {
            let middle = (low + high) / 2;
            let found = &names[middle * self.name_length..(middle + 1) * self.name_length];
            match found.cmp(name.as_bytes()) {
                std::cmp::Ordering::Equal => {
                    return self.offset(self.before(first) + middle as u64).map(Some);
                }
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Greater => high = middle,
            }
        }
        Ok(None)
    }

    /// Returns the names that begin with a byte.
    pub(crate) fn names(&self, first: u8) -> anyhow::Result<Vec<ObjectName>> {
        let names = self.name_bytes(first)?;
        Ok(names.chunks_exact(self.name_length).filter_map(ObjectName::from_bytes).collect())
    }

    /// Returns the number of objects before those whose names begin with a byte.
    fn before(&self, first: u8) -> u64 {
        u64::from(first.checked_sub(1).map_or(0, |it| self.fanout[usize::from(it)]))
    }

    fn name_bytes(&self, first: u8) -> anyhow::Result<Vec<u8>> {
        let (from, to) = (self.before(first), u64::from(self.fanout[usize::from(first)]));
        let length = self.name_length as u64;
        bytes_at(&self.index, 8 + FANOUT + from * length, (to - from) * length)
    }

    /// Returns the offset of the n-th object by name.
    fn offset(&self, position: u64) -> anyhow::Result<u64> {
        let count = u64::from(self.fanout[255]);
        // Checksums follow the names.
        let offsets = 8 + FANOUT + count * (self.name_length as u64 + 4);
        let offset = number(&bytes_at(&self.index, offsets + position * 4, 4)?);
        if offset & 0x8000_0000 == 0 {
            return Ok(u64::from(offset));
        }
        let large = offsets + count * 4 + u64::from(offset & 0x7fff_ffff) * 8;
        let bytes = bytes_at(&self.index, large, 8)?;
        Ok(u64::from(number(&bytes[..4])) << 32 | u64::from(number(&bytes[4..])))
    }

    /// Reads the object at an offset. Contents above `limit` bytes are not unpacked.
    pub(crate) fn read(&self, at: u64, limit: u64) -> anyhow::Result<(ObjectKind, ObjectContents)> {
        // The chain of deltas down to an object that is stored whole.
        let mut deltas = Vec::new();
        let mut at = at;
        let (kind, mut bytes) = loop {
            if let Some((kind, bytes)) = self.cache.borrow().objects.get(&at) {
                break (*kind, bytes.clone());
            }
            let (stored, size, reader) = self.entry(at)?;
            let is_first = deltas.is_empty();
            let too_large = |size: u64| size > if is_first { limit } else { MAX_OBJECT_SIZE };
            match stored {
                Stored::Whole(kind) if too_large(size) => return Ok((kind, ObjectContents::TooLarge(size))),
                Stored::Whole(kind) => {
                    let bytes = Arc::new(Inflater::new(reader).read_whole(size)?);
                    self.cache_object(at, kind, &bytes);
                    break (kind, bytes);
                }
                Stored::Delta(base) => {
                    anyhow::ensure!(size <= MAX_OBJECT_SIZE, "delta is too large ({size} bytes)");
                    let delta = Inflater::new(reader).read_whole(size)?;
                    let result = sizes(&delta).context("delta is corrupt")?.1;
                    if too_large(result) {
                        return Ok((self.kind(base)?, ObjectContents::TooLarge(result)));
                    }
                    deltas.push((at, delta));
                    anyhow::ensure!(deltas.len() <= MAX_CHAIN_LENGTH, "delta chain is too long");
                    at = base;
                }
            }
        };
        for (at, delta) in deltas.iter().rev() {
            bytes = Arc::new(apply_delta(delta, &bytes).context("delta is corrupt")?);
            self.cache_object(*at, kind, &bytes);
        }
        if bytes.len() as u64 > limit {
            return Ok((kind, ObjectContents::TooLarge(bytes.len() as u64)));
        }
        Ok((kind, ObjectContents::Bytes(bytes.to_vec())))
    }

    /// Returns the kind of an object without unpacking it.
    fn kind(&self, at: u64) -> anyhow::Result<ObjectKind> {
        let mut at = at;
        for _ in 0..MAX_CHAIN_LENGTH {
            match self.entry(at)?.0 {
                Stored::Whole(kind) => return Ok(kind),
                Stored::Delta(base) => at = base,
            }
        }
        anyhow::bail!("delta chain is too long")
    }

    /// Reads the header of an object: its representation, the unpacked size of that, and a reader for the
    /// compressed bytes.
    fn entry(&self, at: u64) -> anyhow::Result<(Stored, u64, impl BufRead + '_)> {
        (&self.pack).seek(SeekFrom::Start(at))?;
        let mut reader = BufReader::new(&self.pack);
        let mut next = || {
            let mut byte = [0];
            reader.read_exact(&mut byte).map(|()| byte[0])
        };
        let first = next()?;
        let mut size = u64::from(first & 0x0f);
        let (mut shift, mut byte) = (4, first);
        while byte & 0x80 != 0 {
            byte = next()?;
            size |= u64::from(byte & 0x7f).checked_shl(shift).context("object size is corrupt")?;
            shift += 7;
        }
        let stored = match first >> 4 & 7 {
            1 => Stored::Whole(ObjectKind::Commit),
            2 => Stored::Whole(ObjectKind::Tree),
            3 => Stored::Whole(ObjectKind::Blob),
            4 => Stored::Whole(ObjectKind::Tag),
            6 => {
                let mut byte = next()?;
                let mut back = u64::from(byte & 0x7f);
                while byte & 0x80 != 0 {
                    byte = next()?;
                    let higher = back.checked_add(1).and_then(|it| it.checked_mul(0x80));
                    back = higher.context("delta base is corrupt")? | u64::from(byte & 0x7f);
                }
                let base = at.checked_sub(back).filter(|base| *base < at);
                Stored::Delta(base.context("delta base is corrupt")?)
            }
            7 => {
                let mut name = vec![0; self.name_length];
                reader.read_exact(&mut name)?;
                let base = ObjectName::from_bytes(&name).context("delta base is corrupt")?;
                Stored::Delta(self.find(&base)?.context("delta base is missing from the pack")?)
            }
            other => anyhow::bail!("unknown object type {other}"),
        };
        // Looking up the base reads the index file, so the position in the pack is unchanged.
        Ok((stored, size, reader))
    }

    fn cache_object(&self, at: u64, kind: ObjectKind, bytes: &Arc<Vec<u8>>) {
        let mut cache = self.cache.borrow_mut();
        if cache.size + bytes.len() > MAX_CACHED_BYTES {
            *cache = ObjectCache::default();
        }
        if bytes.len() <= MAX_CACHED_BYTES / 4 && cache.objects.insert(at, (kind, bytes.clone())).is_none() {
            cache.size += bytes.len();
        }
    }
}

/// Opens a file, unless it is a pipe or a device.
fn regular_file(path: &Path) -> anyhow::Result<File> {
    anyhow::ensure!(path.metadata()?.is_file(), "`{}` is not a file", path.display());
    Ok(File::open(path)?)
}

fn bytes_at(mut file: &File, at: u64, length: u64) -> anyhow::Result<Vec<u8>> {
    file.seek(SeekFrom::Start(at))?;
    let mut bytes = Vec::new();
    file.take(length).read_to_end(&mut bytes)?;
    anyhow::ensure!(bytes.len() as u64 == length, "pack index is truncated");
    Ok(bytes)
}

/// Parses a 32-bit big-endian number.
pub(crate) fn number(bytes: &[u8]) -> u32 {
    bytes.iter().take(4).fold(0, |number, byte| number << 8 | u32::from(*byte))
}

/// Parses the header of a delta: the sizes of the base and of the result. Returns them with the instructions
/// that follow.
fn sizes(delta: &[u8]) -> Option<(u64, u64, &[u8])> {
    let mut rest = delta;
    let mut next_size = || {
        let (mut size, mut shift) = (0_u64, 0);
        loop {
            let (byte, tail) = rest.split_first()?;
            rest = tail;
            size |= u64::from(byte & 0x7f).checked_shl(shift)?;
            shift += 7;
            if byte & 0x80 == 0 {
                return Some(size);
            }
        }
    };
    let (before, after) = (next_size()?, next_size()?);
    Some((before, after, rest))
}

/// Applies a delta to its base. Instructions either copy a range of the base or insert new bytes.
fn apply_delta(delta: &[u8], base: &[u8]) -> Option<Vec<u8>> {
    let (before, after, mut rest) = sizes(delta)?;
    if before != base.len() as u64 || after > MAX_OBJECT_SIZE {
        return None;
    }
    let mut result = Vec::with_capacity(after as usize);
    while let Some((instruction, tail)) = rest.split_first() {
        rest = tail;
        if instruction & 0x80 == 0 {
            let (new, tail) = rest.split_at_checked(usize::from(*instruction))?;
            // Instruction 0 is reserved.
            result.extend_from_slice((!new.is_empty()).then_some(new)?);
            rest = tail;
        } else {
            let mut numbers = [0_usize; 7];
            for (bit, number) in numbers.iter_mut().enumerate() {
                if instruction & 1 << bit != 0 {
                    let (byte, tail) = rest.split_first()?;
                    *number = usize::from(*byte);
                    rest = tail;
                }
            }
            let from = numbers[0] | numbers[1] << 8 | numbers[2] << 16 | numbers[3] << 24;
            let size = match numbers[4] | numbers[5] << 8 | numbers[6] << 16 {
                0 => 0x10000,
                size => size,
            };
            result.extend_from_slice(base.get(from..from.checked_add(size)?)?);
        }
        if result.len() as u64 > after {
            return None;
        }
    }
    (result.len() as u64 == after).then_some(result)
}
