//! `case_without_default`: a `case` that says nothing of all other values.

use crate::manifest::Manifest;
use crate::report::Report;
use crate::token::Kind;

pub(crate) fn check(manifest: &Manifest, report: &mut Report) {
    let tokens = &manifest.tokens;
    for case in tokens.of(Kind::Case) {
        if has_default(manifest, case) == Some(false) {
            report.at(case, "the `case` has no default");
        }
    }
}

/// Whether the options of a `case` have a default; `None` where its braces do not close.
fn has_default(manifest: &Manifest, case: usize) -> Option<bool> {
    let tokens = &manifest.tokens;
    let mut depth = 0_i32;
    let mut found = false;
    for at in case + 1..tokens.len() {
        match tokens.kind(at) {
            Kind::LeftBrace => depth += 1,
            Kind::RightBrace => {
                depth -= 1;
                if depth == 0 {
                    return Some(found);
                }
            }
            Kind::Default if depth == 1 => found = true,
            _ => {}
        }
    }
    None
}
