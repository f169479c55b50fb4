//! Texts of files that are not open, in half the room: most of them are asked for now and then, and never all at once.

use std::cell::RefCell;
use std::fmt;
use std::sync::Arc;

use rustc_hash::FxHashMap;

/// A text is packed from this many bytes on: three quarters of all text stand in the third of the files that are longer.
const SHORTEST: usize = 2048;

/// So many bytes of unpacked texts are remembered by each thread: what is asked of a file is asked in short order.
const MOST_UNPACKED: usize = 1 << 20;

/// A text, packed. Equal texts are packed alike. Cheap to clone.
#[derive(Clone, PartialEq, Eq)]
pub struct PackedText {
    bytes: Arc<[u8]>,
    length: u32,
}

/// The texts that a thread has unpacked last, by where they are packed, which stays as it is as long as that is kept.
#[derive(Default)]
struct Unpacked {
    texts: FxHashMap<*const u8, (PackedText, Arc<str>)>,
    bytes: usize,
}

thread_local! {
    static UNPACKED: RefCell<Unpacked> = RefCell::default();
}

impl PackedText {
    /// `None` where a text takes no less room so.
    pub fn of(text: &str) -> Option<PackedText> {
        if text.len() < SHORTEST {
            return None;
        }
        let length = u32::try_from(text.len()).ok()?;
        let bytes = lz4_flex::block::compress(text.as_bytes());
        (bytes.len() < text.len() / 8 * 7).then(|| PackedText { bytes: bytes.into(), length })
    }

    /// The text; the same one as long as this thread has not asked for many others.
    pub fn text(&self) -> Arc<str> {
        let key = self.bytes.as_ptr();
        let known = UNPACKED.with_borrow(|unpacked| Some(unpacked.texts.get(&key)?.1.clone()));
        known.unwrap_or_else(|| {
            let text = self.unpack();
            UNPACKED.with_borrow_mut(|unpacked| {
                if unpacked.bytes + text.len() > MOST_UNPACKED {
                    *unpacked = Unpacked::default();
                }
                unpacked.bytes += text.len();
                unpacked.texts.insert(key, (self.clone(), text.clone()));
            });
            text
        })
    }

    fn unpack(&self) -> Arc<str> {
        let bytes = lz4_flex::block::decompress(&self.bytes, self.length as usize).unwrap_or_default();
        // It was a text when it was packed, and nobody has changed it.
        String::from_utf8(bytes).unwrap_or_default().into()
    }

    /// How many bytes the text has.
    pub fn len(&self) -> usize {
        self.length as usize
    }

    pub fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// How many bytes it takes.
    pub(crate) fn size(&self) -> usize {
        self.bytes.len()
    }
}

impl fmt::Debug for PackedText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.text(), f)
    }
}

#[cfg(test)]
#[path = "packed_text_tests.rs"]
mod tests;
