//! The machinery of the grammar: a parser that emits events, and the tree built from them.
//!
//! The grammar sees only tokens that mean something. A heredoc's text is parsed as a fragment of its own and becomes a
//! node where it stands in the file.

mod build;

pub(crate) use build::{Fragment, build_tree};

use crate::lexer::Lexed;
use crate::{Diagnostic, SyntaxKind, SyntaxKind::*, TextRange};

/// How deep the grammar's functions may call each other.
const MAX_RECURSION: u32 = 256;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Event {
    /// `wrapped_by`: how many events further on the node begins that is to be the parent of this one; 0 for none.
    Start {
        kind: SyntaxKind,
        wrapped_by: u32,
    },
    Finish,
    Token,
    /// A start that was given up.
    Nothing,
}

/// A token that the grammar sees: its kind, and its number among all tokens.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Input {
    pub(crate) kind: SyntaxKind,
    pub(crate) token: u32,
}

/// The tokens of a text by fragment: the file first, then each heredoc's text.
pub(crate) fn fragments(lexed: &Lexed) -> Vec<Vec<Input>> {
    let mut fragments: Vec<Vec<Input>> = vec![Vec::new(); 1 + lexed.heredoc_bodies.len()];
    fragments[0].reserve(lexed.tokens.len() / 2 + 1);
    let mut next_body = 0;
    let mut open: Vec<(u32, usize)> = Vec::new();
    let mut current = 0;
    for (index, token) in lexed.tokens.iter().enumerate() {
        let index = index as u32;
        while open.last().is_some_and(|(end, _)| *end <= index) {
            open.pop();
            current = open.last().map_or(0, |(_, fragment)| *fragment);
        }
        while let Some(body) = lexed.heredoc_bodies.get(next_body).filter(|body| body.first == index) {
            next_body += 1;
            if body.end > body.first {
                current = next_body;
                open.push((body.end, current));
            }
        }
        if !token.kind.is_trivia() && token.kind != EOF {
            fragments[current].push(Input { kind: token.kind, token: index });
        }
    }
    fragments
}

pub(crate) struct Parser<'l> {
    text: &'l str,
    lexed: &'l Lexed,
    input: &'l [Input],
    at: usize,
    events: Vec<Event>,
    errors: Vec<Diagnostic>,
    recursion: u32,
    /// Too deep: the rest of the input is not looked at.
    exhausted: bool,
    /// Errors are held back until something has been read that fits again.
    quiet: bool,
    /// The current block belongs to an `if` or `unless`: `else` may follow it.
    pub(crate) in_conditional: bool,
    /// The expression is a condition, or what a case compares: braces behind it are not its.
    pub(crate) in_condition: bool,
    /// An opening brace whose closing one stands further left than its line begins: if a brace is missing, it is there.
    pub(crate) misindented: Option<TextRange>,
}

/// A node that has begun.
pub(crate) struct Marker {
    event: u32,
    /// How many tokens had been read; `None` where the node holds another already.
    begins_at: Option<usize>,
}

/// A node that is complete; it can still get a parent that begins where it does.
#[derive(Clone, Copy)]
pub(crate) struct Completed {
    start: u32,
    kind: SyntaxKind,
}

impl Completed {
    pub(crate) fn kind(self) -> SyntaxKind {
        self.kind
    }
}

