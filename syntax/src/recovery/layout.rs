//! How a text is laid out, and whether that says anything about what belongs together.

use std::cell::{Cell, RefCell};

use rustc_hash::FxHashMap;

use crate::lexer::Lexed;
use crate::parser::Input;
use crate::{SyntaxKind, SyntaxKind::*, TextRange};

/// Where the lines of a fragment begin, and how deep they are indented.
pub(crate) struct Layout {
    /// For each token of the fragment that is the first on its line: its number, its offset, and the indentation of the line.
    lines: Vec<Line>,
    /// For each token that opens brackets the one that closes them, if brackets of all kinds are taken for the same; else 0.
    closers: Vec<u32>,
    /// The end of something was looked for behind the last token.
    has_looked_behind: Cell<bool>,
    /// Where statements end that were followed beyond a line: statements that only others on the same lines end
    /// are not followed to the end of the text each.
    ends: RefCell<FxHashMap<Beyond, u32>>,
}

/// A statement followed as far as a line, behind its head.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Beyond {
    /// The number of the line's first token.
    first: u32,
    /// Of the statement.
    indentation: u32,
    /// The number of tokens that the statement may take.
    visible: u32,
}

#[derive(Clone, Copy)]
struct Line {
    first: u32,
    offset: u32,
    indentation: u32,
}

impl Layout {
    /// The layout of a fragment; one that says nothing where the text [is not laid out by depth](super::neatness::Neatness).
    pub(crate) fn new(text: &str, lexed: &Lexed, input: &[Input], is_trusted: bool) -> Layout {
        let mut lines = Vec::new();
        let mut end = 0;
        for (index, token) in input.iter().enumerate().filter(|_| is_trusted) {
            let range = lexed.range(token.token as usize);
            let before = &text.as_bytes()[end..range.start as usize];
            if index == 0 || before.contains(&b'\n') {
                let indentation = indentation(before.iter().rev());
                lines.push(Line { first: index as u32, offset: range.start, indentation });
            }
            end = range.end as usize;
        }
        let closers = if is_trusted { closers(input) } else { Vec::new() };
        Layout { lines, closers, ..Layout::unknown() }
    }

    /// One that says nothing.
    pub(crate) fn unknown() -> Layout {
        let (lines, closers, ends) = Default::default();
        Layout { lines, closers, has_looked_behind: Cell::new(false), ends }
    }

    /// Would more tokens behind the last one have made a difference?
    pub(crate) fn has_looked_behind(&self) -> bool {
        self.has_looked_behind.get()
    }

    pub(crate) fn is_known(&self) -> bool {
        !self.lines.is_empty()
    }

    /// Is the token with this number the first on its line?
    pub(crate) fn is_first_on_line(&self, token: usize) -> bool {
        self.lines.binary_search_by_key(&(token as u32), |line| line.first).is_ok()
    }

    /// Does the token with this number begin a line, no deeper than the line that holds `open`?
    pub(crate) fn is_outside_of(&self, token: usize, open: TextRange) -> bool {
        let Ok(line) = self.lines.binary_search_by_key(&(token as u32), |line| line.first) else {
            return false;
        };
        let before = self.lines.partition_point(|line| line.offset <= open.start);
        let of_open = before.checked_sub(1).map_or(0, |at| self.lines[at].indentation);
        self.lines[line].indentation <= of_open
    }

    /// Where the statement that begins with the token `start` ends at the latest: before the next line that is indented no
    /// deeper than its own and does not continue it. Brackets that close where such a line begins, as deep as the statement does,
    /// hold what is between them, whatever its indentation.
    pub(crate) fn end_of_statement(&self, input: &[Input], start: usize, visible: usize) -> usize {
        let own = self.lines.partition_point(|line| line.first as usize <= start);
        let Some(indentation) = own.checked_sub(1).map(|at| self.lines[at].indentation) else {
            return visible;
        };
        let head_end = end_of_parameters(input, start).unwrap_or_else(|| {
            self.has_looked_behind.set(true);
            start
        });
        let ends = |line: &&Line| {
            let first = line.first as usize;
            // Where a word in front was taken away, one blank is left.
            line.indentation + 1 < indentation
                || (line.indentation <= indentation && !(first < head_end || continues(input, first)))
        };
        let mut passed = Vec::new();
        let mut known = self.ends.borrow_mut();
        let mut lines = &self.lines[own..];
        let mut at = start;
        let end = loop {
            let Some(line) = lines.first().filter(|line| (line.first as usize) < visible) else {
                break visible;
            };
            let next = line.first as usize;
            // The first brackets on this line that hold what the next one begins with.
            let open = (at..next).find(|open| self.closers[*open] as usize >= next);
            let closer = open.map(|open| self.closers[open] as usize);
            at = match closer {
                Some(closer) if self.closes_statement(closer, indentation) => closer,
                _ if ends(&line) => break next,
                _ => next,
            };
            if at >= head_end {
                let beyond = Beyond { first: at as u32, indentation, visible: visible as u32 };
                if let Some(end) = known.get(&beyond) {
                    break *end as usize;
                }
                passed.push(beyond);
            }
            lines = &lines[lines.partition_point(|line| line.first as usize <= at)..];
        };
        known.extend(passed.into_iter().map(|beyond| (beyond, end as u32)));
        if end == visible && visible == input.len() {
            self.has_looked_behind.set(true);
        }
        end
    }

