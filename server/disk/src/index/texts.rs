//! The texts of a folder as the last server has read them: packed, as they were in its memory, equal ones once.

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

/// Longer texts that are needed as they are, are read again.
const MAX_INSIDE_LENGTH: usize = 64 << 10;

/// So many bytes are kept of one folder.
const MAX_BYTES: u64 = 1 << 30;

/// A text that was read, and what its file said of itself, which every change shows.
pub(crate) struct ReadText {
    pub(crate) path: FilePath,
    pub(crate) stamp: Stamp,
    pub(crate) state: DiskState,
}

/// What the table at the end of the file says of a text.
#[derive(Serialize, Deserialize)]
struct TextRow<'t> {
    path: &'t str,
    stamp: Stamp,
    #[serde(borrow)]
    text: KeptText<'t>,
}

#[derive(Clone, Copy, Serialize, Deserialize)]
enum KeptText<'t> {
    Inside(&'t str),
    /// So many bytes at a place of the file, which are those of a text of this length, packed if there are fewer.
    Packed {
        place: u64,
        kept: u32,
        length: u32,
    },
}

/// The file, and the bytes of its table.
pub(crate) struct TextsFile {
    table: Vec<u8>,
    store: Arc<dyn ByteStore>,
}

/// What is known of texts.
pub(crate) struct KnownTexts<'t> {
    texts: FxHashMap<&'t str, (Stamp, KeptText<'t>)>,
    store: &'t Arc<dyn ByteStore>,
}

impl TextsFile {
    /// # Errors
    /// There is none, or it is damaged, or of something else.
    pub(super) fn open(path: &Path, first_line: &str) -> io::Result<TextsFile> {
        let CheckedFile { file, end } = checked_file::open(path, first_line)?;
        let mut place = [0; size_of::<u64>()];
        let behind = end.checked_sub(place.len() as u64).ok_or(io::ErrorKind::InvalidData)?;
        read_at(&file, &mut place, behind)?;
        let place = u64::from_le_bytes(place);
        let length = behind.checked_sub(place).ok_or(io::ErrorKind::InvalidData)?;
        let mut table = vec![0; usize::try_from(length).map_err(|_| io::ErrorKind::InvalidData)?];
        read_at(&file, &mut table, place)?;
        Ok(TextsFile { table, store: Arc::new(StoredTexts(file)) })
    }

    /// What is known of each text; nothing where that cannot be read.
    pub(crate) fn known(&self) -> KnownTexts<'_> {
        let mut rest = self.table.as_slice();
        let rows = std::iter::from_fn(|| {
            let (row, behind): (TextRow<'_>, _) = postcard::take_from_bytes(rest).ok()?;
            rest = behind;
            Some(row)
        });
        let texts = rows.map(|row| (row.path, (row.stamp, row.text))).collect();
        KnownTexts { texts, store: &self.store }
    }
}

impl KnownTexts<'_> {
    /// The text of a file, if what stands at its path is no link and says the same of itself as when the text was read.
    pub(crate) fn text(&self, file: &FilePath, path: &Path) -> Option<(DiskState, Stamp)> {
        let (stamp, text) = self.texts.get(file.as_str())?;
        let metadata = fs::symlink_metadata(path).ok().filter(fs::Metadata::is_file)?;
        let state = match *text {
            _ if Stamp::of(&metadata) != *stamp => return None,
            KeptText::Inside(text) => DiskState::Text(text.into()),
            KeptText::Packed { place, kept, length } => {
                DiskState::Packed(PackedText::outside(self.store.clone(), place, kept, length))
            }
        };
        Some((state, *stamp))
    }
}

/// Writes the texts that were read.
///
/// # Errors
/// They cannot be written, or not read again.
pub(super) fn write(path: &Path, first_line: &str, texts: &[ReadText]) -> io::Result<()> {
    checked_file::write(path, first_line, |out| {
        let mut places: FxHashMap<[u8; 32], u64> = FxHashMap::default();
        let mut table = Vec::new();
        for ReadText { path, stamp, state } in texts {
            if out.written() > MAX_BYTES {
                break;
            }
            let text = match state {
                DiskState::Text(text) if text.len() <= MAX_INSIDE_LENGTH => KeptText::Inside(text),
                DiskState::Packed(packed) => {
                    let Some(kept) = packed.kept()? else { continue };
                    let place = match places.entry(Sha256::digest(&kept).into()) {
                        std::collections::hash_map::Entry::Occupied(known) => *known.get(),
                        std::collections::hash_map::Entry::Vacant(new) => {
                            let place = *new.insert(out.written());
                            out.write_all(&kept)?;
                            place
                        }
                    };
                    // No text is longer than a `u32` tells.
                    KeptText::Packed { place, kept: kept.len() as u32, length: packed.len() as u32 }
                }
                _ => continue,
            };
            let row = TextRow { path: path.as_str(), stamp: *stamp, text };
            table = postcard::to_extend(&row, table).map_err(io::Error::other)?;
        }
        let place = out.written();
        out.write_all(&table)?;
        out.write_all(&place.to_le_bytes())
    })
}

/// The file as a store that takes nothing more. It stays open, so that what takes its place on disk does not matter.
struct StoredTexts(File);

impl ByteStore for StoredTexts {
    fn leaves(&self, _length: usize) -> bool {
        false
    }

    fn keep(&self, _bytes: &[u8]) -> Option<u64> {
        None
    }

    fn read(&self, place: u64, length: usize) -> io::Result<Vec<u8>> {
        let mut bytes = vec![0; length];
        read_at(&self.0, &mut bytes, place)?;
        Ok(bytes)
    }

    fn release(&self, _place: u64, _length: usize) {}
}