impl<'l> Parser<'l> {
    pub(crate) fn new(text: &'l str, lexed: &'l Lexed, input: &'l [Input]) -> Parser<'l> {
        Parser {
            text,
            lexed,
            input,
            at: 0,
            events: Vec::with_capacity(input.len() * 3 + 8),
            errors: Vec::new(),
            recursion: 0,
            exhausted: false,
            quiet: false,
            in_conditional: false,
            in_condition: false,
            misindented: None,
        }
    }

    pub(crate) fn finish(mut self) -> (Vec<Event>, Vec<Diagnostic>) {
        if self.exhausted && self.at < self.input.len() {
            // Everything up to the end, as flat as it came.
            let root_end = self.events.pop();
            self.events.push(Event::Start { kind: ERROR, wrapped_by: 0 });
            self.events.extend((self.at..self.input.len()).map(|_| Event::Token));
            self.events.push(Event::Finish);
            self.events.extend(root_end);
        }
        (self.events, self.errors)
    }

    pub(crate) fn current(&self) -> SyntaxKind {
        self.nth(0)
    }

    pub(crate) fn nth(&self, ahead: usize) -> SyntaxKind {
        if self.exhausted {
            return EOF;
        }
        self.input.get(self.at + ahead).map_or(EOF, |it| it.kind)
    }

    pub(crate) fn at(&self, kind: SyntaxKind) -> bool {
        self.current() == kind
    }

    pub(crate) fn at_any(&self, kinds: &[SyntaxKind]) -> bool {
        kinds.contains(&self.current())
    }

    pub(crate) fn at_end(&self) -> bool {
        self.at(EOF)
    }

    /// The text of the current token.
    pub(crate) fn text(&self) -> &'l str {
        self.text_of(0)
    }

