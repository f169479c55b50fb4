//! `nested_classes_or_defines`: a class or defined type within a class.

use crate::manifest::Manifest;
use crate::report::Report;
use crate::token::Kind;

pub(crate) fn check(manifest: &Manifest, report: &mut Report) {
    let tokens = &manifest.tokens;
    for class in manifest.classes() {
        for at in class.tokens().skip(1) {
            let noun = match tokens.kind(at) {
                Kind::Class => "class",
                Kind::Define => "defined type",
                _ => continue,
            };
            if tokens.next_code_kind(at) != Some(Kind::LeftBrace) {
                report.at(at, format!("a {noun} is defined within a class"));
            }
        }
    }
}
