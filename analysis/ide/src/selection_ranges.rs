//! Selection ranges: word, expression, statement, block, definition, file.

use std::iter::successors;

use syntax::{Parse, SyntaxElement, SyntaxKind, SyntaxKind::*, SyntaxNode, SyntaxToken, TextRange};

/// Returns, for each offset, the nested ranges around it, innermost first and without duplicates; the last is
/// the file.
pub(crate) fn selection_ranges(parse: &Parse, offsets: &[u32]) -> Vec<Vec<TextRange>> {
    let root = parse.syntax();
    let mut room = MAX_RANGES;
    let mut bounded = |offset: &u32| {
        let mut ranges = ranges_around(&root, *offset);
        ranges.truncate(room.max(1));
        room -= ranges.len().min(room);
        ranges
    };
    offsets.iter().map(&mut bounded).collect()
}

/// Maximum number of ranges per response; beyond it, an offset gets only its innermost range.
const MAX_RANGES: usize = 200_000;

fn ranges_around(root: &SyntaxNode, offset: u32) -> Vec<TextRange> {
    let offset = offset.min(root.text_range().end);
    let mut ranges = Ranges(Vec::new());
    let Some(token) = root.tokens_at(offset).max_by_key(|it| preference(it.kind())) else {
        ranges.add(root.text_range());
        return ranges.0;
    };
    token_ranges(&token, offset, &mut ranges);
    for node in token.ancestors() {
        if let Some(inside) = inside_of_brackets(&node, offset) {
            ranges.add(inside);
        }
        ranges.add(node.text_range());
    }
    ranges.0
}

struct Ranges(Vec<TextRange>);

impl Ranges {
    fn add(&mut self, range: TextRange) {
        match self.0.last() {
            Some(last) if *last == range || !range.contains_range(*last) => {}
            _ if range.is_empty() => {}
            _ => self.0.push(range),
        }
    }
}

/// Returns the priority of a token next to another one: words before brackets, brackets before whitespace.
pub(crate) fn preference(kind: SyntaxKind) -> u8 {
    match kind {
        WHITESPACE | EPP_TRIMMED => 0,
        NAME | WORD | CLASSREF | VARIABLE | NUMBER | SQ_STRING | DQ_STRING | STRING_TEXT | REGEX => 3,
        kind if kind.is_keyword() => 3,
        COMMENT | BLOCK_COMMENT | EPP_COMMENT | EPP_TEXT => 2,
        _ => 1,
    }
}

fn token_ranges(token: &SyntaxToken, offset: u32, ranges: &mut Ranges) {
    let range = token.text_range();
    match token.kind() {
        WHITESPACE | EPP_TRIMMED => {}
        STRING_TEXT | EPP_TEXT | BLOCK_COMMENT | EPP_COMMENT => {
            add_word_and_line(token, offset, ranges);
            ranges.add(range);
        }
        COMMENT => {
            add_word_and_line(token, offset, ranges);
            ranges.add(range);
            ranges.add(comment_run(token));
        }
        SQ_STRING | DQ_STRING | REGEX => {
            add_word_and_line(token, offset, ranges);
            let is_closed = token.text().len() > 1 && token.text().ends_with(['\'', '"', '/']);
            let inside = TextRange::new(range.start + 1, range.end - u32::from(is_closed));
            if inside.contains_inclusive(offset) {
                ranges.add(inside);
            }
            ranges.add(range);
        }
        _ => ranges.add(range),
    }
}

/// Adds the word at `offset`, then its line, if they are inside the token.
fn add_word_and_line(token: &SyntaxToken, offset: u32, ranges: &mut Ranges) {
    let text = token.text();
    let start = token.text_range().start;
    let at = (offset.saturating_sub(start) as usize).min(text.len());
    if !text.is_char_boundary(at) {
        return;
    }
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let word_start = text[..at].trim_end_matches(is_word).len();
    let word_end = text.len() - text[at..].trim_start_matches(is_word).len();
    ranges.add(TextRange::new(start + word_start as u32, start + word_end as u32));
    let is_break = |c: char| c == '\n' || c == '\r';
    let line_start = text[..at].rfind(is_break).map_or(0, |it| it + 1);
    let line_end = text[at..].find(is_break).map_or(text.len(), |it| at + it);
    if text.contains(is_break) {
        let line = &text[line_start..line_end];
        let trimmed_start = line_start + (line.len() - line.trim_start().len());
        let trimmed_end = line_start + line.trim_end().len();
        ranges
            .add(TextRange::new(start + trimmed_start as u32, start + trimmed_end.max(trimmed_start) as u32));
    }
}

