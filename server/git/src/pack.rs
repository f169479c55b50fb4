//! Packs: many objects in one file, with an index beside it. Most are stored as what differs from another.

use std::cell::RefCell;
use std::collections::HashMap;
use std::fs::File;
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::Path;
use std::sync::Arc;

use anyhow::Context;

use crate::ObjectName;
use crate::inflate::Inflater;
use crate::objects::{MAX_OBJECT_SIZE, ObjectContents, ObjectKind};

/// Differences from differences.
const MAX_CHAIN_LENGTH: usize = 10_000;

/// So many bytes of unpacked objects are kept for those that differ from them.
const MAX_KEPT: usize = 32 << 20;

/// The first bytes of an index: its mark and version.
const INDEX_MARK: [u8; 8] = [0xff, b't', b'O', b'c', 0, 0, 0, 2];

/// Behind the mark: how many objects have names that begin with each byte, or a smaller one.
const FANOUT: u64 = 256 * 4;

pub(crate) struct Pack {
    index: File,
    pack: File,
    /// By the first byte of a name: how many objects come up to and with it.
    fanout: Vec<u32>,
    name_length: usize,
    kept: RefCell<Kept>,
}

/// Unpacked objects by where they begin.
#[derive(Default)]
struct Kept {
    objects: HashMap<u64, (ObjectKind, Arc<Vec<u8>>)>,
    size: usize,
}

/// How an object is stored.
enum Stored {
    Whole(ObjectKind),
    /// What differs from the object that begins there.
    Difference(u64),
}

impl Pack {
    /// Opens a pack by its index.
    pub(crate) fn open(index_path: &Path, name_length: usize) -> anyhow::Result<Pack> {
        let open = || {
            let index = regular_file(index_path)?;
            let pack = regular_file(&index_path.with_extension("pack"))?;
            let mut start = Vec::new();
            (&index).take(8 + FANOUT).read_to_end(&mut start)?;
            anyhow::ensure!(start.starts_with(&INDEX_MARK), "it is no index of version 2");
            let fanout: Vec<u32> = start[8..].chunks_exact(4).map(number).collect();
            anyhow::ensure!(fanout.len() == 256 && fanout.is_sorted(), "its table is damaged");
            let needed = 8 + FANOUT + u64::from(fanout[255]) * (name_length as u64 + 8);
            anyhow::ensure!(index.metadata()?.len() >= needed, "it is cut off");
            Ok(Pack { index, pack, fanout, name_length, kept: RefCell::default() })
        };
        open().with_context(|| format!("cannot read {}", index_path.display()))
    }

    /// Where an object begins, if it is here.
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

    /// The names that begin with a byte.
    pub(crate) fn names(&self, first: u8) -> anyhow::Result<Vec<ObjectName>> {
        let names = self.name_bytes(first)?;
        Ok(names.chunks_exact(self.name_length).filter_map(ObjectName::from_bytes).collect())
    }

    /// How many objects come before those whose names begin with a byte.
    fn before(&self, first: u8) -> u64 {
        u64::from(first.checked_sub(1).map_or(0, |it| self.fanout[usize::from(it)]))
    }

    fn name_bytes(&self, first: u8) -> anyhow::Result<Vec<u8>> {
        let (from, to) = (self.before(first), u64::from(self.fanout[usize::from(first)]));
        let length = self.name_length as u64;
        bytes_at(&self.index, 8 + FANOUT + from * length, (to - from) * length)
    }

    /// Where the object begins that is the n-th by name.
    fn offset(&self, position: u64) -> anyhow::Result<u64> {
        let count = u64::from(self.fanout[255]);
        // Behind the names are checksums.
        let offsets = 8 + FANOUT + count * (self.name_length as u64 + 4);
        let offset = number(&bytes_at(&self.index, offsets + position * 4, 4)?);
        if offset & 0x8000_0000 == 0 {
            return Ok(u64::from(offset));
        }
        let large = offsets + count * 4 + u64::from(offset & 0x7fff_ffff) * 8;
        let bytes = bytes_at(&self.index, large, 8)?;
        Ok(u64::from(number(&bytes[..4])) << 32 | u64::from(number(&bytes[4..])))
    }

    /// What the object is and holds that begins there.
    pub(crate) fn read(&self, at: u64, most: u64) -> anyhow::Result<(ObjectKind, ObjectContents)> {
        // From the object to the one that is stored whole.
        let mut differences = Vec::new();
        let mut at = at;
        let (kind, mut bytes) = loop {
            if let Some((kind, bytes)) = self.kept.borrow().objects.get(&at) {
                break (*kind, bytes.clone());
            }
            let (stored, size, reader) = self.entry(at)?;
            let is_first = differences.is_empty();
            let too_large = |size: u64| size > if is_first { most } else { MAX_OBJECT_SIZE };
            match stored {
                Stored::Whole(kind) if too_large(size) => return Ok((kind, ObjectContents::TooLarge(size))),
                Stored::Whole(kind) => {
                    let bytes = Arc::new(Inflater::new(reader).read_whole(size)?);
                    self.keep(at, kind, &bytes);
                    break (kind, bytes);
                }
                Stored::Difference(base) => {
                    anyhow::ensure!(size <= MAX_OBJECT_SIZE, "what differs has {size} bytes");
                    let difference = Inflater::new(reader).read_whole(size)?;
                    let result = sizes(&difference).context("what differs is damaged")?.1;
                    if too_large(result) {
                        return Ok((self.kind(base)?, ObjectContents::TooLarge(result)));
                    }
                    differences.push((at, difference));
                    anyhow::ensure!(differences.len() <= MAX_CHAIN_LENGTH, "its differences have no end");
                    at = base;
                }
            }
        };
        for (at, difference) in differences.iter().rev() {
            bytes = Arc::new(applied(difference, &bytes).context("what differs is damaged")?);
            self.keep(*at, kind, &bytes);
        }
        if bytes.len() as u64 > most {
            return Ok((kind, ObjectContents::TooLarge(bytes.len() as u64)));
        }
        Ok((kind, ObjectContents::Bytes(bytes.to_vec())))
    }

