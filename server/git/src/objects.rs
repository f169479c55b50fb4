//! Object database: loose objects, packs, and alternates.

use std::fs::{self, File};
use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};

use anyhow::Context;

use crate::inflate::Inflater;
use crate::object::{MAX_OBJECT_SIZE, ObjectContents, ObjectKind};
use crate::pack::Pack;
use crate::{ObjectName, hex_byte, small_file};

/// Maximum number of object folders, including alternates of alternates.
const MAX_OBJECT_FOLDERS: usize = 64;

/// Maximum length of the header of a loose object.
const MAX_HEADER_LENGTH: usize = 64;

/// Objects of a repository.
pub(crate) struct Objects {
    /// Object folders: its own, followed by its alternates.
    folders: Vec<PathBuf>,
    packs: Vec<Pack>,
    name_length: usize,
}

impl Objects {
    pub(crate) fn open(folder: &Path, name_length: usize) -> anyhow::Result<Objects> {
        let folders = with_alternates(folder)?;
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

    /// Reads an object; `None` if it is missing. Contents above `limit` bytes are not unpacked.
    pub(crate) fn read(
        &self,
        name: &ObjectName,
        limit: u64,
    ) -> anyhow::Result<Option<(ObjectKind, ObjectContents)>> {
        let limit = limit.min(MAX_OBJECT_SIZE);
        for pack in &self.packs {
            if let Some(at) = pack.find(name)? {
                return pack.read(at, limit).map(Some).with_context(|| cannot_read(name));
            }
        }
        let hex = name.to_string();
        for folder in &self.folders {
            let path = folder.join(&hex[..2]).join(&hex[2..]);
            if path.is_file() {
                return read_loose(&path, limit).map(Some).with_context(|| cannot_read(name));
            }
        }
        Ok(None)
    }

    /// Returns up to two objects whose names begin with the given digits, of which there must be at least
    /// two.
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

fn cannot_read(name: &ObjectName) -> String {
    format!("cannot read object {}", name.short())
}

/// Returns an object folder and all its alternates.
fn with_alternates(folder: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let mut folders = vec![folder.to_owned()];
    let mut next = 0;
    while let Some(folder) = folders.get(next).cloned() {
        next += 1;
        let text = small_file::read_optional_text(&folder.join("info/alternates"))?.unwrap_or_default();
        for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
            let alternate = folder.join(line.trim_matches('"'));
            if !folders.contains(&alternate) {
                folders.push(alternate);
            }
        }
        anyhow::ensure!(
            folders.len() <= MAX_OBJECT_FOLDERS,
            "more than {MAX_OBJECT_FOLDERS} alternate object folders"
        );
    }
    Ok(folders)
}

/// Reads a loose object: `blob 5`, a NUL, and the contents.
fn read_loose(path: &Path, limit: u64) -> anyhow::Result<(ObjectKind, ObjectContents)> {
    let mut inflater = Inflater::new(BufReader::new(File::open(path)?));
    let mut header = Vec::new();
    loop {
        let mut byte = [0];
        inflater.read_exact(&mut byte)?;
        if byte[0] == 0 {
            break;
        }
        header.push(byte[0]);
        anyhow::ensure!(header.len() <= MAX_HEADER_LENGTH, "object has no header");
    }
    let header = String::from_utf8_lossy(&header);
    let (kind, size) = header.split_once(' ').context("object has no header")?;
    let kind = match kind {
        "commit" => ObjectKind::Commit,
        "tree" => ObjectKind::Tree,
        "blob" => ObjectKind::Blob,
        "tag" => ObjectKind::Tag,
        other => anyhow::bail!("unknown object type `{other}`"),
    };
    let size: u64 = size.parse().context("object header has no size")?;
    if size > limit {
        return Ok((kind, ObjectContents::TooLarge(size)));
    }
    Ok((kind, ObjectContents::Bytes(inflater.read_whole(size)?)))
}
