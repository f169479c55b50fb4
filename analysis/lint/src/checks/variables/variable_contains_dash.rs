//! `variable_contains_dash`: a dash directly behind a variable's name, which is none of the name in Puppet.

use crate::manifest::Manifest;
use crate::report::Report;
use crate::strings::without_accesses;

pub(crate) fn check(manifest: &Manifest, report: &mut Report) {
    let tokens = &manifest.tokens;
    for variable in tokens.indexes().filter(|&it| tokens.kind(it).is_variable()) {
        if without_accesses(tokens.value(variable)).contains('-') {
            report.at(variable, "there is a dash in the variable");
        }
    }
}
