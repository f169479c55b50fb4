//! Brackets that open on one line: the forms of their contents that are kept.

use syntax::SyntaxKind::{ARGUMENT_LIST, ARRAY_EXPR, COMMA, HASH_EXPR, L_PAREN, LINE_START_PAREN};
use syntax::{FlatElement, FlatNode, TextRange};

use crate::builder::DocumentBuilder;
use crate::trivia::TriviaKind;

/// Bracket around the next element.
#[derive(Clone, Copy)]
pub(crate) struct OpenBracket {
    /// Offset of the start of its line.
    line_start: usize,
    /// True if its contents begin beside it and end beside its partner.
    hugs: bool,
}

impl DocumentBuilder<'_> {
    /// Enters the brackets of a list after the opening one.
    pub(crate) fn open_bracket(&mut self, hugs: bool) {
        let line_start = self.line_start(self.cursor);
        self.open_brackets.push(OpenBracket { line_start, hugs });
    }

    /// Returns the number of levels by which the contents of a list are indented beyond the first one: the source
    /// may have one for each bracket that is open on the line, as version 3 of the check `strict_indent` requires.
    pub(crate) fn extra_levels(&self, inner: &[FlatElement<'_>], close: u32) -> u32 {
        let line_start = self.line_start(self.cursor);
        let beside = |it: &&OpenBracket| it.hugs && it.line_start == line_start;
        let levels = self.open_brackets.iter().rev().take_while(beside).count() as u32;
        let Some(first) = inner.first().map(|it| it.text_range().start).filter(|_| levels > 0) else {
            return 0;
        };
        let base = self.indentation(self.cursor).len() as u32;
        let indent = |offset: u32| {
            Some(self.indentation(offset)).filter(|it| !it.contains('\t')).map(|it| it.len() as u32)
        };
        let begins_line = |offset: u32| self.text[self.line_start(offset)..offset as usize].trim().is_empty();
        let is_kept = begins_line(first)
            && begins_line(close)
            && indent(first) == Some(base + (levels + 1) * self.options.indent)
            && indent(close) == Some(base);
        if !is_kept {
            return 0;
        }
        self.has_unsettled_columns.set(true);
        levels
    }

    /// Returns the whitespace at the start of the line of an offset.
    fn indentation(&self, offset: u32) -> &str {
        let line = &self.text[self.line_start(offset)..self.line_end(offset)];
        &line[..line.len() - line.trim_start().len()]
    }

    /// Returns true for arguments of which the first begins beside its bracket, and the last ends with a bracket that is
    /// beside the closing one, at the start of a line with the indentation of the first line.
    pub(crate) fn shares_close(&self, inner: &[FlatElement<'_>], close: u32) -> bool {
        let list = inner.first().and_then(|it| it.as_node()).and_then(FlatNode::parent);
        let is_call = list.is_some_and(|it| {
            it.kind() == ARGUMENT_LIST && it.token(L_PAREN).or_else(|| it.token(LINE_START_PAREN)).is_some()
        });
        let items: Vec<TextRange> =
            inner.iter().filter(|it| it.kind() != COMMA).map(FlatElement::text_range).collect();
        let [others @ .., last] = items.as_slice() else { return false };
        let (Some(first), Some(before), true) = (others.first(), others.last(), is_call) else {
            return false;
        };
        let last_line = &self.text[self.line_start(last.end)..last.end as usize];
        matches!(last_line.trim_start(), "}" | "]")
            && others.iter().all(|it| !self.text[it.as_range()].contains('\n'))
            && !self.breaks_between(self.cursor, first.start)
            && self.breaks_between(before.end, last.start)
            && self.indentation(last.end) == self.indentation(self.cursor)
            && last.end == close
            && self.pending_trivia(last.start).is_none()
    }

    /// Returns true if there is the text of a heredoc between two offsets.
    fn has_heredoc_between(&self, start: u32, end: u32) -> bool {
        let mut between = self.trivia[self.next_trivia..].iter().take_while(|it| it.range.start < end);
        between.any(|it| it.kind == TriviaKind::Heredoc && it.range.start >= start)
    }

    /// Returns true for arguments whose closing bracket is on its own line, and for such an array that begins
    /// beside its bracket and has each further element on its own line. Their line breaks are kept.
    pub(crate) fn keeps_lines(&self, inner: &[FlatElement<'_>], close: u32) -> bool {
        let Some(list) = inner.first().and_then(|it| it.as_node()).and_then(FlatNode::parent) else {
            return false;
        };
        let items: Vec<TextRange> =
            inner.iter().filter(|it| it.kind() != COMMA).map(FlatElement::text_range).collect();
        let (Some(first), Some(last)) = (items.first(), items.last()) else { return false };
        let is_on_lines = |it: &TextRange| self.text[it.as_range()].contains('\n');
        let breaks = |pair: &[TextRange]| self.breaks_between(pair[0].end, pair[1].start);
        let others = &items[..items.len() - 1];
        let is_apart = |at: usize| at > 0 && breaks(&items[at - 1..=at]) && breaks(&items[at..=at + 1]);
        let shares_line = |(at, it): (usize, &TextRange)| is_on_lines(it) && !is_apart(at);
        let has_parentheses = list.token(L_PAREN).or_else(|| list.token(LINE_START_PAREN)).is_some();
        let begins_beside = !self.breaks_between(self.cursor, first.start);
        let is_kept = match list.kind() {
            ARGUMENT_LIST if others.iter().enumerate().any(shares_line) => false,
            ARGUMENT_LIST if begins_beside => {
                (has_parentheses || others.is_empty())
                    && (is_on_lines(last)
                        || items.windows(2).any(breaks)
                        || self.has_heredoc_between(last.end, close))
            }
            ARGUMENT_LIST => has_parentheses,
            ARRAY_EXPR => {
                begins_beside && items.len() > 1 && !is_on_lines(first) && items.windows(2).all(breaks)
            }
            // The keys are in a column, since a brace and a space have the width of a level.
            HASH_EXPR => {
                let brace = list.text_range().start;
                let begins_line = self.text[self.line_start(brace)..brace as usize].trim().is_empty();
                begins_line
                    && begins_beside
                    && first.start == brace + self.options.indent
                    && items.len() > 1
                    && !is_on_lines(first)
                    && items.windows(2).all(breaks)
            }
            _ => false,
        };
        is_kept && self.pending_trivia(first.start).is_none() && self.breaks_between(last.end, close)
    }
}
