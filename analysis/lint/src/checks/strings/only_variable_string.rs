//! `only_variable_string`: a string that is nothing but a variable.

use crate::manifest::Manifest;
use crate::report::{Edit, Report};
use crate::token::Kind;

pub(crate) fn check(manifest: &Manifest, report: &mut Report) {
    let tokens = &manifest.tokens;
    for start in tokens.of(Kind::StringStart).filter(|&it| tokens.value(it).is_empty()) {
        let variable = start + 1;
        if !tokens.kind_of(tokens.next(start)).is_some_and(Kind::is_variable) {
            continue;
        }
        let Some(end) = end_of_string(manifest, variable + 1) else { continue };
        if tokens.next_code_kind(end) == Some(Kind::FatArrow) {
            continue;
        }
        let (open, close) = (*tokens.get(start), *tokens.get(end));
        let dollar = if tokens.source(variable).starts_with('$') { "" } else { "$" };
        report
            .at(variable, "the string is nothing but a variable")
            .fix([Edit::replace(open.start, open.end, dollar), Edit::remove(close.start, close.end)]);
    }
}

/// The end of the string, where nothing but accesses of a token each come before it.
fn end_of_string(manifest: &Manifest, mut at: usize) -> Option<usize> {
    let tokens = &manifest.tokens;
    while at < tokens.len() && tokens.kind(at) == Kind::LeftBracket {
        at += 3;
    }
    let ends = at < tokens.len() && tokens.kind(at) == Kind::StringEnd && tokens.value(at).is_empty();
    ends.then_some(at)
}