    /// What an object is whose bytes are not wanted.
    fn kind(&self, at: u64) -> anyhow::Result<ObjectKind> {
        let mut at = at;
        for _ in 0..MAX_CHAIN_LENGTH {
            match self.entry(at)?.0 {
                Stored::Whole(kind) => return Ok(kind),
                Stored::Difference(base) => at = base,
            }
        }
        anyhow::bail!("its differences have no end")
    }

    /// How an object is stored, how many bytes that has, and those bytes, packed.
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
            size |= u64::from(byte & 0x7f).checked_shl(shift).context("its size is damaged")?;
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
                    back =
                        (back + 1).checked_mul(0x80).context("its base is damaged")? | u64::from(byte & 0x7f);
                }
                let base = at.checked_sub(back).filter(|base| *base < at);
                Stored::Difference(base.context("its base is damaged")?)
            }
            7 => {
                let mut name = vec![0; self.name_length];
                reader.read_exact(&mut name)?;
                let base = ObjectName::from_bytes(&name).context("its base has no name")?;
                Stored::Difference(self.find(&base)?.context("its base is not in the pack")?)
            }
            other => anyhow::bail!("it is of the kind {other}, which is not known"),
        };
        // To find a base may have read elsewhere, but from the index, not from the pack.
        Ok((stored, size, reader))
    }

    fn keep(&self, at: u64, kind: ObjectKind, bytes: &Arc<Vec<u8>>) {
        let mut kept = self.kept.borrow_mut();
        if kept.size + bytes.len() > MAX_KEPT {
            *kept = Kept::default();
        }
        if bytes.len() <= MAX_KEPT / 4 && kept.objects.insert(at, (kind, bytes.clone())).is_none() {
            kept.size += bytes.len();
        }
    }
}

/// A file that is no pipe and no device.
fn regular_file(path: &Path) -> anyhow::Result<File> {
    anyhow::ensure!(path.metadata()?.is_file(), "{} is no file", path.display());
    Ok(File::open(path)?)
}

fn bytes_at(mut file: &File, at: u64, length: u64) -> anyhow::Result<Vec<u8>> {
    file.seek(SeekFrom::Start(at))?;
    let mut bytes = Vec::new();
    file.take(length).read_to_end(&mut bytes)?;
    anyhow::ensure!(bytes.len() as u64 == length, "its index is cut off");
    Ok(bytes)
}

/// A number of four bytes, the largest first.
pub(crate) fn number(bytes: &[u8]) -> u32 {
    bytes.iter().take(4).fold(0, |number, byte| number << 8 | u32::from(*byte))
}

/// The sizes of an object and of what becomes of it, and the orders behind them.
fn sizes(difference: &[u8]) -> Option<(u64, u64, &[u8])> {
    let mut rest = difference;
    let mut next_size = || {
        let (mut size, mut shift) = (0_u64, 0);
        loop {
            let (byte, behind) = rest.split_first()?;
            rest = behind;
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

/// Makes an object of another: parts of that are copied, others are new.
fn applied(difference: &[u8], base: &[u8]) -> Option<Vec<u8>> {
    let (before, after, mut rest) = sizes(difference)?;
    if before != base.len() as u64 || after > MAX_OBJECT_SIZE {
        return None;
    }
    let mut made = Vec::with_capacity(after as usize);
    while let Some((order, behind)) = rest.split_first() {
        rest = behind;
        if order & 0x80 == 0 {
            let (new, behind) = rest.split_at_checked(usize::from(*order))?;
            // An order of nothing is kept for later versions.
            made.extend_from_slice((!new.is_empty()).then_some(new)?);
            rest = behind;
        } else {
            let mut numbers = [0_usize; 7];
            for (bit, number) in numbers.iter_mut().enumerate() {
                if order & 1 << bit != 0 {
                    let (byte, behind) = rest.split_first()?;
                    *number = usize::from(*byte);
                    rest = behind;
                }
            }
            let from = numbers[0] | numbers[1] << 8 | numbers[2] << 16 | numbers[3] << 24;
            let size = match numbers[4] | numbers[5] << 8 | numbers[6] << 16 {
                0 => 0x10000,
                size => size,
            };
            made.extend_from_slice(base.get(from..from.checked_add(size)?)?);
        }
        if made.len() as u64 > after {
            return None;
        }
    }
    (made.len() as u64 == after).then_some(made)
}
