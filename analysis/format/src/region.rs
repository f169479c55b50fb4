//! Selection of the edits for a range: those of the statements that it touches.

use syntax::SyntaxKind::{BLOCK, L_BRACE, R_BRACE, SOURCE_FILE};
use syntax::{Parse, SyntaxNode, TextRange};

use crate::FormatEdit;

/// Returns the edits of the innermost statements that `range` touches.
pub fn edits_in_range(parse: &Parse, edits: Vec<FormatEdit>, range: TextRange) -> Vec<FormatEdit> {
    let Some(region) = region(&parse.syntax(), range) else { return Vec::new() };
    edits.into_iter().filter(|it| region.start <= it.start && it.end <= region.end).collect()
}

fn is_between_braces(block: &SyntaxNode, range: TextRange) -> bool {
    let (open, close) = (block.token(L_BRACE), block.token(R_BRACE));
    open.is_none_or(|it| it.text_range().end <= range.start)
        && close.is_none_or(|it| range.end <= it.text_range().start)
}

/// Returns the range from the end of the token before the first touched statement to the end of the last one.
fn region(node: &SyntaxNode, range: TextRange) -> Option<TextRange> {
    if node.kind() == BLOCK && !is_between_braces(node, range) {
        return None;
    }
    let touched: Vec<SyntaxNode> =
        node.children().filter(|it| it.text_range().intersects_or_touches(range)).collect();
    let inner = match touched.as_slice() {
        [only] if only.text_range().contains_range(range) => region(only, range),
        _ => None,
    };
    if inner.is_some() || !matches!(node.kind(), SOURCE_FILE | BLOCK) {
        return inner;
    }
    let (first, last) = (touched.first()?, touched.last()?);
    let before = std::iter::successors(first.prev_sibling_or_token(), |it| match it {
        syntax::SyntaxElement::Node(node) => node.prev_sibling_or_token(),
        syntax::SyntaxElement::Token(token) => token.prev_sibling_or_token(),
    });
    let start = before.into_iter().find(|it| !it.kind().is_trivia()).map_or(0, |it| it.text_range().end);
    Some(TextRange::new(start, last.text_range().end))
}
