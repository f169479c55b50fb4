//! `variable_is_lowercase`: a capital letter in a variable's name.

use crate::manifest::Manifest;
use crate::report::Report;
use crate::strings::without_accesses;

pub(crate) fn check(manifest: &Manifest, report: &mut Report) {
    let tokens = &manifest.tokens;
    for variable in tokens.indexes().filter(|&it| tokens.kind(it).is_variable()) {
        if without_accesses(tokens.value(variable)).contains(|it: char| it.is_ascii_uppercase()) {
            report.at(variable, "there is a capital letter in the variable");
        }
    }
}
