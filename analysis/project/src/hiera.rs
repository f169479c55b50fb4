//! Hiera in the project: configurations, data files, and which keys are where.

use std::collections::BTreeMap;
use std::sync::Arc;

use ::hiera::config::{self, HieraConfig, HierarchyLevel, Layer, Locations};
use ::hiera::data::{self, DataEntry, DataFormat, DataNode, HieraData};
use ::hiera::key::{Key, KeySegment};
use hir::{Name, NameUseKind};
use rustc_hash::FxHashSet;
use smol_str::SmolStr;
use syntax::TextRange;

use crate::resolve::ENVIRONMENT_MODULE;
use crate::{Contents, Db, Environment, File, FileKind, FileRole, ModuleTree, file_kind};

/// A key of a data file, and where it stands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DataKey {
    pub name: Name,
    pub key_range: TextRange,
    pub value_range: TextRange,
}

/// A data file that a level of a hierarchy may read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DataSource {
    pub file: File,
    pub layer: Layer,
    /// The name of the entry of the hierarchy.
    pub level: Name,
    /// Does the entry belong to the default hierarchy?
    pub is_default: bool,
    /// Is the file read whatever facts are?
    pub is_certain: bool,
    /// How many parts of its path facts decide.
    pub unknown_parts: usize,
}

/// What a data file or configuration holds. Nothing for a file that is neither, or too large.
#[salsa::tracked(returns(clone), lru = 256)]
pub fn hiera_data(db: &dyn Db, file: File) -> Arc<HieraData> {
    let _span = tracing::info_span!("hiera_data").entered();
    let format = DataFormat::of_path(file.path(db).as_str()).unwrap_or(DataFormat::Yaml);
    let text = file.contents(db).text().filter(|_| !file.is_large(db));
    Arc::new(data::read(format, text.as_deref().unwrap_or_default()))
}

/// The layer whose `hiera.yaml` a file would be, or whose data it holds.
pub fn hiera_layer(db: &dyn Db, file: File) -> Option<Layer> {
    match file.place(db) {
        FileRole::Module { module, .. }
            if file.environments(db).iter().any(|it| environment_tree(db, *it) == Some(*module)) =>
        {
            Some(Layer::Environment)
        }
        FileRole::Module { module, .. } => Some(Layer::Module(module.name(db).clone())),
        FileRole::Loose | FileRole::MainManifest => None,
    }
}

/// The configuration that a file is; `None` for a file that is none.
#[salsa::tracked(returns(clone))]
pub fn hiera_configuration(db: &dyn Db, file: File) -> Option<Arc<HieraConfig>> {
    if file_kind(db, file) != FileKind::HieraConfiguration || !file.contents(db).has_text() {
        return None;
    }
    // A loose one may be that of the whole machine, and so may one that tests use.
    let is_at_root = match file.place(db) {
        FileRole::Module { relative, .. } => relative == "hiera.yaml",
        FileRole::Loose | FileRole::MainManifest => true,
    };
    let layer = hiera_layer(db, file).filter(|_| is_at_root).unwrap_or(Layer::Global);
    let environment = file.environments(db).first();
    let strict = environment.is_some_and(|it| it.strict(db) == validation::Strict::Error);
    Some(Arc::new(config::read(&hiera_data(db, file), &layer, strict)))
}

/// The files of an environment itself. Those of a Bolt project have its name, and are data of the environment all the same.
#[salsa::tracked(returns(copy))]
pub fn environment_tree(db: &dyn Db, environment: Environment) -> Option<ModuleTree> {
    let modules = environment.modules(db);
    let at_root = || modules.values().find(|tree| Some(tree.root(db)) == environment.root(db).as_ref());
    modules.get(ENVIRONMENT_MODULE).or_else(at_root).copied()
}

/// The folders of modules that the `environment.conf` of an environment names, as they are written there.
pub fn module_folders_setting(db: &dyn Db, environment: Environment) -> Option<String> {
    let file = *environment_tree(db, environment)?.files(db).get("environment.conf")?;
    let text = file.contents(db).text()?;
    let setting = text.lines().filter_map(|line| line.split_once('=')).find(|it| it.0.trim() == "modulepath");
    setting.map(|(_, folders)| folders.trim().to_owned())
}

