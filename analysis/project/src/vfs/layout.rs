//! Detection of the layout from paths alone: the folders that are modules and environments, and the files in
//! them.
//!
//! A pure function from paths and a few small texts to a [`WorkspaceLayout`]. Known layouts: a control
//! repository (`environment.conf`, or `modules` and similar folders), a folder of environments, a Bolt
//! project, a module, a folder of modules, modules in `spec/fixtures/modules`, loose files.

mod environment;
pub(crate) mod input;
mod module_name;

use std::collections::{BTreeMap, BTreeSet};

use hir::Name;
use indexmap::IndexMap;
use rustc_hash::{FxHashMap, FxHashSet};

use self::input::{AUTOLOAD_FOLDERS, LayoutInput, MODULE_FOLDERS};
use super::FilePath;
use super::path::last_segment;
use crate::FileKind;
use environment::{EnvironmentKind, EnvironmentPaths, environment_roots};
use module_name::{is_module_name, module_name};

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct WorkspaceLayout {
    /// Environments by folder; always contains one for the files that are in no other environment (`None`).
    pub(super) environments: BTreeMap<Option<FilePath>, EnvironmentLayout>,
    /// Modules by folder.
    pub(super) modules: BTreeMap<FilePath, ModuleLayout>,
    /// Roles of main manifests and files of modules; everything else is loose.
    pub(super) roles: FxHashMap<FilePath, RoleLayout>,
    /// Folders in which modules are looked for, existing or not.
    pub(super) module_folders: BTreeSet<FilePath>,
    environments_by_module: FxHashMap<FilePath, Vec<Option<FilePath>>>,
    /// Folders of environments.
    environment_roots: FolderSet,
}

#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct FolderSet(FxHashSet<FilePath>);

impl FolderSet {
    fn contains(&self, folder: &FilePath) -> bool {
        self.0.contains(folder)
    }

    /// Returns the innermost folder of the set that contains a path, or is the path.
    fn around(&self, path: &FilePath) -> Option<&FilePath> {
        path.and_around().find_map(|folder| self.0.get(folder))
    }
}

