//! Positions in a text: byte ranges, lines and columns.

use std::fmt;
use std::sync::{Arc, OnceLock};

/// Number of elements compared at once, so that bytes are compared word by word.
const BLOCK_LENGTH: usize = 1024;

/// Returns the lengths of the common prefix of two sequences and of the common suffix of the remainders.
pub fn common_ends<T: PartialEq>(a: &[T], b: &[T]) -> (usize, usize) {
    let blocks =
        a.chunks_exact(BLOCK_LENGTH).zip(b.chunks_exact(BLOCK_LENGTH)).take_while(|(a, b)| a == b).count()
            * BLOCK_LENGTH;
    let start = blocks + a[blocks..].iter().zip(&b[blocks..]).take_while(|(a, b)| a == b).count();
    let (a, b) = (&a[start..], &b[start..]);
    let blocks =
        a.rchunks_exact(BLOCK_LENGTH).zip(b.rchunks_exact(BLOCK_LENGTH)).take_while(|(a, b)| a == b).count()
            * BLOCK_LENGTH;
    let (a, b) = (&a[..a.len() - blocks], &b[..b.len() - blocks]);
    (start, blocks + a.iter().rev().zip(b.iter().rev()).take_while(|(a, b)| a == b).count())
}

/// Replacement of one part of a text. Functions that compare two versions of a text take it to skip what they have in
/// common.
#[derive(Clone, Debug)]
pub struct TextEdit {
    old: Arc<str>,
    new: Arc<str>,
    /// Line index of the new text.
    lines: Arc<LineMap>,
    /// Lengths of the common prefix and suffix.
    common_ends: (usize, usize),
}

impl TextEdit {
    /// Creates the edit that replaced `range` of `old` with `inserted` bytes. Reads only the text around them.
    pub fn new(
        old: Arc<str>,
        new: Arc<str>,
        lines: Arc<LineMap>,
        range: TextRange,
        inserted: u32,
    ) -> TextEdit {
        let common_ends = common_ends_around(&old, &new, range, inserted);
        TextEdit { old, new, lines, common_ends }
    }

    /// Returns true if the edit turned `old` into `new`. Compares their addresses.
    fn is_between(&self, old: &Arc<str>, new: &Arc<str>) -> bool {
        Arc::ptr_eq(&self.old, old) && Arc::ptr_eq(&self.new, new)
    }

    /// Returns [`common_ends`] of the bytes of two texts, from the edit if it is the one between them.
    pub fn common_ends(edit: Option<&TextEdit>, old: &Arc<str>, new: &Arc<str>) -> (usize, usize) {
        match edit.filter(|it| it.is_between(old, new)) {
            Some(edit) => edit.common_ends,
            None => common_ends(old.as_bytes(), new.as_bytes()),
        }
    }

    /// Returns the line index of a text if it is the new one.
    pub(crate) fn lines_of(&self, text: &Arc<str>) -> Option<Arc<LineMap>> {
        Arc::ptr_eq(&self.new, text).then(|| self.lines.clone())
    }
}

/// Returns [`common_ends`] of the bytes of two texts that are equal before and after a replaced range.
fn common_ends_around(old: &str, new: &str, range: TextRange, inserted: u32) -> (usize, usize) {
    let (a, b) = (old.as_bytes(), new.as_bytes());
    let from = range.start as usize;
    let start = from + a[from..].iter().zip(&b[from..]).take_while(|(a, b)| a == b).count();
    // The suffix does not overlap the prefix.
    let longest = a.len().min(b.len()) - start;
    let known = (a.len() - range.end as usize).min(longest);
    let rest = |bytes: &'_ [u8]| start..bytes.len() - known;
    let (left, right) = (a[rest(a)].iter().rev(), b[rest(b)].iter().rev());
    let end = known + left.zip(right).take_while(|(a, b)| a == b).count();
    debug_assert_eq!((start, end), common_ends(a, b), "{inserted} bytes replaced another range");
    (start, end)
}

/// Byte range in a text, half-open: `start` is included, `end` is not.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct TextRange {
    pub start: u32,
    pub end: u32,
}

impl TextRange {
    /// Creates the range from `start` to `end`. An `end` before `start` yields the empty range at `start`.
    pub fn new(start: u32, end: u32) -> TextRange {
        TextRange { start, end: end.max(start) }
    }

    /// Creates the empty range at `offset`.
    pub fn empty(offset: u32) -> TextRange {
        TextRange { start: offset, end: offset }
    }

    pub fn len(self) -> u32 {
        self.end - self.start
    }