    /// Does the token that closes brackets end a statement of this indentation? It stands as deep, or what follows it does: then it
    /// is its own line that is indented wrongly.
    fn closes_statement(&self, closer: usize, indentation: u32) -> bool {
        let Ok(line) = self.lines.binary_search_by_key(&(closer as u32), |line| line.first) else {
            return false;
        };
        if self.lines[line].indentation.abs_diff(indentation) <= 1 {
            return true;
        }
        match self.lines.get(line + 1) {
            // The closing one is alone on its line.
            Some(next) => next.first as usize == closer + 1 && next.indentation == indentation,
            None => {
                self.has_looked_behind.set(true);
                false
            }
        }
    }

    /// How deep the line is indented whose first token this is; `None` where it is not the first.
    pub(crate) fn indentation_before(&self, token: usize) -> Option<u32> {
        let line = self.lines.binary_search_by_key(&(token as u32), |line| line.first).ok()?;
        Some(self.lines[line].indentation)
    }
}

/// For each token that opens brackets the one that closes them; 0 for all others.
fn closers(input: &[Input]) -> Vec<u32> {
    let mut closers = vec![0; input.len()];
    let mut open = Vec::new();
    for (at, token) in input.iter().enumerate() {
        match super::depth_behind(token.kind, 1) {
            2 => open.push(at),
            0 => {
                if let Some(opener) = open.pop() {
                    closers[opener] = at as u32;
                }
            }
            _ => {}
        }
    }
    closers
}

/// How far the blanks in front of an offset indent.
pub(crate) fn indentation_of(text: &str, offset: u32) -> u32 {
    indentation(text.as_bytes()[..offset as usize].iter().rev())
}

/// How far the blanks indent that the bytes begin with.
pub(crate) fn indentation<'b>(bytes: impl Iterator<Item = &'b u8>) -> u32 {
    bytes.take_while(|byte| matches!(**byte, b' ' | b'\t')).map(|byte| width(*byte)).sum()
}

/// How far a blank indents.
pub(crate) fn width(blank: u8) -> u32 {
    const TAB: u32 = 8;
    if blank == b'\t' { TAB } else { 1 }
}

/// The end of the parameters of the definition (which may lack its keyword) that begins with the token `start`: some people do not
/// indent them. `start` where there are none; `None` where the end is not there.
fn end_of_parameters(input: &[Input], start: usize) -> Option<usize> {
    let kind = |at: usize| input.get(at).map_or(EOF, |it| it.kind);
    let open = match kind(start) {
        CLASS_KW | DEFINE_KW | FUNCTION_KW | PLAN_KW if kind(start + 1) == NAME => start + 2,
        NAME => start + 1,
        _ => return Some(start),
    };
    let has_parameters = matches!(kind(open), L_PAREN | LINE_START_PAREN)
        && match kind(open + 1) {
            VARIABLE => matches!(kind(open + 2), EQ | COMMA | R_PAREN),
            CLASSREF => matches!(kind(open + 2), VARIABLE | L_BRACK),
            _ => false,
        };
    if !has_parameters {
        return Some(start);
    }
    let mut depth = 0;
    for (at, token) in input.iter().enumerate().skip(open) {
        depth = super::depth_behind(token.kind, depth);
        if depth == 0 {
            return Some(at);
        }
        if matches!(token.kind, CLASS_KW | DEFINE_KW | NODE_KW) {
            return Some(start);
        }
    }
    None
}

/// May the line that begins with the token `first` go on with the statement of the line before, although it is indented no deeper?
fn continues(input: &[Input], first: usize) -> bool {
    let before = first.checked_sub(1).map_or(EOF, |at| input[at].kind);
    let next = input.get(first + 1).map_or(EOF, |it| it.kind);
    let kind = input[first].kind;
    match kind {
        CLASS_KW | DEFINE_KW | NODE_KW | FUNCTION_KW | PLAN_KW | TYPE_KW
            if matches!(next, NAME | CLASSREF | SQ_STRING | DQ_STRING | REGEX | DEFAULT_KW) =>
        {
            false
        }
        _ if before == COMMA && begins_for_sure(kind, next) => false,
        // What stands before demands more.
        _ if matches!(
            before,
            BEFORE_ARROW | NOTIFY_ARROW | REQUIRE_ARROW | SUBSCRIBE_ARROW | COMMA | AND_KW | OR_KW | IN_KW
        ) =>
        {
            true
        }
        NAME | WORD | CLASSREF | VARIABLE | IF_KW | UNLESS_KW | CASE_KW | CLASS_KW | DEFINE_KW | NODE_KW
        | FUNCTION_KW | PLAN_KW | APPLY_KW | TYPE_KW | ATTR_KW | PRIVATE_KW | UNDEF_KW | TRUE_KW
        | FALSE_KW => matches!(next, COLON | FAT_ARROW | PLUS_ARROW),
        HEREDOC_START | LIST_START | LINE_START_PAREN | AT | AT_AT | BANG | SEMICOLON | ERROR_TOKEN => false,
        _ => true,
    }
}

/// Do these two tokens begin a statement, and no element of a list?
fn begins_for_sure(kind: SyntaxKind, next: SyntaxKind) -> bool {
    match kind {
        NAME => matches!(next, L_BRACE | NAME | WORD),
        CLASS_KW => next == L_BRACE,
        CLASSREF => matches!(next, L_BRACE | COLLECT_START | EXPORTED_START),
        VARIABLE => next == EQ,
        IF_KW | UNLESS_KW | CASE_KW => !matches!(next, FAT_ARROW | PLUS_ARROW | COMMA | COLON),
        _ => false,
    }
}
