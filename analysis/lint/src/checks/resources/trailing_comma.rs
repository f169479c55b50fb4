//! `trailing_comma`: no comma behind the last attribute, element or entry, where the closing bracket is on another line.

use crate::manifest::Manifest;
use crate::report::{Edit, Report};
use crate::token::Kind;

pub(crate) fn check(manifest: &Manifest, report: &mut Report) {
    let tokens = &manifest.tokens;
    let brackets: Vec<usize> = tokens.of(Kind::RightBracket).collect();
    let braces: Vec<usize> = tokens.of(Kind::RightBrace).collect();
    for resource in manifest.resources() {
        check_end(manifest, resource.end, Kind::Colon, report);
    }
    for open in tokens.of(Kind::LeftBracket) {
        if !matches!(tokens.previous_code_kind(open), Some(Kind::ClassRef | Kind::Type)) {
            check_end(manifest, first_behind(manifest, open, &brackets), Kind::LeftBracket, report);
        }
    }
    for open in tokens.of(Kind::LeftBrace) {
        let begins_hash = matches!(
            tokens.previous_code_kind(open),
            Some(Kind::Equal | Kind::EqualEqual | Kind::FatArrow | Kind::LeftParen)
        );
        if begins_hash && let Some(close) = tokens.partner(open) {
            check_end(manifest, close, Kind::LeftBrace, report);
        }
    }
    for reference in tokens.of(Kind::ClassRef) {
        let before = tokens.previous_code_kind(reference);
        let begins_defaults = tokens.next_code_kind(reference) == Some(Kind::LeftBrace)
            && before.is_some_and(|it| !matches!(it, Kind::ShiftRight | Kind::Match | Kind::NoMatch));
        if begins_defaults {
            check_end(manifest, first_behind(manifest, reference, &braces), Kind::LeftBrace, report);
        }
    }
}

/// The first of the closing brackets behind `at`, or the last token at all.
fn first_behind(manifest: &Manifest, at: usize, closing: &[usize]) -> usize {
    closing.get(closing.partition_point(|it| *it <= at)).copied().unwrap_or(manifest.tokens.len() - 1)
}

/// Looks at the token before `end`; `empty` is what stands there when there is nothing between the brackets.
fn check_end(manifest: &Manifest, end: usize, empty: Kind, report: &mut Report) {
    let tokens = &manifest.tokens;
    let Some(mut last) = tokens.previous_code(end).filter(|_| tokens.kind(end) != Kind::Semicolon) else {
        return;
    };
    if matches!(tokens.kind(last), Kind::Heredoc | Kind::HeredocEnd) {
        let Some(open) = (0..last).rev().find(|&it| tokens.kind(it) == Kind::HeredocOpen) else { return };
        last = open;
    }
    let is_last_on_line = tokens.next(last).filter(|&it| tokens.kind(it) == Kind::Newline);
    if let Some(newline) = is_last_on_line.filter(|_| ![empty, Kind::Comma].contains(&tokens.kind(last))) {
        let start = tokens.get(newline).start;
        report.at(newline, "there is no comma behind the last one").fix([Edit::insert(start, ",")]);
    }
}
