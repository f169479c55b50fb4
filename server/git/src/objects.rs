//! Objects: in files of their own, in packs, and in the repositories that others lend.

use std::fmt;
use std::fs::{self, File};
use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};

use anyhow::Context;

use crate::inflate::Inflater;
use crate::pack::Pack;
use crate::{ObjectName, hex_byte, small_file};

/// Larger objects are not unpacked.
pub(crate) const MAX_OBJECT_SIZE: u64 = 256 << 20;

/// Repositories that lend to those that lend.
const MAX_LENDERS: usize = 64;

/// The longest header of an object in a file of its own.
const MAX_HEADER_LENGTH: usize = 64;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ObjectKind {
    Commit,
    Tree,
    Blob,
    Tag,
}

/// What an object holds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ObjectContents {
    Bytes(Vec<u8>),
    /// It has more bytes than are wanted: this many.
    TooLarge(u64),
}

/// The objects of a repository.
pub(crate) struct Objects {
    /// The folders that hold them: its own, and those that it borrows from.
    folders: Vec<PathBuf>,
    packs: Vec<Pack>,
    name_length: usize,
}

impl fmt::Display for ObjectKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ObjectKind::Commit => "commit",
            ObjectKind::Tree => "tree",
            ObjectKind::Blob => "file",
            ObjectKind::Tag => "tag",
        })
    }
}

impl Objects {
    pub(crate) fn open(folder: &Path, name_length: usize) -> anyhow::Result<Objects> {
        let folders = with_lenders(folder)?;
        let mut packs = Vec::new();
        for folder in &folders {
            let Ok(entries) = fs::read_dir(folder.join("pack")) else { continue };
            for entry in entries {
                let path = entry?.path();
                if path.extension().is_some_and(|it| it == "idx") {
                    packs.push(Pack::open(&path, name_length)?);
                }
            }
        }
        Ok(Objects { folders, packs, name_length })
    }

    pub(crate) fn name_length(&self) -> usize {
        self.name_length
    }

    /// What an object is and holds; `None` where it is not here. More bytes than `most` are not unpacked.
    pub(crate) fn read(
        &self,
        name: &ObjectName,
        most: u64,
    ) -> anyhow::Result<Option<(ObjectKind, ObjectContents)>> {
        let most = most.min(MAX_OBJECT_SIZE);
        for pack in &self.packs {
            if let Some(at) = pack.find(name)? {
                return pack.read(at, most).map(Some).with_context(|| damaged(name));
            }
        }
        let hex = name.to_string();
        for folder in &self.folders {
            let path = folder.join(&hex[..2]).join(&hex[2..]);
            if path.is_file() {
                return read_loose(&path, most).map(Some).with_context(|| damaged(name));
            }
        }
        Ok(None)
    }

    /// The objects whose names begin with some digits, at most two of them.
    pub(crate) fn with_prefix(&self, digits: &str) -> anyhow::Result<Vec<ObjectName>> {
        let mut found = Vec::new();
        let Some(first) = digits.get(..2).and_then(|it| hex_byte(it.as_bytes())) else { return Ok(found) };
        for pack in &self.packs {
            found.extend(pack.names(first)?.into_iter().filter(|name| name.to_string().starts_with(digits)));
        }
        for folder in &self.folders {
            let Ok(entries) = fs::read_dir(folder.join(&digits[..2])) else { continue };
            for entry in entries {
                let name = format!("{}{}", &digits[..2], entry?.file_name().to_string_lossy());
                found.extend(ObjectName::from_hex(&name).filter(|_| name.starts_with(digits)));
            }
        }
        found.sort_unstable();
        found.dedup();
        found.truncate(2);
        Ok(found)
    }
}

fn damaged(name: &ObjectName) -> String {
    format!("cannot read the object {}", name.short())
}

/// A folder of objects, and those that it names as lenders.
fn with_lenders(folder: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let mut folders = vec![folder.to_owned()];
    let mut next = 0;
    while let Some(folder) = folders.get(next).cloned() {
        next += 1;
        let text = small_file::text_if_there(&folder.join("info/alternates"))?.unwrap_or_default();
        for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
            let lender = folder.join(line.trim_matches('"'));
            if !folders.contains(&lender) {
                folders.push(lender);
            }
        }
        anyhow::ensure!(folders.len() <= MAX_LENDERS, "it borrows from more than {MAX_LENDERS} repositories");
    }
    Ok(folders)
}

/// An object in a file of its own: `blob 5`, a zero, and the bytes.
fn read_loose(path: &Path, most: u64) -> anyhow::Result<(ObjectKind, ObjectContents)> {
    let mut inflater = Inflater::new(BufReader::new(File::open(path)?));
    let mut header = Vec::new();
    loop {
        let mut byte = [0];
        inflater.read_exact(&mut byte)?;
        if byte[0] == 0 {
            break;
        }
        header.push(byte[0]);
        anyhow::ensure!(header.len() <= MAX_HEADER_LENGTH, "it has no header");
    }
    let header = String::from_utf8_lossy(&header);
    let (kind, size) = header.split_once(' ').context("it has no header")?;
    let kind = match kind {
        "commit" => ObjectKind::Commit,
        "tree" => ObjectKind::Tree,
        "blob" => ObjectKind::Blob,
        "tag" => ObjectKind::Tag,
        other => anyhow::bail!("it is a `{other}`, which is not known"),
    };
    let size: u64 = size.parse().context("its header has no size")?;
    if size > most {
        return Ok((kind, ObjectContents::TooLarge(size)));
    }
    Ok((kind, ObjectContents::Bytes(inflater.read_whole(size)?)))
}
