//! Comparison of the meaning of a text before and after formatting.

use crate::parsed::ParsedText;
use syntax::SyntaxKind::{
    BLOCK_COMMENT, COMMA, COMMENT, DQ_STRING, HEREDOC_BODY, INTERPOLATED_STRING, L_BRACK, L_PAREN,
    LINE_START_PAREN, LIST_START, SEMICOLON, SQ_STRING,
};
use syntax::{FlatElement, SyntaxKind, pn};

/// Returns true if both texts have the same PN form, the same number of errors, and the same comments in the
/// same order.
pub(crate) fn is_same(before: &ParsedText, after: &ParsedText) -> bool {
    before.errors.len() == after.errors.len()
        && comments(before).eq(comments(after))
        && has_same_pn(before, after)
}

fn is_comment(kind: SyntaxKind) -> bool {
    matches!(kind, COMMENT | BLOCK_COMMENT)
}

fn comments(text: &ParsedText) -> impl Iterator<Item = &str> {
    text.tree.elements().filter(|it| is_comment(it.kind())).map(|it| it.text().trim_end())
}

/// Returns true if both texts have the same PN form, which is printed only if the trees differ.
fn has_same_pn(before: &ParsedText, after: &ParsedText) -> bool {
    let is_same = || pn::to_pn(before.full_parse()) == pn::to_pn(after.full_parse());
    let is_same_code = before.language == after.language && is_same_code(before, after);
    debug_assert!(!is_same_code || is_same(), "equal code with different PN forms");
    is_same_code || is_same()
}

/// Returns true if the nodes and tokens of both texts are the same. Their PN forms are then equal, since PN depends neither
/// on whitespace, comments, commas, and semicolons, nor on kinds of brackets and quotes.
fn is_same_code(before: &ParsedText, after: &ParsedText) -> bool {
    let (mut before, mut after) = (code(before), code(after));
    loop {
        match (before.next(), after.next()) {
            (None, None) => return true,
            (Some(before), Some(after)) if is_same_element(before, after) => {}
            _ => return false,
        }
    }
}

/// Returns the elements that PN may depend on, in preorder.
fn code(text: &ParsedText) -> impl Iterator<Item = FlatElement<'_>> {
    text.tree.elements().filter(|it| !is_comment(it.kind()) && !matches!(it.kind(), COMMA | SEMICOLON))
}

fn is_same_element(before: FlatElement<'_>, after: FlatElement<'_>) -> bool {
    before.depth() == after.depth()
        && match (before.kind(), after.kind()) {
            (DQ_STRING, SQ_STRING) => is_same_string(before.text(), after.text()),
            // Whitespace is part of the value.
            (kind @ (HEREDOC_BODY | INTERPOLATED_STRING), other) => {
                kind == other && before.text() == after.text()
            }
            (kind, other) if bracket(kind) == bracket(other) => {
                before.as_node().is_some() || before.text() == after.text()
            }
            _ => false,
        }
}

/// Returns the kind of a bracket regardless of the whitespace before it.
fn bracket(kind: SyntaxKind) -> SyntaxKind {
    match kind {
        LIST_START => L_BRACK,
        LINE_START_PAREN => L_PAREN,
        kind => kind,
    }
}

/// Returns true if a string in double quotes has no special characters and the same contents as one in single quotes.
fn is_same_string(double_quoted: &str, single_quoted: &str) -> bool {
    let contents = double_quoted.strip_prefix('"').and_then(|it| it.strip_suffix('"'));
    let others = single_quoted.strip_prefix('\'').and_then(|it| it.strip_suffix('\''));
    contents.is_some() && contents == others && !double_quoted.contains(['\\', '\n', '\r'])
}
