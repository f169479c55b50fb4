//! `params_empty_string_assignment`: an empty string as the default of a `String` parameter.

use crate::manifest::Manifest;
use crate::parameters::parameters;
use crate::report::CheckReport;
use crate::token::TokenKind;

pub(crate) fn check(manifest: &Manifest, report: &mut CheckReport) {
    for definition in manifest.definitions() {
        for it in parameters(manifest, definition) {
            let takes_string =
                it.has_type(manifest, |name| name.starts_with("String") || name.starts_with("Variant"));
            if takes_string && !it.default.is_empty() && is_empty_string(manifest, it.default.start) {
                report.at(it.name, "default is an empty string");
            }
        }
    }
}

fn is_empty_string(manifest: &Manifest, token: usize) -> bool {
    manifest.tokens.kind(token) == TokenKind::SingleQuoted && manifest.tokens.value(token).is_empty()
}
