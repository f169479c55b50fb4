//! Texts of files that are not open, compressed or moved out of memory if there are many: most are needed
//! only now and then, and never all at once.

use std::borrow::Cow;
use std::cell::RefCell;
use std::fmt;
use std::io;
use std::sync::Arc;
use std::time::SystemTime;

use lz4_flex::block::{CompressTable, compress_into_with_table, get_maximum_output_size};
use rustc_hash::FxHashMap;

use super::FilePath;

/// Minimum length in bytes of texts that are compressed: a third of all files are longer, and contain three
/// quarters of all text.
const MIN_COMPRESSED_LENGTH: usize = 2048;

/// Minimum length in bytes of texts that are moved out of memory: the reference to one takes memory too.
const MIN_OUTSIDE_LENGTH: usize = 256;

/// Maximum size in bytes of the unpacked texts that each thread caches: queries about a file come in quick
/// succession.
const MAX_UNPACKED_BYTES: usize = 1 << 20;

/// Maximum size in bytes of the compression buffer that is kept for the next text.
const MAX_BUFFER_SIZE: usize = 256 << 10;

/// Storage for bytes outside of memory.
pub trait ByteStore: Send + Sync {
    /// Returns true if `length` more bytes may stay in memory uncompressed.
    fn keeps_in_memory(&self, length: usize) -> bool;

    /// Stores bytes and returns their position; `None` if they were rejected and stay in memory.
    fn keep(&self, bytes: &[u8]) -> Option<u64>;

    /// Reads `length` bytes at a position.
    fn read(&self, position: u64, length: usize) -> io::Result<Vec<u8>>;

    /// Frees bytes that will not be read again.
    fn release(&self, position: u64, length: usize);
}

/// File whose text is read on demand.
pub struct TextOnDisk {
    pub path: FilePath,
    /// Modification time when the file was scanned. A different time means a different text, even of the same
    /// length.
    pub modified: Option<SystemTime>,
    /// Reads the current contents; `None` if the file cannot be read any more.
    pub read: fn(&FilePath) -> Option<Vec<u8>>,
}

/// Text of a file. Stored uncompressed while there are few; otherwise compressed, outside of memory, both, or
/// only in the file itself. Compression is deterministic. Cheap to clone.
#[derive(Clone)]
pub struct PackedText {
    bytes: Arc<KeptBytes>,
    length: u32,
}

/// Stored bytes of a text. The text is uncompressed exactly if its length equals their number.
enum KeptBytes {
    Plain(Arc<str>),
    Inside(Box<[u8]>),
    Outside { store: Arc<dyn ByteStore>, position: u64, length: u32 },
    InFile(TextOnDisk),
}

/// Texts that a thread has unpacked most recently, keyed by the address of their bytes, which is stable while
/// they are stored.
#[derive(Default)]
struct Unpacked {
    texts: FxHashMap<*const KeptBytes, (PackedText, Arc<str>)>,
    bytes: usize,
}

thread_local! {
    static UNPACKED: RefCell<Unpacked> = RefCell::default();
}

impl PackedText {
    /// Compresses a text or moves it to the store; returns `None` if that would not save memory.
    pub fn of(text: &Arc<str>, store: &Arc<dyn ByteStore>) -> Option<PackedText> {
        let length = u32::try_from(text.len()).ok()?;
        if text.len() < MIN_OUTSIDE_LENGTH {
            return None;
        }
        if store.keeps_in_memory(text.len()) {
            return Some(PackedText { bytes: Arc::new(KeptBytes::Plain(text.clone())), length });
        }
        let packed = (text.len() >= MIN_COMPRESSED_LENGTH).then(|| compressed(text)).flatten();
        let kept = packed.as_deref().unwrap_or(text.as_bytes());
        let bytes = match (store.keep(kept), kept.len() as u32) {
            (Some(position), length) => KeptBytes::Outside { store: store.clone(), position, length },
            (None, _) => KeptBytes::Inside(packed?),
        };
        Some(PackedText { bytes: Arc::new(bytes), length })
    }

    /// Creates a text whose bytes, as returned by [`PackedText::kept`], are already in a store.
    pub fn outside(store: Arc<dyn ByteStore>, position: u64, kept: u32, length: u32) -> PackedText {
        PackedText { bytes: Arc::new(KeptBytes::Outside { store, position, length: kept }), length }
    }

    /// Creates a text that stays in its file, with its length in bytes when it was scanned. Reads as empty if
    /// the file no longer contains text.
    pub fn in_file(length: u32, file: TextOnDisk) -> PackedText {
        PackedText { bytes: Arc::new(KeptBytes::InFile(file)), length }
    }

