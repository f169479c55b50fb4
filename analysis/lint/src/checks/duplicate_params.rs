//! `duplicate_params`: a duplicate attribute in a resource.

use std::collections::HashSet;

use crate::manifest::Manifest;
use crate::report::CheckReport;
use crate::token::TokenKind;

pub(crate) fn check(manifest: &Manifest, report: &mut CheckReport) {
    let tokens = &manifest.tokens;
    for resource in manifest.resources() {
        let mut seen: Vec<HashSet<&str>> = vec![HashSet::new()];
        for at in resource.tokens() {
            match tokens.kind(at) {
                TokenKind::LeftBrace => seen.push(HashSet::new()),
                TokenKind::RightBrace if seen.len() > 1 => {
                    seen.pop();
                }
                TokenKind::FatArrow => {
                    let Some(name) =
                        tokens.previous_code(at).filter(|&it| tokens.kind(it) == TokenKind::Name)
                    else {
                        continue;
                    };
                    let is_new = seen.last_mut().is_none_or(|it| it.insert(tokens.value(name)));
                    if !is_new {
                        report.at(name, format!("duplicate attribute `{}`", tokens.value(name)));
                    }
                }
                _ => {}
            }
        }
    }
}
