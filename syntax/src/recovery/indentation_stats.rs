//! Decides if the indentation of a text reflects its nesting. Recovery relies on lines only if it does.

use std::sync::Arc;

use crate::{Language, TextRange};

/// Statistics on how well indentation matches bracket depth.
///
/// Computed from bytes alone; the contents of strings and comments count as code, too. Stored in pieces, so
/// that an edit recomputes only the lines that it touches.
#[derive(Debug)]
pub(crate) struct IndentationStats {
    is_template: bool,
    pieces: Vec<Piece>,
    total: Count,
}

/// Group of consecutive lines.
#[derive(Clone, Debug)]
struct Piece {
    /// Offset of the first line.
    start: u32,
    /// Brackets open at that offset.
    before: Nesting,
    count: Count,
}

/// Numbers of lines whose indentation matches or contradicts the nesting.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
struct Count {
    fits: usize,
    odd: usize,
}

/// Brackets left open by the previous lines.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
struct Nesting {
    /// Indentation of each line that opens one of these brackets, outermost first.
    open: Arc<Vec<usize>>,
    /// Indentation of the previous line, if it opened a bracket.
    opened: Option<usize>,
}

/// Minimum number of lines with code in a piece.
const MIN_LINES_PER_PIECE: usize = 64;

impl IndentationStats {
    pub(crate) fn of(text: &str, language: Language) -> IndentationStats {
        let mut it = IndentationStats {
            is_template: language == Language::Epp,
            pieces: Vec::new(),
            total: Count::default(),
        };
        if !it.is_template {
            it.read(text, 0, Nesting::default(), &[], 0, 0);
        }
        it
    }

    /// Computes the statistics for a newer version of the text in which `old` became `new`, reusing
    /// unaffected pieces.
    pub(crate) fn edited(&self, text: &str, old: TextRange, new: TextRange) -> IndentationStats {
        // The result for a line depends only on the line and on the brackets open at its start.
        let kept = self.pieces.partition_point(|it| it.start <= old.start).saturating_sub(1);
        let following = self.pieces.partition_point(|it| it.start <= old.end);
        let mut pieces = Vec::with_capacity(self.pieces.len() + 1);
        pieces.extend_from_slice(&self.pieces[..kept]);
        let mut it = IndentationStats { is_template: self.is_template, pieces, total: Count::default() };
        if let Some(first) = self.pieces.get(kept) {
            it.read(text, first.start, first.before.clone(), &self.pieces[following..], old.end, new.end);
        }
        debug_assert!(
            self.is_template || it.total == IndentationStats::of(text, Language::Manifest).total,
            "lines of another text"
        );
        it
    }

    /// Returns true if the indentation of the text reflects its nesting.
    pub(crate) fn is_consistent(&self) -> bool {
        !self.is_template && self.total.odd * 6 <= self.total.fits + 12
    }

    /// Reads lines from `start` up to the start of one of the `known` pieces with the same open brackets, and
    /// reuses the pieces from there. The offset `from` in the text of the known pieces corresponds to `to` in
    /// this one.
    fn read(
        &mut self,
        text: &str,
        start: u32,
        mut nesting: Nesting,
        mut known: &[Piece],
        from: u32,
        to: u32,
    ) {
        let mut piece = Piece { start, before: nesting.clone(), count: Count::default() };
        let mut lines = 0;
        for line in CodeLines::of(text, start as usize) {
            let at = line.start as u32;
            while known.first().is_some_and(|it| it.start - from + to < at) {
                known = &known[1..];
            }
            let meets = known.first().is_some_and(|it| it.start - from + to == at);
            if meets || lines >= MIN_LINES_PER_PIECE {
                let next = Piece { start: at, before: nesting.clone(), count: Count::default() };
                self.pieces.push(std::mem::replace(&mut piece, next));
                lines = 0;
            }
            if meets && known[0].before == nesting {
                let moved = |it: &Piece| Piece { start: it.start - from + to, ..it.clone() };
                self.pieces.extend(known.iter().map(moved));
                return self.sum();
            }
            nesting.add_line(&line, &mut piece.count);
            lines += 1;
        }
        self.pieces.push(piece);
        self.sum();
    }

