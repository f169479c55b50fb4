//! `params_empty_string_assignment`: an empty string as the default of a string.

use crate::manifest::Manifest;
use crate::parameters::parameters;
use crate::report::Report;
use crate::token::Kind;

pub(crate) fn check(manifest: &Manifest, report: &mut Report) {
    for definition in manifest.definitions() {
        for it in parameters(manifest, definition) {
            let takes_string =
                it.has_type(manifest, |name| name.starts_with("String") || name.starts_with("Variant"));
            if takes_string && !it.default.is_empty() && is_empty_string(manifest, it.default.start) {
                report.at(it.name, "the default is an empty string");
            }
        }
    }
}

fn is_empty_string(manifest: &Manifest, token: usize) -> bool {
    manifest.tokens.kind(token) == Kind::SingleQuoted && manifest.tokens.value(token).is_empty()
}
