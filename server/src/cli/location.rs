//! What a file's path says about it: its language, and what may be defined in it.

use std::collections::HashMap;
use std::path::{Component, Path, PathBuf};
use std::sync::Mutex;

use serde::Deserialize;
use syntax::Language;
use syntax::validation::FileLocation;

/// Folders that hold modules are called this, where nothing says so.
const MODULE_FOLDERS: &[&str] = &["site-modules", "site", "modules", "dist"];

/// The folders of a module from which Puppet loads what is written in its own language.
const AUTOLOADED_FOLDERS: &[&str] = &["manifests", "functions", "types", "plans"];

/// Above this many folders nobody looks for a module.
const MAX_DEPTH: usize = 64;

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Place {
    pub(super) language: Language,
    pub(super) location: FileLocation,
}

/// What is known about a folder.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Folder {
    /// A module whose name is certain.
    Module(String),
    /// A module or a Bolt project; what its names begin with is not certain.
    Unnamed,
    Plain,
}

/// Answers for many files; each folder is looked at once.
#[derive(Default)]
pub(super) struct Layout {
    folders: Mutex<HashMap<PathBuf, Folder>>,
}

impl Layout {
    /// The place of the file at `path`. Where there is doubt, anything may be defined in it.
    pub(super) fn place(&self, path: &Path) -> Place {
        let extension = path.extension().and_then(|it| it.to_str());
        if extension == Some("epp") {
            return Place { language: Language::Epp, location: FileLocation::Free };
        }
        let free = Place { language: Language::Manifest, location: FileLocation::Free };
        let Ok(path) = std::path::absolute(path) else { return free };
        if extension != Some("pp") {
            return free;
        }
        // The outermost module counts: what lies in its `manifests` is its own, whatever the folders there are called.
        let folders: Vec<&Path> = path.ancestors().skip(2).take(MAX_DEPTH).collect();
        for folder in folders.into_iter().rev() {
            let Some(names) = path.strip_prefix(folder).ok().and_then(plain_names) else { continue };
            if names.len() < 2 || !is_loaded_or_misspelt(&names[0]) {
                continue;
            }
            let location = match self.folder(folder) {
                Folder::Plain => continue,
                Folder::Unnamed => FileLocation::Free,
                Folder::Module(module) if AUTOLOADED_FOLDERS.contains(&names[0].as_str()) => {
                    FileLocation::Module { namespace: namespace(&module, &names) }
                }
                Folder::Module(_) => FileLocation::Misplaced,
            };
            let language = if names[0] == "plans" { Language::Plan } else { Language::Manifest };
            return Place { language, location };
        }
        free
    }

    fn folder(&self, path: &Path) -> Folder {
        // A lock that a panicking thread held is as good as any: the map is never half written.
        let mut folders = self.folders.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        if let Some(known) = folders.get(path) {
            return known.clone();
        }
        let folder = look_at(path);
        folders.insert(path.to_owned(), folder.clone());
        folder
    }
}

/// Examples, tests and files to be served lie in other folders. `manifest` is meant to be `manifests`, and never loaded.
fn is_loaded_or_misspelt(folder: &str) -> bool {
    AUTOLOADED_FOLDERS.iter().any(|right| *right == folder || right.strip_suffix('s') == Some(folder))
}

/// The parts of a relative path; `None` where one is no plain text.
fn plain_names(relative: &Path) -> Option<Vec<String>> {
    let names = relative.components().map(|it| match it {
        Component::Normal(name) => name.to_str().map(str::to_owned),
        _ => None,
    });
    names.collect::<Option<Vec<_>>>().filter(|it| !it.is_empty())
}

/// What every name defined in a module's file must begin with. `names` is the path below the module's folder.
fn namespace(module: &str, names: &[String]) -> String {
    let mut parts = vec![module.to_lowercase()];
    if let [_, folders @ .., file] = names {
        parts.extend(folders.iter().map(|it| it.to_lowercase()));
        let stem = file.to_lowercase();
        if !(folders.is_empty() && stem == "init.pp") {
            parts.push(stem.trim_end_matches(".pp").to_owned());
        }
    }
    parts.join("::")
}

fn look_at(path: &Path) -> Folder {
    let has = |name: &str| path.join(name).exists();
    if has("environment.conf") || has("Puppetfile") {
        return Folder::Plain; // an environment, even if it calls itself a module
    }
    let folder_name = path.file_name().and_then(|it| it.to_str()).unwrap_or_default();
    let parent_name = path.parent().and_then(Path::file_name).and_then(|it| it.to_str());
    let is_explicit = || is_on_module_path(path);
    match metadata_name(&path.join("metadata.json")) {
        // Where Puppet looks for modules, it goes by the folder's name. Elsewhere a checkout is called anything, and is
        // renamed when it is deployed.
        Some(Some(name)) if name == folder_name || !is_explicit() => Folder::Module(name),
        Some(_) => Folder::Unnamed,
        None if is_explicit() && is_module_name(folder_name) => Folder::Module(folder_name.to_owned()),
        None if parent_name.is_some_and(|it| MODULE_FOLDERS.contains(&it)) => Folder::Unnamed,
        None if has("bolt-project.yaml") || has("manifests") => Folder::Unnamed,
        None => Folder::Plain,
    }
}

