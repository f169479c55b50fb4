//! Event-based parser that the grammar drives, and the tree built from its events.
//!
//! The grammar sees only significant tokens. The text of a heredoc is parsed as a separate fragment and
//! becomes a node at its position in the file.
//!
//! A text is parsed in one of two modes. The plain mode ends at the first error: the grammar then sees no
//! more tokens and returns. The recovering mode has a [`Recovery`], which reports errors and continues.

mod build;
mod repair;

pub(crate) use build::{Fragment, build_into, build_tree};

use crate::lexer::Lexed;
use crate::recovery::Recovery;
use crate::{SyntaxKind, SyntaxKind::*, TextFinding, TextRange};
use codes::Code;

/// Error for a text that the plain grammar rejects although recovery reports nothing.
pub(crate) const UNEXPECTED_TOKEN: &str = "unexpected token; expected an expression or `}`";

/// Maximum recursion depth of the grammar functions.
const MAX_RECURSION: u32 = 256;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Event {
    /// Start of a node. `wrapped_by` is the distance to the start event of its later-begun parent; 0 for
    /// none.
    Start {
        kind: SyntaxKind,
        wrapped_by: u32,
    },
    Finish,
    Token,
    /// Abandoned start.
    Nothing,
}

/// Token visible to the grammar: its kind and its index among all tokens.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Input {
    pub(crate) kind: SyntaxKind,
    pub(crate) token: u32,
}

/// Groups the significant tokens by fragment: the file first, then each heredoc text.
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
    /// All tokens of the fragment.
    input: &'l [Input],
    /// Tokens visible to the grammar: up to the end of the current statement, and none after an error that
    /// ends the plain mode.
    visible: &'l [Input],
    at: usize,
    events: Vec<Event>,
    errors: Vec<TextFinding>,
    recursion: u32,
    /// True if the nesting is too deep: the remaining input goes into the tree without structure.
    exhausted: bool,
    /// True if the plain mode has met an error.
    rejected: bool,
    /// Start of the innermost statement in plain mode.
    statement: usize,
    /// State of the recovering mode; `None` in plain mode.
    recovery: Option<Box<Recovery>>,
}

/// Parser state to which parsing can return.
pub(crate) struct Checkpoint<'l> {
    visible: &'l [Input],
    at: usize,
    events: usize,
    errors: usize,
    recursion: u32,
}

/// Outcome of parsing a part in plain mode.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum PlainReading {
    Fits,
    /// No accepted text begins like this. `at` is the index of the token that does not fit, and `is_inside`
    /// is true if it belongs to a nested statement.
    Rejected {
        at: usize,
        is_inside: bool,
    },
    /// The part extends past the given end.
    TooLong,
}

/// Started node.
pub(crate) struct Marker {
    event: u32,
    /// Position at which the node begins; `None` if it already contains another node.
    begins_at: Option<usize>,
}

