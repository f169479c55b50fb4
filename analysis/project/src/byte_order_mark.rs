//! Byte order marks, with which files in other encodings than UTF-8 begin.

/// Byte order mark of an encoding other than UTF-8. Puppet rejects files that start with one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ByteOrderMark {
    pub encoding: &'static str,
    pub bytes: &'static [u8],
}

/// Marks that Puppet checks for, except for that of UTF-8, which the lexer handles. In Puppet's order: a mark
/// of UTF-32 begins with one of UTF-16.
pub(super) const MARKS: [ByteOrderMark; 9] = [
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
