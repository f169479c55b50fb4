//! Expression to evaluate at a cursor, or around a selection that is not an expression.

use syntax::SyntaxKind::{self, *};
use syntax::{Language, SyntaxElement, SyntaxNode, SyntaxToken, TextRange};

use crate::selection_ranges::preference;

/// Returns the range to evaluate for a selection: the selection without surrounding whitespace if it can be
/// parsed alone, otherwise the expression around it. At a cursor, the largest expression around it is
/// returned, up to the attribute, condition, or statement that it belongs to. Without an expression there,
/// it is the line.
pub(crate) fn enclosing_expression(root: &SyntaxNode, text: &str, selected: TextRange) -> TextRange {
    let range = trimmed(text, selected);
    if range.is_empty() {
        return expression_at(root, selected.start).unwrap_or_else(|| line_at(text, selected.start));
    }
    if syntax::parse(&text[range.as_range()], Language::Manifest).errors().is_empty() {
        return range;
    }
    let around = root.covering_element(range).and_then(|element| match element {
        SyntaxElement::Node(node) => Some(node),
        SyntaxElement::Token(token) => token.parent(),
    });
    let expression = around.and_then(|node| node.ancestors().find(|it| is_expression(it.kind())));
    expression.map_or(range, |it| trimmed(text, it.text_range()))
}

fn expression_at(root: &SyntaxNode, offset: u32) -> Option<TextRange> {
    let token = root.tokens_at(offset).max_by_key(|it| preference(it.kind()))?;
    if is_trivia(&token) {
        return None;
    }
    let mut node = token.parent()?;
    while let Some(parent) = node.parent().filter(|parent| continues(&node, parent)) {
        node = parent;
    }
    is_expression(node.kind()).then(|| node.text_range())
}

fn is_trivia(token: &SyntaxToken) -> bool {
    matches!(token.kind(), WHITESPACE | COMMENT | BLOCK_COMMENT)
}

/// Returns true if the expression at a cursor extends from `node` to its parent.
fn continues(node: &SyntaxNode, parent: &SyntaxNode) -> bool {
    match parent.kind() {
        // The body of a lambda is a part of its call.
        BLOCK => parent.parent().is_some_and(|it| it.kind() == LAMBDA),
        ELSIF_CLAUSE | ELSE_CLAUSE => node.kind() == BLOCK,
        LAMBDA | ARGUMENT_LIST | SELECTOR_ENTRY | KEYED_ENTRY | INTERPOLATION => true,
        // A condition has its own value.
        IF_EXPR | UNLESS_EXPR | CASE_EXPR => false,
        kind => is_expression(kind),
    }
}

/// Returns true for nodes with a value; a resource has one, too, but evaluation has no catalog.
fn is_expression(kind: SyntaxKind) -> bool {
    matches!(
        kind,
        LITERAL_NUMBER
            | LITERAL_STRING
            | LITERAL_BOOLEAN
            | LITERAL_UNDEF
            | LITERAL_DEFAULT
            | LITERAL_REGEX
            | INTERPOLATED_STRING
            | HEREDOC
            | QUALIFIED_NAME
            | QUALIFIED_REFERENCE
            | VARIABLE_EXPR
            | ARRAY_EXPR
            | HASH_EXPR
            | PAREN_EXPR
            | UNARY_EXPR
            | BINARY_EXPR
            | ASSIGNMENT_EXPR
            | ACCESS_EXPR
            | SELECTOR_EXPR
            | CALL_EXPR
            | METHOD_CALL_EXPR
            | STATEMENT_CALL
            | IF_EXPR
            | UNLESS_EXPR
            | CASE_EXPR
    )
}

fn trimmed(text: &str, range: TextRange) -> TextRange {
    let end = (range.end as usize).min(text.len());
    let start = (range.start as usize).min(end);
    let Some(selected) = text.get(start..end) else { return range };
    let start = start + (selected.len() - selected.trim_start().len());
    let end = start.max(end - (selected.len() - selected.trim_end().len()));
    TextRange::new(start as u32, end as u32)
}

fn line_at(text: &str, offset: u32) -> TextRange {
    let offset = (offset as usize).min(text.len());
    let start = text[..offset].rfind('\n').map_or(0, |it| it + 1);
    let end = text[offset..].find('\n').map_or(text.len(), |it| offset + it);
    trimmed(text, TextRange::new(start as u32, end as u32))
}
