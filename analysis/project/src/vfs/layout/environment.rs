//! Detection of environments, their module paths and main manifests.

use std::collections::BTreeSet;

use hir::Name;

use super::module_name::is_module_name;

use super::input::{LayoutInput, MODULE_FOLDERS};
use crate::vfs::FilePath;

/// Paths in which an environment looks for code.
pub(super) struct EnvironmentPaths {
    pub(super) module_path: Vec<FilePath>,
    /// Main manifest: a file, or a folder of files.
    pub(super) manifest: Option<FilePath>,
    /// True if a setting names the manifest.
    pub(super) names_manifest: bool,
    /// True if a setting defines the module path.
    pub(super) is_explicit: bool,
    pub(super) kind: EnvironmentKind,
}

#[derive(Clone, PartialEq, Eq)]
pub(super) enum EnvironmentKind {
    Ordinary,
    /// `spec/fixtures` of a module: code that its tests see in addition to the module.
    Fixtures {
        module: FilePath,
    },
    /// A Bolt project is also a module, with this name.
    BoltProject(Name),
}

impl EnvironmentPaths {
    /// Returns the paths of the environment of all files outside any other.
    pub(super) fn outside(input: &LayoutInput<'_>) -> EnvironmentPaths {
        let mut module_path = extra_module_path(input);
        module_path.extend(base_module_path(input));
        EnvironmentPaths {
            module_path,
            manifest: None,
            names_manifest: false,
            is_explicit: false,
            kind: EnvironmentKind::Ordinary,
        }
    }

    /// Returns true if Puppet looks for modules in a folder under any further settings: a folder of the
    /// configured module path, or `modules` if none is configured.
    pub(super) fn certainly_looks_into(&self, root: Option<&FilePath>, folder: &FilePath) -> bool {
        let is_ordinary = self.kind == EnvironmentKind::Ordinary;
        self.module_path.contains(folder)
            && (self.is_explicit || root.is_none_or(|root| is_ordinary && *folder == root.join("modules")))
    }

    /// Returns the paths from the configuration in `root`, or Puppet's defaults.
    pub(super) fn new(input: &LayoutInput<'_>, root: &FilePath) -> EnvironmentPaths {
        if let Some(module) = fixtures_of(root) {
            return EnvironmentPaths {
                module_path: vec![root.join("modules")],
                manifest: Some(root.join("manifests")),
                names_manifest: false,
                is_explicit: true,
                kind: EnvironmentKind::Fixtures { module },
            };
        }
        let text = |name: &str| input.texts.get(&root.join(name)).copied();
        let mut module_path = None;
        let mut manifest = Some(root.join("manifests"));
        let mut names_manifest = false;
        for line in text("environment.conf").unwrap_or_default().lines() {
            let line = line.split('#').next().unwrap_or_default();
            let Some((key, value)) = line.split_once('=') else { continue };
            match key.trim() {
                "modulepath" => module_path = Some(path_list(input, root, value.trim())),
                // An empty setting is ignored.
                "manifest" if value.trim().is_empty() => {}
                "manifest" => {
                    manifest = path_below(root, value.trim());
                    names_manifest = true;
                }
                _ => {}
            }
        }
        let is_explicit = module_path.is_some() || input.module_path_is_whole;
        let bolt = text("bolt-project.yaml");
        let mut module_path = module_path.unwrap_or_else(|| {
            let mut folders: Vec<FilePath> = MODULE_FOLDERS.iter().map(|folder| root.join(folder)).collect();
            folders.extend(text("Puppetfile").and_then(module_folder_of_puppetfile).map(|it| root.join(it)));
            if bolt.is_some() {
                folders.push(root.join(".modules"));
            }
            folders.extend(base_module_path(input));
            folders
        });
        if input.module_path_is_whole {
            module_path.clear();
        }
        module_path.extend(extra_module_path(input));
        let kind = match bolt {
            Some(text) => EnvironmentKind::BoltProject(bolt_project_name(text, root)),
            None => EnvironmentKind::Ordinary,
        };
        EnvironmentPaths { module_path, manifest, names_manifest, is_explicit, kind }
    }
}

