//! `variable_is_lowercase`: an uppercase letter in a variable's name.

use crate::manifest::Manifest;
use crate::report::CheckReport;
use crate::strings::without_accesses;

pub(crate) fn check(manifest: &Manifest, report: &mut CheckReport) {
    let tokens = &manifest.tokens;
    for variable in tokens.indexes().filter(|&it| tokens.kind(it).is_variable()) {
        if without_accesses(tokens.value(variable)).contains(|it: char| it.is_ascii_uppercase()) {
            report.at(variable, "variable contains an uppercase letter");
        }
    }
}
