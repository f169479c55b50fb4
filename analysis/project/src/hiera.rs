//! Hiera in the project: configurations, data files, and the locations of keys.

use std::collections::BTreeMap;
use std::sync::Arc;

use ::hiera::config::{self, HieraConfig, HierarchyLevel, Layer, Locations};
use ::hiera::data::{self, DataEntry, DataFormat, DataNode, HieraData};
use ::hiera::key::{Key, KeySegment};
use hir::{Name, NameUseKind};
use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::SmolStr;
use syntax::TextRange;

use super::inputs::ENVIRONMENT_MODULE;
use crate::{Contents, Db, Environment, File, FileKind, FileRole, ModuleTree, file_kind};

/// Key of a data file and its location.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DataKey {
    pub name: Name,
    pub key_range: TextRange,
    pub value_range: TextRange,
}

/// Data file that a level of a hierarchy may read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DataSource {
    pub file: File,
    pub layer: Layer,
    /// Name of the hierarchy entry.
    pub level: Name,
    /// True if the entry belongs to the default hierarchy.
    pub is_default: bool,
    /// True if the file is read regardless of facts.
    pub is_certain: bool,
    /// Number of interpolations in the path of the file.
    pub unknown_parts: usize,
}

/// Returns the contents of a data file or configuration; empty for other files, and for files above the size
/// limit.
#[salsa::tracked(returns(clone), lru = 256)]
pub fn hiera_data(db: &dyn Db, file: File) -> Arc<HieraData> {
    let _span = tracing::info_span!("hiera_data").entered();
    let format = DataFormat::of_path(file.path(db).as_str()).unwrap_or(DataFormat::Yaml);
    let text = file.contents(db).text().filter(|_| !file.is_large(db));
    Arc::new(data::read(format, text.as_deref().unwrap_or_default()))
}

/// Returns the layer that a `hiera.yaml` or data file belongs to.
pub fn hiera_layer(db: &dyn Db, file: File) -> Option<Layer> {
    match file.role(db) {
        FileRole::Module { module, .. }
            if file.environments(db).iter().any(|it| environment_tree(db, *it) == Some(*module)) =>
        {
            Some(Layer::Environment)
        }
        FileRole::Module { module, .. } => Some(Layer::Module(module.name(db).clone())),
        FileRole::Loose | FileRole::MainManifest => None,
    }
}

/// Returns the Hiera configuration in a file; `None` if the file is not one.
#[salsa::tracked(returns(clone))]
pub fn hiera_configuration(db: &dyn Db, file: File) -> Option<Arc<HieraConfig>> {
    if file_kind(db, file) != FileKind::HieraConfiguration || !file.contents(db).has_text() {
        return None;
    }
    let layer = layer_of_hiera_configuration(db, file);
    let environment = file.environments(db).first();
    let strict = environment.is_some_and(|it| it.strict(db) == validation::Strict::Error);
    Some(Arc::new(config::read(&hiera_data(db, file), &layer, strict)))
}

/// Returns the layer that a Hiera configuration configures.
pub fn layer_of_hiera_configuration(db: &dyn Db, file: File) -> Layer {
    // A loose one may be the global configuration, and so may one that tests use.
    let is_at_root = match file.role(db) {
        FileRole::Module { relative, .. } => relative == "hiera.yaml",
        FileRole::Loose | FileRole::MainManifest => true,
    };
    hiera_layer(db, file).filter(|_| is_at_root).unwrap_or(Layer::Global)
}

/// Returns the files of an environment itself. Those of a Bolt project carry the project's name, but are
/// still data of the environment.
#[salsa::tracked(returns(copy))]
pub fn environment_tree(db: &dyn Db, environment: Environment) -> Option<ModuleTree> {
    let modules = environment.modules(db);
    let at_root = || modules.values().find(|tree| Some(tree.root(db)) == environment.root(db).as_ref());
    modules.get(ENVIRONMENT_MODULE).or_else(at_root).copied()
}

/// Returns the `modulepath` of an environment's `environment.conf`, as written.
pub fn module_folders_setting(db: &dyn Db, environment: Environment) -> Option<String> {
    let file = *environment_tree(db, environment)?.files(db).get("environment.conf")?;
    let text = file.contents(db).text()?;
    let setting = text.lines().filter_map(|line| line.split_once('=')).find(|it| it.0.trim() == "modulepath");
    setting.map(|(_, folders)| folders.trim().to_owned())
}

