//! Stored contents of the files of a folder: packed as in the memory of the last server, and deduplicated.

use std::fs::{self, File};
use std::io;
use std::path::Path;
use std::sync::Arc;

use ide::{ByteStore, DiskState, FilePath, PackedText};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::checked_file::{self, CheckedFile};
use crate::stamp::Stamp;
use crate::text_store::read_at;

/// Maximum length of a text that is stored unpacked; longer ones are read again.
const MAX_INLINE_LENGTH: usize = 64 << 10;

/// Maximum compression ratio of LZ4: a byte of a length adds at most 255 bytes.
const MAX_COMPRESSION: u64 = 255;

/// Maximum size of the stored contents of one folder in bytes.
const MAX_STORED_BYTES: u64 = 1 << 30;

/// A text that was read, with the stamp of its file.
pub(crate) struct ReadText {
    pub(crate) path: FilePath,
    pub(crate) stamp: Stamp,
    pub(crate) state: DiskState,
}

/// Row of the table at the end of the file.
#[derive(Serialize, Deserialize)]
struct TextRow<'t> {
    path: &'t str,
    stamp: Stamp,
    #[serde(borrow)]
    text: StoredText<'t>,
}

#[derive(Clone, Copy, Serialize, Deserialize)]
enum StoredText<'t> {
    Inline(&'t str),
    /// Range of `kept` bytes in the file, for a text of `length` bytes; packed if `kept` is smaller.
    Packed {
        offset: u64,
        kept: u32,
        length: u32,
    },
}

/// The file and the bytes of its table.
pub(crate) struct TextsFile {
    table: Vec<u8>,
    /// Start of the table, and so the end of the stored texts.
    table_offset: u64,
    store: Arc<dyn ByteStore>,
}

/// Stored texts by path.
pub(crate) struct KnownTexts<'t> {
    texts: FxHashMap<&'t str, (Stamp, StoredText<'t>)>,
    store: &'t Arc<dyn ByteStore>,
}

impl TextsFile {
    /// Opens the file and reads its table.
    ///
    /// # Errors
    /// Fails if the file does not exist, is damaged, or belongs to something else.
    pub(super) fn open(path: &Path, first_line: &str) -> io::Result<TextsFile> {
        let CheckedFile { file, end } = checked_file::open(path, first_line)?;
        let mut offset = [0; size_of::<u64>()];
        let table_end = end.checked_sub(offset.len() as u64).ok_or(io::ErrorKind::InvalidData)?;
        read_at(&file, &mut offset, table_end)?;
        let offset = u64::from_le_bytes(offset);
        let length = table_end.checked_sub(offset).ok_or(io::ErrorKind::InvalidData)?;
        let mut table = vec![0; usize::try_from(length).map_err(|_| io::ErrorKind::InvalidData)?];
        read_at(&file, &mut table, offset)?;
        Ok(TextsFile { table, table_offset: offset, store: Arc::new(StoredTexts(file)) })
    }

    /// Parses the table, up to the first invalid row. Rows whose text cannot be in the file are skipped.
    pub(crate) fn known(&self) -> KnownTexts<'_> {
        let mut rest = self.table.as_slice();
        let rows = std::iter::from_fn(|| {
            let (row, tail): (TextRow<'_>, _) = postcard::take_from_bytes(rest).ok()?;
            rest = tail;
            Some(row)
        });
        let texts = rows.filter(|row| row.text.is_before(self.table_offset));
        let texts = texts.map(|row| (row.path, (row.stamp, row.text))).collect();
        KnownTexts { texts, store: &self.store }
    }
}

impl StoredText<'_> {
    /// Returns true if the stored bytes are before the offset `end` and can have the stated length unpacked.
    fn is_before(self, end: u64) -> bool {
        let StoredText::Packed { offset, kept, length } = self else { return true };
        let is_possible = u64::from(length) <= u64::from(kept) * MAX_COMPRESSION;
        is_possible && offset.checked_add(kept.into()).is_some_and(|it| it <= end)
    }

    /// Returns the text as the state of a file.
    fn state(self, store: &Arc<dyn ByteStore>) -> DiskState {
        match self {
            StoredText::Inline(text) => DiskState::Text(text.into()),
            StoredText::Packed { offset, kept, length } => {
                DiskState::Packed(PackedText::outside(store.clone(), offset, kept, length))
            }
        }
    }
}

impl KnownTexts<'_> {
    /// Returns all texts, regardless of their stamps.
    pub(super) fn all(&self) -> impl Iterator<Item = DiskState> {
        self.texts.values().map(|(_, text)| text.state(self.store))
    }

    /// Returns the text of a file, if its path is not a link and its stamp is unchanged.
    pub(crate) fn text(&self, file: &FilePath, path: &Path) -> Option<(DiskState, Stamp)> {
        let (stamp, text) = self.texts.get(file.as_str())?;
        let metadata = fs::symlink_metadata(path).ok().filter(fs::Metadata::is_file)?;
        (Stamp::of(&metadata) == *stamp).then(|| (text.state(self.store), *stamp))
    }
}

/// Writes the texts that were read.
///
/// # Errors
/// Fails if the file cannot be written, or a text cannot be read back.
pub(super) fn write(path: &Path, first_line: &str, texts: &[ReadText]) -> io::Result<()> {
    checked_file::write(path, first_line, |out| {
        let mut offsets: FxHashMap<[u8; 32], u64> = FxHashMap::default();
        let mut table = Vec::new();
        for ReadText { path, stamp, state } in texts {
            if out.written() > MAX_STORED_BYTES {
                break;
            }
            let text = match state {
                DiskState::Text(text) if text.len() <= MAX_INLINE_LENGTH => StoredText::Inline(text),
                DiskState::Packed(packed) => {
                    let Some(kept) = packed.kept()? else { continue };
                    let offset = match offsets.entry(Sha256::digest(&kept).into()) {
                        std::collections::hash_map::Entry::Occupied(known) => *known.get(),
                        std::collections::hash_map::Entry::Vacant(new) => {
                            let offset = *new.insert(out.written());
                            out.write_all(&kept)?;
                            offset
                        }
                    };
                    // Texts are limited to `u32::MAX` bytes.
                    StoredText::Packed { offset, kept: kept.len() as u32, length: packed.len() as u32 }
                }
                _ => continue,
            };
            let row = TextRow { path: path.as_str(), stamp: *stamp, text };
            table = postcard::to_extend(&row, table).map_err(io::Error::other)?;
        }
        let offset = out.written();
        out.write_all(&table)?;
        out.write_all(&offset.to_le_bytes())
    })
}

/// The file as a read-only store. It stays open, so replacing it on disk does not matter.
struct StoredTexts(File);

impl ByteStore for StoredTexts {
    fn keeps_in_memory(&self, _length: usize) -> bool {
        false
    }

    fn keep(&self, _bytes: &[u8]) -> Option<u64> {
        None
    }

    fn read(&self, offset: u64, length: usize) -> io::Result<Vec<u8>> {
        let mut bytes = vec![0; length];
        read_at(&self.0, &mut bytes, offset)?;
        Ok(bytes)
    }

    fn release(&self, _place: u64, _length: usize) {}
}
