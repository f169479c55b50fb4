//! What the bytes of a file are: text in UTF-8, or something that Puppet does not read.

use std::sync::Arc;

use crate::vfs::{ByteStore, DiskState, FilePath, PackedText};

/// A mark at the beginning of a file that says how it is encoded, where that is not UTF-8. Puppet refuses the file by it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ByteOrderMark {
    pub encoding: &'static str,
    pub bytes: &'static [u8],
}

/// The marks that Puppet looks for, but for UTF-8's, which is text and a matter of the lexer. In Puppet's order: the mark
/// of UTF-32 begins with that of UTF-16.
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
    /// The mark that a file with these bytes begins with.
    pub fn of(bytes: &[u8]) -> Option<ByteOrderMark> {
        MARKS.into_iter().find(|mark| bytes.starts_with(mark.bytes))
    }

    /// What is wrong with the file, as the rest of a sentence: "this file is ...".
    pub fn complaint(self) -> String {
        let bytes: Vec<String> = self.bytes.iter().map(|byte| format!("{byte:02X}")).collect();
        format!(
            "{}, by the byte-order mark {} at its beginning, and Puppet refuses it: save it as UTF-8 without a mark",
            self.encoding,
            bytes.join(" ")
        )
    }
}

impl DiskState {
    /// The state of a file that has been read.
    pub fn of_bytes(bytes: Vec<u8>) -> DiskState {
        match String::from_utf8(bytes) {
            Ok(text) => DiskState::Text(text.into()),
            Err(error) => DiskState::NotUtf8(ByteOrderMark::of(error.as_bytes())),
        }
    }

    /// The text, if it has one.
    pub fn text(&self) -> Option<Arc<str>> {
        match self {
            DiskState::Text(text) => Some(text.clone()),
            DiskState::Packed(packed) => Some(packed.text()),
            _ => None,
        }
    }

    /// The same in less room, for a file that is not about to be looked at. What says what folders are is asked for its text again and
    /// again.
    pub fn packed(self, path: &FilePath, store: &Arc<dyn ByteStore>) -> DiskState {
        let packed = match &self {
            DiskState::Text(text) if !super::tells_layout(path) => PackedText::of(text, store),
            _ => None,
        };
        packed.map_or(self, DiskState::Packed)
    }
}

#[cfg(test)]
#[path = "encoding_tests.rs"]
mod tests;
