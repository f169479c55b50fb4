//! Tabs, blanks at the end of a line, odd indentation.

use crate::manifest::Manifest;
use crate::report::{Edit, Report};
use crate::token::Kind;

/// `2sp_soft_tabs`: an indentation that is not a multiple of two.
pub(crate) fn two_spaces(manifest: &Manifest, report: &mut Report) {
    for indent in manifest.tokens.of(Kind::Indent).filter(|&it| manifest.tokens.width(it) % 2 == 1) {
        report.at(indent, "the indentation is no multiple of two");
    }
}

/// `hard_tabs`
pub(crate) fn hard_tabs(manifest: &Manifest, report: &mut Report) {
    let tokens = &manifest.tokens;
    for blank in tokens.indexes().filter(|&it| matches!(tokens.kind(it), Kind::Indent | Kind::Whitespace)) {
        let source = tokens.source(blank);
        if source.contains('\t') {
            let token = *tokens.get(blank);
            report.at(blank, "there is a tab").fix([Edit::replace(
                token.start,
                token.end,
                source.replace('\t', "  "),
            )]);
        }
    }
}

/// `trailing_whitespace`
pub(crate) fn trailing(manifest: &Manifest, report: &mut Report) {
    let tokens = &manifest.tokens;
    for blank in tokens.indexes().filter(|&it| matches!(tokens.kind(it), Kind::Indent | Kind::Whitespace)) {
        if tokens.next(blank).is_none_or(|it| tokens.kind(it) == Kind::Newline) {
            let token = *tokens.get(blank);
            report
                .at(blank, "there are blanks at the end of the line")
                .fix([Edit::remove(token.start, token.end)]);
        }
    }
}
