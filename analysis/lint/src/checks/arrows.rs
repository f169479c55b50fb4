//! Checks for whitespace around `=>`.

use crate::manifest::Manifest;
use crate::report::{CheckReport, Edit};
use crate::token::TokenKind;

/// `manifest_whitespace_arrows_single_space_after`
pub(crate) fn after(manifest: &Manifest, report: &mut CheckReport) {
    let tokens = &manifest.tokens;
    for arrow in tokens.of(TokenKind::FatArrow) {
        let Some(next) = tokens.next(arrow).filter(|&it| !tokens.is_single_space(it)) else { continue };
        let token = *tokens.get(next);
        let end = if token.kind == TokenKind::Whitespace { token.end } else { token.start };
        report.at(next, "expected a single space after the arrow").fix([Edit::replace(
            token.start,
            end,
            " ",
        )]);
    }
}

/// `space_before_arrow`: for resources with all arrows on the same line.
pub(crate) fn before(manifest: &Manifest, report: &mut CheckReport) {
    let tokens = &manifest.tokens;
    for resource in manifest.resources() {
        let arrows: Vec<usize> =
            resource.tokens().filter(|&it| tokens.kind(it) == TokenKind::FatArrow).collect();
        let (Some(&first), Some(&last)) = (arrows.first(), arrows.last()) else { continue };
        if tokens.line(first) != tokens.line(last) {
            continue;
        }
        for arrow in arrows {
            let before = arrow - 1;
            if tokens.value(before) == " " {
                continue;
            }
            let token = *tokens.get(before);
            let start = if token.kind == TokenKind::Whitespace { token.start } else { token.end };
            report
                .at(before, "expected a single space before the arrow")
                .fix([Edit::replace(start, token.end, " ")]);
        }
    }
}
