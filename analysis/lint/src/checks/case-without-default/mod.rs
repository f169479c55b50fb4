//! `case_without_default`: a `case` without a `default` option.

use std::collections::HashSet;

use crate::manifest::Manifest;
use crate::report::CheckReport;
use crate::token::TokenKind;

pub(crate) fn check(manifest: &Manifest, report: &mut CheckReport) {
    let tokens = &manifest.tokens;
    let blocks: Vec<(usize, usize)> =
        tokens.of(TokenKind::Case).filter_map(|case| Some((case, tokens.block_after(case)?.0))).collect();
    // Open braces, and whether a default has been seen since.
    let mut open: Vec<(usize, bool)> = Vec::new();
    let mut with_default = HashSet::new();
    for at in tokens.indexes() {
        match tokens.kind(at) {
            TokenKind::LeftBrace => open.push((at, false)),
            TokenKind::RightBrace => {
                let closed = open.pop().filter(|(_, has_default)| *has_default);
                with_default.extend(closed.map(|(brace, _)| brace));
            }
            TokenKind::Default => open.iter_mut().last().into_iter().for_each(|it| it.1 = true),
            _ => {}
        }
    }
    for (case, _) in blocks.iter().filter(|(_, brace)| !with_default.contains(brace)) {
        report.at(*case, "`case` without a `default` option");
    }
}
