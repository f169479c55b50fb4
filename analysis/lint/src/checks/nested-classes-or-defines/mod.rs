//! `nested_classes_or_defines`: a class or defined type within a class.

use crate::manifest::Manifest;
use crate::report::CheckReport;
use crate::token::TokenKind;

pub(crate) fn check(manifest: &Manifest, report: &mut CheckReport) {
    let tokens = &manifest.tokens;
    for class in manifest.classes() {
        for at in class.tokens().skip(1) {
            let noun = match tokens.kind(at) {
                TokenKind::Class => "class",
                TokenKind::Define => "defined type",
                _ => continue,
            };
            if tokens.next_code_kind(at) != Some(TokenKind::LeftBrace) {
                report.at(at, format!("{noun} defined inside of a class"));
            }
        }
    }
}
