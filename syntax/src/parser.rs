//! The machinery of the grammar: a parser that emits events, and the tree built from them.
//!
//! The grammar sees only tokens that mean something. A heredoc's text is parsed as a fragment of its own and becomes a
//! node where it stands in the file.
//!
//! A text is read in one of two ways. The plain reading ends at the first error: then the grammar sees no more tokens and
//! returns. The recovering reading has a [`Recovery`], which reports and goes on.

mod build;
mod repair;

pub(crate) use build::{Fragment, build_tree};

use crate::lexer::Lexed;
use crate::recovery::Recovery;
use crate::{SyntaxKind, SyntaxKind::*, TextFinding, TextRange};
use codes::Code;

/// What is told of a text that the plain grammar refuses and recovery has nothing to say of.
pub(crate) const DOES_NOT_GO_ON: &str =
    "the text does not go on as it began: something is missing before this, or too much";

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
    /// All tokens of the fragment.
    input: &'l [Input],
    /// Those that the grammar may see: up to the end of the statement that is read, and none behind an error that ends the
    /// reading.
    visible: &'l [Input],
    at: usize,
    events: Vec<Event>,
    errors: Vec<TextFinding>,
    recursion: u32,
    /// The nesting is too deep: what is left of the input goes into the tree as it comes.
    exhausted: bool,
    /// The plain reading has met an error.
    refused: bool,
    /// Where the innermost statement begins that is read plainly.
    statement: usize,
    /// There in the recovering reading only.
    recovery: Option<Box<Recovery>>,
}

/// Where a reading can go back to.
pub(crate) struct Checkpoint<'l> {
    visible: &'l [Input],
    at: usize,
    events: usize,
    errors: usize,
    recursion: u32,
}

