//! `trailing_comma`: no comma after the last attribute, element or entry if the closing bracket is on another
//! line.

use crate::manifest::Manifest;
use crate::report::{CheckReport, Edit};
use crate::token::TokenKind;

pub(crate) fn check(manifest: &Manifest, report: &mut CheckReport) {
    let tokens = &manifest.tokens;
    let brackets: Vec<usize> = tokens.of(TokenKind::RightBracket).collect();
    let braces: Vec<usize> = tokens.of(TokenKind::RightBrace).collect();
    for resource in manifest.resources() {
        check_end(manifest, resource.end, TokenKind::Colon, report);
    }
    for open in tokens.of(TokenKind::LeftBracket) {
        if !matches!(tokens.previous_code_kind(open), Some(TokenKind::ClassRef | TokenKind::Type)) {
            check_end(manifest, first_after(manifest, open, &brackets), TokenKind::LeftBracket, report);
        }
    }
    for open in tokens.of(TokenKind::LeftBrace) {
        let begins_hash = matches!(
            tokens.previous_code_kind(open),
            Some(TokenKind::Equal | TokenKind::EqualEqual | TokenKind::FatArrow | TokenKind::LeftParen)
        );
        if begins_hash && let Some(close) = tokens.partner(open) {
            check_end(manifest, close, TokenKind::LeftBrace, report);
        }
    }
    for reference in tokens.of(TokenKind::ClassRef) {
        let before = tokens.previous_code_kind(reference);
        let begins_defaults = tokens.next_code_kind(reference) == Some(TokenKind::LeftBrace)
            && before.is_some_and(|it| {
                !matches!(it, TokenKind::ShiftRight | TokenKind::Match | TokenKind::NoMatch)
            });
        if begins_defaults {
            check_end(manifest, first_after(manifest, reference, &braces), TokenKind::LeftBrace, report);
        }
    }
}

/// Returns the first of the closing brackets after `at`, or the last token of the file.
fn first_after(manifest: &Manifest, at: usize, closing: &[usize]) -> usize {
    closing.get(closing.partition_point(|it| *it <= at)).copied().unwrap_or(manifest.tokens.len() - 1)
}

/// Checks the token before `end`; `empty` is the token found there if nothing is between the brackets.
fn check_end(manifest: &Manifest, end: usize, empty: TokenKind, report: &mut CheckReport) {
    let tokens = &manifest.tokens;
    let Some(mut last) = tokens.previous_code(end).filter(|_| tokens.kind(end) != TokenKind::Semicolon)
    else {
        return;
    };
    if matches!(tokens.kind(last), TokenKind::Heredoc | TokenKind::HeredocEnd) {
        let Some(open) = (0..last).rev().find(|&it| tokens.kind(it) == TokenKind::HeredocOpen) else {
            return;
        };
        last = open;
    }
    let is_last_on_line = tokens.next(last).filter(|&it| tokens.kind(it) == TokenKind::Newline);
    if let Some(newline) = is_last_on_line.filter(|_| ![empty, TokenKind::Comma].contains(&tokens.kind(last)))
    {
        let start = tokens.get(newline).start;
        report.at(newline, "missing trailing comma").fix([Edit::insert(start, ",")]);
    }
}
