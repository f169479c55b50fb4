//! Cache files that are either complete or ignored: written to a temporary file and renamed, with an
//! identifying first line, and a checksum at the end.

use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::Path;

use crate::text_store::read_at;

/// Number of bytes after the content.
const CHECKSUM_LENGTH: u64 = 4;

/// Name prefix of files that are being written.
pub(super) const UNFINISHED: &str = ".unfinished-";

/// A file that was intact when it was opened. Replacing it on disk does not affect the open handle.
pub(super) struct CheckedFile {
    pub(super) file: File,
    /// End of the content.
    pub(super) end: u64,
}

/// Opens a file that begins with `first_line`.
///
/// # Errors
/// Fails if the file does not exist, has another first line, or is damaged (`InvalidData`).
pub(super) fn open(path: &Path, first_line: &str) -> io::Result<CheckedFile> {
    let file = File::open(path)?;
    let length = file.metadata()?.len();
    let wrong = || {
        io::Error::new(io::ErrorKind::InvalidData, "file is damaged or belongs to another version or folder")
    };
    let end = length.checked_sub(CHECKSUM_LENGTH).ok_or_else(wrong)?;
    let mut content = BufReader::with_capacity(1 << 20, &file).take(end);
    let mut found = vec![0; first_line.len() + 1];
    content.read_exact(&mut found)?;
    if found != format!("{first_line}\n").into_bytes() {
        return Err(wrong());
    }
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&found);
    io::copy(&mut content, &mut Hashing { inner: io::sink(), hasher: &mut hasher, written: 0 })?;
    let mut checksum = [0; CHECKSUM_LENGTH as usize];
    content.into_inner().read_exact(&mut checksum)?;
    if u32::from_le_bytes(checksum) == hasher.finalize() {
        Ok(CheckedFile { file, end })
    } else {
        Err(wrong())
    }
}

/// Reads the content after the first line of a file.
///
/// # Errors
/// As for [`open`].
pub(super) fn read(path: &Path, first_line: &str) -> io::Result<Vec<u8>> {
    let CheckedFile { file, end } = open(path, first_line)?;
    let start = first_line.len() as u64 + 1;
    let length =
        end.checked_sub(start).and_then(|it| usize::try_from(it).ok()).ok_or(io::ErrorKind::InvalidData)?;
    let mut content = vec![0; length];
    read_at(&file, &mut content, start)?;
    Ok(content)
}

/// Creates or replaces a file. `content` writes everything after the first line, and can query the current
/// position.
///
/// # Errors
/// Fails if the file cannot be written; the previous one is kept.
pub(super) fn write(
    path: &Path,
    first_line: &str,
    content: impl FnOnce(&mut dyn PositionedWrite) -> io::Result<()>,
) -> io::Result<()> {
    let folder = path.parent().unwrap_or(path);
    fs::create_dir_all(folder)?;
    let file = tempfile::Builder::new().prefix(UNFINISHED).tempfile_in(folder)?;
    let mut hasher = crc32fast::Hasher::new();
    let mut out = BufWriter::with_capacity(1 << 20, file.as_file());
    let mut hashing = Hashing { inner: &mut out, hasher: &mut hasher, written: 0 };
    writeln!(hashing, "{first_line}")?;
    content(&mut hashing)?;
    out.write_all(&hasher.finalize().to_le_bytes())?;
    out.flush()?;
    drop(out);
    file.persist(path)?;
    Ok(())
}

/// A writer that knows its position.
pub(super) trait PositionedWrite: Write {
    /// Returns the number of bytes written so far.
    fn written(&self) -> u64;
}

struct Hashing<'h, W> {
    inner: W,
    hasher: &'h mut crc32fast::Hasher,
    written: u64,
}

impl<W: Write> Write for Hashing<'_, W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let length = self.inner.write(bytes)?;
        self.hasher.update(&bytes[..length]);
        self.written += length as u64;
        Ok(length)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

impl<W: Write> PositionedWrite for Hashing<'_, W> {
    fn written(&self) -> u64 {
        self.written
    }
}
