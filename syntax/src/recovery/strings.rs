//! Invalid contents of interpolations and template tags.

use super::lookahead::{Lookahead, MAX_LOOKAHEAD};
use crate::parser::Parser;
use crate::{SyntaxKind::*, TextRange};
use codes::{Code, with_help};

/// Reports and skips `${name}` outside of double quotes. The current token is the brace.
pub(crate) fn interpolation_outside_string(p: &mut Parser<'_>) {
    let range = p.previous_range().cover(p.current_range());
    p.error_at(
        Code::SyntaxError,
        range,
        with_help("`${` is only allowed in double-quoted strings", "write `$name`"),
    );
    let mut length = 0;
    while p.nth(length) != R_BRACE && (length == 0 || !p.line_break_before(length)) && p.nth(length) != EOF {
        length += 1;
    }
    p.skip(length + usize::from(p.nth(length) == R_BRACE));
}

/// Reports and skips unexpected tokens between the expression of an interpolation and its `}`.
pub(crate) fn skip_to_end_of_interpolation(p: &mut Parser<'_>) {
    if p.at_any(&[INTERPOLATION_END, DQ_END, STRING_TEXT, HEREDOC_END, EOF]) {
        return;
    }
    let found = p.found();
    let range = p.current_range();
    p.error_at(Code::SyntaxError, range, format!("expected `}}` to close the interpolation, found {found}"));
    let mut depth = 0usize;
    let mut length = 0;
    loop {
        match p.nth(length) {
            EOF | HEREDOC_END => break,
            INTERPOLATION_START => depth += 1,
            INTERPOLATION_END if depth == 0 => break,
            INTERPOLATION_END => depth -= 1,
            DQ_END | STRING_TEXT if depth == 0 && !is_in_string(p, length) => break,
            _ => {}
        }
        length += 1;
    }
    p.skip(length);
}

/// Returns true if the token `from` is in a string within an interpolation that is being skipped.
fn is_in_string(p: &Parser<'_>, from: usize) -> bool {
    // Within an interpolation that the lexer has closed, the tokens of a string are always followed by its
    // end.
    let mut interpolations = 0usize;
    for token in Lookahead::new(p, from..from + MAX_LOOKAHEAD) {
        match token.kind {
            HEREDOC_END => return false,
            INTERPOLATION_START => interpolations += 1,
            INTERPOLATION_END if interpolations == 0 => return true,
            INTERPOLATION_END => interpolations -= 1,
            _ => {}
        }
    }
    false
}

/// Reports and skips unexpected tokens between the expression of `<%= %>` and the end of the tag.
pub(crate) fn skip_to_end_of_tag(p: &mut Parser<'_>, open: TextRange) {
    if p.at_any(&[EPP_CLOSE_EXPR, EOF]) {
        return;
    }
    let found = p.found();
    let range = p.current_range();
    if let Some(error) = p.error_at(Code::SyntaxError, range, format!("expected `%>`, found {found}")) {
        error.related.push((open, "opened here".to_owned()));
    }
    let length = (0..).find(|ahead| matches!(p.nth(*ahead), EPP_CLOSE_EXPR | EOF | EPP_TEXT | EPP_OPEN_EXPR));
    p.skip(length.unwrap_or(0));
}
