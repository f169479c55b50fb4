//! Statements that fit once a token is left out that stands there twice, or once two are swapped.

use crate::grammar::{self, STATEMENT_CALLS};
use crate::parser::Parser;
use crate::{SyntaxKind, SyntaxKind::*};
use codes::Code;

/// How far before the token that does not fit one is looked for that stands there twice, and how many are tried.
const DOUBLED_WINDOW: usize = 40;
const DOUBLED_TRIES: usize = 2;
/// The same for two that stand the wrong way round.
const SWAPPED_WINDOW: usize = 3;

/// A statement has been refused at the token `refused_at`: reads it if it fits with one such change.
pub(crate) fn repaired_statement(p: &mut Parser<'_>, refused_at: usize, end: usize) -> bool {
    let last = refused_at - p.position();
    let from = last.saturating_sub(DOUBLED_WINDOW).max(1);
    let doubled: Vec<usize> =
        (from..=last).rev().filter(|ahead| is_doubled(p, *ahead)).take(DOUBLED_TRIES).collect();
    let mut swapped = (last.saturating_sub(SWAPPED_WINDOW)..=last).rev();
    doubled.into_iter().any(|ahead| fits_without(p, ahead, end))
        || swapped.any(|ahead| may_be_swapped(p, ahead) && fits_swapped(p, ahead, end))
}

fn fits_without(p: &mut Parser<'_>, ahead: usize, end: usize) -> bool {
    let message = format!("`{}` stands here twice", p.text_of(ahead));
    fits(p, ahead, end, message, |p, at| {
        p.read_plainly_without(at, end, |p| {
            grammar::statement(p);
        })
    })
}

fn fits_swapped(p: &mut Parser<'_>, ahead: usize, end: usize) -> bool {
    let message = format!("`{}` belongs behind `{}`", p.text_of(ahead), p.text_of(ahead + 1));
    fits(p, ahead, end, message, |p, at| {
        p.read_plainly_swapped(at, end, |p| {
            grammar::statement(p);
        })
    })
}

/// Reports the token `ahead` if `read` can read the statement, and something follows that may.
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
    match fits {
        true => _ = p.error_at(Code::SyntaxError, range, message),
        false => p.go_back(checkpoint),
    }
    fits
}

/// Is the token `ahead` the same as the one before it?
fn is_doubled(p: &Parser<'_>, ahead: usize) -> bool {
    ahead > 0 && p.nth(ahead) == p.nth(ahead - 1) && p.text_of(ahead) == p.text_of(ahead - 1)
}

/// May the token `ahead` and the next one stand the wrong way round? Never parts of strings and templates.
fn may_be_swapped(p: &Parser<'_>, ahead: usize) -> bool {
    let (kind, next) = (p.nth(ahead), p.nth(ahead + 1));
    kind != next && is_swappable(kind) && is_swappable(next) && !is_usual(p, ahead)
}

/// Do the token `ahead` and the next one often stand so, where something else may be missing?
fn is_usual(p: &Parser<'_>, ahead: usize) -> bool {
    let is_call = |at: usize| STATEMENT_CALLS.contains(&p.text_of(at));
    match (p.nth(ahead), p.nth(ahead + 1), p.nth(ahead + 2)) {
        (NAME, L_BRACE, behind) => behind != L_BRACE && !is_call(ahead),
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

/// Skips the current token if it is the same as the one before it.
pub(crate) fn skip_doubled(p: &mut Parser<'_>) {
    if p.recovering_and(|p| p.is_same_as_previous()) {
        let range = p.current_range();
        let message = format!("`{}` stands here twice", p.text());
        p.error_at(Code::SyntaxError, range, message);
        p.bump_into_error();
    }
}