/// Returns the data files of an environment in Hiera's lookup order: its own, then those of its modules.
#[salsa::tracked(returns(ref))]
pub fn data_sources(db: &dyn Db, environment: Environment) -> Arc<[DataSource]> {
    let environment_tree = environment_tree(db, environment);
    let own = environment_tree.map(|tree| (Layer::Environment, tree));
    let modules = environment.modules(db).iter().filter(|(_, tree)| Some(**tree) != environment_tree);
    let modules = modules.map(|(name, tree)| (Layer::Module(name.clone()), *tree));
    let mut sources = Vec::new();
    for (layer, tree) in own.into_iter().chain(modules) {
        let of_tree = sources_of_tree(db, tree);
        sources.extend(of_tree.iter().map(|it| DataSource { layer: layer.clone(), ..it.clone() }));
    }
    sources.into()
}

/// Returns the keys that the data of an environment itself looks up (`%{lookup('key')}`).
#[salsa::tracked(returns(ref))]
pub fn interpolated_keys(db: &dyn Db, environment: Environment) -> FxHashSet<Name> {
    let sources = data_sources(db, environment).iter();
    sources.flat_map(|source| keys_read_by_data(db, source.file).iter().cloned()).collect()
}

#[salsa::tracked(returns(ref))]
fn keys_read_by_data(db: &dyn Db, file: File) -> Box<[Name]> {
    let Some(text) = file.contents(db).text() else { return Box::default() };
    let uses = crate::data_names::interpolated_names(&text);
    uses.into_iter().filter(|it| it.kind == NameUseKind::HieraKey).map(|it| it.name).collect()
}

/// Returns the data files of a module or environment. The caller fills in the layer.
#[salsa::tracked(returns(clone))]
fn sources_of_tree(db: &dyn Db, tree: ModuleTree) -> Arc<[DataSource]> {
    let files = tree.files(db);
    let Some(config) = files.get("hiera.yaml").and_then(|file| hiera_configuration(db, *file)) else {
        return Arc::new([]);
    };
    let layer = Layer::Module(tree.name(db).clone());
    let defaults = config.default_hierarchy.iter().flatten().map(|level| (level, true));
    let levels = config.hierarchy.iter().map(|level| (level, false)).chain(defaults);
    let mut sources = Vec::new();
    for (level, is_default) in levels {
        for pattern in patterns(level) {
            let is_certain = !pattern.contains('*');
            let unknown_parts = pattern.matches('*').count();
            for file in files_matching(db, tree, &pattern) {
                let is_known =
                    sources.iter().any(|it: &DataSource| it.file == file && it.level == level.name.text);
                if !is_known {
                    sources.push(DataSource {
                        file,
                        layer: layer.clone(),
                        level: level.name.text.clone(),
                        is_default,
                        is_certain,
                        unknown_parts,
                    });
                }
            }
        }
    }
    sources.into()
}

/// Returns the files with text in a module or environment that a [`path_pattern`] matches, by path.
pub fn files_matching(db: &dyn Db, tree: ModuleTree, pattern: &str) -> Vec<File> {
    let files = tree.files(db);
    let paths = ::hiera::glob::matching(pattern, files.keys().map(SmolStr::as_str));
    let found = paths.iter().filter_map(|path| files.get(path).copied());
    found.filter(|file| file.contents(db).has_text()).collect()
}

/// Returns the paths that a level may read, relative to the configuration's folder, with `*` for
/// interpolations.
fn patterns(level: &HierarchyLevel) -> Vec<String> {
    let written = match &level.locations {
        Locations::Paths(paths) | Locations::Globs(paths) => paths.as_slice(),
        Locations::Mapped([_, _, path]) => std::slice::from_ref(path),
        Locations::None | Locations::Uris(_) => &[],
    };
    written.iter().map(|written| path_pattern(level, &written.text)).collect()
}

/// Returns a path of a level relative to the configuration's folder, with `*` for interpolations.
pub fn path_pattern(level: &HierarchyLevel, path: &str) -> String {
    let extension = level.extension.as_deref().unwrap_or_default();
    let extension = if path.ends_with(extension) { "" } else { extension };
    let joined = ::hiera::lookup::join(&format!("/{}", level.datadir), &format!("{path}{extension}"));
    with_wildcards(joined.trim_start_matches('/'))
}