/// Returns the range of the line comments on consecutive lines around `comment`.
fn comment_run(comment: &SyntaxToken) -> TextRange {
    let mut range = comment.text_range();
    let mut first = comment.clone();
    while let Some(previous) = adjacent_comment(&first, SyntaxToken::prev_token) {
        range.start = previous.text_range().start;
        first = previous;
    }
    let mut last = comment.clone();
    while let Some(next) = adjacent_comment(&last, SyntaxToken::next_token) {
        range.end = next.text_range().end;
        last = next;
    }
    range
}

fn adjacent_comment(
    comment: &SyntaxToken,
    step: fn(&SyntaxToken) -> Option<SyntaxToken>,
) -> Option<SyntaxToken> {
    let whitespace = step(comment)?;
    let breaks = whitespace.text().matches('\n').count() + usize::from(whitespace.text() == "\r");
    if whitespace.kind() != WHITESPACE || breaks != 1 {
        return None;
    }
    step(&whitespace).filter(|it| it.kind() == COMMENT)
}

/// Returns the range between the brackets of a node, without surrounding whitespace, if it contains `offset`.
fn inside_of_brackets(node: &SyntaxNode, offset: u32) -> Option<TextRange> {
    let is_opening = |kind| {
        matches!(
            kind,
            L_BRACE | SELECTOR_BRACE | L_BRACK | LIST_START | L_PAREN | LINE_START_PAREN | PIPE | DQ_START
        ) || matches!(kind, INTERPOLATION_START | COLLECT_START | EXPORTED_START)
    };
    let is_closing = |kind| {
        matches!(kind, R_BRACE | R_BRACK | R_PAREN | PIPE | DQ_END)
            || matches!(kind, INTERPOLATION_END | COLLECT_END | EXPORTED_END)
    };
    // A file has no brackets, and a block may have thousands of statements: only its ends are examined.
    if node.kind() == SOURCE_FILE {
        return None;
    }
    let opening = node.children_with_tokens().find(|it| is_opening(it.kind()))?;
    let closing = successors(last_element(node), before).find(|it| is_closing(it.kind()))?;
    let is_solid = |it: &SyntaxElement| it.kind() != WHITESPACE;
    let first = successors(after(&opening), after).find(is_solid)?.text_range();
    let last = successors(before(&closing), before).find(is_solid)?.text_range();
    let range = TextRange::new(first.start, last.end);
    let is_inside = opening.text_range().end <= first.start && last.end <= closing.text_range().start;
    (is_inside && first.start <= last.start && range.contains_inclusive(offset)).then_some(range)
}

/// Returns the last child of a node.
fn last_element(node: &SyntaxNode) -> Option<SyntaxElement> {
    let last = SyntaxElement::Token(node.last_token()?);
    successors(Some(last), |it| it.parent().map(SyntaxElement::Node))
        .find(|it| it.parent().as_ref() == Some(node))
}

fn before(element: &SyntaxElement) -> Option<SyntaxElement> {
    match element {
        SyntaxElement::Node(node) => node.prev_sibling_or_token(),
        SyntaxElement::Token(token) => token.prev_sibling_or_token(),
    }
}

fn after(element: &SyntaxElement) -> Option<SyntaxElement> {
    match element {
        SyntaxElement::Node(node) => node.next_sibling_or_token(),
        SyntaxElement::Token(token) => token.next_sibling_or_token(),
    }
}

#[cfg(test)]
#[path = "selection_ranges_tests.rs"]
mod tests;
