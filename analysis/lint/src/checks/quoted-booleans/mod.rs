//! `quoted_booleans`: `true` or `false` in quotes. The fix changes the value.

use crate::manifest::Manifest;
use crate::report::{CheckReport, Edit};
use crate::token::TokenKind;

pub(crate) fn check(manifest: &Manifest, report: &mut CheckReport) {
    let tokens = &manifest.tokens;
    let is_string =
        |it: &usize| matches!(tokens.kind(*it), TokenKind::SingleQuoted | TokenKind::DoubleQuoted);
    for string in tokens.indexes().filter(is_string) {
        let value = tokens.value(string);
        if matches!(value, "true" | "false") {
            let token = *tokens.get(string);
            report.at(string, "quoted boolean value").fix([Edit::replace(token.start, token.end, value)]);
        }
    }
}
