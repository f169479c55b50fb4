//! Rows written by the recorders in `ruby/`: behavior of Ruby code of modules in real Puppet.

use std::path::{Path, PathBuf};

use miniz_oxide::inflate::decompress_to_vec;

/// Returns the folder with the rows.
pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("ruby")
}

/// Row with its escapes resolved.
pub type RecordedRow = Vec<String>;

/// Reads the rows of `NAME.tsv.gz`.
///
/// # Errors
/// Returns a message if the file cannot be read or decompressed.
pub fn rows(name: &str) -> Result<Vec<RecordedRow>, String> {
    let path = folder().join(format!("{name}.tsv.gz"));
    let bytes = std::fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    let text = decompress(&bytes).ok_or_else(|| format!("{}: not a gzip file", path.display()))?;
    let text = String::from_utf8(text).map_err(|error| format!("{}: {error}", path.display()))?;
    Ok(text.lines().map(|line| line.split('\t').map(unescape).collect()).collect())
}

/// Decompresses a gzip file with one member, whose header may hold the file name and no other
/// optional field.
fn decompress(bytes: &[u8]) -> Option<Vec<u8>> {
    let (header, rest) = bytes.split_at_checked(10)?;
    let has_name = match header {
        [0x1f, 0x8b, 8, 0, ..] => false,
        [0x1f, 0x8b, 8, 8, ..] => true,
        _ => return None,
    };
    let start = if has_name { rest.iter().position(|byte| *byte == 0)? + 1 } else { 0 };
    let body = rest.get(start..rest.len().checked_sub(8)?)?;
    decompress_to_vec(body).ok()
}

fn unescape(field: &str) -> String {
    let mut text = String::with_capacity(field.len());
    let mut characters = field.chars();
    while let Some(character) = characters.next() {
        match character {
            '\\' => match characters.next() {
                Some('t') => text.push('\t'),
                Some('n') => text.push('\n'),
                Some('r') => text.push('\r'),
                Some('0') => text.push('\0'),
                Some(other) => text.push(other),
                None => text.push('\\'),
            },
            other => text.push(other),
        }
    }
    text
}
