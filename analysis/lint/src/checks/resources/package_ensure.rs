//! `package_ensure`: `ensure => latest` for a package. Mending it changes what Puppet does.

use crate::manifest::Manifest;
use crate::report::Report;
use crate::strings::{is_word_or_string, with_value};

pub(crate) fn check(manifest: &Manifest, report: &mut Report) {
    let tokens = &manifest.tokens;
    for resource in manifest.resources().iter().filter(|it| tokens.value(it.type_name) == "package") {
        let Some(value) =
            manifest.attribute_anywhere(resource, "ensure").and_then(|it| manifest.value_of(it))
        else {
            continue;
        };
        if tokens.value(value) == "latest" && is_word_or_string(manifest, value) {
            report.at(value, "with `latest` a new version comes whenever there is one").fix(with_value(
                manifest,
                value,
                "installed",
            ));
        }
    }
}
