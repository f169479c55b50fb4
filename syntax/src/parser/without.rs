//! Reading as if a token were not there.

use super::{Event, Input, Parser};
use crate::SyntaxKind::*;

/// No longer statement is read so: statements stand in each other.
const LONGEST: usize = 500;

impl Parser<'_> {
    /// Reads plainly up to `end` as if the token `left_out` were not there, which goes into an error node. False, and nothing is
    /// read, where that meets an error or goes further.
    pub(crate) fn read_plainly_without(
        &mut self,
        left_out: usize,
        end: usize,
        parse: impl FnOnce(&mut Parser<'_>),
    ) -> bool {
        const LOOKAHEAD: usize = 4;
        let from = self.at;
        let whole = (end + LOOKAHEAD).min(self.visible.len());
        let until = whole.min(from + LONGEST);
        if left_out >= until {
            return false;
        }
        let others = self.visible[from..left_out].iter().chain(&self.visible[left_out + 1..until]);
        let input: Vec<Input> = others.copied().collect();
        let mut parser = Parser::new(self.text, self.lexed, &input, None);
        parser.recursion = self.recursion;
        parse(&mut parser);
        let (count, refused) = (parser.at, parser.refused);
        // What is cut off may be looked at as little as what is behind the end.
        let limit = if until < whole { until - LOOKAHEAD } else { end.min(until) };
        let fits = !refused && from + count >= left_out && from + count < limit;
        if fits {
            let events = with_token_at(parser.events, left_out - from);
            self.events.extend(events);
            self.at += count + 1;
        }
        fits
    }
}

/// Puts one more token into an error node, behind the first `count` ones.
fn with_token_at(mut events: Vec<Event>, count: usize) -> Vec<Event> {
    let is_token = |(_, event): &(usize, &Event)| **event == Event::Token;
    let behind = count.checked_sub(1).and_then(|last| events.iter().enumerate().filter(is_token).nth(last));
    let at = behind.map_or(0, |(index, _)| index + 1);
    let error = [Event::Start { kind: ERROR, wrapped_by: 0 }, Event::Token, Event::Finish];
    for (index, event) in events[..at].iter_mut().enumerate() {
        if let Event::Start { wrapped_by, .. } = event
            && index + *wrapped_by as usize >= at
            && *wrapped_by > 0
        {
            *wrapped_by += error.len() as u32;
        }
    }
    events.splice(at..at, error);
    events
}
