//! `names_containing_dash`: a class or defined type with a dash in its name.

use crate::manifest::Manifest;
use crate::report::CheckReport;

pub(crate) fn check(manifest: &Manifest, report: &mut CheckReport) {
    for definition in manifest.definitions().iter().filter(|it| manifest.tokens.value(it.name).contains('-'))
    {
        report.at(definition.name, format!("name of the {} contains a dash", definition.noun()));
    }
}
