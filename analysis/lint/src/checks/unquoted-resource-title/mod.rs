//! `unquoted_resource_title`: the title of a resource without quotes.

use crate::manifest::Manifest;
use crate::report::CheckReport;
use crate::strings::quoted;
use crate::token::TokenKind;

pub(crate) fn check(manifest: &Manifest, report: &mut CheckReport) {
    let tokens = &manifest.tokens;
    for colon in tokens.of(TokenKind::Colon) {
        let Some(before) = tokens.previous(colon) else { continue };
        let titles = match tokens.kind(before) {
            TokenKind::RightBracket => match tokens.previous_of(before, &[TokenKind::LeftBracket]) {
                Some(open) => open + 1..before,
                None => continue,
            },
            _ if tokens.next_code_kind(colon).is_none_or(|it| it == TokenKind::LeftBrace) => continue,
            _ => before..colon,
        };
        for title in titles.filter(|&it| tokens.kind(it) == TokenKind::Name) {
            report.at(title, "unquoted resource title").fix(quoted(manifest, title));
        }
    }
}