/// Replaces the interpolations of a path with `*`.
fn with_wildcards(path: &str) -> String {
    let mut pattern = String::new();
    let mut at = 0;
    for interpolation in ::hiera::interpolation::interpolations(path) {
        let range = interpolation.range.as_range();
        pattern.push_str(&path[at..range.start]);
        pattern.push('*');
        at = range.end;
    }
    pattern.push_str(&path[at..]);
    pattern
}

/// Returns the keys of a data file, without their values.
#[salsa::tracked(returns(clone))]
pub fn data_keys(db: &dyn Db, file: File) -> Arc<[DataKey]> {
    let _span = tracing::info_span!("data_keys").entered();
    let data = hiera_data(db, file);
    let keys = data.entries().iter().filter_map(|entry| {
        let name = entry.key.value.as_str()?;
        Some(DataKey { name: name.into(), key_range: entry.key.range, value_range: entry.value.range })
    });
    keys.collect()
}

/// Returns the positions of the keys of a data file in [`data_keys`]. The last of duplicate keys counts.
#[salsa::tracked(returns(ref))]
fn data_key_positions(db: &dyn Db, file: File) -> FxHashMap<Name, usize> {
    data_keys(db, file).iter().enumerate().map(|(position, key)| (key.name.clone(), position)).collect()
}

/// Returns the data files of an environment by key. Stays equal after edits that leave the keys alone.
#[salsa::tracked(returns(ref))]
pub fn data_key_index(db: &dyn Db, environment: Environment) -> BTreeMap<Name, Vec<File>> {
    let mut index: BTreeMap<Name, Vec<File>> = BTreeMap::new();
    for source in data_sources(db, environment).iter() {
        for name in key_names(db, source.file).iter() {
            let files = index.entry(name.clone()).or_default();
            if !files.contains(&source.file) {
                files.push(source.file);
            }
        }
    }
    index
}

#[salsa::tracked(returns(clone))]
fn key_names(db: &dyn Db, file: File) -> Arc<[Name]> {
    data_keys(db, file).iter().map(|key| key.name.clone()).collect()
}

/// Returns true if a file at a path of a hierarchy level may have a top-level key. `tree` contains the
/// configuration, `written` is the path as the configuration has it. Data outside the tree, or above the size
/// limit, may have any key.
pub fn may_path_have_key(
    db: &dyn Db,
    environment: Environment,
    tree: ModuleTree,
    level: &HierarchyLevel,
    written: &str,
    key: &str,
) -> bool {
    let is_elsewhere = |path: &str| path.starts_with('/') || path.split('/').any(|part| part == "..");
    if is_elsewhere(&level.datadir) || is_elsewhere(written) {
        return true;
    }
    let index = data_key_index(db, environment);
    // Keys from a top-level merge (`<<`) are not in the index.
    let with_key = [key, "<<"].into_iter().filter_map(|name| index.get(name)).flatten();
    let mut with_key = with_key.peekable();
    let unread = unread_data(db, tree);
    let has_globs = matches!(level.locations, Locations::Globs(_));
    if !has_globs && unread.is_empty() && with_key.peek().is_none() {
        return false;
    }
    let pattern = path_pattern(level, written);
    if has_globs && pattern.contains(['?', '[', '{']) {
        return true;
    }
    let root = tree.root(db);
    let fits = |file: &File| {
        file.path(db).strip_prefix(root).is_some_and(|path| hiera::glob::matches_wildcards(&pattern, path))
    };
    with_key.any(fits) || unread.iter().any(|path| hiera::glob::matches_wildcards(&pattern, path))
}

/// Returns true if an environment has a Hiera configuration that Puppet accepts.
pub fn has_valid_configuration(db: &dyn Db, environment: Environment) -> bool {
    let config = environment_tree(db, environment).and_then(|tree| configuration_of(db, tree));
    config.is_some_and(|config| config.version > 3 && config.error().is_none())
}

fn configuration_of(db: &dyn Db, tree: ModuleTree) -> Option<Arc<HieraConfig>> {
    tree.files(db).get("hiera.yaml").and_then(|file| hiera_configuration(db, *file))
}

