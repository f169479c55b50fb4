//! Blocks with a missing brace.

use super::lookahead::{DEFINITION_KEYWORDS, Lookahead};
use super::statements::{starts_statement, statements};
use super::{RecoveryContext, conditionals, titles};
use crate::SyntaxKind::*;
use crate::grammar::starts_expression;
use crate::parser::Parser;
use codes::{Code, with_help};

/// Reports a missing opening brace and parses the statements of the block if there seem to be any. Returns
/// false if a brace follows after all.
pub(crate) fn block_without_brace(p: &mut Parser<'_>, inside: RecoveryContext, what: &str) -> bool {
    p.expected_here(&format!("`{{` and {what}"));
    let is_swapped = p.nth(1) == L_BRACE && is_swapped_with_brace(p);
    let is_resource = titles::holds_resource_bodies(p);
    let begins_body = is_resource || p.is_first_on_line(0) || (!p.trusts_lines() && starts_statement(p, 0));
    let length = if is_swapped {
        Some(1)
    } else if begins_body {
        None
    } else if inside == RecoveryContext::ConditionalBlock {
        conditionals::brace_after_condition(p)
    } else if p.trusts_lines() {
        brace_on_this_line(p)
    } else {
        distance_to_body(p)
    };
    p.skip(length.unwrap_or(0));
    let begins_body = begins_body || (!p.trusts_lines() && starts_statement(p, 0));
    if p.at(L_BRACE) && !is_resource {
        return false;
    }
    let owner = p.previous_range();
    let body_follows = starts_expression(p.current()) && begins_body && !p.is_outside_of(0, owner);
    let one_line = starts_expression(p.current()) && !begins_body && closes_on_this_line(p);
    if body_follows || one_line || p.at(R_BRACE) {
        let block = p.start();
        p.inside(inside, statements);
        p.eat(R_BRACE);
        p.complete(block, BLOCK);
    }
    true
}

/// Returns true for `first {` where the brace belongs before `first`: the tokens after the brace fit neither
/// a resource nor a hash.
fn is_swapped_with_brace(p: &Parser<'_>) -> bool {
    let is_value =
        matches!(p.nth(2), SQ_STRING | DQ_STRING | DQ_START | VARIABLE | LIST_START | L_BRACK | R_BRACE);
    let is_name = p.at_any(&[NAME, VARIABLE, CLASSREF, IF_KW, UNLESS_KW, CASE_KW]);
    let is_pair = matches!(p.nth(3), COLON | FAT_ARROW | PLUS_ARROW);
    is_name && !is_pair && (!is_value || p.at_any(&[IF_KW, UNLESS_KW, CASE_KW]))
}

/// Returns the distance to the brace of a body, or to what looks like its first statement. For texts whose
/// lines cannot be trusted.
fn distance_to_body(p: &Parser<'_>) -> Option<usize> {
    const MAX_TOKENS: usize = 60;
    let ends =
        |at: &usize| matches!(p.nth(*at), EOF | L_BRACE | R_BRACE | SEMICOLON) || starts_statement(p, *at);
    (0..MAX_TOKENS).find(ends).filter(|at| !matches!(p.nth(*at), EOF | R_BRACE | SEMICOLON))
}

/// Returns true if the rest of this line has an unmatched closing brace.
fn closes_on_this_line(p: &Parser<'_>) -> bool {
    let mut braces = 0usize;
    for token in Lookahead::on_this_line(p) {
        match token.kind {
            L_BRACE | SELECTOR_BRACE => braces += 1,
            R_BRACE if braces == 0 => return true,
            R_BRACE => braces -= 1,
            _ => {}
        }
    }
    false
}

/// Returns the distance to the last opening brace on this line.
pub(crate) fn brace_on_this_line(p: &Parser<'_>) -> Option<usize> {
    let tokens = Lookahead::on_this_line(p).take_while(|it| !matches!(it.kind, SEMICOLON | R_BRACE));
    tokens.filter(|it| it.kind == L_BRACE).last().map(|it| it.ahead)
}

/// Reports that the closing token of `open` is missing. The error is at the opening token if nothing else
/// follows.
pub(crate) fn missing_close(p: &mut Parser<'_>, open: crate::TextRange, what: &str) {
    let (input, at, _) = p.tokens();
    let is_left = input.get(at).is_none_or(|it| {
        matches!(it.kind, R_BRACE | R_BRACK | R_PAREN)
            || DEFINITION_KEYWORDS.contains(&it.kind)
            || it.kind == TYPE_KW
    });
    if p.at_end() && is_left {
        // The string has swallowed the closing token, so its error is the cause.
        let range = if p.follows_unclosed_string() { p.previous_range() } else { open };
        p.error_at(
            Code::SyntaxError,
            range,
            with_help("unclosed delimiter", format!("add the closing {what}")),
        );
        return;
    }
    let found = p.found();
    let range = p.current_range();
    if let Some(error) = p.error_at(Code::SyntaxError, range, format!("expected {what}, found {found}")) {
        error.related.push((open, "opened here".to_owned()));
    }
}
