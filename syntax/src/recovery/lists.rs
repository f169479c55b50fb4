//! Lists with a missing bracket, comma or arrow.

use super::lookahead::{
    AheadToken, CLOSERS, CONDITIONAL_KEYWORDS, DEFINITION_KEYWORDS, Lookahead, MAX_LOOKAHEAD,
};
use super::titles::colon_after_title;
use crate::grammar::{STATEMENT_CALLS, lists, primary, starts_expression};
use crate::parser::{Completed, Parser};
use crate::{SyntaxKind, SyntaxKind::*, TextRange};
use codes::{Code, with_help};

/// Returns true if a list element begins here. Reports and skips commas in place of an element.
pub(crate) fn is_at_element(p: &mut Parser<'_>, what: &str) -> bool {
    while p.at(COMMA) {
        p.expected(what);
        p.bump_into_error();
    }
    starts_expression(p.current()) && !p.recovering_and(leaves_list)
}

/// Returns true if the comma directly after an opening bracket belongs to the enclosing list, since nothing
/// on the line closes the bracket.
pub(crate) fn lacks_close(p: &Parser<'_>, end: SyntaxKind) -> bool {
    p.at(COMMA) && p.line_break_before(1) && p.nth(1) != end
}

/// Handles a missing comma after an element. Reports it and returns true if another element follows.
pub(crate) fn element_without_comma(
    p: &mut Parser<'_>,
    end: SyntaxKind,
    open: TextRange,
    is_type: bool,
) -> bool {
    if !p.recovers() || p.at(end) || (is_type && p.at(VARIABLE)) {
        return false;
    }
    missing_comma(p, open) || (!is_type && skip_to_comma(p, end, open))
}

/// Reports a missing comma and returns true if another element follows directly.
fn missing_comma(p: &mut Parser<'_>, open: TextRange) -> bool {
    if !starts_expression(p.current())
        || p.is_outside_of(0, open)
        || leaves_list(p)
        || looks_like_statement(p)
        || p.at(L_BRACE)
    {
        return false;
    }
    expected_comma(p);
    true
}

/// Reports a missing comma before the current token.
pub(crate) fn expected_comma(p: &mut Parser<'_>) {
    let found = p.found();
    let range = p.current_range();
    p.error_at(Code::SyntaxError, range, format!("expected `,` before {found}"));
}

/// Returns true if the current token begins something that no list can contain, so that the closing bracket
/// is missing.
pub(crate) fn leaves_list(p: &Parser<'_>) -> bool {
    p.at_any(&DEFINITION_KEYWORDS)
        && (p.is_first_on_line(0) || !p.trusts_lines())
        && matches!(p.nth(1), NAME | SQ_STRING | DQ_STRING | DEFAULT_KW | REGEX)
        && p.nth(2) != FAT_ARROW
}

/// Returns true if the current token looks like the start of a statement. Used only where a comma is missing.
fn looks_like_statement(p: &Parser<'_>) -> bool {
    if p.trusts_lines() && !p.is_first_on_line(0) {
        return false;
    }
    match p.current() {
        kind if CONDITIONAL_KEYWORDS.contains(&kind) => true,
        CLASS_KW => p.nth(1) == L_BRACE,
        VARIABLE => p.nth(1) == EQ,
        NAME => {
            (p.nth(1) == L_BRACE && colon_after_title(p, 2).is_some())
                || (STATEMENT_CALLS.contains(&p.text()) && starts_expression(p.nth(1)) && p.nth(1) != L_PAREN)
        }
        _ => false,
    }
}

/// Returns true at the key of `Type 'key']` or `$variable'key']`, where the opening bracket is missing.
pub(crate) fn lacks_bracket(p: &Parser<'_>, lhs: Completed) -> bool {
    p.at_any(&[SQ_STRING, DQ_STRING, VARIABLE])
        && p.nth(1) == R_BRACK
        && !p.line_break_before(0)
        && (lhs.kind() == QUALIFIED_REFERENCE
            || (matches!(lhs.kind(), VARIABLE_EXPR | ACCESS_EXPR) && p.is_joined_to_previous()))
}

pub(crate) fn keys_without_bracket(p: &mut Parser<'_>) {
    p.expected("`[`");
    let keys = p.start();
    primary::primary(p);
    p.eat(R_BRACK);
    p.complete(keys, ARGUMENT_LIST);
}

