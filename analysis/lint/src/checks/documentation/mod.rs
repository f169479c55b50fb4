//! `documentation`: a class or defined type without a comment directly above it.

use crate::manifest::Manifest;
use crate::report::CheckReport;
use crate::token::TokenKind;

pub(crate) fn check(manifest: &Manifest, report: &mut CheckReport) {
    for definition in manifest.definitions() {
        if !has_comment(manifest, definition.keyword) {
            report.at(definition.keyword, format!("undocumented {}", definition.noun()));
        }
    }
}

fn has_comment(manifest: &Manifest, keyword: usize) -> bool {
    let mut line_breaks = 0;
    for at in (0..keyword).rev() {
        match manifest.tokens.kind(at) {
            TokenKind::Newline => {
                line_breaks += 1;
                if line_breaks > 1 {
                    return false;
                }
            }
            TokenKind::Whitespace | TokenKind::Indent => {}
            kind => return kind.is_comment(),
        }
    }
    false
}
