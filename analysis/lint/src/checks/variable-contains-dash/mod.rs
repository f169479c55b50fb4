//! `variable_contains_dash`: a dash directly after a variable's name, which Puppet does not read as a part of
//! the name.

use crate::manifest::Manifest;
use crate::report::CheckReport;
use crate::strings::without_accesses;

pub(crate) fn check(manifest: &Manifest, report: &mut CheckReport) {
    let tokens = &manifest.tokens;
    for variable in tokens.indexes().filter(|&it| tokens.kind(it).is_variable()) {
        if without_accesses(tokens.value(variable)).contains('-') {
            report.at(variable, "variable contains a dash");
        }
    }
}
