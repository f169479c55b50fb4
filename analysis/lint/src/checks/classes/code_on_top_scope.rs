//! `code_on_top_scope`: code outside of classes and defined types, a finding for each token.

use crate::manifest::Manifest;
use crate::report::Report;

pub(crate) fn check(manifest: &Manifest, report: &mut Report) {
    let tokens = &manifest.tokens;
    let mut inside = vec![false; tokens.len()];
    for definition in manifest.definitions() {
        inside[definition.tokens()].fill(true);
    }
    for at in tokens.indexes().filter(|&it| !inside[it] && !tokens.kind(it).is_formatting()) {
        report.at(at, format!("`{}` is outside of any class or defined type", tokens.value(at)));
    }
}
