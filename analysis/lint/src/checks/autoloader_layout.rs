//! `autoloader_layout`: a class or defined type in a file where Puppet does not look for it.

use crate::manifest::Manifest;
use crate::report::CheckReport;

pub(crate) fn check(manifest: &Manifest, report: &mut CheckReport) {
    if manifest.path.is_empty() {
        return;
    }
    for definition in manifest.definitions() {
        let name = manifest.tokens.value(definition.name);
        if !manifest.path.ends_with(&expected_path(name, manifest.options.relative)) {
            report.at(definition.name, format!("`{name}` is not in the file where Puppet looks for it"));
        }
    }
}

/// Returns the end of the path of the file in which Puppet looks for a name; without the module's folder if
/// paths are relative to it.
fn expected_path(name: &str, relative: bool) -> String {
    let (module, rest) = name.split_once("::").unwrap_or((name, "init"));
    let file = format!("manifests/{}.pp", rest.replace("::", "/"));
    if relative { file } else { format!("/{module}/{file}") }
}
