//! Whether the lines of a text tell how it is nested: asked before recovery looks at them.

use std::sync::Arc;

use crate::{Language, TextRange};

/// Is a text indented by the depth of its brackets, with lines that begin where something begins? Else its lines say nothing.
/// Looks at bytes alone; what stands in strings and comments is taken for code, too.
///
/// Kept in pieces, so that after an edit only the lines are looked at again that it touched.
#[derive(Debug)]
pub(crate) struct Neatness {
    is_template: bool,
    pieces: Vec<Piece>,
    total: Count,
}

/// Some lines that follow each other.
#[derive(Clone, Debug)]
struct Piece {
    /// Where the first line begins.
    start: u32,
    /// What is open there.
    before: Nesting,
    count: Count,
}

/// How many lines say so, and how many say the opposite.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
struct Count {
    fits: usize,
    odd: usize,
}

/// What lines have left open.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
struct Nesting {
    /// How far the lines are indented whose brackets are open, from the outside in.
    open: Arc<Vec<usize>>,
    /// The line before opened one, and is indented so far.
    opened: Option<usize>,
}

/// A piece has so many lines with code, or more.
const LINES: usize = 64;

impl Neatness {
    pub(crate) fn of(text: &str, language: Language) -> Neatness {
        let mut it =
            Neatness { is_template: language == Language::Epp, pieces: Vec::new(), total: Count::default() };
        if !it.is_template {
            it.read(text, 0, Nesting::default(), &[], 0, 0);
        }
        it
    }

    /// The same for a newer version of the text, in which `old` became `new`.
    pub(crate) fn edited(&self, text: &str, old: TextRange, new: TextRange) -> Neatness {
        // What a line says depends on nothing but the line and what is open there.
        let kept = self.pieces.partition_point(|it| it.start <= old.start).saturating_sub(1);
        let behind = self.pieces.partition_point(|it| it.start <= old.end);
        let mut pieces = Vec::with_capacity(self.pieces.len() + 1);
        pieces.extend_from_slice(&self.pieces[..kept]);
        let mut it = Neatness { is_template: self.is_template, pieces, total: Count::default() };
        if let Some(first) = self.pieces.get(kept) {
            it.read(text, first.start, first.before.clone(), &self.pieces[behind..], old.end, new.end);
        }
        debug_assert!(
            self.is_template || it.total == Neatness::of(text, Language::Manifest).total,
            "lines of another text"
        );
        it
    }

    /// Does the text's layout tell how it is nested?
    pub(crate) fn is_neat(&self) -> bool {
        !self.is_template && self.total.odd * 6 <= self.total.fits + 12
    }

    /// Reads on from the line that begins at `start`, up to where one of the `known` pieces begins with the same open brackets, which
    /// are taken over from there. They stand in a text whose offset `from` is `to` in this one.
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
            if meets || lines >= LINES {
                let next = Piece { start: at, before: nesting.clone(), count: Count::default() };
                self.pieces.push(std::mem::replace(&mut piece, next));
                lines = 0;
            }
            if meets && known[0].before == nesting {
                let moved = |it: &Piece| Piece { start: it.start - from + to, ..it.clone() };
                self.pieces.extend(known.iter().map(moved));
                return self.sum();
            }
            nesting.go_on(&line, &mut piece.count);
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
    fn go_on(&mut self, line: &CodeLine<'_>, count: &mut Count) {
        let CodeLine { bytes, indentation, braces, .. } = *line;
        let (Some(first), Some(last)) = (bytes.first(), bytes.last()) else { return };
        // Many hold statements that have no lines of their own.
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

/// The lines of a text that hold more than blanks and comments.
struct CodeLines<'t> {
    text: &'t str,
    /// Line breaks and opening braces behind `offset`, from front to back.
    marks: memchr::Memchr2<'t>,
    offset: usize,
    start: usize,
}

/// A line without the blanks around it.
struct CodeLine<'t> {
    start: usize,
    bytes: &'t [u8],
    /// How many blanks stand in front.
    indentation: usize,
    /// How many braces open, interpolations aside.
    braces: usize,
}

impl<'t> CodeLines<'t> {
    /// Those from the line on that begins at `start`.
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