/// The data files of an environment in the order in which Hiera would look into them: its own, then those of its modules.
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

/// The keys that data of an environment reads itself: `%{lookup('key')}`.
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

/// The data files of a module or environment, for a layer that the caller knows.
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
            for path in ::hiera::glob::matching(&pattern, files.keys().map(SmolStr::as_str)) {
                let Some(file) = files.get(&path) else { continue };
                let is_there = file.contents(db).has_text();
                let is_known =
                    sources.iter().any(|it: &DataSource| it.file == *file && it.level == level.name.text);
                if is_there && !is_known {
                    sources.push(DataSource {
                        file: *file,
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

/// The paths that a level may read, below the configuration's folder, with `*` for what is interpolated.
fn patterns(level: &HierarchyLevel) -> Vec<String> {
    let written = match &level.locations {
        Locations::Paths(paths) | Locations::Globs(paths) => paths.as_slice(),
        Locations::Mapped([_, _, path]) => std::slice::from_ref(path),
        Locations::None | Locations::Uris(_) => &[],
    };
    written.iter().map(|written| full_pattern(level, &written.text)).collect()
}

/// A path of a level below the configuration's folder, with `*` for what is interpolated.
fn full_pattern(level: &HierarchyLevel, path: &str) -> String {
    let extension = level.extension.as_deref().unwrap_or_default();
    let extension = if path.ends_with(extension) { "" } else { extension };
    let joined = ::hiera::lookup::join(&format!("/{}", level.datadir), &format!("{path}{extension}"));
    open_pattern(joined.trim_start_matches('/'))
}

/// A path with `*` for what is interpolated.
fn open_pattern(path: &str) -> String {
    let mut one = String::new();
    let mut at = 0;
    for interpolation in ::hiera::interpolation::interpolations(path) {
        let range = interpolation.range.as_range();
        one.push_str(&path[at..range.start]);
        one.push('*');
        at = range.end;
    }
    one.push_str(&path[at..]);
    one
}

/// The keys of a data file, without their values.
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

/// In which data files of an environment each key is; equal after edits that leave the keys alone.
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

/// May a file at a path of a level of a configuration have a key at its top? `tree` has the configuration, `written` is the
/// path as it stands there. Data that lie elsewhere, or are too large to be read, may.
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
    // What is merged in at the top is in no index.
    let with_key = [key, "<<"].into_iter().filter_map(|name| index.get(name)).flatten();
    let mut with_key = with_key.peekable();
    let unread = unread_data(db, tree);
    let has_globs = matches!(level.locations, Locations::Globs(_));
    if !has_globs && unread.is_empty() && with_key.peek().is_none() {
        return false;
    }
    let pattern = full_pattern(level, written);
    if has_globs && pattern.contains(['?', '[', '{']) {
        return true;
    }
    let root = tree.root(db);
    let fits =
        |file: &File| file.path(db).strip_prefix(root).is_some_and(|path| fits_open_pattern(&pattern, path));
    with_key.any(fits) || unread.iter().any(|path| fits_open_pattern(&pattern, path))
}

/// The files of a module or environment that may be data, and whose keys are not known.
#[salsa::tracked(returns(clone))]
fn unread_data(db: &dyn Db, tree: ModuleTree) -> Arc<[SmolStr]> {
    let is_unread = |file: &File| {
        file.is_large(db) || !file.contents(db).has_text() && *file.contents(db) != Contents::Missing
    };
    let files = tree.files(db).iter();
    let unread = files.filter(|(path, file)| DataFormat::of_path(path).is_some() && is_unread(file));
    unread.map(|(path, _)| path.clone()).collect()
}

/// Does a path fit a pattern in which each `*` stands for any text?
fn fits_open_pattern(pattern: &str, path: &str) -> bool {
    let mut parts = pattern.split('*');
    let Some(mut rest) = parts.next().and_then(|first| path.strip_prefix(first)) else { return false };
    let mut parts: Vec<&str> = parts.collect();
    let Some(last) = parts.pop() else { return rest.is_empty() };
    for part in parts {
        let Some(at) = rest.find(part) else { return false };
        rest = &rest[at + part.len()..];
    }
    rest.ends_with(last)
}

/// The places that give a key a value, in the order in which Hiera would look. What follows a dot leads into the value.
pub fn places_of_key(db: &dyn Db, environment: Environment, key: &str) -> Vec<(DataSource, DataKey)> {
    let (root, segments) = root_and_segments(key);
    let Some(files) = data_key_index(db, environment).get(root.as_str()) else { return Vec::new() };
    let mut places = Vec::new();
    for source in data_sources(db, environment).iter().filter(|source| files.contains(&source.file)) {
        // The data of a module is for its own keys.
        if let Layer::Module(module) = &source.layer
            && !root.strip_prefix(module.as_str()).is_some_and(|rest| rest.starts_with("::"))
        {
            continue;
        }
        places.extend(place_in_file(db, source.file, &root, &segments).map(|place| (source.clone(), place)));
    }
    places
}

/// Is there a configuration that says where the data of a key is: of the environment, or of the key's module?
pub fn has_hiera_configuration(db: &dyn Db, environment: Environment, key: &str) -> bool {
    let module = key.split_once("::").and_then(|(module, _)| environment.modules(db).get(module).copied());
    is_configured(db, environment) || module.is_some_and(|it| it.files(db).contains_key("hiera.yaml"))
}

fn is_configured(db: &dyn Db, environment: Environment) -> bool {
    environment_tree(db, environment).is_some_and(|tree| tree.files(db).contains_key("hiera.yaml"))
}

/// The places in files that look like data of an environment without a configuration of its own: those below `data` and
/// folders called after Hiera. A server may read them by a configuration that is not in the repository.
pub fn places_of_key_without_configuration(
    db: &dyn Db,
    environment: Environment,
    key: &str,
) -> Vec<(File, DataKey)> {
    let (root, segments) = root_and_segments(key);
    let names_it = |file: &File| file.contents(db).text().is_some_and(|text| text.contains(root.as_str()));
    let files = files_like_data(db, environment).into_iter().filter(names_it);
    files.filter_map(|file| Some((file, place_in_file(db, file, &root, &segments)?))).collect()
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

/// The keys that an environment has data for, by name; where no configuration says where that is, of files that look like data.
#[salsa::tracked(returns(clone))]
pub fn keys_with_data(db: &dyn Db, environment: Environment) -> Arc<[Name]> {
    let mut names: Vec<Name> = data_key_index(db, environment).keys().cloned().collect();
    let like_data = files_like_data(db, environment).into_iter();
    names.extend(like_data.flat_map(|file| key_names(db, file).to_vec()));
    names.sort();
    names.dedup();
    names.into()
}

/// The names within the values of a key, wherever it has one: what may follow the key and a dot.
pub fn names_within_key(db: &dyn Db, environment: Environment, key: &str) -> Vec<Name> {
    let (root, segments) = root_and_segments(key);
    let mut places: Vec<File> =
        places_of_key(db, environment, key).into_iter().map(|(source, _)| source.file).collect();
    let like_data = places_of_key_without_configuration(db, environment, key);
    places.extend(like_data.into_iter().map(|(file, _)| file));
    let mut names = Vec::new();
    for file in places {
        let data = hiera_data(db, file);
        let Some((_, value)) = data.entry(&root).and_then(|entry| within(entry, &segments)) else { continue };
        names.extend(value.entries().iter().filter_map(|it| Some(Name::from(it.key.value.as_str()?))));
    }
    names.sort();
    names.dedup();
    names
}

/// Where the way into an entry's value ends: the last key or element, and the value.
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

/// Where a file has a key, or what lies within its value. Of a key that stands twice, the last one counts.
fn place_in_file(db: &dyn Db, file: File, root: &str, segments: &[KeySegment]) -> Option<DataKey> {
    let place = data_keys(db, file).iter().rev().find(|it| it.name == root)?.clone();
    if segments.is_empty() {
        return Some(place);
    }
    let data = hiera_data(db, file);
    let (key_range, value) = within(data.entry(root)?, segments)?;
    Some(DataKey { name: place.name, key_range, value_range: value.range })
}

/// Is a file data that Hiera may read?
pub fn is_hiera_data(db: &dyn Db, file: File) -> bool {
    let in_sources =
        |environment: &Environment| data_sources(db, *environment).iter().any(|source| source.file == file);
    file_kind(db, file) == FileKind::Data && file.environments(db).iter().any(in_sources)
}
