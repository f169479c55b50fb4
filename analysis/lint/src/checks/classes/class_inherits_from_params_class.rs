//! `class_inherits_from_params_class`: a class that inherits one named `params`.

use crate::manifest::Manifest;
use crate::report::Report;

pub(crate) fn check(manifest: &Manifest, report: &mut Report) {
    for class in manifest.classes() {
        if let Some(parent) = class.inherits.filter(|&it| manifest.tokens.value(it).ends_with("::params")) {
            report.at(parent, "the class inherits its defaults from a class `params`");
        }
    }
}
