//! `right_to_left_relationship`: a chain that reads from right to left.

use crate::manifest::Manifest;
use crate::report::Report;
use crate::token::Kind;

pub(crate) fn check(manifest: &Manifest, report: &mut Report) {
    for arrow in manifest.tokens.of(Kind::Require) {
        report.at(arrow, "the relationship reads from right to left");
    }
}
