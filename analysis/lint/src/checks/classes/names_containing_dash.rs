//! `names_containing_dash`: a class or defined type with a dash in its name.

use crate::manifest::Manifest;
use crate::report::Report;

pub(crate) fn check(manifest: &Manifest, report: &mut Report) {
    for definition in manifest.definitions().iter().filter(|it| manifest.tokens.value(it.name).contains('-'))
    {
        report.at(definition.name, format!("the name of the {} has a dash", definition.noun()));
    }
}