/// Returns the folders that are environments: by their configuration files, by the contents of workspace
/// roots, and the subfolders of `environments`.
pub(super) fn environment_roots(input: &LayoutInput<'_>, candidates: &BTreeSet<FilePath>) -> Vec<FilePath> {
    let exists = |path: &FilePath| input.paths.binary_search(&path).is_ok();
    let is_module = |folder: &FilePath| exists(&folder.join("metadata.json"));
    let mut roots = BTreeSet::new();
    for path in input.paths {
        match path.file_name() {
            "environment.conf" => {
                roots.extend(path.parent().filter(|it| !is_served(input, it, candidates)));
            }
            "bolt-project.yaml" => roots.extend(path.parent().filter(|it| !is_module(it))),
            "Puppetfile" => {
                let is_of_module = |it: &FilePath| {
                    is_module(it)
                        || is_module_with_puppetfile(input, it, candidates)
                        || holds_tests(it, candidates)
                };
                roots.extend(path.parent().filter(|it| !is_of_module(it)));
            }
            _ => {}
        }
        roots.extend(folder_of_environments(input, path));
    }
    for candidate in candidates {
        roots.extend(candidate.parent().and_then(|it| it.parent()).filter(|it| fixtures_of(it).is_some()));
    }
    for root in input.roots {
        let has_modules = || {
            let folders = candidates.iter().filter_map(|candidate| candidate.parent());
            let mut below = folders.filter(|folder| folder.parent().as_ref() == Some(root));
            below.any(|folder| MODULE_FOLDERS.contains(&folder.file_name()))
        };
        let has_site_manifest =
            || exists(&root.join("manifests/site.pp")) && !exists(&root.join("manifests/init.pp"));
        let has_data = || exists(&root.join("hiera.yaml")) && !exists(&root.join("manifests/init.pp"));
        if !is_module(root) && (has_site_manifest() || has_modules() || has_data()) {
            roots.insert(root.clone());
        }
    }
    roots.into_iter().collect()
}

/// Returns true if a folder without Puppet code is in the `files` or `templates` of a module. An
/// `environment.conf` there is a file that the module installs on a server.
fn is_served(input: &LayoutInput<'_>, folder: &FilePath, candidates: &BTreeSet<FilePath>) -> bool {
    let is_content = |it: &FilePath| {
        matches!(it.file_name(), "files" | "templates")
            && it.parent().is_some_and(|module| candidates.contains(&module))
    };
    let holds_code =
        || input.paths.iter().any(|path| path.starts_with(folder) && path.file_name().ends_with(".pp"));
    std::iter::successors(Some(folder.clone()), FilePath::parent).any(|it| is_content(&it)) && !holds_code()
}

/// Returns true if a folder contains the tests or examples of a module. A `Puppetfile` there lists their
/// dependencies.
fn holds_tests(folder: &FilePath, candidates: &BTreeSet<FilePath>) -> bool {
    matches!(folder.file_name(), "tests" | "test" | "spec" | "acceptance" | "examples")
        && folder.parent().is_some_and(|module| candidates.contains(&module))
}

/// Returns true if a folder with a `Puppetfile` is a module whose dependencies it lists. Such a folder has no
/// mark of an environment, but it has a main manifest or is next to other modules.
fn is_module_with_puppetfile(
    input: &LayoutInput<'_>,
    folder: &FilePath,
    candidates: &BTreeSet<FilePath>,
) -> bool {
    let exists = |below: &str| input.paths.binary_search(&&folder.join(below)).is_ok();
    let marks = ["environment.conf", "bolt-project.yaml", "hiera.yaml", "manifests/site.pp"];
    let holds_modules =
        || MODULE_FOLDERS.iter().any(|it| input.paths.iter().any(|path| path.starts_with(&folder.join(it))));
    let has_modules_beside = || {
        candidates.iter().any(|it| it != folder && !it.starts_with(folder) && it.parent() == folder.parent())
    };
    candidates.contains(folder)
        && !marks.into_iter().any(exists)
        && (exists("manifests/init.pp") || has_modules_beside())
        && !holds_modules()
}