    /// Returns the text. Repeated calls share an allocation until this thread unpacks many others.
    ///
    /// # Panics
    ///
    /// Panics if the store cannot be read any more, since there is no text to continue with.
    pub fn text(&self) -> Arc<str> {
        if let KeptBytes::Plain(text) = &*self.bytes {
            return text.clone();
        }
        let key = Arc::as_ptr(&self.bytes);
        let known = UNPACKED.with_borrow(|unpacked| Some(unpacked.texts.get(&key)?.1.clone()));
        known.unwrap_or_else(|| {
            let text = self.unpack();
            UNPACKED.with_borrow_mut(|unpacked| {
                if unpacked.bytes + text.len() > MAX_UNPACKED_BYTES {
                    *unpacked = Unpacked::default();
                }
                unpacked.bytes += text.len();
                unpacked.texts.insert(key, (self.clone(), text.clone()));
            });
            text
        })
    }

    fn unpack(&self) -> Arc<str> {
        let kept = self.bytes.read_back();
        let is_plain = kept.len() == self.len() || matches!(*self.bytes, KeptBytes::InFile(_));
        let bytes = if is_plain {
            kept.into_owned()
        } else {
            lz4_flex::block::decompress(&kept, self.len()).unwrap_or_default()
        };
        // It was valid text when it was packed, and is immutable unless it is in its own file.
        String::from_utf8(bytes).unwrap_or_default().into()
    }

    /// Returns the stored bytes of the text; `None` if it is stored only in the file itself. The text is
    /// uncompressed exactly if there are [`PackedText::len`] bytes.
    ///
    /// # Errors
    ///
    /// Returns an error if the store cannot be read any more.
    pub fn kept(&self) -> io::Result<Option<Cow<'_, [u8]>>> {
        match &*self.bytes {
            KeptBytes::InFile(_) => Ok(None),
            bytes => bytes.read().map(Some),
        }
    }

    /// Returns the length of the text in bytes.
    pub fn len(&self) -> usize {
        self.length as usize
    }

    pub fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// Returns the memory usage in bytes.
    pub(crate) fn size(&self) -> usize {
        let inside = match &*self.bytes {
            KeptBytes::Plain(text) => text.len(),
            KeptBytes::Inside(bytes) => bytes.len(),
            KeptBytes::Outside { .. } | KeptBytes::InFile(_) => 0,
        };
        size_of::<KeptBytes>() + inside
    }
}

/// Compresses a text; returns `None` if that would not save memory.
fn compressed(text: &str) -> Option<Box<[u8]>> {
    thread_local! {
        /// Reusable table and output buffer of the compressor.
        static COMPRESSOR: RefCell<(CompressTable, Vec<u8>)> = RefCell::default();
    }
    COMPRESSOR.with_borrow_mut(|(table, out)| {
        let max_length = get_maximum_output_size(text.len());
        if out.len() < max_length {
            out.resize(max_length, 0);
        }
        let length = compress_into_with_table(text.as_bytes(), out, table).ok()?;
        let packed = (length < text.len() / 8 * 7).then(|| Box::from(&out[..length]));
        if out.len() > MAX_BUFFER_SIZE {
            *out = Vec::new();
        }
        packed
    })
}

impl PartialEq for PackedText {
    fn eq(&self, other: &PackedText) -> bool {
        if let (KeptBytes::InFile(own), KeptBytes::InFile(other_file)) = (&*self.bytes, &*other.bytes) {
            let is_same_file = own.path == other_file.path && self.length == other.length;
            return is_same_file && own.modified.is_some() && own.modified == other_file.modified;
        }
        // Equal texts compress alike, but one may be compressed and the other not.
        let has_same_text =
            || self.bytes.read_back() == other.bytes.read_back() || self.text() == other.text();
        Arc::ptr_eq(&self.bytes, &other.bytes) || self.length == other.length && has_same_text()
    }
}

impl Eq for PackedText {}

impl fmt::Debug for PackedText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.text(), f)
    }
}

impl KeptBytes {
    fn read(&self) -> io::Result<Cow<'_, [u8]>> {
        Ok(match self {
            KeptBytes::Plain(text) => Cow::Borrowed(text.as_bytes()),
            KeptBytes::Inside(bytes) => Cow::Borrowed(bytes),
            KeptBytes::Outside { store, position, length } => {
                Cow::Owned(store.read(*position, *length as usize)?)
            }
            KeptBytes::InFile(file) => Cow::Owned((file.read)(&file.path).unwrap_or_default()),
        })
    }

    fn read_back(&self) -> Cow<'_, [u8]> {
        match self.read() {
            Ok(bytes) => bytes,
            Err(error) => panic!("cannot read back stored texts: {error}"),
        }
    }
}

impl Drop for KeptBytes {
    fn drop(&mut self) {
        if let KeptBytes::Outside { store, position, length } = self {
            store.release(*position, *length as usize);
        }
    }
}

#[cfg(test)]
#[path = "packed_text_tests.rs"]
mod tests;