    fn sum(&mut self) {
        self.total = self.pieces.iter().fold(Count::default(), |sum, it| Count {
            fits: sum.fits + it.count.fits,
            odd: sum.odd + it.count.odd,
        });
    }
}

impl Nesting {
    fn add_line(&mut self, line: &CodeLine<'_>, count: &mut Count) {
        let CodeLine { bytes, indentation, braces, .. } = *line;
        let (Some(first), Some(last)) = (bytes.first(), bytes.last()) else { return };
        // Several braces on one line contain statements without their own lines.
        count.odd += braces.saturating_sub(2);
        let closes = matches!(first, b'}' | b')' | b']');
        if let Some(before) = self.opened.take() {
            let is_deeper = indentation > before || (closes && indentation == before);
            *(if is_deeper { &mut count.fits } else { &mut count.odd }) += 1;
        }
        if closes {
            let open = Arc::make_mut(&mut self.open);
            let left = open.len();
            while open.last().is_some_and(|it| *it > indentation) {
                open.pop();
            }
            count.odd += left - open.len();
            match open.last() {
                Some(it) if *it == indentation => {
                    open.pop();
                    count.fits += 1;
                }
                _ => count.odd += 1,
            }
        } else if matches!(first, b',' | b':' | b'=') || (*first == b';' && bytes.len() > 1) {
            count.odd += 1;
        }
        let opens = match last {
            b'{' | b'(' | b'[' => true,
            b':' => memchr::memchr(b'{', bytes).is_some(),
            _ => false,
        };
        if opens {
            Arc::make_mut(&mut self.open).push(indentation);
            self.opened = Some(indentation);
        }
    }
}

/// Iterator over the lines of a text that contain more than whitespace and comments.
struct CodeLines<'t> {
    text: &'t str,
    /// Line breaks and opening braces after `offset`, in source order.
    marks: memchr::Memchr2<'t>,
    offset: usize,
    start: usize,
}

/// Line without surrounding whitespace.
struct CodeLine<'t> {
    start: usize,
    bytes: &'t [u8],
    /// Number of leading spaces and tabs.
    indentation: usize,
    /// Number of opening braces, excluding interpolations.
    braces: usize,
}

impl<'t> CodeLines<'t> {
    /// Returns the lines beginning with the one that starts at `start`.
    fn of(text: &'t str, start: usize) -> CodeLines<'t> {
        let marks = memchr::memchr2_iter(b'\n', b'{', &text.as_bytes()[start..]);
        CodeLines { text, marks, offset: start, start }
    }
}

impl<'t> Iterator for CodeLines<'t> {
    type Item = CodeLine<'t>;

    fn next(&mut self) -> Option<CodeLine<'t>> {
        let bytes = self.text.as_bytes();
        while self.start < bytes.len() {
            let start = self.start;
            let mut braces = 0;
            let end = loop {
                match self.marks.next().map(|at| self.offset + at) {
                    Some(at) if bytes[at] == b'{' => {
                        braces += usize::from(at == 0 || bytes[at - 1] != b'$');
                    }
                    end => break end.unwrap_or(bytes.len()),
                }
            };
            self.start = end + 1;
            let indentation = bytes[start..end].iter().take_while(|it| matches!(**it, b' ' | b'\t')).count();
            let bytes = trimmed_end(&self.text[start + indentation..end]);
            if !matches!(bytes.first(), None | Some(b'#')) {
                return Some(CodeLine { start, bytes, indentation, braces });
            }
        }
        None
    }
}

fn trimmed_end(line: &str) -> &[u8] {
    match line.as_bytes().last() {
        Some(last) if last.is_ascii_graphic() => line.as_bytes(),
        _ => line.trim_end().as_bytes(),
    }
}