    pub fn is_empty(self) -> bool {
        self.start == self.end
    }

    /// Returns true if `offset` is a byte of this range.
    pub fn contains(self, offset: u32) -> bool {
        self.start <= offset && offset < self.end
    }

    /// Returns true if `offset` is a byte of this range or its end.
    pub fn contains_inclusive(self, offset: u32) -> bool {
        self.start <= offset && offset <= self.end
    }

    pub fn contains_range(self, other: TextRange) -> bool {
        self.start <= other.start && other.end <= self.end
    }

    /// Returns true if the two ranges share a byte.
    pub fn intersects(self, other: TextRange) -> bool {
        self.start < other.end && other.start < self.end
    }

    /// Returns true if the two ranges share a byte or are adjacent.
    pub fn intersects_or_touches(self, other: TextRange) -> bool {
        self.start <= other.end && other.start <= self.end
    }

    /// Returns the smallest range that contains both.
    pub fn cover(self, other: TextRange) -> TextRange {
        TextRange { start: self.start.min(other.start), end: self.end.max(other.end) }
    }

    /// Returns the range moved forward by `offset` bytes.
    pub fn shifted(self, offset: u32) -> TextRange {
        TextRange { start: self.start + offset, end: self.end + offset }
    }

    /// Converts the range to an index into the text.
    pub fn as_range(self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }
}

impl fmt::Debug for TextRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}..{}", self.start, self.end)
    }
}

impl fmt::Display for TextRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self, f)
    }
}

/// Position as zero-based line and column. The unit of the column depends on the method that created it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct LineColumn {
    pub line: u32,
    pub column: u32,
}

/// Unit of a column.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ColumnUnit {
    /// Bytes of UTF-8.
    Utf8,
    /// Code units of UTF-16.
    Utf16,
    /// Unicode code points.
    Utf32,
}

/// Index of line starts in a text. A line ends at `\n`, `\r\n` or a lone `\r`, as in LSP.
#[derive(Clone, Debug)]
pub struct LineMap {
    starts: Box<[u32]>,
    length: u32,
    /// Cumulative width before each [`STRIDE`]th byte of the text, computed when a column far into a line is
    /// first requested.
    before: OnceLock<Box<[Width]>>,
}

impl PartialEq for LineMap {
    fn eq(&self, other: &LineMap) -> bool {
        (&self.starts, self.length) == (&other.starts, other.length)
    }
}

impl Eq for LineMap {}

/// Number of bytes between two cached widths.
const STRIDE: usize = 4096;

/// Number of characters of a piece of text, and the number of those that are surrogate pairs in UTF-16.
#[derive(Clone, Copy, Debug, Default)]
struct Width {
    characters: u32,
    surrogates: u32,
}

impl Width {
    /// Returns the width of UTF-8 bytes. A character counts at its first byte.
    fn of(bytes: &[u8]) -> Width {
        let count = |is: fn(u8) -> bool| bytes.iter().map(|byte| u32::from(is(*byte))).sum();
        Width { characters: count(|byte| byte & 0xC0 != 0x80), surrogates: count(|byte| byte >= 0xF0) }
    }

    fn plus(self, other: Width) -> Width {
        Width {
            characters: self.characters + other.characters,
            surrogates: self.surrogates + other.surrogates,
        }
    }

    fn minus(self, other: Width) -> Width {
        Width {
            characters: self.characters - other.characters,
            surrogates: self.surrogates - other.surrogates,
        }
    }
}

impl LineMap {
    pub fn new(text: &str) -> LineMap {
        let bytes = text.as_bytes();
        let mut starts = vec![0u32];
        let is_break = |at: &usize| bytes[*at] == b'\n' || bytes.get(at + 1) != Some(&b'\n');
        starts.extend(memchr::memchr2_iter(b'\n', b'\r', bytes).filter(is_break).map(|at| at as u32 + 1));
        LineMap::of_starts(starts, text)
    }

    fn of_starts(starts: Vec<u32>, text: &str) -> LineMap {
        LineMap { starts: starts.into_boxed_slice(), length: text.len() as u32, before: OnceLock::new() }
    }

