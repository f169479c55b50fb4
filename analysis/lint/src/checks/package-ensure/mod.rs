//! `package_ensure`: `ensure => latest` for a package. The fix changes what Puppet does.

use super::ensure::with_ensure;
use crate::manifest::Manifest;
use crate::report::CheckReport;
use crate::strings::with_value;

pub(crate) fn check(manifest: &Manifest, report: &mut CheckReport) {
    for (_, value) in with_ensure(manifest, "package", "latest") {
        let edits = with_value(manifest, value, "installed");
        report.at(value, "`ensure => latest` installs every new version").fix(edits);
    }
}