impl FromIterator<FilePath> for FolderSet {
    fn from_iter<I: IntoIterator<Item = FilePath>>(folders: I) -> FolderSet {
        FolderSet(folders.into_iter().collect())
    }
}

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct EnvironmentLayout {
    /// Folders of modules by name, in Puppet's search order.
    pub(super) modules: IndexMap<Name, FilePath>,
    /// Folders on the module path that an earlier module of the same name shadows.
    pub(super) shadowed: Vec<FilePath>,
    /// Folders in which the environment looks for modules.
    pub(super) module_path: Vec<FilePath>,
    /// True if a setting defines `module_path`.
    has_explicit_path: bool,
    pub(super) main_manifests: Vec<FilePath>,
    /// Main manifest that a setting names.
    named_manifest: Option<FilePath>,
    /// Surrounding environment whose modules are visible too, if this is the environment of a module's tests.
    pub(super) around: Option<Option<FilePath>>,
}

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct ModuleLayout {
    pub(super) name: Name,
    pub(super) name_is_certain: bool,
    /// Files by path relative to the folder.
    pub(super) files: BTreeMap<Name, FilePath>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum RoleLayout {
    MainManifest { environment: FilePath },
    Module { root: FilePath, relative: Name },
}

impl WorkspaceLayout {
    /// Returns the environments of a file, the most important one first; never empty.
    pub(super) fn environments_of(&self, path: &FilePath) -> Vec<Option<FilePath>> {
        let around = self.environment_roots.around(path).cloned();
        let Some(RoleLayout::Module { root, .. }) = self.roles.get(path) else { return vec![around] };
        let mut found = self.environments_by_module.get(root).cloned().unwrap_or_default();
        // A module outside all environments only belongs to the outer one if no environment has it on its
        // module path.
        let is_ordinary =
            |root: &Option<FilePath>| self.environments.get(root).is_some_and(|it| it.around.is_none());
        if found.iter().any(|root| root.is_some() && is_ordinary(root)) {
            found.retain(Option::is_some);
        }
        found.sort_by_key(|root| *root != around);
        if found.is_empty() { vec![around] } else { found }
    }

    /// Returns the folders of an environment whose modules are used although Puppet would not look there:
    /// those that the module path setting does not name or, without such a setting, all except `modules`; and
    /// whether there is such a setting.
    pub(super) fn further_folders(&self, root: &FilePath) -> (BTreeSet<FilePath>, bool) {
        let environment = self.environments.get(&Some(root.clone())).filter(|it| it.around.is_none());
        let Some(environment) = environment else { return Default::default() };
        let is_named = |folder: &FilePath| {
            if environment.has_explicit_path {
                environment.module_path.contains(folder)
            } else {
                *folder == root.join("modules")
            }
        };
        let modules = environment.modules.values().filter(|it| *it != root);
        let folders = modules.filter_map(FilePath::parent).filter(|it| it.starts_with(root) && !is_named(it));
        (folders.collect(), environment.has_explicit_path)
    }

    /// Returns the configured main manifest of an environment if it does not exist.
    pub(super) fn absent_manifest(&self, root: &FilePath) -> Option<&FilePath> {
        let environment = self.environments.get(&Some(root.clone()))?;
        environment.named_manifest.as_ref().filter(|_| environment.main_manifests.is_empty())
    }
}

/// Detects the layout. Deterministic in paths and texts.
pub(super) fn detect(input: &LayoutInput<'_>) -> WorkspaceLayout {
    let mut candidates = module_candidates(input);
    let (environments, modules_with_marks) = environments(input, &candidates);
    let environment_roots: FolderSet = environments.keys().flatten().cloned().collect();
    candidates.extend(modules_with_marks);
    let module_path = folders_of_modules(&environments);
    candidates.extend(folders_on_module_path(input, &module_path));
    let module_roots = module_roots(&candidates, &environment_roots, &module_path);

    let mut layout = WorkspaceLayout::default();
    for root in &module_roots {
        let searching = searching_environments(&environments, &module_path, root);
        let is_explicit =
            |it: &&Option<FilePath>| environments[*it].is_explicit || input.module_path_is_whole;
        // On a configured module path, Puppet skips folders like `author-module`. A repository with a folder
        // `modules` may be a collection of checkouts instead.
        if searching.iter().any(is_explicit)
            && !is_module_name(root.file_name())
            && !input.roots.contains(root)
        {
            continue;
        }
        let is_on_module_path = !searching.is_empty();
        let (name, name_is_certain) = module_name(input, root, is_on_module_path);
        if !name.is_empty() {
            let module = ModuleLayout { name, name_is_certain, files: BTreeMap::new() };
            layout.modules.insert(root.clone(), module);
        }
    }
    // The functions and types of an environment itself are in the namespace `environment`.
    for root in environments.keys().flatten() {
        let name = match &environments[&Some(root.clone())].kind {
            EnvironmentKind::Ordinary => "environment".into(),
            EnvironmentKind::Fixtures { .. } => continue,
            EnvironmentKind::BoltProject(name) => name.clone(),
        };
        let module = ModuleLayout { name, name_is_certain: false, files: BTreeMap::new() };
        layout.modules.insert(root.clone(), module);
    }
    let submodules = submodules(input);
    let locations = ModuleLocations::new(&layout.modules, &environment_roots);
    let mut layouts = BTreeMap::new();
    for (root, environment) in &environments {
        let candidates = locations.candidates(root.as_ref(), environment);
        let (modules, shadowed) = environment_modules(environment, candidates, &layout.modules, &submodules);
        for module in modules.values() {
            layout.environments_by_module.entry(module.clone()).or_default().push(root.clone());
        }
        layouts.insert(root.clone(), environment.with_modules(modules, shadowed));
    }
    layout.environments = layouts;
    layout.environment_roots = environment_roots;
    assign_roles(&mut layout, &environments, input.paths);
    let is_environment = |root: &FilePath| environments.contains_key(&Some(root.clone()));
    layout.modules.retain(|root, module| !is_environment(root) || !module.files.is_empty());
    let WorkspaceLayout { environments: layouts, modules, environment_roots, .. } = &mut layout;
    for environment in layouts.values_mut() {
        environment.modules.retain(|_, module| modules.contains_key(module));
        environment.shadowed.retain(|module| modules.contains_key(module));
    }
    link_modules_around_fixtures(layouts, &environments, environment_roots);
    layout.module_folders = environments.values().flat_map(|it| &it.module_path).cloned().collect();
    layout
}

/// Returns the environments, and the folders that only look like an environment but are modules.
fn environments(
    input: &LayoutInput<'_>,
    candidates: &BTreeSet<FilePath>,
) -> (BTreeMap<Option<FilePath>, EnvironmentPaths>, BTreeSet<FilePath>) {
    let mut environments: BTreeMap<Option<FilePath>, EnvironmentPaths> = BTreeMap::new();
    environments.insert(None, EnvironmentPaths::outside(input));
    for root in environment_roots(input, candidates) {
        let paths = EnvironmentPaths::new(input, &root);
        environments.insert(Some(root), paths);
    }
    let modules = environments_that_are_modules(input, &environments);
    environments.retain(|root, _| !root.as_ref().is_some_and(|it| modules.contains(it)));
    (environments, modules)
}

/// Returns the folders that look like an environment but are on the module path of another one, and so are
/// modules.
fn environments_that_are_modules(
    input: &LayoutInput<'_>,
    environments: &BTreeMap<Option<FilePath>, EnvironmentPaths>,
) -> BTreeSet<FilePath> {
    let has_modules_at = |around: &Option<FilePath>, paths: &EnvironmentPaths, folder: &FilePath| {
        around.as_ref().is_some_and(|it| folder.starts_with(it))
            && (paths.is_explicit || folder.file_name() == "modules")
            && paths.module_path.contains(folder)
    };
    let is_module = |root: &FilePath| {
        is_module_name(root.file_name())
            && !input.roots.contains(root)
            && root.parent().is_some_and(|folder| {
                environments.iter().any(|(around, paths)| has_modules_at(around, paths, &folder))
            })
    };
    environments.keys().flatten().filter(|root| is_module(root)).cloned().collect()
}

/// Makes the modules around a module visible to its tests, unless the fixtures have a module of the same
/// name.
fn link_modules_around_fixtures(
    layouts: &mut BTreeMap<Option<FilePath>, EnvironmentLayout>,
    environments: &BTreeMap<Option<FilePath>, EnvironmentPaths>,
    environment_roots: &FolderSet,
) {
    for (root, environment) in environments {
        let EnvironmentKind::Fixtures { module } = &environment.kind else { continue };
        if let Some(fixtures) = layouts.get_mut(root) {
            fixtures.around = Some(environment_roots.around(module).cloned());
        }
    }
}

/// Returns the folders that may be modules: those with a metadata file, with manifests in an autoloaded
/// folder, or with tasks or plans of Bolt.
fn module_candidates(input: &LayoutInput<'_>) -> BTreeSet<FilePath> {
    let mut candidates: FxHashSet<&str> = FxHashSet::default();
    // All files of a folder give the same result, and are adjacent.
    let (mut last_plugins, mut last_manifests) = (None, None);
    for path in input.paths {
        let folder = path.folder();
        if path.file_name() == "metadata.json" {
            candidates.extend(folder);
            continue;
        }
        match path.extension() {
            Some("rb") if last_plugins != folder => {
                last_plugins = folder;
                candidates.extend(folder_above_lib(path));
            }
            Some("pp") if last_manifests != folder => {
                last_manifests = folder;
                candidates.extend(module_around(input, path));
            }
            Some("yaml" | "json") => candidates.extend(module_with_bolt_content(path)),
            _ => {}
        }
    }
    candidates.into_iter().filter_map(FilePath::from_normalised).collect()
}

/// Returns the module of a plan in YAML or of the metadata of a task, if it is in a folder for modules. Such a
/// module may have no code.
fn module_with_bolt_content(path: &FilePath) -> Option<&str> {
    let mut folders = path.and_around().skip(1);
    let holds_it = match path.extension()? {
        "json" => "tasks",
        _ => "plans",
    };
    let (folder, module) = (folders.next()?, folders.next()?);
    let is_it = last_segment(folder) == holds_it && MODULE_FOLDERS.contains(&last_segment(folders.next()?));
    is_it.then_some(module)
}

/// Returns the folder above the innermost `lib` around a Ruby plugin.
fn folder_above_lib(path: &FilePath) -> Option<&str> {
    let mut folders = path.and_around().skip(1);
    folders.find(|folder| last_segment(folder) == "lib")?;
    folders.next()
}

/// Folders on module paths, each with the environments that search it.
type ModuleFolders<'e> = FxHashMap<&'e str, Vec<&'e Option<FilePath>>>;

fn folders_of_modules(environments: &BTreeMap<Option<FilePath>, EnvironmentPaths>) -> ModuleFolders<'_> {
    let mut folders = ModuleFolders::default();
    for (root, environment) in environments {
        for folder in &environment.module_path {
            folders.entry(folder.as_str()).or_default().push(root);
        }
    }
    folders
}