/// Trees whose data may set a key: the environment, and the module that the key names.
struct DataTrees {
    environment: Option<ModuleTree>,
    module: Option<ModuleTree>,
}

/// Returns the trees whose data may set a key; `None` if the module that it names is missing.
fn data_trees(db: &dyn Db, environment: Environment, key: &str) -> Option<DataTrees> {
    let module = match key.split_once("::") {
        Some((module, _)) => Some(*environment.modules(db).get(module)?),
        None => None,
    };
    Some(DataTrees { environment: environment_tree(db, environment), module })
}

/// Returns true if data of the environment, or of the module of the key, may set a top-level key. Returns true
/// if in doubt.
pub fn may_have_data(db: &dyn Db, environment: Environment, key: &str) -> bool {
    if data_key_index(db, environment).contains_key(key) {
        return true;
    }
    let Some(DataTrees { environment: own, module }) = data_trees(db, environment, key) else { return true };
    own.into_iter().chain(module).any(|tree| match configuration_of(db, tree) {
        Some(config) if config.error().is_some() => true,
        Some(config) => config.levels().any(|level| may_level_have_key(db, environment, tree, level, key)),
        // A provider of an older version may have data.
        None => module == Some(tree) && tree.files(db).contains_key("hiera.yaml"),
    })
}

/// Returns true if data that are not in the workspace, or whose keys are unknown, may set a top-level key.
pub fn may_have_unread_data(db: &dyn Db, environment: Environment, key: &str) -> bool {
    let Some(DataTrees { environment: own, module }) = data_trees(db, environment, key) else { return true };
    own.into_iter().chain(module).any(|tree| match configuration_of(db, tree) {
        Some(config) if config.error().is_some() => true,
        Some(config) => config.levels().any(|level| may_level_be_unread(db, tree, level)),
        None => false,
    })
}

/// Returns true if a level may read more than the data files whose keys are known.
pub fn may_level_be_unread(db: &dyn Db, tree: ModuleTree, level: &HierarchyLevel) -> bool {
    let is_elsewhere = |path: &str| path.starts_with('/') || path.split('/').any(|part| part == "..");
    let written = match &level.locations {
        Locations::Paths(written) | Locations::Globs(written) => written.as_slice(),
        Locations::Mapped([_, _, path]) => std::slice::from_ref(path),
        Locations::None | Locations::Uris(_) => return true,
    };
    level.backend.file_format().is_none()
        || is_elsewhere(&level.datadir)
        || written.iter().any(|path| {
            let pattern = path_pattern(level, &path.text);
            is_elsewhere(&path.text)
                || is_deployed_separately(db, tree, level, &path.text)
                || unread_data(db, tree).iter().any(|path| hiera::glob::matches_wildcards(&pattern, path))
        })
}

fn may_level_have_key(
    db: &dyn Db,
    environment: Environment,
    tree: ModuleTree,
    level: &HierarchyLevel,
    key: &str,
) -> bool {
    let reads_files = level.backend.file_format().is_some();
    let written = match &level.locations {
        Locations::Paths(written) | Locations::Globs(written) => written.as_slice(),
        Locations::Mapped([_, _, path]) => std::slice::from_ref(path),
        Locations::None | Locations::Uris(_) => return true,
    };
    let may_have = |path: &SmolStr| {
        may_path_have_key(db, environment, tree, level, path, key)
            || is_deployed_separately(db, tree, level, path)
    };
    !reads_files || written.iter().any(|written| may_have(&written.text))
}

/// Returns true if a level reads one certain file and the module or environment does not contain it, such as
/// a file of secrets that is not in the repository.
fn is_deployed_separately(db: &dyn Db, tree: ModuleTree, level: &HierarchyLevel, written: &str) -> bool {
    if !matches!(level.locations, Locations::Paths(_)) {
        return false;
    }
    let path = path_pattern(level, written);
    let is_present = |file: &File| *file.contents(db) != Contents::Missing;
    !path.contains('*') && !tree.files(db).get(path.as_str()).is_some_and(is_present)
}

