//! Files that are read into memory as a whole.

use std::fs::File;
use std::io::{ErrorKind, Read};
use std::path::Path;

use anyhow::Context;

/// Maximum size in bytes. The index of a million files has 100 MB.
const MAX_SIZE: u64 = 256 << 20;

/// Maximum size of a text file in bytes. A list of a million references has 60 MB.
const MAX_TEXT_SIZE: u64 = 64 << 20;

/// Reads the bytes of a regular file; `None` if it does not exist.
pub(crate) fn read_optional_bytes(path: &Path) -> anyhow::Result<Option<Vec<u8>>> {
    read_bounded(path, MAX_SIZE)
}

fn read_bounded(path: &Path, limit: u64) -> anyhow::Result<Option<Vec<u8>>> {
    let shown = path.display();
    // The file type is checked before opening, because opening a pipe would wait for a writer.
    let metadata = match path.metadata() {
        Ok(metadata) => metadata,
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            return Ok(None);
        }
        Err(error) => return Err(error).with_context(|| format!("cannot read `{shown}`")),
    };
    anyhow::ensure!(metadata.is_file(), "`{shown}` is not a file");
    anyhow::ensure!(metadata.len() <= limit, "`{shown}` is too large");
    let mut bytes = Vec::new();
    let file = File::open(path).with_context(|| format!("cannot read `{shown}`"))?;
    file.take(limit + 1).read_to_end(&mut bytes).with_context(|| format!("cannot read `{shown}`"))?;
    anyhow::ensure!(bytes.len() as u64 <= limit, "`{shown}` is too large");
    Ok(Some(bytes))
}

/// Reads a regular file as text; `None` if it does not exist. Invalid UTF-8 is replaced.
pub(crate) fn read_optional_text(path: &Path) -> anyhow::Result<Option<String>> {
    let text_of = |bytes| {
        String::from_utf8(bytes).unwrap_or_else(|it| String::from_utf8_lossy(it.as_bytes()).into_owned())
    };
    Ok(read_bounded(path, MAX_TEXT_SIZE)?.map(text_of))
}

/// Reads a text file that must exist.
pub(crate) fn read_text(path: &Path) -> anyhow::Result<String> {
    read_optional_text(path)?.with_context(|| format!("file `{}` not found", path.display()))
}
