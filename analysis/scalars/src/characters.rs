//! Character reader for strings.

/// String with a read position.
pub struct Characters<'a> {
    pub text: &'a str,
    /// Read position in bytes.
    pub at: usize,
}

impl<'a> Characters<'a> {
    /// Creates a reader at the start of a string.
    pub fn new(text: &'a str) -> Characters<'a> {
        Characters { text, at: 0 }
    }

    /// Returns the unread rest.
    pub fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    /// Returns the next character without consuming it.
    pub fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    /// Consumes the next character if it is `wanted`. Returns true if it was.
    pub fn eat(&mut self, wanted: char) -> bool {
        let found = self.peek() == Some(wanted);
        self.at += if found { wanted.len_utf8() } else { 0 };
        found
    }

    /// Returns the end, in bytes, of the character at an offset, or the offset itself at the end of the
    /// string.
    pub fn end_of_character(&self, at: usize) -> usize {
        self.text[at..].chars().next().map_or(at, |it| at + it.len_utf8())
    }
}
