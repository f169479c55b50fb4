//! `params_not_optional_with_undef`: `undef` as the default of a parameter whose data type has no `Optional`.

use crate::manifest::Manifest;
use crate::parameters::{Parameter, parameters};
use crate::report::Report;
use crate::token::Kind;

pub(crate) fn check(manifest: &Manifest, report: &mut Report) {
    for definition in manifest.definitions() {
        for it in parameters(manifest, definition) {
            if it.has_type(manifest, |name| name != "Optional")
                && !is_variant_with_undef(manifest, &it)
                && it.has_plain_default(manifest, |first| first == Kind::Undef)
            {
                report.at(it.name, "the default is `undef`, but the parameter is not `Optional`");
            }
        }
    }
}

fn is_variant_with_undef(manifest: &Manifest, parameter: &Parameter) -> bool {
    let tokens = &manifest.tokens;
    let mut depth = 0;
    parameter.has_type(manifest, |name| name == "Variant")
        && parameter.data_type.clone().any(|at| {
            match tokens.kind(at) {
                Kind::LeftBracket => depth += 1,
                Kind::RightBracket => depth -= 1,
                _ => {}
            }
            depth == 1 && tokens.kind(at) == Kind::Type && tokens.value(at) == "Undef"
        })
}
