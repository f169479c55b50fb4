//! `file_ensure`: `ensure => present` for a file, which leaves open what it is.

use super::with_ensure;
use crate::manifest::Manifest;
use crate::report::CheckReport;
use crate::strings::with_value;

pub(crate) fn check(manifest: &Manifest, report: &mut CheckReport) {
    for (resource, value) in with_ensure(manifest, "file", "present") {
        let is_link = manifest.attribute_anywhere(resource, "target").is_some();
        let edits = with_value(manifest, value, if is_link { "link" } else { "file" });
        report.at(value, "`present` leaves open what the file is").fix(edits);
    }
}