    /// Returns the index for `text`, which results from replacing `range` of the old text with `inserted`
    /// bytes. Equivalent to [`LineMap::new`], but scans only the inserted bytes.
    pub fn edited(&self, text: &str, range: TextRange, inserted: u32) -> LineMap {
        let bytes = text.as_bytes();
        let kept = self.starts.partition_point(|start| *start < range.start).max(1);
        let following = self.starts.partition_point(|start| *start <= range.end).max(kept);
        let mut starts = Vec::with_capacity(self.starts.len() + 1);
        starts.extend_from_slice(&self.starts[..kept]);
        // A line begins after a byte and also depends on its first byte.
        let from = range.start.saturating_sub(1) as usize;
        let end = (range.start + inserted) as usize;
        let is_break =
            |at: &usize| bytes[*at] == b'\n' || (bytes[*at] == b'\r' && bytes.get(at + 1) != Some(&b'\n'));
        starts.extend((from..end).filter(is_break).map(|at| at as u32 + 1));
        starts
            .extend(self.starts[following..].iter().map(|start| start - range.end + range.start + inserted));
        LineMap::of_starts(starts, text)
    }

    /// Returns the number of lines. A text that ends in a line break has an empty last line.
    pub fn line_count(&self) -> u32 {
        self.starts.len() as u32
    }

    /// Returns the zero-based line of the byte `offset`. Offsets past the end are on the last line.
    pub fn line(&self, offset: u32) -> u32 {
        self.starts.partition_point(|start| *start <= offset) as u32 - 1
    }

    /// Returns the line of the byte `offset` as [`LineMap::line`] does, without searching for it if it is `guess`.
    pub fn line_near(&self, offset: u32, guess: u32) -> u32 {
        let starts_after = |line: u32| self.starts.get(line as usize).is_none_or(|start| *start > offset);
        let is_right = guess < self.line_count() && !starts_after(guess) && starts_after(guess + 1);
        if is_right { guess } else { self.line(offset) }
    }

    /// Returns the offset of the start of `line`, or the length of the text for lines past the end.
    pub fn line_start(&self, line: u32) -> u32 {
        self.starts.get(line as usize).copied().unwrap_or(self.length)
    }

    /// Returns the range of `line`, including its line break.
    pub fn line_range(&self, line: u32) -> TextRange {
        TextRange::new(self.line_start(line), self.line_start(line + 1))
    }

    /// Converts the byte `offset` to a line and a column in `unit`. An offset inside a character counts as
    /// the start of that character.
    pub fn line_column(&self, text: &str, offset: u32, unit: ColumnUnit) -> LineColumn {
        let offset = offset.min(self.length);
        let line = self.line(offset);
        let start = self.line_start(line) as usize;
        let mut end = offset as usize;
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        let start = start.min(end);
        let column = match unit {
            ColumnUnit::Utf8 => (end - start) as u32,
            ColumnUnit::Utf16 => {
                let width = self.width(text, start, end);
                width.characters + width.surrogates
            }
            ColumnUnit::Utf32 => self.width(text, start, end).characters,
        };
        LineColumn { line, column }
    }

    /// Returns the width between two bytes of `text`, in constant time regardless of their distance.
    fn width(&self, text: &str, start: usize, end: usize) -> Width {
        let bytes = text.as_bytes();
        if end - start <= STRIDE {
            return Width::of(&bytes[start..end]);
        }
        let before = self.before.get_or_init(|| {
            let mut sum = Width::default();
            // The end of the text may coincide with the end of a stride.
            let strides = bytes.chunks(STRIDE).chain([&[][..]]);
            let sums = strides.map(|stride| {
                let after = sum.plus(Width::of(stride));
                std::mem::replace(&mut sum, after)
            });
            sums.collect()
        });
        let up_to = |at: usize| before[at / STRIDE].plus(Width::of(&bytes[at - at % STRIDE..at]));
        up_to(end).minus(up_to(start))
    }

    /// Converts a line and a column in `unit` to a byte offset.
    ///
    /// A column past the end of the line yields the end of the line (before its line break), and a line past
    /// the end yields the end of the text.
    pub fn offset(&self, text: &str, position: LineColumn, unit: ColumnUnit) -> u32 {
        if position.line >= self.line_count() {
            return self.length;
        }
        let range = self.line_range(position.line);
        let line = text[range.as_range()].trim_end_matches(['\n', '\r']);
        let mut column = 0;
        for (at, c) in line.char_indices() {
            if column >= position.column {
                return range.start + at as u32;
            }
            column += match unit {
                ColumnUnit::Utf8 => c.len_utf8() as u32,
                ColumnUnit::Utf16 => c.len_utf16() as u32,
                ColumnUnit::Utf32 => 1,
            };
            if column > position.column {
                return range.start + at as u32; // inside a character: its start
            }
        }
        range.start + line.len() as u32
    }
}

#[cfg(test)]
#[path = "text_tests.rs"]
mod tests;
