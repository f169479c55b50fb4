//! `code_on_top_scope`: code outside of classes and defined types, with one finding per token.

use crate::manifest::Manifest;
use crate::report::CheckReport;

pub(crate) fn check(manifest: &Manifest, report: &mut CheckReport) {
    let tokens = &manifest.tokens;
    let mut inside = vec![false; tokens.len()];
    for definition in manifest.definitions() {
        inside[definition.tokens()].fill(true);
    }
    for at in tokens.indexes().filter(|&it| !inside[it] && !tokens.kind(it).is_formatting()) {
        report.at(at, "code outside of a class or defined type");
    }
}
