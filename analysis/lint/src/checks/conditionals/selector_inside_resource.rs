//! `selector_inside_resource`: a selector as the value of an attribute.

use crate::manifest::Manifest;
use crate::report::Report;
use crate::token::Kind;

pub(crate) fn check(manifest: &Manifest, report: &mut Report) {
    let tokens = &manifest.tokens;
    for resource in manifest.resources() {
        for arrow in resource.tokens().filter(|&it| tokens.kind(it) == Kind::FatArrow) {
            let Some(value) = tokens.next_code(arrow).filter(|&it| tokens.kind(it) == Kind::Variable) else {
                continue;
            };
            if tokens.next_code_kind(value) == Some(Kind::Question) {
                report.at(arrow, "the value of the attribute is a selector");
            }
        }
    }
}
