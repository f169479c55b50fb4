//! `params_not_optional_with_undef`: `undef` as the default of a parameter whose data type is not `Optional`.

use crate::manifest::Manifest;
use crate::parameters::{ParameterTokens, parameters};
use crate::report::CheckReport;
use crate::token::TokenKind;

pub(crate) fn check(manifest: &Manifest, report: &mut CheckReport) {
    for definition in manifest.definitions() {
        for it in parameters(manifest, definition) {
            if it.has_type(manifest, |name| name != "Optional")
                && !is_variant_with_undef(manifest, &it)
                && it.has_plain_default(manifest, |first| first == TokenKind::Undef)
            {
                report.at(it.name, "default is `undef`, but the type is not `Optional`");
            }
        }
    }
}

fn is_variant_with_undef(manifest: &Manifest, parameter: &ParameterTokens) -> bool {
    let tokens = &manifest.tokens;
    let mut depth = 0;
    parameter.has_type(manifest, |name| name == "Variant")
        && parameter.data_type.clone().any(|at| {
            match tokens.kind(at) {
                TokenKind::LeftBracket => depth += 1,
                TokenKind::RightBracket => depth -= 1,
                _ => {}
            }
            depth == 1 && tokens.kind(at) == TokenKind::Type && tokens.value(at) == "Undef"
        })
}
