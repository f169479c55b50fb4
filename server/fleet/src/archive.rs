//! Archives that `puppetdb archive` and PuppetDB's endpoint `/pdb/admin/v1/archive` write: `tar`, compressed with gzip. Only the facts
//! are read, one file at a time.

use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::Path;

use anyhow::{Context, bail, ensure};
use flate2::read::MultiGzDecoder;

use crate::container::MAX_LINE;

/// First bytes of a gzip stream.
const MAGIC: [u8; 2] = [0x1f, 0x8b];

/// Size of the blocks of an archive in bytes.
const BLOCK: usize = 512;

/// Maximum size of the name of a member that has a block of its own, in bytes.
const MAX_NAME: u64 = 1 << 20;

/// Folder of the facts in an archive, which has a file per node.
const FACTS_FOLDER: &str = "facts";

/// Returns true if a file begins like an archive.
pub fn is_archive(path: &Path) -> bool {
    let mut start = [0; MAGIC.len()];
    File::open(path).and_then(|mut file| file.read_exact(&mut start)).is_ok() && start == MAGIC
}

/// Reader of the facts in an archive.
pub struct ArchiveReader {
    reader: BufReader<MultiGzDecoder<BufReader<File>>>,
    has_ended: bool,
}

/// Header of a member.
struct MemberHeader {
    name: String,
    kind: u8,
    size: u64,
}

impl ArchiveReader {
    /// Opens an archive.
    ///
    /// # Errors
    /// Fails if the file cannot be read.
    pub fn open(path: &Path) -> anyhow::Result<ArchiveReader> {
        let file = File::open(path).with_context(|| format!("cannot read `{}`", path.display()))?;
        let reader = BufReader::new(MultiGzDecoder::new(BufReader::new(file)));
        Ok(ArchiveReader { reader, has_ended: false })
    }

    /// Returns the next file of facts; `None` at the end.
    ///
    /// # Errors
    /// Fails if the archive is truncated or malformed.
    pub fn next_facts(&mut self) -> anyhow::Result<Option<String>> {
        let mut long_name = None;
        while let Some(MemberHeader { name, kind, size }) = self.header()? {
            let name = long_name.take().unwrap_or(name);
            match kind {
                b'L' | b'x' => {
                    ensure!(size <= MAX_NAME, "the name of a file is too long");
                    let bytes = self.contents(size)?;
                    long_name = if kind == b'L' { name_of_bytes(&bytes) } else { path_of_pax(&bytes) };
                }
                b'0' | 0 if is_facts(&name) => {
                    ensure!(size <= MAX_LINE as u64, "`{name}` exceeds {MAX_LINE} bytes");
                    let text = String::from_utf8(self.contents(size)?);
                    return Ok(Some(text.with_context(|| format!("`{name}` is not UTF-8"))?));
                }
                // Extensions for all members that follow do not name one.
                _ => self.skip(padded(size))?,
            }
        }
        Ok(None)
    }

    /// Returns the header of the next member; `None` at the end of the archive.
    fn header(&mut self) -> anyhow::Result<Option<MemberHeader>> {
        if self.has_ended {
            return Ok(None);
        }
        let mut block = [0; BLOCK];
        self.reader.read_exact(&mut block).map_err(truncated)?;
        if block.iter().all(|byte| *byte == 0) {
            // The rest is read, so that the checksum of the compressed data is verified.
            io::copy(&mut self.reader, &mut io::sink()).map_err(truncated)?;
            self.has_ended = true;
            return Ok(None);
        }
        let field = |start: usize, length: usize| &block[start..start + length];
        let sum: u64 = block.iter().enumerate().fold(0, |sum, (index, byte)| {
            sum + u64::from(if (148..156).contains(&index) { b' ' } else { *byte })
        });
        ensure!(octal(field(148, 8)) == Some(sum), "it is not an archive of PuppetDB, or damaged");
        let size = size_of(field(124, 12)).context("the size of a file is malformed")?;
        let prefix = if field(257, 5) == b"ustar" { name_of_bytes(field(345, 155)) } else { None };
        let name = name_of_bytes(field(0, 100)).unwrap_or_default();
        let name = match prefix.filter(|it| !it.is_empty()) {
            Some(prefix) => format!("{prefix}/{name}"),
            None => name,
        };
        Ok(Some(MemberHeader { name, kind: block[156], size }))
    }

    /// Reads the contents of a member.
    fn contents(&mut self, size: u64) -> anyhow::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        self.reader.by_ref().take(size).read_to_end(&mut bytes).map_err(truncated)?;
        if bytes.len() as u64 != size {
            bail!("it is truncated");
        }
        self.skip(padded(size) - size)?;
        Ok(bytes)
    }

    fn skip(&mut self, size: u64) -> anyhow::Result<()> {
        let skipped = io::copy(&mut self.reader.by_ref().take(size), &mut io::sink()).map_err(truncated)?;
        ensure!(skipped == size, "it is truncated");
        Ok(())
    }
}

fn truncated(error: io::Error) -> anyhow::Error {
    match error.kind() {
        io::ErrorKind::UnexpectedEof => anyhow::anyhow!("it is truncated"),
        _ => anyhow::Error::new(error).context("it is damaged"),
    }
}

/// Returns true for the path of a file of facts.
fn is_facts(name: &str) -> bool {
    let mut parts = name.rsplit('/');
    let is_json = parts.next().is_some_and(|it| it.ends_with(".json"));
    is_json && parts.next() == Some(FACTS_FOLDER)
}

/// Returns the size with the padding that follows a member.
fn padded(size: u64) -> u64 {
    size.div_ceil(BLOCK as u64).saturating_mul(BLOCK as u64)
}

fn name_of_bytes(bytes: &[u8]) -> Option<String> {
    let end = bytes.iter().position(|byte| *byte == 0).unwrap_or(bytes.len());
    String::from_utf8(bytes[..end].to_vec()).ok()
}

/// Returns the path in an extended header, whose lines are `LENGTH KEY=VALUE`.
fn path_of_pax(bytes: &[u8]) -> Option<String> {
    let text = std::str::from_utf8(bytes).ok()?;
    let mut values = text.lines().filter_map(|line| line.split_once(' ')?.1.strip_prefix("path="));
    values.next_back().map(str::to_owned)
}

fn octal(field: &[u8]) -> Option<u64> {
    let text = std::str::from_utf8(field).ok()?.trim_matches(['\0', ' ']);
    u64::from_str_radix(text, 8).ok()
}

/// Returns a size: octal digits, or binary if the first bit is set.
fn size_of(field: &[u8]) -> Option<u64> {
    match field.split_first() {
        Some((0x80, rest)) => {
            let (high, low) = rest.split_at(rest.len() - 8);
            let is_small = high.iter().all(|byte| *byte == 0);
            is_small.then(|| low.iter().fold(0, |size, byte| size << 8 | u64::from(*byte)))
        }
        _ => octal(field),
    }
}