/// Returns the subfolder of `environments`, directly in a root, that contains this manifest or module of an
/// environment.
fn folder_of_environments(input: &LayoutInput<'_>, path: &FilePath) -> Option<FilePath> {
    let (root, below) = input.roots.iter().find_map(|root| Some((root, path.strip_prefix(root)?)))?;
    let (folder, below) = match root.file_name() {
        "environments" => (root.clone(), below),
        _ => (root.join("environments"), below.strip_prefix("environments/")?),
    };
    let (name, below) = below.split_once('/')?;
    let first = below.split('/').next()?;
    let is_of_environment = first == "manifests" && below != "manifests/init.pp"
        || MODULE_FOLDERS.contains(&first)
        || matches!(below, "hiera.yaml" | "Puppetfile");
    is_of_environment.then(|| folder.join(name))
}

/// Returns the module whose tests use the folder as fixtures.
fn fixtures_of(folder: &FilePath) -> Option<FilePath> {
    let spec = folder.parent().filter(|_| folder.file_name() == "fixtures")?;
    spec.parent().filter(|_| spec.file_name() == "spec")
}

fn extra_module_path(input: &LayoutInput<'_>) -> Vec<FilePath> {
    let mut folders = Vec::new();
    for entry in input.module_path {
        match FilePath::from_native(entry) {
            Some(folder) => folders.push(folder),
            None => folders.extend(input.roots.iter().map(|root| root.join(&entry.replace('\\', "/")))),
        }
    }
    folders
}

fn base_module_path<'a>(input: &'a LayoutInput<'_>) -> impl Iterator<Item = FilePath> + 'a {
    input.base_module_path.iter().filter_map(|entry| FilePath::from_native(entry))
}

/// Parses a module path setting. Entries that refer to settings other than `$basemodulepath` are ignored.
fn path_list(input: &LayoutInput<'_>, root: &FilePath, value: &str) -> Vec<FilePath> {
    let separator = if value.contains(';') || value.contains(":\\") { ';' } else { ':' };
    let mut folders = Vec::new();
    for entry in value.split(separator).map(str::trim) {
        match entry {
            "$basemodulepath" | "${basemodulepath}" => folders.extend(base_module_path(input)),
            _ => folders.extend(path_below(root, entry)),
        }
    }
    folders
}

fn path_below(root: &FilePath, value: &str) -> Option<FilePath> {
    let value = value.trim_matches(['"', '\'']);
    let value =
        value.replace("$codedir", "/etc/puppetlabs/code").replace("$confdir", "/etc/puppetlabs/puppet");
    if value.is_empty() || value.contains('$') {
        return None;
    }
    Some(FilePath::from_native(&value).unwrap_or_else(|| root.join(&value.replace('\\', "/"))))
}

/// Parses `moduledir 'thirdparty'`.
fn module_folder_of_puppetfile(text: &str) -> Option<&str> {
    let line = text.lines().find_map(|line| line.trim_start().strip_prefix("moduledir"))?;
    let value = line.trim().trim_matches(['"', '\'', '(', ')', ' ']);
    (!value.is_empty()).then_some(value)
}

fn bolt_project_name(text: &str, root: &FilePath) -> Name {
    let named = text.lines().find_map(|line| line.strip_prefix("name:"));
    let name = named.map_or(root.file_name(), |name| name.trim().trim_matches(['"', '\'']));
    if is_module_name(name) { name.into() } else { Name::default() }
}
