//! A place in a text that is read from front to back, and what was found wrong on the way: for JSON and HOCON.

use syntax::TextRange;

use crate::data::{DataFinding, DataFindingKind};

pub(crate) struct TextCursor<'a> {
    pub(crate) text: &'a str,
    /// Where the reader is, in bytes.
    pub(crate) at: usize,
    pub(crate) findings: Vec<DataFinding>,
}

impl<'a> TextCursor<'a> {
    pub(crate) fn new(text: &'a str) -> TextCursor<'a> {
        TextCursor { text, at: 0, findings: Vec::new() }
    }

    pub(crate) fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    pub(crate) fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    /// Goes on behind a character, if it is the next one.
    pub(crate) fn eat(&mut self, wanted: char) -> bool {
        let found = self.peek() == Some(wanted);
        if found {
            self.at += wanted.len_utf8();
        }
        found
    }

    pub(crate) fn range_from(&self, start: usize) -> TextRange {
        TextRange::new(start as u32, self.at as u32)
    }

    /// Notes that the text cannot be read here.
    pub(crate) fn finding_here(&mut self, message: impl Into<String>) {
        self.finding(self.at, message);
    }

    /// Notes that the character in front of this place cannot be read.
    pub(crate) fn finding_before(&mut self, message: impl Into<String>) {
        self.finding(self.at.saturating_sub(1), message);
    }

    /// Notes that the text cannot be read at an offset.
    pub(crate) fn finding(&mut self, at: usize, message: impl Into<String>) {
        let end = self.text[at..].chars().next().map_or(at, |it| at + it.len_utf8());
        let range = TextRange::new(at as u32, end as u32);
        self.findings.push(DataFinding { kind: DataFindingKind::Syntax, range, message: message.into() });
    }
}
