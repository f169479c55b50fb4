//! `unquoted_resource_title`: the title of a resource without quotes.

use crate::manifest::Manifest;
use crate::report::Report;
use crate::strings::quoted;
use crate::token::Kind;

pub(crate) fn check(manifest: &Manifest, report: &mut Report) {
    let tokens = &manifest.tokens;
    for colon in tokens.of(Kind::Colon) {
        let Some(before) = tokens.previous(colon) else { continue };
        let titles = match tokens.kind(before) {
            Kind::RightBracket => match tokens.previous_of(before, &[Kind::LeftBracket]) {
                Some(open) => open + 1..before,
                None => continue,
            },
            _ if tokens.next_code_kind(colon).is_none_or(|it| it == Kind::LeftBrace) => continue,
            _ => before..colon,
        };
        for title in titles.filter(|&it| tokens.kind(it) == Kind::Name) {
            report.at(title, "the title has no quotes").fix(quoted(manifest, title));
        }
    }
}
