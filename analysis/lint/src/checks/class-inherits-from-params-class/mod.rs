//! `class_inherits_from_params_class`: a class that inherits from a class named `params`.

use crate::manifest::Manifest;
use crate::report::CheckReport;

pub(crate) fn check(manifest: &Manifest, report: &mut CheckReport) {
    for class in manifest.classes() {
        if let Some(parent) = class.inherits.filter(|&it| manifest.tokens.value(it).ends_with("::params")) {
            report.at(parent, "class inherits from a `params` class");
        }
    }
}