/// Returns the files of a module or environment that may be data and whose keys are unknown.
#[salsa::tracked(returns(clone))]
fn unread_data(db: &dyn Db, tree: ModuleTree) -> Arc<[SmolStr]> {
    let is_unread = |file: &File| {
        file.is_large(db) || !file.contents(db).has_text() && *file.contents(db) != Contents::Missing
    };
    let files = tree.files(db).iter();
    let unread = files.filter(|(path, file)| DataFormat::of_path(path).is_some() && is_unread(file));
    unread.map(|(path, _)| path.clone()).collect()
}

/// Returns the locations that set a key, in Hiera's lookup order. Segments after a dot lead into the value.
pub fn locations_of_key(db: &dyn Db, environment: Environment, key: &str) -> Vec<(DataSource, DataKey)> {
    let (root, segments) = root_and_segments(key);
    let Some(files) = data_key_index(db, environment).get(root.as_str()) else { return Vec::new() };
    let mut locations = Vec::new();
    for source in data_sources(db, environment).iter().filter(|source| files.contains(&source.file)) {
        // A module's data may only set keys of that module.
        if let Layer::Module(module) = &source.layer
            && !root.strip_prefix(module.as_str()).is_some_and(|rest| rest.starts_with("::"))
        {
            continue;
        }
        locations.extend(
            location_in_file(db, source.file, &root, &segments).map(|location| (source.clone(), location)),
        );
    }
    locations
}

/// Returns true if the environment or the key's module has a Hiera configuration.
pub fn has_hiera_configuration(db: &dyn Db, environment: Environment, key: &str) -> bool {
    let module = key.split_once("::").and_then(|(module, _)| environment.modules(db).get(module).copied());
    is_configured(db, environment) || module.is_some_and(|it| it.files(db).contains_key("hiera.yaml"))
}

fn is_configured(db: &dyn Db, environment: Environment) -> bool {
    environment_tree(db, environment).is_some_and(|tree| tree.files(db).contains_key("hiera.yaml"))
}

/// Returns the locations of a key in files that look like data of an environment without a configuration:
/// those below `data` and folders named after Hiera. A server may read them through a configuration outside
/// the repository.
pub fn locations_of_key_without_configuration(
    db: &dyn Db,
    environment: Environment,
    key: &str,
) -> Vec<(File, DataKey)> {
    let (root, segments) = root_and_segments(key);
    let names_it = |file: &File| file.contents(db).text().is_some_and(|text| text.contains(root.as_str()));
    let files = files_like_data(db, environment).into_iter().filter(names_it);
    files.filter_map(|file| Some((file, location_in_file(db, file, &root, &segments)?))).collect()
}

fn files_like_data(db: &dyn Db, environment: Environment) -> Vec<File> {
    if is_configured(db, environment) {
        return Vec::new();
    }
    let is_data = |path: &str| {
        let folder = path.split_once('/').map_or("", |(folder, _)| folder);
        folder == "data" || folder.contains("hiera")
    };
    let files = environment_tree(db, environment).into_iter().flat_map(|tree| tree.files(db).iter());
    let files = files.filter(|(path, _)| is_data(path)).map(|(_, file)| *file);
    files.filter(|file| file_kind(db, *file) == FileKind::Data).collect()
}

/// Returns the sorted keys that an environment has data for; without a configuration, those of files that
/// look like data.
#[salsa::tracked(returns(clone))]
pub fn keys_with_data(db: &dyn Db, environment: Environment) -> Arc<[Name]> {
    let mut names: Vec<Name> = data_key_index(db, environment).keys().cloned().collect();
    let like_data = files_like_data(db, environment).into_iter();
    names.extend(like_data.flat_map(|file| key_names(db, file).to_vec()));
    names.sort();
    names.dedup();
    names.into()
}

/// Returns the names nested in the values of a key: the possible continuations after the key and a dot.
pub fn names_within_key(db: &dyn Db, environment: Environment, key: &str) -> Vec<Name> {
    let (root, segments) = root_and_segments(key);
    let mut locations: Vec<File> =
        locations_of_key(db, environment, key).into_iter().map(|(source, _)| source.file).collect();
    let like_data = locations_of_key_without_configuration(db, environment, key);
    locations.extend(like_data.into_iter().map(|(file, _)| file));
    let mut names = Vec::new();
    for file in locations {
        let data = hiera_data(db, file);
        let Some((_, value)) = data.entry(&root).and_then(|entry| within(entry, &segments)) else { continue };
        names.extend(value.entries().iter().filter_map(|it| Some(Name::from(it.key.value.as_str()?))));
    }
    names.sort();
    names.dedup();
    names
}

