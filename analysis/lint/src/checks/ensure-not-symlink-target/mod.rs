//! `ensure_not_symlink_target`: the target of a symbolic link as the value of `ensure`.

use crate::manifest::Manifest;
use crate::report::{CheckReport, Edit};

pub(crate) fn check(manifest: &Manifest, report: &mut CheckReport) {
    let tokens = &manifest.tokens;
    for resource in manifest.resources().iter().filter(|it| tokens.value(it.type_name) == "file") {
        for &ensure in resource.attributes.iter().filter(|&&it| tokens.value(it) == "ensure") {
            let Some(value) = manifest.value_of(ensure).filter(|&it| tokens.value(it).starts_with('/'))
            else {
                continue;
            };
            let indent = tokens.previous(ensure).map_or("", |it| tokens.source(it));
            let insertion = format!("symlink,\n{indent}target => ");
            let start = tokens.get(value).start;
            report.at(value, "symlink target specified in `ensure`").fix([Edit::insert(start, insertion)]);
        }
    }
}