/// Returns the environments that certainly look for modules in the folder that contains `module`.
fn searching_environments<'e>(
    environments: &BTreeMap<Option<FilePath>, EnvironmentPaths>,
    module_path: &ModuleFolders<'e>,
    module: &FilePath,
) -> Vec<&'e Option<FilePath>> {
    let Some(folder) = module.parent() else { return Vec::new() };
    let searching = module_path.get(folder.as_str()).into_iter().flatten().copied();
    searching.filter(|root| environments[*root].certainly_looks_into(root.as_ref(), &folder)).collect()
}

/// Returns the folders on a module path that contain files and have the name of a module: all of these are
/// modules.
fn folders_on_module_path(input: &LayoutInput<'_>, module_path: &ModuleFolders<'_>) -> BTreeSet<FilePath> {
    let mut found = BTreeSet::new();
    let mut last = None;
    for path in input.paths {
        // All files of a folder give the same result.
        if last == path.folder() {
            continue;
        }
        last = path.folder();
        let mut inner: Option<&str> = None;
        // At least two folders up: the module, and the folder of modules.
        for folder in path.and_around().skip(1) {
            if let Some(module) = inner.filter(|_| module_path.contains_key(folder))
                && is_module_name(last_segment(module))
            {
                found.insert(module);
            }
            inner = Some(folder);
        }
    }
    found.into_iter().filter_map(FilePath::from_normalised).collect()
}