    pub(crate) fn text_of(&self, ahead: usize) -> &'l str {
        self.input
            .get(self.at + ahead)
            .map_or("", |it| &self.text[self.lexed.range(it.token as usize).as_range()])
    }

    /// How many tokens have been read.
    pub(crate) fn position(&self) -> usize {
        self.at
    }

    /// Are the tokens before and behind the boundary `ahead` tokens further on different lines?
    pub(crate) fn line_break_before(&self, ahead: usize) -> bool {
        let index = self.at + ahead;
        let (Some(before), Some(next)) =
            (index.checked_sub(1).and_then(|it| self.input.get(it)), self.input.get(index))
        else {
            return true;
        };
        let start = self.lexed.range(before.token as usize).end;
        let end = self.lexed.range(next.token as usize).start;
        self.text[start as usize..end as usize].contains('\n')
    }

    /// Is there anything between the current token and the one before it?
    pub(crate) fn is_joined_to_previous(&self) -> bool {
        let (Some(previous), Some(current)) =
            (self.at.checked_sub(1).and_then(|it| self.input.get(it)), self.input.get(self.at))
        else {
            return false;
        };
        previous.token + 1 == current.token
    }

    /// With how many blanks the line begins on which the token `ahead` stands; 0 on overlong lines.
    pub(crate) fn indent_of(&self, ahead: usize) -> usize {
        self.input
            .get(self.at + ahead)
            .map_or(0, |input| self.indent_at(self.lexed.range(input.token as usize).start))
    }

    /// With how many blanks the line of an offset begins; 0 on overlong lines.
    pub(crate) fn indent_at(&self, offset: u32) -> usize {
        const FAR: usize = 4096;
        let offset = offset as usize;
        let bytes = &self.text.as_bytes()[offset.saturating_sub(FAR)..offset];
        let line_start = match bytes.iter().rposition(|b| *b == b'\n') {
            Some(at) => offset - bytes.len() + at + 1,
            None if offset <= FAR => 0,
            None => return 0,
        };
        let line = &self.text.as_bytes()[line_start..];
        line.iter().take(FAR).take_while(|b| matches!(b, b' ' | b'\t')).count()
    }

    /// Does the token `ahead` begin a line, no deeper than the line of `open`?
    pub(crate) fn is_outside_of(&self, ahead: usize, open: TextRange) -> bool {
        self.is_first_on_line(ahead) && self.indent_of(ahead) <= self.indent_at(open.start)
    }

    /// Is the token `ahead` the first on its line?
    pub(crate) fn is_first_on_line(&self, ahead: usize) -> bool {
        let index = self.at + ahead;
        index == 0 || self.line_break_before(ahead)
    }

    pub(crate) fn bump(&mut self) {
        debug_assert!(!self.at_end(), "no token left");
        if !self.at_end() {
            self.at += 1;
            self.events.push(Event::Token);
        }
    }

    pub(crate) fn eat(&mut self, kind: SyntaxKind) -> bool {
        let found = self.at(kind);
        if found {
            self.bump();
        }
        found
    }

    pub(crate) fn start(&mut self) -> Marker {
        let event = self.events.len() as u32;
        self.events.push(Event::Start { kind: ERROR, wrapped_by: 0 });
        Marker { event, begins_at: Some(self.at) }
    }

    /// Ends a node. One that would hold nothing is left out of the tree: nobody could point at it.
    pub(crate) fn complete(&mut self, marker: Marker, kind: SyntaxKind) -> Completed {
        let completed = Completed { start: marker.event, kind };
        if marker.begins_at == Some(self.at) && kind != SOURCE_FILE {
            self.abandon(marker);
            return completed;
        }
        if let Event::Start { kind: slot, .. } = &mut self.events[marker.event as usize] {
            *slot = kind;
        }
        self.events.push(Event::Finish);
        completed
    }

    /// Gives the node up; what was read since then belongs to the node around it.
    pub(crate) fn abandon(&mut self, marker: Marker) {
        self.events[marker.event as usize] = Event::Nothing;
    }

    /// Begins a node that will be the parent of `child`.
    pub(crate) fn precede(&mut self, child: Completed) -> Marker {
        let parent = self.start();
        if let Event::Start { wrapped_by, .. } = &mut self.events[child.start as usize] {
            *wrapped_by = parent.event - child.start;
        }
        Marker { begins_at: None, ..parent }
    }

    /// Runs `parse` one level deeper; gives up where the nesting is too deep.
    pub(crate) fn nested<T>(&mut self, parse: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        if self.recursion >= MAX_RECURSION {
            if !self.exhausted {
                let range = self.current_range();
                self.errors.push(Diagnostic::error(
                    "nesting-too-deep",
                    range,
                    "the code is nested too deeply here",
                ));
                self.exhausted = true;
            }
            return None;
        }
        self.recursion += 1;
        let result = parse(self);
        self.recursion -= 1;
        result
    }

    // --- errors ---

    /// The range of the current token; at the end of the input an empty range there.
    pub(crate) fn current_range(&self) -> TextRange {
        self.range_of(self.at)
    }

    pub(crate) fn range_of(&self, index: usize) -> TextRange {
        match self.input.get(index) {
            Some(input) => self.lexed.range(input.token as usize),
            None => {
                let end = self.input.last().map_or(0, |it| self.lexed.range(it.token as usize).end);
                TextRange::empty(end)
            }
        }
    }

    pub(crate) fn previous_range(&self) -> TextRange {
        self.at.checked_sub(1).map_or(TextRange::empty(0), |index| self.range_of(index))
    }

    /// Reports, unless an error has just been reported and nothing has been read since that fits.
    pub(crate) fn error_at(
        &mut self,
        code: &'static str,
        range: TextRange,
        message: impl Into<String>,
    ) -> Option<&mut Diagnostic> {
        if self.quiet || self.exhausted {
            return None;
        }
        self.quiet = true;
        self.errors.push(Diagnostic::error(code, range, message));
        self.errors.last_mut()
    }

    /// "expected X": at the current token, or behind the previous one where the input ends.
    pub(crate) fn expected(&mut self, what: &str) {
        let found = self.found();
        let range = self.current_range();
        let range = if range.is_empty() { self.previous_range() } else { range };
        self.error_at("syntax-error", range, format!("expected {what}, found {found}"));
    }

    /// "expected X": behind the previous token if the current one stands on a later line, where nobody would look.
    pub(crate) fn expected_here(&mut self, what: &str) {
        if self.at > 0 && self.line_break_before(0) {
            let range = self.previous_range();
            self.error_at("syntax-error", range, format!("expected {what} after this"));
        } else {
            self.expected(what);
        }
    }

    /// The current token in words.
    pub(crate) fn found(&self) -> String {
        match self.current() {
            EOF => "the end of the file".to_owned(),
            HEREDOC_END => "the end of the heredoc".to_owned(),
            DQ_END | DQ_START => "`\"`".to_owned(),
            EPP_TEXT | EPP_EMPTY_TEXT => "template text".to_owned(),
            _ => {
                let text = self.text();
                let first_line = text.lines().next().unwrap_or(text);
                let shown: String = first_line.chars().take(40).collect();
                if shown.len() < text.len() { format!("`{shown}...`") } else { format!("`{shown}`") }
            }
        }
    }

    pub(crate) fn error_count(&self) -> usize {
        self.errors.len()
    }

    /// What follows fits again: errors may be reported.
    pub(crate) fn speak(&mut self) {
        self.quiet = false;
    }

    /// Errors may be reported again if none has been since there were `errors` of them.
    pub(crate) fn speak_if_clean(&mut self, errors: usize) {
        if self.errors.len() == errors {
            self.quiet = false;
        }
    }

    /// Puts the current token into an error node.
    pub(crate) fn bump_into_error(&mut self) {
        let marker = self.start();
        self.bump();
        self.complete(marker, ERROR);
    }
}

