//! `autoloader_layout`: a class or defined type in a file where Puppet does not look for it.

use crate::manifest::Manifest;
use crate::report::Report;

pub(crate) fn check(manifest: &Manifest, report: &mut Report) {
    if manifest.path.is_empty() {
        return;
    }
    for definition in manifest.definitions() {
        let name = manifest.tokens.value(definition.name);
        if !manifest.path.ends_with(&place_of(name, manifest.options.relative)) {
            report.at(definition.name, format!("`{name}` is in a file where Puppet does not look for it"));
        }
    }
}

/// How the path ends of the file in which a name is looked for; without the module's folder where paths are relative to it.
fn place_of(name: &str, relative: bool) -> String {
    let (module, rest) = name.split_once("::").unwrap_or((name, "init"));
    let file = format!("manifests/{}.pp", rest.replace("::", "/"));
    if relative { file } else { format!("/{module}/{file}") }
}
