//! `file_ensure`: `ensure => present` for a file, which leaves open what it is.

use crate::manifest::Manifest;
use crate::report::Report;
use crate::strings::{is_word_or_string, with_value};

pub(crate) fn check(manifest: &Manifest, report: &mut Report) {
    let tokens = &manifest.tokens;
    for resource in manifest.resources().iter().filter(|it| tokens.value(it.type_name) == "file") {
        let Some(value) =
            manifest.attribute_anywhere(resource, "ensure").and_then(|it| manifest.value_of(it))
        else {
            continue;
        };
        if tokens.value(value) == "present" && is_word_or_string(manifest, value) {
            let is_link = manifest.attribute_anywhere(resource, "target").is_some();
            let edits = with_value(manifest, value, if is_link { "link" } else { "file" });
            report.at(value, "`present` leaves open what the file is").fix(edits);
        }
    }
}