/// What became of a plain reading of a part.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum PlainReading {
    Fits,
    /// No text that goes on like this is accepted: the number of the token that does not fit, and whether a statement further
    /// inside has it.
    Refused {
        at: usize,
        is_inside: bool,
    },
    /// It would go on behind the end.
    TooLong,
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
    /// A parser of one fragment; with a `recovery` it goes on behind errors.
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
            refused: false,
            statement: 0,
            recovery: recovery.map(Box::new),
        }
    }

    /// What was read; where the plain reading met an error the token at which it ended.
    pub(crate) fn finish(mut self) -> Result<(Vec<Event>, Vec<TextFinding>), TextRange> {
        if self.refused {
            return Err(self.current_range());
        }
        if self.at < self.input.len() {
            debug_assert!(self.exhausted, "tokens are left");
            // Everything up to the end, as flat as it came.
            let root_end = self.events.pop();
            self.events.push(Event::Start { kind: ERROR, wrapped_by: 0 });
            self.events.extend((self.at..self.input.len()).map(|_| Event::Token));
            self.events.push(Event::Finish);
            self.events.extend(root_end);
        }
        Ok((self.events, self.errors))
    }

    /// What was read, if it was the first `count` tokens, no less and no more; else where the reading ended.
    pub(crate) fn finish_part(self, count: usize) -> Result<(Vec<Event>, Vec<TextFinding>), usize> {
        if self.refused || self.exhausted || self.at != count {
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

    /// The text of the current token.
    pub(crate) fn text(&self) -> &'l str {
        self.text_of(0)
    }

    pub(crate) fn text_of(&self, ahead: usize) -> &'l str {
        self.visible
            .get(self.at + ahead)
            .map_or("", |it| &self.text[self.lexed.range(it.token as usize).as_range()])
    }

    /// How many tokens have been read.
    pub(crate) fn position(&self) -> usize {
        self.at
    }

    pub(crate) fn bump(&mut self) {
        let kind = self.current();
        if kind == EOF {
            debug_assert!(self.refused, "no token left");
            return;
        }
        self.take();
        let errors = self.errors.len();
        if let Some(recovery) = &mut self.recovery {
            recovery.has_read(kind, errors);
        }
    }

    /// The current token, whatever it is.
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
            self.give_up();
            return None;
        }
        self.recursion += 1;
        let result = parse(self);
        self.recursion -= 1;
        result
    }

    fn give_up(&mut self) {
        if self.recovery.is_none() {
            self.refuse();
        } else if !self.exhausted {
            let range = self.current_range();
            self.errors.push(TextFinding::new(
                Code::NestingTooDeep,
                range,
                "the code is nested too deeply here",
            ));
            self.exhausted = true;
            self.visible = &self.visible[..self.at];
        }
    }

    // --- the two readings ---

    /// Is this the recovering reading?
    pub(crate) fn recovers(&self) -> bool {
        self.recovery.is_some()
    }

    pub(crate) fn recovery(&mut self) -> Option<&mut Recovery> {
        self.recovery.as_deref_mut()
    }

    pub(crate) fn recovery_ref(&self) -> Option<&Recovery> {
        self.recovery.as_deref()
    }

    /// In the recovering reading: does it look as if something were missing here? Where the grammar is read plainly, no
    /// guess counts.
    pub(crate) fn recovering_and(&self, guess: impl FnOnce(&Self) -> bool) -> bool {
        self.recovers() && guess(self)
    }

    /// Ends the plain reading: the grammar sees no more tokens.
    fn refuse(&mut self) {
        self.refused = true;
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

    /// Reads with the plain grammar up to `end`, some tokens behind which may be looked at; back at the checkpoint if that meets
    /// an error, or goes further.
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
        let reading = match self.refused {
            true if self.at < end => {
                PlainReading::Refused { at: self.at, is_inside: self.statement > checkpoint.at }
            }
            false if self.at <= end && self.at > checkpoint.at => PlainReading::Fits,
            _ => PlainReading::TooLong,
        };
        self.refused = false;
        self.recovery = recovery;
        self.visible = checkpoint.visible;
        if reading != PlainReading::Fits {
            self.go_back(checkpoint);
        }
        reading
    }

    /// A statement among others begins here.
    pub(crate) fn begin_statement(&mut self) {
        self.statement = self.at;
    }

    /// Reads a block; behind it the statement around it goes on.
    pub(crate) fn within_statement(&mut self, parse: impl FnOnce(&mut Self)) {
        let around = self.statement;
        parse(self);
        if !self.refused {
            self.statement = around;
        }
    }

    /// The plain grammar has refused the token `at`, and recovery has found nothing to tell: then that is told.
    pub(crate) fn report_refusal(&mut self, at: usize) {
        let range = self.range_of(at);
        self.errors.push(TextFinding::new(Code::SyntaxError, range, DOES_NOT_GO_ON));
    }

    /// Forgets what was read since the checkpoint.
    pub(crate) fn go_back(&mut self, checkpoint: Checkpoint<'l>) {
        self.visible = checkpoint.visible;
        self.at = checkpoint.at;
        self.events.truncate(checkpoint.events);
        self.errors.truncate(checkpoint.errors);
        self.recursion = checkpoint.recursion;
    }

    /// Reads no further than `end`, as if the text ended there.
    pub(crate) fn up_to(&mut self, end: usize, parse: impl FnOnce(&mut Self)) {
        let visible = self.visible;
        self.visible = &visible[..end.min(visible.len())];
        parse(self);
        if !self.exhausted {
            self.visible = visible;
        }
    }

    /// All tokens of the fragment, the number of the current one, and how many the grammar may see.
    pub(crate) fn tokens(&self) -> (&'l [Input], usize, usize) {
        (self.input, self.at, self.visible.len())
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

    /// Reports, unless an error has just been reported and nothing has been read since that fits. The plain reading ends.
    pub(crate) fn error_at(
        &mut self,
        code: Code,
        range: TextRange,
        message: impl Into<String>,
    ) -> Option<&mut TextFinding> {
        let Some(recovery) = &mut self.recovery else {
            self.refuse();
            return None;
        };
        if self.exhausted || std::mem::replace(&mut recovery.quiet, true) {
            return None;
        }
        self.errors.push(TextFinding::new(code, range, message));
        self.errors.last_mut()
    }

    /// "expected X": at the current token, or behind the previous one where the input ends.
    pub(crate) fn expected(&mut self, what: &str) {
        if self.recovery.is_none() {
            return self.refuse();
        }
        let found = self.found();
        let range = self.current_range();
        let range = if range.is_empty() { self.previous_range() } else { range };
        self.error_at(Code::SyntaxError, range, format!("expected {what}, found {found}"));
    }

    /// "expected X": behind the previous token if the current one stands on a later line, where nobody would look.
    pub(crate) fn expected_here(&mut self, what: &str) {
        if self.at > 0 && self.recovers() && self.line_break_before(0) {
            let range = self.previous_range();
            self.error_at(Code::SyntaxError, range, format!("expected {what} after this"));
        } else {
            self.expected(what);
        }
    }

    /// The current token in words.
    pub(crate) fn found(&self) -> String {
        match self.input.get(self.at).map_or(EOF, |it| it.kind) {
            EOF => "the end of the file".to_owned(),
            HEREDOC_END => "the end of the heredoc".to_owned(),
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

    // --- places ---

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
        self.text.get(start as usize..end as usize).is_some_and(|it| it.contains('\n'))
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

    /// Is the current token the same as the one before it?
    pub(crate) fn is_same_as_previous(&self) -> bool {
        let previous = self.previous_range();
        let before = self.at.checked_sub(1).and_then(|it| self.input.get(it));
        before.is_some_and(|it| it.kind == self.current()) && &self.text[previous.as_range()] == self.text()
    }

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
}