/// Handles `=>` after the `value` of an attribute or entry: the value is the first key of a hash whose
/// opening brace is missing.
pub(crate) fn hash_without_brace(p: &mut Parser<'_>, value: Completed) {
    if !p.recovering_and(|p| p.at(FAT_ARROW)) {
        return;
    }
    let range = p.current_range();
    p.error_at(
        Code::SyntaxError,
        range,
        with_help("unexpected `=>`", "add `{` before the first key of the hash"),
    );
    let open = p.range_of(p.position().saturating_sub(2));
    let Some(entry) = lists::hash_entry(p, Some(value)) else { return };
    let hash = p.precede(entry);
    if p.at(COMMA) && !p.line_break_before(0) {
        p.bump();
        lists::hash_entries(p, open);
    }
    p.eat(R_BRACE);
    p.complete(hash, HASH_EXPR);
}

/// Reports that the arrow after a hash key, and possibly the value, is missing.
pub(crate) fn entry_without_arrow(p: &mut Parser<'_>) {
    let range = p.previous_range();
    let found_here = !p.at_any(&[R_BRACE, COMMA, EOF]) && !p.line_break_before(0);
    let range = if found_here { p.current_range() } else { range };
    p.error_at(Code::SyntaxError, range, "expected `=>` and a value after the hash key");
    if found_here && starts_expression(p.current()) {
        lists::entry_value(p);
    }
}

/// Skips unexpected tokens up to the closing token, if it comes before any other closing token or the start
/// of a statement. Does nothing at the closing token.
pub(crate) fn skip_to_close(p: &mut Parser<'_>, end: SyntaxKind, open: TextRange) {
    if p.at(end) || p.at_end() || !p.recovers() {
        return;
    }
    let Some(length) = distance_to_close(p, end, open) else { return };
    let found = p.found();
    let range = p.current_range();
    let closing = end.fixed_text().unwrap_or("the end");
    p.error_at(Code::SyntaxError, range, format!("expected `{closing}`, found {found}"));
    p.skip(length);
}

/// Skips the rest of a broken element and the comma after it. Returns true if a comma and another element
/// follow.
fn skip_to_comma(p: &mut Parser<'_>, end: SyntaxKind, open: TextRange) -> bool {
    let Some(comma) = comma_after_element(p, end, open) else { return false };
    let length = comma + 1;
    if !starts_expression(p.nth(length)) && p.nth(length) != end {
        return false;
    }
    let closing = end.fixed_text().unwrap_or("the end");
    p.expected(&format!("`,` or `{closing}`"));
    p.skip(length);
    true
}

/// Returns the position of the comma after a broken element.
fn comma_after_element(p: &Parser<'_>, end: SyntaxKind, open: TextRange) -> Option<usize> {
    for AheadToken { ahead, kind, depth } in Lookahead::new(p, 0..MAX_LOOKAHEAD) {
        match kind {
            SEMICOLON | EPP_CLOSE_EXPR => return None,
            _ if depth > 0 => {}
            _ if kind == end || p.is_outside_of(ahead, open) || begins_statement(p, ahead) => return None,
            COLON | R_BRACE | INTERPOLATION_END => return None,
            COMMA => return Some(ahead),
            L_BRACE if !matches!(p.nth(ahead.saturating_sub(1)), FAT_ARROW | COMMA) => return None,
            _ => {}
        }
    }
    None
}

/// Returns the position of the closing token, if it comes before any other closing token or the start of a statement.
fn distance_to_close(p: &Parser<'_>, end: SyntaxKind, open: TextRange) -> Option<usize> {
    for AheadToken { ahead, kind, .. } in Lookahead::new(p, 0..2 * MAX_LOOKAHEAD).filter(|it| it.depth == 0) {
        if kind == end {
            return Some(ahead);
        }
        // A line that begins a statement: the closing token is missing, and the rest is not superfluous.
        let is_outside = p.is_outside_of(ahead, open) || begins_statement(p, ahead);
        if is_outside || CLOSERS.contains(&kind) || matches!(kind, SEMICOLON | COLON | EPP_CLOSE_EXPR) {
            return None;
        }
    }
    None
}

/// Returns true if the token `ahead` begins a construct that has its own line and cannot be part of a list.
fn begins_statement(p: &Parser<'_>, ahead: usize) -> bool {
    if p.trusts_lines() && !p.is_first_on_line(ahead) {
        return false;
    }
    match p.nth(ahead) {
        IF_KW | UNLESS_KW | CASE_KW | CLASS_KW | DEFINE_KW | NODE_KW => p.nth(ahead + 1) != FAT_ARROW,
        VARIABLE => ahead > 0 && p.nth(ahead + 1) == EQ,
        NAME if p.trusts_lines() => false,
        NAME if p.nth(ahead + 1) == L_BRACE => colon_after_title(p, ahead + 2).is_some(),
        NAME => STATEMENT_CALLS.contains(&p.text_of(ahead)) && p.nth(ahead + 1) == NAME,
        _ => false,
    }
}