/// Follows a path into an entry's value; returns the range of the last key or element, and its value.
fn within<'d>(entry: &'d DataEntry, segments: &[KeySegment]) -> Option<(TextRange, &'d DataNode)> {
    let mut found = (entry.key.range, &entry.value);
    for segment in segments {
        found = match segment {
            KeySegment::Name(name) => found.1.entry(name).map(|it| (it.key.range, &it.value))?,
            KeySegment::Index(index) => {
                let element = found.1.elements().get(usize::try_from(*index).ok()?)?;
                (element.range, element)
            }
        };
    }
    Some(found)
}

fn root_and_segments(key: &str) -> (SmolStr, Vec<KeySegment>) {
    match Key::parse(key) {
        Some(Key { root, segments, .. }) => (root, segments),
        None => (key.into(), Vec::new()),
    }
}

/// Returns the location of a key as it is looked up, with a path into its value, in a data file.
pub fn data_key_location(db: &dyn Db, file: File, key: &str) -> Option<DataKey> {
    let (root, segments) = root_and_segments(key);
    location_in_file(db, file, &root, &segments)
}

/// Returns the location of a key, or of a path into its value, in a file. The last of duplicate keys counts.
fn location_in_file(db: &dyn Db, file: File, root: &str, segments: &[KeySegment]) -> Option<DataKey> {
    let position = *data_key_positions(db, file).get(root)?;
    let location = data_keys(db, file)[position].clone();
    if segments.is_empty() {
        return Some(location);
    }
    let data = hiera_data(db, file);
    let (key_range, value) = within(data.entry(root)?, segments)?;
    Some(DataKey { name: location.name, key_range, value_range: value.range })
}

/// Returns true if a level of the hierarchy reads a file without text, such as one in another encoding.
pub fn is_unreadable_hiera_data(db: &dyn Db, file: File) -> bool {
    let FileRole::Module { module, relative } = file.role(db) else { return false };
    let Some(config) = configuration_of(db, *module) else { return false };
    let reads =
        |pattern: &String| !::hiera::glob::matching(pattern, [relative.as_str()].into_iter()).is_empty();
    file_kind(db, file) == FileKind::Data && config.levels().any(|level| patterns(level).iter().any(reads))
}

/// Returns the data files of a module or environment that a level of its hierarchy reads and whose keys are
/// unknown, because of their size or encoding.
pub fn unread_hiera_data(db: &dyn Db, tree: ModuleTree) -> Vec<File> {
    let unread = unread_data(db, tree);
    let files = unread.iter().filter_map(|path| tree.files(db).get(path).copied());
    files.filter(|file| is_unreadable_hiera_data(db, *file)).collect()
}

/// Returns true if a file is data that Hiera may read.
pub fn is_hiera_data(db: &dyn Db, file: File) -> bool {
    let in_sources =
        |environment: &Environment| data_sources(db, *environment).iter().any(|source| source.file == file);
    file_kind(db, file) == FileKind::Data && file.environments(db).iter().any(in_sources)
}

/// Returns the sorted names of the variables in the configurations of Hiera.
#[salsa::tracked(returns(ref), lru = 64)]
pub fn variables_of_levels(db: &dyn Db, environment: Environment) -> Vec<Name> {
    let Some(tree) = environment_tree(db, environment) else { return Vec::new() };
    let mut names = Vec::new();
    for (path, file) in tree.files(db).iter() {
        let is_configuration = !path.contains('/') && path.starts_with("hiera");
        let Some(text) = crate::text(db, *file).filter(|_| is_configuration) else { continue };
        let data = hiera::data::read(hiera::DataFormat::Yaml, &text);
        let Some(root) = &data.root else { continue };
        root.walk(&mut |node| {
            for it in hiera::interpolation::interpolations_of(&text, node) {
                if let hiera::interpolation::InterpolationExpression::Variable(name) = it.expression {
                    let name = name.strip_prefix("::").unwrap_or(name);
                    names.push(Name::new(name.split('.').next().unwrap_or(name)));
                }
            }
        });
    }
    names.sort_unstable();
    names.dedup();
    names
}
