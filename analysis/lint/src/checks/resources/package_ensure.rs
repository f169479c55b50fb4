//! `package_ensure`: `ensure => latest` for a package. Mending it changes what Puppet does.

use super::with_ensure;
use crate::manifest::Manifest;
use crate::report::CheckReport;
use crate::strings::with_value;

pub(crate) fn check(manifest: &Manifest, report: &mut CheckReport) {
    for (_, value) in with_ensure(manifest, "package", "latest") {
        let edits = with_value(manifest, value, "installed");
        report.at(value, "with `latest` a new version comes whenever there is one").fix(edits);
    }
}
