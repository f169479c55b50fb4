//! Texts of files that are not open, outside of memory where there are many: most of them are asked for now and then, and never
//! all at once.

use std::borrow::Cow;
use std::cell::RefCell;
use std::fmt;
use std::io;
use std::sync::Arc;
use std::time::SystemTime;

use lz4_flex::block::{CompressTable, compress_into_with_table, get_maximum_output_size};
use rustc_hash::FxHashMap;

use super::FilePath;

/// A text is packed from this many bytes on: three quarters of all text stand in the third of the files that are longer.
const MIN_LENGTH: usize = 2048;

/// A text is kept outside from this many bytes on: to tell where it lies takes room too.
const MIN_OUTSIDE_LENGTH: usize = 256;

/// So many bytes of unpacked texts are remembered by each thread: what is asked of a file is asked in short order.
const MAX_UNPACKED: usize = 1 << 20;

/// So many bytes of room for what is compressed stay for the next text.
const MAX_ROOM_SIZE: usize = 256 << 10;

/// Keeps bytes outside of memory.
pub trait ByteStore: Send + Sync {
    /// May so many more bytes stay in memory as they are?
    fn leaves(&self, length: usize) -> bool;

    /// Where some bytes lie from now on; `None` if they are not taken, and stay in memory.
    fn keep(&self, bytes: &[u8]) -> Option<u64>;

    /// The bytes that lie there, of which there are so many.
    fn read(&self, place: u64, length: usize) -> io::Result<Vec<u8>>;

    /// Nobody will ask for them again.
    fn release(&self, place: u64, length: usize);
}

/// A file whose text is read when somebody asks for it.
pub struct TextOnDisk {
    pub path: FilePath,
    /// When it was changed last, when it was seen: another time is another text, of the same length, too.
    pub modified: Option<SystemTime>,
    /// What the file holds now; `None` if it cannot be read any more.
    pub read: fn(&FilePath) -> Option<Vec<u8>>,
}

/// A text as it is while there are few, else packed, or outside of memory, or both, or in its own file. Equal texts are packed alike.
/// Cheap to clone.
#[derive(Clone)]
pub struct PackedText {
    bytes: Arc<KeptBytes>,
    length: u32,
}

/// As many bytes as the text has where it is not packed.
enum KeptBytes {
    Plain(Arc<str>),
    Inside(Box<[u8]>),
    Outside { store: Arc<dyn ByteStore>, place: u64, length: u32 },
    InFile(TextOnDisk),
}

/// The texts that a thread has unpacked last, by where they are kept, which stays as it is as long as that is kept.
#[derive(Default)]
struct Unpacked {
    texts: FxHashMap<*const KeptBytes, (PackedText, Arc<str>)>,
    bytes: usize,
}

thread_local! {
    static UNPACKED: RefCell<Unpacked> = RefCell::default();
}

impl PackedText {
    /// `None` where a text would take no less room so.
    pub fn of(text: &Arc<str>, store: &Arc<dyn ByteStore>) -> Option<PackedText> {
        let length = u32::try_from(text.len()).ok()?;
        if text.len() < MIN_OUTSIDE_LENGTH {
            return None;
        }
        if store.leaves(text.len()) {
            return Some(PackedText { bytes: Arc::new(KeptBytes::Plain(text.clone())), length });
        }
        let packed = (text.len() >= MIN_LENGTH).then(|| compressed(text)).flatten();
        let kept = packed.as_deref().unwrap_or(text.as_bytes());
        let bytes = match (store.keep(kept), kept.len() as u32) {
            (Some(place), length) => KeptBytes::Outside { store: store.clone(), place, length },
            (None, _) => KeptBytes::Inside(packed?),
        };
        Some(PackedText { bytes: Arc::new(bytes), length })
    }

    /// A text whose bytes lie in a store as [`PackedText::kept`] has given them.
    pub fn outside(store: Arc<dyn ByteStore>, place: u64, kept: u32, length: u32) -> PackedText {
        PackedText { bytes: Arc::new(KeptBytes::Outside { store, place, length: kept }), length }
    }

