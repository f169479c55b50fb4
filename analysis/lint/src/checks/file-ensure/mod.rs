//! `file_ensure`: `ensure => present` for a file, which does not specify its type.

use super::ensure::with_ensure;
use crate::manifest::Manifest;
use crate::report::CheckReport;
use crate::strings::with_value;

pub(crate) fn check(manifest: &Manifest, report: &mut CheckReport) {
    for (resource, value) in with_ensure(manifest, "file", "present") {
        let is_link = manifest.attribute_anywhere(resource, "target").is_some();
        let edits = with_value(manifest, value, if is_link { "link" } else { "file" });
        report.at(value, "`ensure => present` does not specify the type of the file").fix(edits);
    }
}
