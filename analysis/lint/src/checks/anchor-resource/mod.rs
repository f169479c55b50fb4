//! `anchor_resource`: a resource of type `anchor`, which `contain` has replaced.

use crate::manifest::Manifest;
use crate::report::CheckReport;

pub(crate) fn check(manifest: &Manifest, report: &mut CheckReport) {
    for resource in manifest.resources().iter().filter(|it| manifest.tokens.value(it.type_name) == "anchor") {
        report.at(resource.type_name, "`anchor` resource; `contain` replaces it");
    }
}
