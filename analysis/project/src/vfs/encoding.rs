//! What the bytes of a file are: text in UTF-8, or something that Puppet does not read.

use crate::vfs::DiskState;

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
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_text_or_say_what_they_are() {
        #[track_caller]
        fn check(bytes: &[u8], expected: &str) {
            let told = match DiskState::of_bytes(bytes.to_vec()) {
                DiskState::Text(text) => format!("text {text:?}"),
                DiskState::NotUtf8(None) => "not UTF-8".to_owned(),
                DiskState::NotUtf8(Some(mark)) => mark.encoding.to_owned(),
                other => format!("{other:?}"),
            };
            assert_eq!(told, expected);
        }
        check(b"", "text \"\"");
        check(b"$a = 1", "text \"$a = 1\"");
        check(b"\xef\xbb\xbf$a", "text \"\\u{feff}$a\"");
        check(b"'\xff'", "not UTF-8");
        check(b"\xff", "not UTF-8");
        check(b"\xfe\xff", "UTF-16");
        check(b"\xff\xfe", "UTF-16");
        check(b"\xfe\xff\0$\0a", "UTF-16");
        check(b"\xff\xfe$\0a\0", "UTF-16");
        check(b"\xff\xfe\0", "UTF-16");
        check(b"\xff\xfe\0\0$\0\0\0", "UTF-32");
        check(b"\0\0\xfe\xff\0\0\0$", "UTF-32");
        check(b"\0\xfe\xff", "not UTF-8");
        check(b"\xf7dL$a", "UTF-1");
        check(b"\xddsfs$a", "UTF-EBCDIC");
        check(b"\xddsf", "not UTF-8");
        check(b"\x0e\xfe\xff$a", "SCSU");
        check(b"\xfb\xee($a", "BOCU-1");
        check(b"\x841\x953$a", "GB 18030");
    }
}
