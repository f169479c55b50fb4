//! Tokens that stand there twice.

use crate::grammar;
use crate::parser::Parser;

/// How far before the token that does not fit one is looked for that stands there twice, and how many are tried.
const WINDOW: usize = 40;
const TRIES: usize = 2;

/// A statement has been refused at the token `refused_at`: reads it if it fits without a token that stands there twice.
pub(crate) fn statement_without_doubled(p: &mut Parser<'_>, refused_at: usize, end: usize) -> bool {
    let first = p.position();
    let last = refused_at - first;
    let candidates = (last.saturating_sub(WINDOW).max(1)..=last).rev().filter(|ahead| is_doubled(p, *ahead));
    let candidates: Vec<usize> = candidates.take(TRIES).collect();
    candidates.into_iter().any(|ahead| {
        let errors = p.checkpoint();
        let range = p.range_of(first + ahead);
        let message = format!("`{}` stands here twice", p.text_of(ahead));
        let fits = p.read_plainly_without(first + ahead, end, |p| {
            grammar::statement(p);
        }) && (p.position() >= end || super::statements::may_follow(p));
        match fits {
            true => _ = p.error_at("syntax-error", range, message),
            false => p.go_back(errors),
        }
        fits
    })
}

/// Is the token `ahead` the same as the one before it?
pub(crate) fn is_doubled(p: &Parser<'_>, ahead: usize) -> bool {
    ahead > 0 && p.nth(ahead) == p.nth(ahead - 1) && p.text_of(ahead) == p.text_of(ahead - 1)
}

/// Skips the current token if it is the same as the one before it.
pub(crate) fn skip_doubled(p: &mut Parser<'_>) {
    if p.suspects(|p| p.is_same_as_previous()) {
        let range = p.current_range();
        let message = format!("`{}` stands here twice", p.text());
        p.error_at("syntax-error", range, message);
        p.bump_into_error();
    }
}
