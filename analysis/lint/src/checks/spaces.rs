//! Checks for tabs, trailing whitespace and odd indentation.

use crate::manifest::Manifest;
use crate::report::{CheckReport, Edit};
use crate::token::TokenKind;

/// `2sp_soft_tabs`: indentation that is not a multiple of two spaces.
pub(crate) fn two_spaces(manifest: &Manifest, report: &mut CheckReport) {
    for indent in manifest.tokens.of(TokenKind::Indent).filter(|&it| manifest.tokens.width(it) % 2 == 1) {
        report.at(indent, "indentation is not a multiple of two spaces");
    }
}

/// `hard_tabs`
pub(crate) fn hard_tabs(manifest: &Manifest, report: &mut CheckReport) {
    let tokens = &manifest.tokens;
    for blank in
        tokens.indexes().filter(|&it| matches!(tokens.kind(it), TokenKind::Indent | TokenKind::Whitespace))
    {
        let source = tokens.source(blank);
        if source.contains('\t') {
            let token = *tokens.get(blank);
            report.at(blank, "tab character").fix([Edit::replace(
                token.start,
                token.end,
                source.replace('\t', "  "),
            )]);
        }
    }
}

/// `trailing_whitespace`
pub(crate) fn trailing(manifest: &Manifest, report: &mut CheckReport) {
    let tokens = &manifest.tokens;
    for blank in
        tokens.indexes().filter(|&it| matches!(tokens.kind(it), TokenKind::Indent | TokenKind::Whitespace))
    {
        if tokens.next(blank).is_none_or(|it| tokens.kind(it) == TokenKind::Newline) {
            let token = *tokens.get(blank);
            report.at(blank, "trailing whitespace").fix([Edit::remove(token.start, token.end)]);
        }
    }
}
