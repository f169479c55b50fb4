//! `names_containing_uppercase`: a class or defined type with an uppercase letter in its name.

use crate::manifest::Manifest;
use crate::report::{CheckReport, Edit};

pub(crate) fn check(manifest: &Manifest, report: &mut CheckReport) {
    for definition in manifest.definitions() {
        let name = manifest.tokens.value(definition.name);
        if name.contains(|it: char| it.is_ascii_uppercase()) {
            let token = *manifest.tokens.get(definition.name);
            report
                .at(definition.name, format!("{} `{name}` contains an uppercase letter", definition.noun()))
                .fix([Edit::replace(token.start, token.end, name.to_lowercase())]);
        }
    }
}
