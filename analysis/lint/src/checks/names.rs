//! Checks for whitespace around the name of a class or defined type.

use crate::manifest::Manifest;
use crate::report::{CheckReport, Edit};
use crate::token::TokenKind;

/// `manifest_whitespace_class_name_single_space_before`
pub(crate) fn before(manifest: &Manifest, report: &mut CheckReport) {
    for definition in manifest.definitions() {
        single_space_after(manifest, definition.keyword, "expected a single space before the name", report);
    }
}

/// `manifest_whitespace_inherits_name_single_space_before`
pub(crate) fn before_inherited(manifest: &Manifest, report: &mut CheckReport) {
    for inherits in manifest.tokens.of(TokenKind::Inherits) {
        single_space_after(manifest, inherits, "expected a single space before the inherited class", report);
    }
}

fn single_space_after(manifest: &Manifest, keyword: usize, message: &str, report: &mut CheckReport) {
    let tokens = &manifest.tokens;
    let Some(name) = name_after(manifest, keyword) else { return };
    let Some(next) = tokens.next(keyword) else { return };
    if name == keyword + 2 && tokens.is_single_space(next) {
        return;
    }
    let token = *tokens.get(next);
    let finding = report.at(next, message);
    if token.kind == TokenKind::Whitespace {
        finding.fix([Edit::replace(token.start, token.end, " ")]);
    }
}

/// `manifest_whitespace_class_name_single_space_after`
pub(crate) fn after(manifest: &Manifest, report: &mut CheckReport) {
    let tokens = &manifest.tokens;
    for definition in manifest.definitions() {
        let Some(name) = name_after(manifest, definition.keyword) else { continue };
        let Some(next) = tokens.next_solid(name) else { continue };
        if next == name + 2 && tokens.is_single_space(name + 1) {
            continue;
        }
        let (end, start) = (tokens.get(name).end, tokens.get(next).start);
        report.at(name, "expected a single space after the name").fix([Edit::replace(end, start, " ")]);
    }
}

/// Returns the name that follows a keyword, skipping comments.
fn name_after(manifest: &Manifest, keyword: usize) -> Option<usize> {
    let tokens = &manifest.tokens;
    tokens
        .next_code(keyword)
        .filter(|&it| matches!(tokens.kind(it), TokenKind::Name | TokenKind::FunctionName))
}