/// Returns the folder above the outermost autoloaded folder between the root and a manifest. For a root
/// inside a module, the search extends to the innermost one around the root.
fn module_around<'p>(input: &LayoutInput<'_>, path: &'p FilePath) -> Option<&'p str> {
    let roots = input.roots.iter().filter(|root| path.starts_with(root));
    let root = roots.max_by_key(|root| root.as_str().len());
    let is_outside = |folder: &str| root.is_some_and(|root| !root.holds(folder));
    let mut found: Option<&str> = None;
    let mut folders = path.and_around().skip(1).peekable();
    while let Some(current) = folders.next() {
        let parent = folders.peek().copied();
        if found.is_some() && parent.is_none_or(is_outside) {
            break;
        }
        if AUTOLOAD_FOLDERS.contains(&last_segment(current)) {
            found = parent;
        }
    }
    found
}

/// Drops candidates that are only folders inside a module, and those that are environments.
fn module_roots(
    candidates: &BTreeSet<FilePath>,
    environment_roots: &FolderSet,
    module_path: &ModuleFolders<'_>,
) -> Vec<FilePath> {
    let mut kept: FxHashSet<&str> = FxHashSet::default();
    let mut roots = Vec::new();
    for candidate in candidates.iter().filter(|it| !environment_roots.contains(it)) {
        let holds_modules = candidate.parent().is_some_and(|parent| {
            MODULE_FOLDERS.contains(&parent.file_name()) || module_path.contains_key(parent.as_str())
        });
        // An outer folder sorts before its contents.
        if holds_modules || !candidate.and_around().any(|outer| kept.contains(outer)) {
            kept.insert(candidate.as_str());
            roots.push(candidate.clone());
        }
    }
    roots
}

