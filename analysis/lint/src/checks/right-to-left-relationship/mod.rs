//! `right_to_left_relationship`: a chain that reads from right to left.

use crate::manifest::Manifest;
use crate::report::CheckReport;
use crate::token::TokenKind;

pub(crate) fn check(manifest: &Manifest, report: &mut CheckReport) {
    for arrow in manifest.tokens.of(TokenKind::Require) {
        report.at(arrow, "right-to-left relationship");
    }
}
