//! `only_variable_string`: a string that consists of a single variable.

use crate::manifest::Manifest;
use crate::report::{CheckReport, Edit};
use crate::token::TokenKind;

pub(crate) fn check(manifest: &Manifest, report: &mut CheckReport) {
    let tokens = &manifest.tokens;
    for start in tokens.of(TokenKind::StringStart).filter(|&it| tokens.value(it).is_empty()) {
        let variable = start + 1;
        if !tokens.kind_of(tokens.next(start)).is_some_and(TokenKind::is_variable) {
            continue;
        }
        let Some(end) = end_of_string(manifest, variable + 1) else { continue };
        if tokens.next_code_kind(end) == Some(TokenKind::FatArrow) {
            continue;
        }
        if tokens.value(variable).contains('-') {
            // For Puppet, the name ends before the dash, so that the string has further contents.
            report.at(variable, "string contains only a variable");
            continue;
        }
        let (open, close) = (*tokens.get(start), *tokens.get(end));
        let dollar = if tokens.source(variable).starts_with('$') { "" } else { "$" };
        report
            .at(variable, "string contains only a variable")
            .fix([Edit::replace(open.start, open.end, dollar), Edit::remove(close.start, close.end)]);
    }
}

/// Returns the end of the string if only accesses of one token each precede it.
fn end_of_string(manifest: &Manifest, mut at: usize) -> Option<usize> {
    let tokens = &manifest.tokens;
    while at < tokens.len() && tokens.kind(at) == TokenKind::LeftBracket {
        at += 3;
    }
    let ends = at < tokens.len() && tokens.kind(at) == TokenKind::StringEnd && tokens.value(at).is_empty();
    ends.then_some(at)
}
