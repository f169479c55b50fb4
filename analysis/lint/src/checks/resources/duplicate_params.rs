//! `duplicate_params`: an attribute twice in a resource.

use std::collections::HashSet;

use crate::manifest::Manifest;
use crate::report::Report;
use crate::token::Kind;

pub(crate) fn check(manifest: &Manifest, report: &mut Report) {
    let tokens = &manifest.tokens;
    for resource in manifest.resources() {
        let mut seen: Vec<HashSet<&str>> = vec![HashSet::new()];
        for at in resource.tokens() {
            match tokens.kind(at) {
                Kind::LeftBrace => seen.push(HashSet::new()),
                Kind::RightBrace if seen.len() > 1 => {
                    seen.pop();
                }
                Kind::FatArrow => {
                    let Some(name) = tokens.previous_code(at).filter(|&it| tokens.kind(it) == Kind::Name)
                    else {
                        continue;
                    };
                    let is_new = seen.last_mut().is_none_or(|it| it.insert(tokens.value(name)));
                    if !is_new {
                        report.at(name, format!("`{}` is there twice", tokens.value(name)));
                    }
                }
                _ => {}
            }
        }
    }
}