// Questions that the grammar asks about the text.
impl Parser<'_> {
    /// Between the current token and the one before it: nothing but comments and trimmed text of a template?
    pub(crate) fn only_template_comments_before(&self) -> bool {
        let (Some(previous), Some(current)) =
            (self.at.checked_sub(1).and_then(|it| self.input.get(it)), self.input.get(self.at))
        else {
            return false;
        };
        let between = &self.lexed.tokens[previous.token as usize + 1..current.token as usize];
        between.iter().all(|token| matches!(token.kind, EPP_COMMENT | EPP_TRIMMED))
    }

    /// Does another value of a case option follow although there is no comma?
    pub(crate) fn is_value_of_option(&self) -> bool {
        matches!(self.current(), SQ_STRING | DQ_STRING | NAME | NUMBER | REGEX | CLASSREF | DEFAULT_KW)
            && matches!(self.nth(1), COLON | COMMA)
            && self.nth(2) != FAT_ARROW
    }

    /// Is there a closing brace for nothing that opens before it on the rest of this line?
    pub(crate) fn closes_on_this_line(&self) -> bool {
        let mut depth = 0usize;
        for ahead in 0..200 {
            if ahead > 0 && self.line_break_before(ahead) {
                return false;
            }
            match self.nth(ahead) {
                EOF => return false,
                L_BRACE | SELECTOR_BRACE => depth += 1,
                R_BRACE if depth == 0 => return true,
                R_BRACE => depth -= 1,
                _ => {}
            }
        }
        false
    }

    /// Where the brace that closes the current one stands.
    fn matching_brace(&self) -> Option<usize> {
        let mut depth = 0usize;
        let mut ahead = 0;
        loop {
            match self.nth(ahead) {
                EOF => return None,
                L_BRACE | SELECTOR_BRACE | INTERPOLATION_START => depth += 1,
                R_BRACE | INTERPOLATION_END if depth <= 1 => return Some(ahead),
                R_BRACE | INTERPOLATION_END => depth -= 1,
                _ => {}
            }
            ahead += 1;
        }
    }

    /// In a condition, where a value should come: are these braces the block that the condition belongs to? Braces of a
    /// hash would be followed by an operator or by the block.
    pub(crate) fn at_block_of_condition(&self) -> bool {
        if !self.in_condition || !self.at(L_BRACE) {
            return false;
        }
        let next = self.matching_brace().map(|end| self.nth(end + 1));
        next.is_none_or(|next| {
            matches!(
                next,
                EOF | R_BRACE
                    | NAME
                    | VARIABLE
                    | CLASSREF
                    | SQ_STRING
                    | AT
                    | AT_AT
                    | EPP_TEXT
                    | EPP_EMPTY_TEXT
                    | EPP_OPEN_EXPR
            ) || (next.is_keyword() && !matches!(next, AND_KW | OR_KW | IN_KW))
        })
    }

    /// The last opening brace on this line, if there is one.
    pub(crate) fn brace_on_this_line(&self) -> Option<usize> {
        let mut found = None;
        for ahead in 0..200 {
            if ahead > 0 && self.line_break_before(ahead)
                || matches!(self.nth(ahead), EOF | SEMICOLON | R_BRACE)
            {
                break;
            }
            if self.nth(ahead) == L_BRACE {
                found = Some(ahead);
            }
        }
        found
    }

    /// Puts `length` tokens into an error node.
    pub(crate) fn skip(&mut self, length: usize) {
        if length > 0 {
            let rest = self.start();
            for _ in 0..length {
                self.bump();
            }
            self.complete(rest, ERROR);
        }
    }
}
