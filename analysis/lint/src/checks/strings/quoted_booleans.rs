//! `quoted_booleans`: `true` or `false` between quotes. Mending it changes the value.

use crate::manifest::Manifest;
use crate::report::{Edit, Report};
use crate::token::Kind;

pub(crate) fn check(manifest: &Manifest, report: &mut Report) {
    let tokens = &manifest.tokens;
    let is_string = |it: &usize| matches!(tokens.kind(*it), Kind::SingleQuoted | Kind::DoubleQuoted);
    for string in tokens.indexes().filter(is_string) {
        let value = tokens.value(string);
        if matches!(value, "true" | "false") {
            let token = *tokens.get(string);
            report.at(string, "the boolean is between quotes").fix([Edit::replace(
                token.start,
                token.end,
                value,
            )]);
        }
    }
}
