//! Files that are read whole.

use std::fs::File;
use std::io::{ErrorKind, Read};
use std::path::Path;

use anyhow::Context;

/// Larger files are not what they are called: the index of a million files has 100 MB.
const MAX_SIZE: u64 = 256 << 20;

/// The same of texts: a list of a million references has 60 MB.
const MAX_TEXT_SIZE: u64 = 64 << 20;

/// The bytes of a regular file; `None` where there is nothing.
pub(crate) fn bytes_if_there(path: &Path) -> anyhow::Result<Option<Vec<u8>>> {
    bounded(path, MAX_SIZE)
}

fn bounded(path: &Path, largest: u64) -> anyhow::Result<Option<Vec<u8>>> {
    let shown = path.display();
    // Whether it is a file is known before it is opened, as a pipe would wait for a writer.
    let metadata = match path.metadata() {
        Ok(metadata) => metadata,
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            return Ok(None);
        }
        Err(error) => return Err(error).with_context(|| format!("cannot read {shown}")),
    };
    anyhow::ensure!(metadata.is_file(), "{shown} is no file");
    anyhow::ensure!(metadata.len() <= largest, "{shown} is too large");
    let mut bytes = Vec::new();
    let file = File::open(path).with_context(|| format!("cannot read {shown}"))?;
    file.take(largest + 1).read_to_end(&mut bytes).with_context(|| format!("cannot read {shown}"))?;
    anyhow::ensure!(bytes.len() as u64 <= largest, "{shown} is too large");
    Ok(Some(bytes))
}

/// The text of a regular file; `None` where there is nothing. Bytes that are no UTF-8 are replaced.
pub(crate) fn text_if_there(path: &Path) -> anyhow::Result<Option<String>> {
    let text_of = |bytes| {
        String::from_utf8(bytes).unwrap_or_else(|it| String::from_utf8_lossy(it.as_bytes()).into_owned())
    };
    Ok(bounded(path, MAX_TEXT_SIZE)?.map(text_of))
}

/// The text of a file that must be there.
pub(crate) fn text(path: &Path) -> anyhow::Result<String> {
    text_if_there(path)?.with_context(|| format!("{} is not there", path.display()))
}
