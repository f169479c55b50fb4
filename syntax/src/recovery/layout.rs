//! Line breaks and indentation of a text, as evidence of its structure.

use std::cell::{Cell, RefCell};

use rustc_hash::FxHashMap;

use crate::lexer::Lexed;
use crate::parser::Input;
use crate::{SyntaxKind, SyntaxKind::*, TextRange};

/// Line starts and indentation of a fragment.
pub(crate) struct Layout {
    /// First token of each line, with its offset and the indentation of the line.
    lines: Vec<Line>,
    /// Index of the closing token for each token that opens a bracket, treating all kinds of brackets alike;
    /// 0 for all other tokens.
    closers: Vec<u32>,
    /// True if a search ran past the last token.
    has_searched_past_end: Cell<bool>,
    /// Memoized ends of statements that extend beyond a line, so that statements sharing their end are not
    /// each followed to the end of the text.
    ends: RefCell<FxHashMap<Beyond, u32>>,
}

/// State of a statement scan at a line after the head of the statement.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Beyond {
    /// Index of the first token of the line.
    first: u32,
    /// Indentation of the statement.
    indentation: u32,
    /// Number of tokens available to the statement.
    visible: u32,
}

#[derive(Clone, Copy)]
struct Line {
    first: u32,
    offset: u32,
    indentation: u32,
}

impl Layout {
    /// Creates the layout of a fragment. It is [unknown](Self::unknown) if the text [is not indented by
    /// depth](super::indentation_stats::IndentationStats).
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

    /// Creates a layout without information.
    pub(crate) fn unknown() -> Layout {
        let (lines, closers, ends) = Default::default();
        Layout { lines, closers, has_searched_past_end: Cell::new(false), ends }
    }

    /// Returns true if more tokens after the last one could have changed a result.
    pub(crate) fn has_searched_past_end(&self) -> bool {
        self.has_searched_past_end.get()
    }

    pub(crate) fn is_known(&self) -> bool {
        !self.lines.is_empty()
    }

    /// Returns true if the token with this index is the first on its line.
    pub(crate) fn is_first_on_line(&self, token: usize) -> bool {
        self.lines.binary_search_by_key(&(token as u32), |line| line.first).is_ok()
    }

    /// Returns true if the token with this index begins a line that is indented no deeper than the line of
    /// `open`.
    pub(crate) fn is_outside_of(&self, token: usize, open: TextRange) -> bool {
        let Ok(line) = self.lines.binary_search_by_key(&(token as u32), |line| line.first) else {
            return false;
        };
        let before = self.lines.partition_point(|line| line.offset <= open.start);
        let of_open = before.checked_sub(1).map_or(0, |at| self.lines[at].indentation);
        self.lines[line].indentation <= of_open
    }

    /// Returns the latest possible end of the statement that begins with the token `start`.
    ///
    /// The statement ends before the next line that is indented no deeper than its own line and does not
    /// continue it. Brackets that close at the start of such a line, at the indentation of the statement,
    /// contain everything between them regardless of its indentation.
    pub(crate) fn end_of_statement(&self, input: &[Input], start: usize, visible: usize) -> usize {
        let own = self.lines.partition_point(|line| line.first as usize <= start);
        let Some(indentation) = own.checked_sub(1).map(|at| self.lines[at].indentation) else {
            return visible;
        };
        let head_end = end_of_parameters(input, start).unwrap_or_else(|| {
            self.has_searched_past_end.set(true);
            start
        });
        let ends = |line: &&Line| {
            let first = line.first as usize;
            // Removing a word at the start of a line leaves one space.
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
            // The first brackets on this line that contain the start of the next one.
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
            self.has_searched_past_end.set(true);
        }
        end
    }

    /// Returns true if the closing bracket ends a statement of this indentation: either its line or the one
    /// after it has that indentation. In the latter case only the line of the bracket is indented
    /// incorrectly.
    fn closes_statement(&self, closer: usize, indentation: u32) -> bool {
        let Ok(line) = self.lines.binary_search_by_key(&(closer as u32), |line| line.first) else {
            return false;
        };
        if self.lines[line].indentation.abs_diff(indentation) <= 1 {
            return true;
        }
        match self.lines.get(line + 1) {
            // The closing bracket is alone on its line.
            Some(next) => next.first as usize == closer + 1 && next.indentation == indentation,
            None => {
                self.has_searched_past_end.set(true);
                false
            }
        }
    }

    /// Returns the indentation of the line that begins with this token; `None` if the token is not the first
    /// on its line.
    pub(crate) fn indentation_before(&self, token: usize) -> Option<u32> {
        let line = self.lines.binary_search_by_key(&(token as u32), |line| line.first).ok()?;
        Some(self.lines[line].indentation)
    }
}

/// Returns the index of the closing bracket for each token that opens one, and 0 for all other tokens.
fn closers(input: &[Input]) -> Vec<u32> {
    let mut closers = vec![0; input.len()];
    let mut open = Vec::new();
    for (at, token) in input.iter().enumerate() {
        match super::lookahead::depth_after(token.kind, 1) {
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

/// Returns the width of the whitespace directly before an offset.
pub(crate) fn indentation_of(text: &str, offset: u32) -> u32 {
    indentation(text.as_bytes()[..offset as usize].iter().rev())
}

/// Returns the width of the spaces and tabs at the start of the bytes.
pub(crate) fn indentation<'b>(bytes: impl Iterator<Item = &'b u8>) -> u32 {
    bytes.take_while(|byte| matches!(**byte, b' ' | b'\t')).map(|byte| width(*byte)).sum()
}

/// Returns the width of a space or tab in columns.
pub(crate) fn width(character: u8) -> u32 {
    const TAB: u32 = 8;
    if character == b'\t' { TAB } else { 1 }
}

/// Returns the end of the parameter list of the definition (possibly without keyword) that begins with the
/// token `start`.
///
/// Some styles do not indent parameters. Returns `start` if there are no parameters, and `None` if the list
/// has no end.
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
        depth = super::lookahead::depth_after(token.kind, depth);
        if depth == 0 {
            return Some(at);
        }
        if matches!(token.kind, CLASS_KW | DEFINE_KW | NODE_KW) {
            return Some(start);
        }
    }
    None
}

/// Returns true if the line that begins with the token `first` may continue the statement of the previous
/// line although it is indented no deeper.
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
        _ if before == COMMA && always_begins_statement(kind, next) => false,
        // The previous token requires an operand.
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

/// Returns true if these two tokens begin a statement and cannot begin a list element.
fn always_begins_statement(kind: SyntaxKind, next: SyntaxKind) -> bool {
    match kind {
        NAME => matches!(next, L_BRACE | NAME | WORD),
        CLASS_KW => next == L_BRACE,
        CLASSREF => matches!(next, L_BRACE | COLLECT_START | EXPORTED_START),
        VARIABLE => next == EQ,
        IF_KW | UNLESS_KW | CASE_KW => !matches!(next, FAT_ARROW | PLUS_ARROW | COMMA | COLON),
        _ => false,
    }
}