/// Completed node. It can still get a parent that begins at the same position.
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
    /// Creates a parser for one fragment. With a `recovery` it continues after errors.
    pub(crate) fn new(
        text: &'l str,
        lexed: &'l Lexed,
        input: &'l [Input],
        recovery: Option<Recovery>,
    ) -> Parser<'l> {
        Parser {
            text,
            lexed,
            input,
            visible: input,
            at: 0,
            events: Vec::with_capacity(input.len() * 3 + 8),
            errors: Vec::new(),
            recursion: 0,
            exhausted: false,
            rejected: false,
            statement: 0,
            recovery: recovery.map(Box::new),
        }
    }

    /// Returns the events and errors.
    ///
    /// # Errors
    ///
    /// In plain mode, returns the range of the token at which parsing stopped at an error.
    pub(crate) fn finish(mut self) -> Result<(Vec<Event>, Vec<TextFinding>), TextRange> {
        if self.rejected {
            return Err(self.current_range());
        }
        if self.at < self.input.len() {
            debug_assert!(self.exhausted, "tokens are left");
            // Puts the remaining tokens into one flat error node.
            let root_end = self.events.pop();
            self.events.push(Event::Start { kind: ERROR, wrapped_by: 0 });
            self.events.extend((self.at..self.input.len()).map(|_| Event::Token));
            self.events.push(Event::Finish);
            self.events.extend(root_end);
        }
        Ok((self.events, self.errors))
    }

    /// Returns the events and errors if exactly `count` tokens were parsed.
    ///
    /// # Errors
    ///
    /// Returns the position at which parsing stopped otherwise.
    pub(crate) fn finish_part(self, count: usize) -> Result<(Vec<Event>, Vec<TextFinding>), usize> {
        if self.rejected || self.exhausted || self.at != count {
            return Err(self.at);
        }
        Ok((self.events, self.errors))
    }

    pub(crate) fn current(&self) -> SyntaxKind {
        self.nth(0)
    }

    pub(crate) fn nth(&self, ahead: usize) -> SyntaxKind {
        self.visible.get(self.at + ahead).map_or(EOF, |it| it.kind)
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

    /// Returns the text of the current token.
    pub(crate) fn text(&self) -> &'l str {
        self.text_of(0)
    }

    pub(crate) fn text_of(&self, ahead: usize) -> &'l str {
        self.visible
            .get(self.at + ahead)
            .map_or("", |it| &self.text[self.lexed.range(it.token as usize).as_range()])
    }

    /// Returns the number of parsed tokens.
    pub(crate) fn position(&self) -> usize {
        self.at
    }

    pub(crate) fn bump(&mut self) {
        let kind = self.current();
        if kind == EOF {
            debug_assert!(self.rejected, "no token left");
            return;
        }
        self.take();
        let errors = self.errors.len();
        if let Some(recovery) = &mut self.recovery {
            recovery.record_token(kind, errors);
        }
    }

    /// Consumes the current token without recovery bookkeeping.
    fn take(&mut self) {
        self.at += 1;
        self.events.push(Event::Token);
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

    /// Completes a node. An empty node is left out of the tree, since it would have no range to point at.
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

    /// Abandons the node; its children become children of the enclosing node.
    pub(crate) fn abandon(&mut self, marker: Marker) {
        self.events[marker.event as usize] = Event::Nothing;
    }

    /// Starts a node that becomes the parent of `child`.
    pub(crate) fn precede(&mut self, child: Completed) -> Marker {
        let parent = self.start();
        if let Event::Start { wrapped_by, .. } = &mut self.events[child.start as usize] {
            *wrapped_by = parent.event - child.start;
        }
        Marker { begins_at: None, ..parent }
    }

    /// Runs `parse` one level deeper. Returns `None` if the nesting is too deep.
    pub(crate) fn nested<T>(&mut self, parse: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        if self.recursion >= MAX_RECURSION {
            self.reject_deep_nesting();
            return None;
        }
        self.recursion += 1;
        let result = parse(self);
        self.recursion -= 1;
        result
    }

    fn reject_deep_nesting(&mut self) {
        if self.recovery.is_none() {
            self.reject();
        } else if !self.exhausted {
            let range = self.current_range();
            self.errors.push(TextFinding::new(Code::NestingTooDeep, range, "code is nested too deeply"));
            self.exhausted = true;
            self.visible = &self.visible[..self.at];
        }
    }

    // --- plain and recovering mode ---

    /// Returns true in recovering mode.
    pub(crate) fn recovers(&self) -> bool {
        self.recovery.is_some()
    }

    pub(crate) fn recovery(&mut self) -> Option<&mut Recovery> {
        self.recovery.as_deref_mut()
    }

    pub(crate) fn recovery_ref(&self) -> Option<&Recovery> {
        self.recovery.as_deref()
    }

    /// Returns true if `guess` holds in recovering mode. In plain mode the guess is not evaluated.
    pub(crate) fn recovering_and(&self, guess: impl FnOnce(&Self) -> bool) -> bool {
        self.recovers() && guess(self)
    }

    /// Ends the plain mode: the grammar sees no more tokens.
    fn reject(&mut self) {
        self.rejected = true;
        self.visible = &self.visible[..self.at.min(self.visible.len())];
    }

    pub(crate) fn checkpoint(&self) -> Checkpoint<'l> {
        Checkpoint {
            visible: self.visible,
            at: self.at,
            events: self.events.len(),
            errors: self.errors.len(),
            recursion: self.recursion,
        }
    }

    /// Parses in plain mode up to `end`, with a few tokens of lookahead past it. Returns to the start if that
    /// fails or extends past the end.
    pub(crate) fn read_plainly(&mut self, end: usize, parse: impl FnOnce(&mut Self)) -> PlainReading {
        const LOOKAHEAD: usize = 4;
        if self.exhausted {
            return PlainReading::TooLong;
        }
        let checkpoint = self.checkpoint();
        let recovery = self.recovery.take();
        self.visible = &self.input[..(end + LOOKAHEAD).min(self.visible.len())];
        self.statement = checkpoint.at;
        parse(self);
        let reading = if self.rejected && self.at < end {
            PlainReading::Rejected { at: self.at, is_inside: self.statement > checkpoint.at }
        } else if !self.rejected && self.at <= end && self.at > checkpoint.at {
            PlainReading::Fits
        } else {
            PlainReading::TooLong
        };
        self.rejected = false;
        self.recovery = recovery;
        self.visible = checkpoint.visible;
        if reading != PlainReading::Fits {
            self.restore(checkpoint);
        }
        reading
    }

    /// Marks the start of a statement in a statement list.
    pub(crate) fn begin_statement(&mut self) {
        self.statement = self.at;
    }

    /// Parses a block that is part of the current statement.
    pub(crate) fn within_statement(&mut self, parse: impl FnOnce(&mut Self)) {
        let around = self.statement;
        parse(self);
        if !self.rejected {
            self.statement = around;
        }
    }

    /// Reports the token `at`, which the plain grammar rejected although recovery found nothing to report.
    pub(crate) fn report_rejection(&mut self, at: usize) {
        let range = self.range_of(at);
        self.errors.push(TextFinding::new(Code::SyntaxError, range, UNEXPECTED_TOKEN));
    }

    /// Restores the state of the checkpoint.
    pub(crate) fn restore(&mut self, checkpoint: Checkpoint<'l>) {
        self.visible = checkpoint.visible;
        self.at = checkpoint.at;
        self.events.truncate(checkpoint.events);
        self.errors.truncate(checkpoint.errors);
        self.recursion = checkpoint.recursion;
    }

    /// Runs `parse` as if the text ended at `end`.
    pub(crate) fn up_to(&mut self, end: usize, parse: impl FnOnce(&mut Self)) {
        let visible = self.visible;
        self.visible = &visible[..end.min(visible.len())];
        parse(self);
        if !self.exhausted {
            self.visible = visible;
        }
    }

    /// Returns all tokens of the fragment, the index of the current one, and the number of visible ones.
    pub(crate) fn tokens(&self) -> (&'l [Input], usize, usize) {
        (self.input, self.at, self.visible.len())
    }

    // --- errors ---

    /// Returns the range of the current token, or an empty range at the end of the input.
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

    /// Returns true if the previous token is a string without a closing quote.
    pub(crate) fn follows_unclosed_string(&self) -> bool {
        let previous = self.previous_range();
        let mut errors = self.lexed.errors.iter().filter(|it| it.code == Code::UnclosedString);
        self.at > 0 && errors.any(|it| previous.contains(it.range.start))
    }

    /// Reports an error, unless errors are muted because nothing valid was parsed since the last one. Ends
    /// the plain mode.
    pub(crate) fn error_at(
        &mut self,
        code: Code,
        range: TextRange,
        message: impl Into<String>,
    ) -> Option<&mut TextFinding> {
        let Some(recovery) = &mut self.recovery else {
            self.reject();
            return None;
        };
        if self.exhausted || std::mem::replace(&mut recovery.errors_muted, true) {
            return None;
        }
        self.errors.push(TextFinding::new(code, range, message));
        self.errors.last_mut()
    }

    /// Reports "expected X" at the current token, or at the previous one if the input has ended.
    pub(crate) fn expected(&mut self, what: &str) {
        if self.recovery.is_none() {
            return self.reject();
        }
        let found = self.found();
        let range = self.current_range();
        let range = if range.is_empty() { self.previous_range() } else { range };
        self.error_at(Code::SyntaxError, range, format!("expected {what}, found {found}"));
    }

    /// Reports "expected X" at the previous token if the current one is on a later line, far from the
    /// mistake.
    pub(crate) fn expected_here(&mut self, what: &str) {
        if self.at > 0 && self.recovers() && self.line_break_before(0) {
            let range = self.previous_range();
            self.error_at(Code::SyntaxError, range, format!("expected {what} after this"));
        } else {
            self.expected(what);
        }
    }

    /// Returns a description of the current token for messages.
    pub(crate) fn found(&self) -> String {
        match self.input.get(self.at).map_or(EOF, |it| it.kind) {
            EOF => "end of file".to_owned(),
            HEREDOC_END => "end of heredoc".to_owned(),
            DQ_END | DQ_START => "`\"`".to_owned(),
            EPP_TEXT | EPP_EMPTY_TEXT => "template text".to_owned(),
            _ => {
                let text = &self.text[self.current_range().as_range()];
                let first_line = text.lines().next().unwrap_or(text);
                let shown: String = first_line.chars().take(40).collect();
                if shown.len() < text.len() { format!("`{shown}...`") } else { format!("`{shown}`") }
            }
        }
    }

    pub(crate) fn error_count(&self) -> usize {
        self.errors.len()
    }

    /// Puts the current token into an error node.
    pub(crate) fn bump_into_error(&mut self) {
        self.skip(1);
    }

    /// Puts `length` tokens into an error node.
    pub(crate) fn skip(&mut self, length: usize) {
        let length = length.min(self.visible.len().saturating_sub(self.at));
        if length > 0 {
            let rest = self.start();
            (0..length).for_each(|_| self.take());
            self.complete(rest, ERROR);
        }
    }

    // --- positions ---

    /// Returns true if the token `ahead` and the one before it are on different lines.
    pub(crate) fn line_break_before(&self, ahead: usize) -> bool {
        let index = self.at + ahead;
        let (Some(before), Some(next)) =
            (index.checked_sub(1).and_then(|it| self.input.get(it)), self.input.get(index))
        else {
            return true;
        };
        let start = self.lexed.range(before.token as usize).end;
        let end = self.lexed.range(next.token as usize).start;
        self.text.get(start as usize..end as usize).is_some_and(|it| it.contains('\n'))
    }

    /// Returns true if the current token directly follows the previous one without trivia.
    pub(crate) fn is_joined_to_previous(&self) -> bool {
        let (Some(previous), Some(current)) =
            (self.at.checked_sub(1).and_then(|it| self.input.get(it)), self.input.get(self.at))
        else {
            return false;
        };
        previous.token + 1 == current.token
    }

    /// Returns true if the current token equals the previous one.
    pub(crate) fn is_same_as_previous(&self) -> bool {
        let previous = self.previous_range();
        let before = self.at.checked_sub(1).and_then(|it| self.input.get(it));
        before.is_some_and(|it| it.kind == self.current()) && &self.text[previous.as_range()] == self.text()
    }

    /// Returns true if only comments and trimmed template text separate the current token from the previous
    /// one.
    pub(crate) fn only_template_comments_before(&self) -> bool {
        let (Some(previous), Some(current)) =
            (self.at.checked_sub(1).and_then(|it| self.input.get(it)), self.input.get(self.at))
        else {
            return false;
        };
        let between = &self.lexed.tokens[previous.token as usize + 1..current.token as usize];
        between.iter().all(|token| matches!(token.kind, EPP_COMMENT | EPP_TRIMMED))
    }
}
