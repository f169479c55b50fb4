//! Escape sequences in strings and heredocs.

use std::ops::Range;

/// Set of escapes that a kind of string supports.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct HighlightedEscapes {
    letters: &'static [u8],
    flags: u8,
    unicode: bool,
    line_break: bool,
}

/// Letters that a heredoc can enable individually, in the order of their bits.
const HEREDOC_LETTERS: &[u8] = b"trns$";

impl HighlightedEscapes {
    pub(super) const SINGLE_QUOTED: HighlightedEscapes =
        HighlightedEscapes { letters: b"\\'", flags: 0, unicode: false, line_break: false };
    pub(super) const DOUBLE_QUOTED: HighlightedEscapes =
        HighlightedEscapes { letters: b"\\'\"trns$", flags: 0, unicode: true, line_break: true };

    /// Parses the escapes that a header such as `@(TAG:syntax/escapes)` enables.
    pub(super) fn of_heredoc(header: &str) -> HighlightedEscapes {
        let Some((_, flags)) = header.trim_end_matches(')').rsplit_once('/') else {
            return HighlightedEscapes::default();
        };
        let flags = flags.trim();
        let all = flags.is_empty();
        let has = |letter: char| all || flags.contains(letter);
        let mut bits = 0;
        for (bit, letter) in HEREDOC_LETTERS.iter().enumerate() {
            bits |= u8::from(has(*letter as char)) << bit;
        }
        HighlightedEscapes { letters: b"\\", flags: bits, unicode: has('u'), line_break: has('L') }
    }

    fn resolves(self, byte: u8) -> bool {
        let bit = HEREDOC_LETTERS.iter().position(|it| *it == byte);
        self.letters.contains(&byte) || bit.is_some_and(|bit| self.flags & (1 << bit) != 0)
    }

    /// Returns the ranges of the escapes in `text`, in order.
    pub(super) fn find(self, text: &str) -> impl Iterator<Item = Range<usize>> + '_ {
        let bytes = text.as_bytes();
        let mut at = 0;
        std::iter::from_fn(move || {
            while at + 1 < bytes.len() {
                let start = at;
                if bytes[at] != b'\\' {
                    at += 1;
                    continue;
                }
                let length = self.length(&text[at + 1..]);
                // A backslash that escapes nothing is literal, and so is the character after it.
                at += 1 + length.max(usize::from(text.is_char_boundary(at + 2)));
                if length > 0 {
                    return Some(start..start + 1 + length);
                }
            }
            None
        })
    }

    /// Returns the length of an escape after its backslash; 0 if there is none.
    fn length(self, rest: &str) -> usize {
        let bytes = rest.as_bytes();
        match bytes.first() {
            Some(b'u') if self.unicode => unicode_length(bytes),
            Some(b'\n') if self.line_break => 1,
            Some(b'\r') if self.line_break && bytes.get(1) == Some(&b'\n') => 2,
            Some(byte) if self.resolves(*byte) => 1,
            _ => 0,
        }
    }
}

/// Returns the length of `u12ab` or `u{1f600}`; 0 if it is malformed.
fn unicode_length(bytes: &[u8]) -> usize {
    let digits = |from: usize| bytes[from..].iter().take_while(|it| it.is_ascii_hexdigit()).count();
    if bytes.get(1) == Some(&b'{') {
        let count = digits(2);
        let is_closed = bytes.get(2 + count) == Some(&b'}');
        return if is_closed && (1..=6).contains(&count) { count + 3 } else { 0 };
    }
    if digits(1) >= 4 { 5 } else { 0 }
}

#[cfg(test)]
#[path = "escapes_tests.rs"]
mod tests;