impl EnvironmentPaths {
    fn with_modules(&self, modules: IndexMap<Name, FilePath>, shadowed: Vec<FilePath>) -> EnvironmentLayout {
        EnvironmentLayout {
            modules,
            shadowed,
            module_path: self.module_path.clone(),
            has_explicit_path: self.is_explicit,
            main_manifests: Vec::new(),
            named_manifest: self.manifest.clone().filter(|_| self.names_manifest),
            around: None,
        }
    }
}

/// Index of modules by location, for the environments that may see them.
struct ModuleLocations<'m> {
    by_parent: FxHashMap<FilePath, Vec<&'m FilePath>>,
    /// Modules by the innermost environment around them.
    by_environment: FxHashMap<Option<&'m FilePath>, Vec<&'m FilePath>>,
    environment_roots: &'m FolderSet,
}

impl<'m> ModuleLocations<'m> {
    fn new(
        modules: &'m BTreeMap<FilePath, ModuleLayout>,
        environment_roots: &'m FolderSet,
    ) -> ModuleLocations<'m> {
        let mut locations = ModuleLocations {
            by_parent: FxHashMap::default(),
            by_environment: FxHashMap::default(),
            environment_roots,
        };
        for folder in modules.keys() {
            if let Some(parent) = folder.parent() {
                locations.by_parent.entry(parent).or_default().push(folder);
            }
            locations.by_environment.entry(environment_roots.around(folder)).or_default().push(folder);
        }
        locations
    }

    /// Returns the folders of modules that an environment may see: those on its module path, those in it, and
    /// the module under test.
    fn candidates(
        &self,
        root: Option<&FilePath>,
        environment: &'m EnvironmentPaths,
    ) -> BTreeSet<&'m FilePath> {
        let on_path = environment.module_path.iter().filter_map(|it| self.by_parent.get(it)).flatten();
        let inside = self.by_environment.get(&root).into_iter().flatten();
        let tested = match &environment.kind {
            EnvironmentKind::Fixtures { module } => Some(module),
            _ => None,
        };
        let all = on_path.chain(inside).copied().chain(tested);
        all.filter(|it| root == Some(*it) || !self.environment_roots.contains(it)).collect()
    }
}

/// Returns the modules of an environment, first those on its module path in that order, then the others in
/// its folder; and the folders on the module path that an earlier module of the same name shadows.
fn environment_modules(
    environment: &EnvironmentPaths,
    candidates: BTreeSet<&FilePath>,
    modules: &BTreeMap<FilePath, ModuleLayout>,
    submodules: &BTreeSet<FilePath>,
) -> (IndexMap<Name, FilePath>, Vec<FilePath>) {
    let mut ordered: Vec<(usize, usize, &FilePath)> = Vec::new();
    for folder in candidates.into_iter().filter(|it| modules.contains_key(*it)) {
        let parent = folder.parent();
        let on_path = environment.module_path.iter().position(|it| Some(it) == parent.as_ref());
        let depth = folder.as_str().matches('/').count();
        ordered.push((on_path.unwrap_or(usize::MAX), depth, folder));
    }
    // A submodule that was not fetched is an empty folder, but still Puppet's module of that name.
    for folder in submodules.iter().filter(|it| !modules.contains_key(*it) && is_module_name(it.file_name()))
    {
        let parent = folder.parent();
        if let Some(at) = environment.module_path.iter().position(|it| Some(it) == parent.as_ref()) {
            ordered.push((at, 0, folder));
        }
    }
    ordered.sort_unstable();
    let (mut by_name, mut shadowed) = (IndexMap::new(), Vec::new());
    for (at, _, folder) in ordered {
        let name = modules.get(folder).map_or_else(|| folder.file_name().into(), |it| it.name.clone());
        let first = by_name.entry(name).or_insert_with(|| folder.clone());
        if first != folder && at != usize::MAX {
            shadowed.push(folder.clone());
        }
    }
    by_name.retain(|_, folder| modules.contains_key(folder));
    (by_name, shadowed)
}

