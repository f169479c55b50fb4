//! `documentation`: a class or defined type without a comment directly above it.

use crate::manifest::Manifest;
use crate::report::Report;
use crate::token::Kind;

pub(crate) fn check(manifest: &Manifest, report: &mut Report) {
    for definition in manifest.definitions() {
        if !has_comment(manifest, definition.keyword) {
            report.at(definition.keyword, format!("the {} has no comment above it", definition.noun()));
        }
    }
}

fn has_comment(manifest: &Manifest, keyword: usize) -> bool {
    let mut line_breaks = 0;
    for at in (0..keyword).rev() {
        match manifest.tokens.kind(at) {
            Kind::Newline => {
                line_breaks += 1;
                if line_breaks > 1 {
                    return false;
                }
            }
            Kind::Whitespace | Kind::Indent => {}
            kind => return kind.is_comment(),
        }
    }
    false
}
