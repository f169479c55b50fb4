//! `slash_comments`: a comment that begins with `//`.

use crate::manifest::Manifest;
use crate::report::{CheckReport, Edit};
use crate::token::TokenKind;

pub(crate) fn check(manifest: &Manifest, report: &mut CheckReport) {
    for comment in manifest.tokens.of(TokenKind::SlashComment) {
        let start = manifest.tokens.get(comment).start;
        report.at(comment, "`//` comment").fix([Edit::replace(start, start + 2, "#")]);
    }
}