    /// A text that stays where it is, with so many bytes when it was seen. What is no text any more when it is asked for is an empty one.
    pub fn in_file(length: u32, file: TextOnDisk) -> PackedText {
        PackedText { bytes: Arc::new(KeptBytes::InFile(file)), length }
    }

    /// The text; the same one as long as this thread has not asked for many others.
    ///
    /// # Panics
    ///
    /// When what was put outside cannot be read any more: there is no text to go on with.
    pub fn text(&self) -> Arc<str> {
        if let KeptBytes::Plain(text) = &*self.bytes {
            return text.clone();
        }
        let key = Arc::as_ptr(&self.bytes);
        let known = UNPACKED.with_borrow(|unpacked| Some(unpacked.texts.get(&key)?.1.clone()));
        known.unwrap_or_else(|| {
            let text = self.unpack();
            UNPACKED.with_borrow_mut(|unpacked| {
                if unpacked.bytes + text.len() > MAX_UNPACKED {
                    *unpacked = Unpacked::default();
                }
                unpacked.bytes += text.len();
                unpacked.texts.insert(key, (self.clone(), text.clone()));
            });
            text
        })
    }

    fn unpack(&self) -> Arc<str> {
        let kept = self.bytes.read_again();
        let is_plain = kept.len() == self.len() || matches!(*self.bytes, KeptBytes::InFile(_));
        let bytes = match is_plain {
            true => kept.into_owned(),
            false => lz4_flex::block::decompress(&kept, self.len()).unwrap_or_default(),
        };
        // It was a text when it was packed, and nobody has changed it, unless it lies in its own file.
        String::from_utf8(bytes).unwrap_or_default().into()
    }

    /// The bytes that are kept of the text, as many as it has where it is not packed; `None` where it stays in its own file.
    ///
    /// # Errors
    /// What was put outside cannot be read any more.
    pub fn kept(&self) -> io::Result<Option<Cow<'_, [u8]>>> {
        match &*self.bytes {
            KeptBytes::InFile(_) => Ok(None),
            bytes => bytes.read().map(Some),
        }
    }

    /// How many bytes the text has.
    pub fn len(&self) -> usize {
        self.length as usize
    }

    pub fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// How many bytes of memory it takes.
    pub(crate) fn size(&self) -> usize {
        let inside = match &*self.bytes {
            KeptBytes::Plain(text) => text.len(),
            KeptBytes::Inside(bytes) => bytes.len(),
            KeptBytes::Outside { .. } | KeptBytes::InFile(_) => 0,
        };
        size_of::<KeptBytes>() + inside
    }
}

/// A text compressed; `None` where it takes no less room so.
fn compressed(text: &str) -> Option<Box<[u8]>> {
    thread_local! {
        /// What compressing needs each time: a table and room for the result.
        static TOOLS: RefCell<(CompressTable, Vec<u8>)> = RefCell::default();
    }
    TOOLS.with_borrow_mut(|(table, out)| {
        let most = get_maximum_output_size(text.len());
        if out.len() < most {
            out.resize(most, 0);
        }
        let length = compress_into_with_table(text.as_bytes(), out, table).ok()?;
        let packed = (length < text.len() / 8 * 7).then(|| Box::from(&out[..length]));
        if out.len() > MAX_ROOM_SIZE {
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
        // Equal texts are packed alike, but one may be packed and the other not.
        let has_same_text =
            || self.bytes.read_again() == other.bytes.read_again() || self.text() == other.text();
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
            KeptBytes::Outside { store, place, length } => Cow::Owned(store.read(*place, *length as usize)?),
            KeptBytes::InFile(file) => Cow::Owned((file.read)(&file.path).unwrap_or_default()),
        })
    }

    fn read_again(&self) -> Cow<'_, [u8]> {
        match self.read() {
            Ok(bytes) => bytes,
            Err(error) => panic!("texts that were put on disk for a while cannot be read again: {error}"),
        }
    }
}

impl Drop for KeptBytes {
    fn drop(&mut self) {
        if let KeptBytes::Outside { store, place, length } = self {
            store.release(*place, *length as usize);
        }
    }
}

#[cfg(test)]
#[path = "packed_text_tests.rs"]
mod tests;
