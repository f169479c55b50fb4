//! Trial parsing with a token removed or two tokens swapped.

use super::{Event, Input, Parser};
use crate::SyntaxKind::*;

/// Maximum number of tokens of a repaired statement. Statements nest, so longer ones would be parsed too
/// often.
const MAX_STATEMENT_TOKENS: usize = 500;
/// Number of tokens of lookahead past the end.
const LOOKAHEAD: usize = 4;

/// Result of parsing changed tokens: the events and the number of consumed tokens.
struct RepairedEvents {
    events: Vec<Event>,
    count: usize,
}

impl Parser<'_> {
    /// Parses in plain mode up to `end` with the token `left_out` put into an error node. Returns false, with
    /// nothing consumed, if that fails or extends past the end.
    pub(crate) fn read_plainly_without(
        &mut self,
        left_out: usize,
        end: usize,
        parse: impl FnOnce(&mut Parser<'_>),
    ) -> bool {
        let left_out = left_out - self.at;
        let change = |input: &mut Vec<Input>| _ = input.remove(left_out);
        let Some(RepairedEvents { mut events, count }) = self.read_changed(left_out, end, change, parse)
        else {
            return false;
        };
        let at = left_out.checked_sub(1).map_or(0, |last| token_event(&events, last) + 1);
        insert(&mut events, at, &[Event::Start { kind: ERROR, wrapped_by: 0 }, Event::Token, Event::Finish]);
        self.events.extend(events);
        self.at += count + 1;
        true
    }

    /// Parses in plain mode up to `end` with the token `first` and the next one swapped. Both go into one
    /// error node.
    pub(crate) fn read_plainly_swapped(
        &mut self,
        first: usize,
        end: usize,
        parse: impl FnOnce(&mut Parser<'_>),
    ) -> bool {
        let first = first - self.at;
        let change = |input: &mut Vec<Input>| input.swap(first, first + 1);
        let changed = self.read_changed(first + 1, end, change, parse);
        let Some(RepairedEvents { mut events, count }) = changed.filter(|it| it.count > first + 1) else {
            return false;
        };
        if !join_tokens(&mut events, first) {
            return false;
        }
        self.events.extend(events);
        self.at += count;
        true
    }

    /// Parses the tokens after applying `change` to them. The result must consume the token `changed`.
    fn read_changed(
        &self,
        changed: usize,
        end: usize,
        change: impl FnOnce(&mut Vec<Input>),
        parse: impl FnOnce(&mut Parser<'_>),
    ) -> Option<RepairedEvents> {
        let whole = (end + LOOKAHEAD).min(self.visible.len()) - self.at;
        let length = whole.min(MAX_STATEMENT_TOKENS);
        if changed >= length {
            return None;
        }
        let mut input = self.visible[self.at..self.at + length].to_vec();
        change(&mut input);
        let left_out = length - input.len();
        let mut parser = Parser::new(self.text, self.lexed, &input, None);
        parser.recursion = self.recursion;
        parse(&mut parser);
        // Tokens beyond a truncated input are limited to lookahead, like those past the end.
        let limit = if length < whole { length - LOOKAHEAD } else { length.min(end - self.at) } - left_out;
        let fits = !parser.rejected && parser.at >= changed && parser.at <= limit;
        fits.then_some(RepairedEvents { count: parser.at, events: parser.events })
    }
}

/// Returns the index of the event for the token with this number.
fn token_event(events: &[Event], number: usize) -> usize {
    let tokens = events.iter().enumerate().filter(|(_, event)| **event == Event::Token);
    tokens.map(|(index, _)| index).nth(number).unwrap_or(events.len())
}

/// Inserts events that form complete nodes.
fn insert(events: &mut Vec<Event>, at: usize, new: &[Event]) {
    for (index, event) in events[..at].iter_mut().enumerate() {
        if let Event::Start { wrapped_by, .. } = event
            && *wrapped_by > 0
            && index + *wrapped_by as usize >= at
        {
            *wrapped_by += new.len() as u32;
        }
    }
    events.splice(at..at, new.iter().copied());
}

/// Puts the token `first` and the next one into one error node, which replaces the node of the token that was
/// a separate node. Returns false if that would leave another node empty.
fn join_tokens(events: &mut Vec<Event>, first: usize) -> bool {
    let positions = [token_event(events, first), token_event(events, first + 1)];
    let (kept, other) = match positions.map(|at| is_leaf(at, events)) {
        [true, true] => return false,
        [false, true] => (positions[1], positions[0]),
        [_, false] => (positions[0], positions[1]),
    };
    events[other] = Event::Nothing;
    if is_leaf(kept, events) {
        if let Event::Start { kind, .. } = &mut events[kept - 1] {
            *kind = ERROR;
        }
        insert(events, kept, &[Event::Token]);
    } else {
        events[kept] = Event::Nothing;
        let error = [Event::Start { kind: ERROR, wrapped_by: 0 }, Event::Token, Event::Token, Event::Finish];
        insert(events, kept, &error);
    }
    true
}

/// Returns true if the token event at `at` is the only content of its node.
fn is_leaf(at: usize, events: &[Event]) -> bool {
    let begins = at.checked_sub(1).and_then(|before| events.get(before));
    matches!(begins, Some(Event::Start { .. })) && events.get(at + 1) == Some(&Event::Finish)
}
