//! `inherits_across_namespaces`: a class that inherits from a class of another module.

use crate::manifest::Manifest;
use crate::report::CheckReport;

pub(crate) fn check(manifest: &Manifest, report: &mut CheckReport) {
    for class in manifest.classes() {
        let Some(parent) = class.inherits else { continue };
        if module(manifest.tokens.value(parent)) != module(manifest.tokens.value(class.name)) {
            report.at(parent, "class inherits from a class of another module");
        }
    }
}

fn module(name: &str) -> Option<&str> {
    name.split("::").find(|it| !it.is_empty())
}
