//! Reads a text character by character.

/// A text, and how far it is read.
pub struct Characters<'a> {
    pub text: &'a str,
    /// Where the reader is, in bytes.
    pub at: usize,
}

impl<'a> Characters<'a> {
    /// A text of which nothing is read.
    pub fn new(text: &'a str) -> Characters<'a> {
        Characters { text, at: 0 }
    }

    /// What is not read yet.
    pub fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    /// The next character.
    pub fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    /// Goes on behind a character, if it is the next one.
    pub fn eat(&mut self, wanted: char) -> bool {
        let found = self.peek() == Some(wanted);
        self.at += if found { wanted.len_utf8() } else { 0 };
        found
    }

    /// Where the character at an offset ends, in bytes; the offset itself behind the last one.
    pub fn end_of_character(&self, at: usize) -> usize {
        self.text[at..].chars().next().map_or(at, |it| at + it.len_utf8())
    }
}
