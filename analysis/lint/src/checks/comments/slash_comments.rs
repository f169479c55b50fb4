//! `slash_comments`: a comment that begins with `//`.

use crate::manifest::Manifest;
use crate::report::{Edit, Report};
use crate::token::Kind;

pub(crate) fn check(manifest: &Manifest, report: &mut Report) {
    for comment in manifest.tokens.of(Kind::SlashComment) {
        let start = manifest.tokens.get(comment).start;
        report.at(comment, "the comment begins with `//`").fix([Edit::replace(start, start + 2, "#")]);
    }
}
