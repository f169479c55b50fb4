//! Encoding of files: UTF-8 text, or bytes that Puppet does not read.

use std::sync::Arc;

use crate::vfs::{ByteStore, DiskState, FilePath, PackedText};

/// Byte order mark of an encoding other than UTF-8. Puppet rejects files that start with one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ByteOrderMark {
    pub encoding: &'static str,
    pub bytes: &'static [u8],
}

/// Marks that Puppet checks for, except for that of UTF-8, which the lexer handles. In Puppet's order: a mark
/// of UTF-32 begins with one of UTF-16.
const MARKS: [ByteOrderMark; 9] = [
    ByteOrderMark { encoding: "UTF-32", bytes: &[0x00, 0x00, 0xfe, 0xff] },
    ByteOrderMark { encoding: "UTF-32", bytes: &[0xff, 0xfe, 0x00, 0x00] },
    ByteOrderMark { encoding: "GB 18030", bytes: &[0x84, 0x31, 0x95, 0x33] },
    ByteOrderMark { encoding: "UTF-EBCDIC", bytes: &[0xdd, 0x73, 0x66, 0x73] },
    ByteOrderMark { encoding: "SCSU", bytes: &[0x0e, 0xfe, 0xff] },
    ByteOrderMark { encoding: "UTF-1", bytes: &[0xf7, 0x64, 0x4c] },
    ByteOrderMark { encoding: "BOCU-1", bytes: &[0xfb, 0xee, 0x28] },
    ByteOrderMark { encoding: "UTF-16", bytes: &[0xfe, 0xff] },
    ByteOrderMark { encoding: "UTF-16", bytes: &[0xff, 0xfe] },
];

impl ByteOrderMark {
    /// Returns the mark that a file with these bytes begins with.
    pub fn of(bytes: &[u8]) -> Option<ByteOrderMark> {
        MARKS.into_iter().find(|mark| bytes.starts_with(mark.bytes))
    }

    /// Returns a description that completes the sentence "the file is ...".
    pub fn description(self) -> String {
        let bytes: Vec<String> = self.bytes.iter().map(|byte| format!("{byte:02X}")).collect();
        format!("encoded as {} (byte-order mark {})", self.encoding, bytes.join(" "))
    }
}

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
