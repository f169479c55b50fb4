//! `optional_default`: an `Optional` parameter with a default other than `undef`, or one of a defined type
//! without a default.

use crate::manifest::Manifest;
use crate::parameters::parameters;
use crate::report::CheckReport;
use crate::token::TokenKind;

pub(crate) fn check(manifest: &Manifest, report: &mut CheckReport) {
    for definition in manifest.definitions() {
        for it in parameters(manifest, definition) {
            if !it.has_type(manifest, |name| name == "Optional") {
                continue;
            }
            if it
                .has_plain_default(manifest, |first| !matches!(first, TokenKind::Undef | TokenKind::Variable))
            {
                report.at(it.name, "`Optional` parameter with a default other than `undef`");
            }
            if !definition.is_class && it.default.is_empty() {
                report.at(it.name, "`Optional` parameter without a default");
            }
        }
    }
}
