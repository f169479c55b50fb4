//! `anchor_resource`: a resource of the type `anchor`, which `contain` has replaced.

use crate::manifest::Manifest;
use crate::report::Report;

pub(crate) fn check(manifest: &Manifest, report: &mut Report) {
    for resource in manifest.resources().iter().filter(|it| manifest.tokens.value(it.type_name) == "anchor") {
        report.at(resource.type_name, "`contain` does what anchors are for");
    }
}
