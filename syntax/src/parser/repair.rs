//! Reading as if a token were not there, or two stood the other way round.

use super::{Event, Input, Parser};
use crate::SyntaxKind::*;

/// No longer statement is read so: statements stand in each other.
const MAX_LENGTH: usize = 500;
/// So many tokens behind the end may be looked at.
const LOOKAHEAD: usize = 4;

/// What the grammar made of other tokens: its events, and how many of them it read.
struct RepairedEvents {
    events: Vec<Event>,
    count: usize,
}

impl Parser<'_> {
    /// Reads plainly up to `end` as if the token `left_out` were not there, which goes into an error node. False, and nothing is
    /// read, where that meets an error or goes further.
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

    /// Reads plainly up to `end` as if the token `first` and the next one stood the other way round; both go into one error node.
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

    /// Reads the next tokens plainly once `change` has changed them, no further than the token `changed` among them.
    fn read_changed(
        &self,
        changed: usize,
        end: usize,
        change: impl FnOnce(&mut Vec<Input>),
        parse: impl FnOnce(&mut Parser<'_>),
    ) -> Option<RepairedEvents> {
        let whole = (end + LOOKAHEAD).min(self.visible.len()) - self.at;
        let length = whole.min(MAX_LENGTH);
        if changed >= length {
            return None;
        }
        let mut input = self.visible[self.at..self.at + length].to_vec();
        change(&mut input);
        let left_out = length - input.len();
        let mut parser = Parser::new(self.text, self.lexed, &input, None);
        parser.recursion = self.recursion;
        parse(&mut parser);
        // What is cut off may be looked at as little as what is behind the end.
        let limit = if length < whole { length - LOOKAHEAD } else { length.min(end - self.at) } - left_out;
        let fits = !parser.refused && parser.at >= changed && parser.at <= limit;
        fits.then_some(RepairedEvents { count: parser.at, events: parser.events })
    }
}

/// Which event is the token with this number.
fn token_event(events: &[Event], number: usize) -> usize {
    let tokens = events.iter().enumerate().filter(|(_, event)| **event == Event::Token);
    tokens.map(|(index, _)| index).nth(number).unwrap_or(events.len())
}

/// Inserts events that make whole nodes.
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

/// Puts the token with the number `first` and the next one into one error node: where one of them was a node of its own, in its
/// place. False where that would leave another node with nothing in it.
fn join_tokens(events: &mut Vec<Event>, first: usize) -> bool {
    let places = [token_event(events, first), token_event(events, first + 1)];
    let (kept, other) = match places.map(|at| is_leaf(at, events)) {
        [true, true] => return false,
        [false, true] => (places[1], places[0]),
        [_, false] => (places[0], places[1]),
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

/// Is the token at this place all that its node holds?
fn is_leaf(at: usize, events: &[Event]) -> bool {
    let begins = at.checked_sub(1).and_then(|before| events.get(before));
    matches!(begins, Some(Event::Start { .. })) && events.get(at + 1) == Some(&Event::Finish)
}
