//! `case_without_default`: a `case` that says nothing of all other values.

use std::collections::HashSet;

use crate::manifest::Manifest;
use crate::report::Report;
use crate::token::Kind;

pub(crate) fn check(manifest: &Manifest, report: &mut Report) {
    let tokens = &manifest.tokens;
    let blocks: Vec<(usize, usize)> =
        tokens.of(Kind::Case).filter_map(|case| Some((case, tokens.block_behind(case)?.0))).collect();
    // The braces that are open, and whether a default has been seen between them.
    let mut open: Vec<(usize, bool)> = Vec::new();
    let mut with_default = HashSet::new();
    for at in tokens.indexes() {
        match tokens.kind(at) {
            Kind::LeftBrace => open.push((at, false)),
            Kind::RightBrace => {
                let closed = open.pop().filter(|(_, has_default)| *has_default);
                with_default.extend(closed.map(|(brace, _)| brace));
            }
            Kind::Default => open.iter_mut().last().into_iter().for_each(|it| it.1 = true),
            _ => {}
        }
    }
    for (case, _) in blocks.iter().filter(|(_, brace)| !with_default.contains(brace)) {
        report.at(*case, "the `case` has no default");
    }
}
