//! Statements that fit after a duplicated token or a stray bracket is removed, or two adjacent tokens are swapped.

use super::lookahead::{CLOSERS, MAX_LOOKAHEAD, OPENERS};
use crate::grammar::{self, STATEMENT_CALLS};
use crate::parser::Parser;
use crate::{SyntaxKind, SyntaxKind::*};
use codes::{Code, with_help};

/// Maximum distance of a duplicated token before the token that does not fit, and maximum number of
/// candidates tried.
const MAX_DOUBLED_DISTANCE: usize = 40;
const MAX_DOUBLED_TRIES: usize = 2;
/// Maximum distance of two swapped tokens before the token that does not fit.
const MAX_SWAPPED_DISTANCE: usize = 3;

/// Parses a statement that was rejected at the token `rejected_at`, if it fits after one such repair.
pub(crate) fn repaired_statement(p: &mut Parser<'_>, rejected_at: usize, end: usize) -> bool {
    let last = rejected_at - p.position();
    let from = last.saturating_sub(MAX_DOUBLED_DISTANCE).max(1);
    let doubled: Vec<usize> =
        (from..=last).rev().filter(|ahead| is_doubled(p, *ahead)).take(MAX_DOUBLED_TRIES).collect();
    let mut swapped = (last.saturating_sub(MAX_SWAPPED_DISTANCE)..=last).rev();
    doubled.into_iter().any(|ahead| fits_without(p, ahead, end, "duplicate"))
        || fits_without_stray_opener(p, last, end)
        || swapped.any(|ahead| may_be_swapped(p, ahead) && fits_swapped(p, ahead, end))
}

/// Parses a statement, if it fits without the last stray bracket among the tokens up to `last` from here.
pub(crate) fn fits_without_stray_opener(p: &mut Parser<'_>, last: usize, end: usize) -> bool {
    let from = last.saturating_sub(MAX_LOOKAHEAD).max(1);
    let stray = (from..=last).rev().find(|ahead| is_stray_opener(p, *ahead));
    stray.is_some_and(|ahead| fits_without(p, ahead, end, "unexpected"))
}

fn fits_without(p: &mut Parser<'_>, ahead: usize, end: usize, problem: &str) -> bool {
    let message = format!("{problem} `{}`", p.text_of(ahead));
    fits(p, ahead, end, message, |p, at| {
        p.read_plainly_without(at, end, |p| {
            grammar::statement(p);
        })
    })
}

fn fits_swapped(p: &mut Parser<'_>, ahead: usize, end: usize) -> bool {
    let (first, second) = (p.text_of(ahead), p.text_of(ahead + 1));
    let message = with_help(
        format!("unexpected `{first}` before `{second}`"),
        format!("swap `{first}` and `{second}`"),
    );
    fits(p, ahead, end, message, |p, at| {
        p.read_plainly_swapped(at, end, |p| {
            grammar::statement(p);
        })
    })
}

/// Reports the token `ahead` if `read` parses the statement and a valid token follows.
fn fits(
    p: &mut Parser<'_>,
    ahead: usize,
    end: usize,
    message: String,
    read: impl FnOnce(&mut Parser<'_>, usize) -> bool,
) -> bool {
    let checkpoint = p.checkpoint();
    let at = p.position() + ahead;
    let range = p.range_of(at);
    let fits = read(p, at) && (p.position() >= end || super::statements::may_follow(p));
    if fits {
        _ = p.error_at(Code::SyntaxError, range, message)
    } else {
        p.restore(checkpoint)
    }
    fits
}

/// Returns true if the token `ahead` equals the one before it.
fn is_doubled(p: &Parser<'_>, ahead: usize) -> bool {
    ahead > 0 && p.nth(ahead) == p.nth(ahead - 1) && p.text_of(ahead) == p.text_of(ahead - 1)
}

/// Returns true if the token `ahead` opens a bracket at the end of its line, and the next line shows that it has no
/// contents: it is indented no deeper.
pub(super) fn is_stray_opener(p: &Parser<'_>, ahead: usize) -> bool {
    let (_, at, _) = p.tokens();
    OPENERS.contains(&p.nth(ahead))
        && !CLOSERS.contains(&p.nth(ahead + 1))
        && p.is_outside_of(ahead + 1, p.range_of(at + ahead))
}

/// Returns true if the token `ahead` and the next one may be in the wrong order. Never true for parts of
/// strings and templates.
fn may_be_swapped(p: &Parser<'_>, ahead: usize) -> bool {
    let (kind, next) = (p.nth(ahead), p.nth(ahead + 1));
    kind != next && is_swappable(kind) && is_swappable(next) && !is_common_order(p, ahead)
}

/// Returns true if the token `ahead` and the next one often occur in this order, so that something else is
/// probably missing.
fn is_common_order(p: &Parser<'_>, ahead: usize) -> bool {
    let is_call = |at: usize| STATEMENT_CALLS.contains(&p.text_of(at));
    match (p.nth(ahead), p.nth(ahead + 1), p.nth(ahead + 2)) {
        (NAME, L_BRACE, following) => following != L_BRACE && !is_call(ahead),
        (L_BRACE, NAME, _) => is_call(ahead + 1),
        (R_BRACE | R_BRACK | R_PAREN, _, L_BRACE | EQ) => true,
        (R_BRACE | R_BRACK | R_PAREN, _, _) => p.trusts_lines() && p.is_first_on_line(ahead + 1),
        (L_PAREN | LINE_START_PAREN | EQ_EQ | NOT_EQ, _, _) => true,
        (COMMA, CLASSREF | VARIABLE, VARIABLE | L_BRACK | EQ | PIPE | COMMA) => true,
        (_, L_BRACK | L_PAREN, _) => true,
        (_, EQ | EQ_EQ | NOT_EQ, _) => ahead == 0 || p.nth(ahead - 1) == L_BRACE || p.is_first_on_line(ahead),
        _ => false,
    }
}

fn is_swappable(kind: SyntaxKind) -> bool {
    kind.is_keyword()
        || matches!(
            kind,
            NAME | WORD
                | CLASSREF
                | VARIABLE
                | NUMBER
                | SQ_STRING
                | DQ_STRING
                | L_BRACE
                | R_BRACE
                | L_BRACK
                | LIST_START
                | R_BRACK
                | L_PAREN
                | LINE_START_PAREN
                | R_PAREN
                | COMMA
                | COLON
                | SEMICOLON
                | FAT_ARROW
                | EQ
                | DOT
                | PIPE
                | EQ_EQ
                | NOT_EQ
                | BANG
        )
}

/// Reports and skips a [stray bracket](is_stray_opener). Returns true if there is one.
pub(crate) fn skip_stray_opener(p: &mut Parser<'_>) -> bool {
    let is_stray = p.recovering_and(|p| is_stray_opener(p, 0));
    if is_stray {
        let range = p.current_range();
        let message = format!("unexpected `{}`", p.text());
        p.error_at(Code::SyntaxError, range, message);
        p.bump_into_error();
    }
    is_stray
}

/// Reports and skips the current token if it equals the one before it.
pub(crate) fn skip_doubled(p: &mut Parser<'_>) {
    if p.recovering_and(|p| p.is_same_as_previous()) {
        let range = p.current_range();
        let message = format!("duplicate `{}`", p.text());
        p.error_at(Code::SyntaxError, range, message);
        p.bump_into_error();
    }
}
