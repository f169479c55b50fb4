//! `inherits_across_namespaces`: a class that inherits one of another module.

use crate::manifest::Manifest;
use crate::report::Report;

pub(crate) fn check(manifest: &Manifest, report: &mut Report) {
    for class in manifest.classes() {
        let Some(parent) = class.inherits else { continue };
        if module(manifest.tokens.value(parent)) != module(manifest.tokens.value(class.name)) {
            report.at(parent, "the class inherits a class of another module");
        }
    }
}

fn module(name: &str) -> Option<&str> {
    name.split("::").find(|it| !it.is_empty())
}