/// Does an `environment.conf` around the folder say that modules lie beside it?
fn is_on_module_path(folder: &Path) -> bool {
    let Some(parent) = folder.parent() else { return false };
    let configuration = folder.ancestors().skip(1).take(MAX_DEPTH).find_map(|environment| {
        let text = std::fs::read_to_string(environment.join("environment.conf")).ok()?;
        Some((environment, text))
    });
    let Some((environment, text)) = configuration else { return false };
    let settings = text.lines().filter_map(|line| line.split('#').next()?.split_once('='));
    let module_path = settings.filter(|(key, _)| key.trim() == "modulepath").last();
    let Some((_, module_path)) = module_path else { return false };
    let separator = if module_path.contains(';') || module_path.contains(":\\") { ';' } else { ':' };
    module_path
        .split(separator)
        .any(|entry| environment.join(entry.trim().trim_matches(['"', '\''])) == parent)
}

/// The module's name by its metadata: `None` without a metadata file, `Some(None)` where that tells no name.
fn metadata_name(path: &Path) -> Option<Option<String>> {
    #[derive(Deserialize)]
    struct Metadata {
        name: String,
    }
    let text = std::fs::read(path).ok()?;
    let metadata: Option<Metadata> = serde_json::from_slice(&text).ok();
    let name = metadata.as_ref().and_then(|it| it.name.rsplit(['-', '/']).next());
    Some(name.filter(|it| is_module_name(it)).map(str::to_owned))
}

fn is_module_name(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_lowercase())
        && name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_')
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Makes `files` below a new folder (a text after `=`) and says what is thought of `path`.
    fn check(test: &str, files: &[&str], path: &str) -> String {
        let root =
            std::env::temp_dir().join(format!("puppet-analyzer-location-{}-{test}", std::process::id()));
        for file in files {
            let (name, text) = file.split_once('=').unwrap_or((file, ""));
            let file = root.join(name);
            std::fs::create_dir_all(file.parent().expect("has a folder")).expect("a temporary folder");
            std::fs::write(file, text).expect("a temporary file");
        }
        let place = Layout::default().place(&root.join(path));
        std::fs::remove_dir_all(&root).expect("the folder is ours");
        let location = match place.location {
            FileLocation::Module { namespace } => namespace,
            other => format!("{other:?}"),
        };
        format!("{:?} {location}", place.language)
    }

    #[test]
    fn places() {
        let metadata = r#"metadata.json={"name": "me-apache"}"#;
        let deep = r#"x/puppet-apache/metadata.json={"name": "me/apache"}"#;
        let fixture = r#"spec/fixtures/modules/a/metadata.json={"name": "me/a"}"#;
        let environment = "environment.conf=modulepath = site-modules:modules:$basemodulepath";
        for (test, files, path, expected) in [
            ("template", &[environment][..], "modules/a/templates/b.epp", "Epp Free"),
            ("loose", &["a"], "a/b.pp", "Manifest Free"),
            ("guess", &["a"], "modules/a/manifests/init.pp", "Manifest Free"),
            ("main", &[environment], "manifests/a/b.pp", "Manifest Free"),
            ("by-path", &[environment], "modules/a/manifests/init.pp", "Manifest a"),
            ("nested", &[environment], "modules/a/manifests/b/C.pp", "Manifest a::b::c"),
            ("init-below", &[environment], "modules/a/manifests/b/init.pp", "Manifest a::b::init"),
            ("type", &[environment], "site-modules/a/types/b.pp", "Manifest a::b"),
            ("plan", &[environment], "modules/a/plans/b.pp", "Plan a::b"),
            ("guessed-plan", &["a"], "modules/a/plans/b.pp", "Plan Free"),
            ("example", &[environment], "modules/a/examples/b.pp", "Manifest Free"),
            ("misspelt", &[environment], "modules/a/manifest/b.pp", "Manifest Misplaced"),
            ("odd-name", &[environment], "modules/puppet-a/manifests/b.pp", "Manifest Free"),
            ("by-metadata", &[metadata], "manifests/b.pp", "Manifest apache::b"),
            ("checkout", &[deep], "x/puppet-apache/functions/b/c.pp", "Manifest apache::b::c"),
            ("bad-metadata", &["metadata.json={"], "manifests/b.pp", "Manifest Free"),
            ("environment", &[metadata, environment], "manifests/b.pp", "Manifest Free"),
            ("bolt", &["bolt-project.yaml"], "plans/b.pp", "Plan Free"),
            (
                "outermost",
                &[environment],
                "modules/a/manifests/types/b/manifests/c.pp",
                "Manifest a::types::b::manifests::c",
            ),
            ("fixture", &[metadata, fixture], "spec/fixtures/modules/a/manifests/c.pp", "Manifest a::c"),
        ] {
            assert_eq!(check(test, files, path), expected, "{test}");
        }
    }
}
