//! Encoding of files: UTF-8 text, or bytes that Puppet does not read.

use std::sync::Arc;

use crate::byte_order_mark::ByteOrderMark;
use crate::vfs::{ByteStore, DiskState, FilePath, PackedText};

impl DiskState {
    /// Returns the state of a file with these contents.
    pub fn of_bytes(bytes: Vec<u8>) -> DiskState {
        match String::from_utf8(bytes) {
            Ok(text) => DiskState::Text(text.into()),
            Err(error) => DiskState::NotUtf8(ByteOrderMark::of(error.as_bytes())),
        }
    }

    /// Returns the text, if there is one.
    pub fn text(&self) -> Option<Arc<str>> {
        match self {
            DiskState::Text(text) => Some(text.clone()),
            DiskState::Packed(packed) => Some(packed.text()),
            _ => None,
        }
    }

    /// Compresses the text of a file that is not about to be analyzed. Files that determine the layout are
    /// left alone because their text is read repeatedly.
    pub fn packed(self, path: &FilePath, store: &Arc<dyn ByteStore>) -> DiskState {
        let packed = match &self {
            DiskState::Text(text) if !super::determines_layout(path) => PackedText::of(text, store),
            _ => None,
        };
        packed.map_or(self, DiskState::Packed)
    }
}

#[cfg(test)]
#[path = "encoding_tests.rs"]
mod tests;