/// Returns the folders that `.gitmodules` files list.
fn submodules(input: &LayoutInput<'_>) -> BTreeSet<FilePath> {
    let lists = input.texts.iter().filter(|(path, _)| path.file_name() == ".gitmodules");
    let folders = lists.filter_map(|(path, text)| {
        let root = path.parent()?;
        Some(submodule_paths(text).map(move |folder| root.join(folder)))
    });
    folders.flatten().collect()
}

/// Location shared by all files directly in one folder.
struct FolderLocation<'p> {
    folder: Option<&'p str>,
    /// Innermost environment around the folder.
    environment: Option<FilePath>,
    /// Innermost module that contains or is the folder, and whether it is an environment.
    module: Option<(FilePath, bool)>,
}

/// Assigns each file its role.
fn assign_roles(
    layout: &mut WorkspaceLayout,
    environments: &BTreeMap<Option<FilePath>, EnvironmentPaths>,
    paths: &[&FilePath],
) {
    layout.roles.reserve(paths.len());
    let locate_folder = |layout: &WorkspaceLayout, path: &&'_ FilePath| {
        let roots = path.and_around().skip(1).find_map(|folder| layout.modules.get_key_value(folder));
        let module = roots.map(|(root, _)| {
            let environment = environments.get(&Some(root.clone()));
            (root.clone(), environment.is_some_and(|it| it.kind == EnvironmentKind::Ordinary))
        });
        (layout.environment_roots.around(path).cloned(), module)
    };
    let mut location = FolderLocation { folder: None, environment: None, module: None };
    for path in paths {
        if location.folder.is_none() || location.folder != path.folder() {
            let (environment, module) = locate_folder(layout, path);
            location = FolderLocation { folder: path.folder(), environment, module };
        }
        assign_role(layout, environments, &location, path);
    }
}

fn assign_role(
    layout: &mut WorkspaceLayout,
    environments: &BTreeMap<Option<FilePath>, EnvironmentPaths>,
    location: &FolderLocation<'_>,
    path: &FilePath,
) {
    if path.extension() == Some("pp")
        && let Some(root) = &location.environment
    {
        let around = Some(root.clone());
        let manifest = environments.get(&around).and_then(|environment| environment.manifest.as_ref());
        if manifest.is_some_and(|manifest| path.starts_with(manifest)) {
            if let Some(environment) = layout.environments.get_mut(&around) {
                environment.main_manifests.push(path.clone());
            }
            layout.roles.insert(path.clone(), RoleLayout::MainManifest { environment: root.clone() });
            return;
        }
    }
    let Some((root, is_environment)) = &location.module else { return };
    let relative = Name::new(path.strip_prefix(root).unwrap_or_default());
    let is_source = || FileKind::of_relative(&relative).is_some_and(FileKind::is_source);
    let is_autoloaded = || relative.starts_with("functions/") || relative.starts_with("types/");
    if *is_environment && is_source() && !is_autoloaded() {
        return;
    }
    if let Some(module) = layout.modules.get_mut(root) {
        module.files.insert(relative.clone(), path.clone());
        layout.roles.insert(path.clone(), RoleLayout::Module { root: root.clone(), relative });
    }
}

/// Returns the submodule paths of a `.gitmodules` file, as written.
pub(crate) fn submodule_paths(text: &str) -> impl Iterator<Item = &str> {
    let paths =
        text.lines().filter_map(|line| line.trim().strip_prefix("path")?.trim_start().strip_prefix('='));
    paths.map(|path| path.trim().trim_matches('"'))
}
