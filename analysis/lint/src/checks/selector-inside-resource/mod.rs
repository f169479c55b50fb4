//! `selector_inside_resource`: a selector as the value of an attribute.

use crate::manifest::Manifest;
use crate::report::CheckReport;
use crate::token::TokenKind;

pub(crate) fn check(manifest: &Manifest, report: &mut CheckReport) {
    let tokens = &manifest.tokens;
    for resource in manifest.resources() {
        for arrow in resource.tokens().filter(|&it| tokens.kind(it) == TokenKind::FatArrow) {
            let Some(value) = tokens.next_code(arrow).filter(|&it| tokens.kind(it) == TokenKind::Variable)
            else {
                continue;
            };
            if tokens.next_code_kind(value) == Some(TokenKind::Question) {
                report.at(arrow, "selector inside of a resource");
            }
        }
    }
}
