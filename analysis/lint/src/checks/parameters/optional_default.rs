//! `optional_default`: an `Optional` parameter with a default that is not `undef`; one of a defined type without a default.

use crate::manifest::Manifest;
use crate::parameters::parameters;
use crate::report::Report;
use crate::token::Kind;

pub(crate) fn check(manifest: &Manifest, report: &mut Report) {
    for definition in manifest.definitions() {
        for it in parameters(manifest, definition) {
            if !it.has_type(manifest, |name| name == "Optional") {
                continue;
            }
            if it.has_plain_default(manifest, |first| !matches!(first, Kind::Undef | Kind::Variable)) {
                report.at(it.name, "the parameter is `Optional`, but its default is not `undef`");
            }
            if !definition.is_class && it.default.is_empty() {
                report.at(it.name, "the parameter is `Optional`, but has no default");
            }
        }
    }
}
