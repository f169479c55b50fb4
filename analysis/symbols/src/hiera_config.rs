//! `hiera.yaml`: hover and navigation for its keys, paths and interpolations.

use hiera::config::{HierarchyLevel, Locations, Written};
use hiera::data::DataNode;
use output::markdown::code_span;
use project::{Db, File, FileRole};
use syntax::TextRange;

use crate::descriptions::{self, Hover};
use crate::symbol;
use crate::target::{Navigation, NavigationTarget};

/// Maximum number of files that a hover lists.
const MAX_FILES: usize = 12;

/// Key of a `hiera.yaml`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ConfigKey {
    pub name: &'static str,
    pub documentation: &'static str,
    pub shape: ConfigShape,
    /// Literal values that are known.
    pub values: &'static [&'static str],
}

/// Kind of the value of a key.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ConfigShape {
    Text,
    /// Data file relative to `datadir`, in which `%{}` is interpolated.
    Path,
    /// List of such paths.
    Paths,
    List,
    Hash,
}

/// Keys at the top level.
pub const TOP_KEYS: &[ConfigKey] = &[
    key("version", "Version of the format. Puppet 4.9 and later read version 5.", ConfigShape::Text, &["5"]),
    key("defaults", "Data function and `datadir` of the levels that set none.", ConfigShape::Hash, &[]),
    key("hierarchy", "Levels of data, searched from first to last.", ConfigShape::List, &[]),
    key(
        "default_hierarchy",
        "Levels that are searched if no other data has the key. Only valid in a module.",
        ConfigShape::List,
        &[],
    ),
    key(
        "plan_hierarchy",
        "Levels for lookups in Bolt plans outside of apply blocks.",
        ConfigShape::List,
        &[],
    ),
];

/// Keys of a level of the hierarchy.
pub const LEVEL_KEYS: &[ConfigKey] = &[
    key("name", "Name of the level, shown by `puppet lookup --explain`.", ConfigShape::Text, &[]),
    key("path", "Data file of the level, relative to `datadir`.", ConfigShape::Path, &[]),
    key("paths", "Data files of the level, searched from first to last.", ConfigShape::Paths, &[]),
    key("glob", "Pattern of data files, relative to `datadir`.", ConfigShape::Path, &[]),
    key("globs", "Patterns of data files, relative to `datadir`.", ConfigShape::Paths, &[]),
    key(
        "mapped_paths",
        "A variable with a list, a name for its elements, and a path that interpolates that name.",
        ConfigShape::List,
        &[],
    ),
    key("datadir", "Folder of the data files, relative to `hiera.yaml`.", ConfigShape::Text, &["data"]),
    key(
        "data_hash",
        "Function that returns all data of a file at once.",
        ConfigShape::Text,
        &["yaml_data", "json_data", "hocon_data"],
    ),
    key(
        "lookup_key",
        "Function that returns the value of one key.",
        ConfigShape::Text,
        &["eyaml_lookup_key"],
    ),
    key("data_dig", "Function that returns the value of a key with its dotted path.", ConfigShape::Text, &[]),
    key("options", "Options of the data function.", ConfigShape::Hash, &[]),
    key("uri", "URI that is passed to the data function.", ConfigShape::Text, &[]),
    key("uris", "URIs that are passed to the data function.", ConfigShape::List, &[]),
];

/// Keys of `defaults`.
pub const DEFAULT_KEYS: &[&str] = &["datadir", "data_hash", "lookup_key", "data_dig", "options"];

const fn key(
    name: &'static str,
    documentation: &'static str,
    shape: ConfigShape,
    values: &'static [&'static str],
) -> ConfigKey {
    ConfigKey { name, documentation, shape, values }
}

/// Returns the description of a key by its name.
pub fn key_named(name: &str) -> Option<&'static ConfigKey> {
    TOP_KEYS.iter().chain(LEVEL_KEYS).find(|it| it.name == name)
}

/// Returns the hover text for the key, path or interpolation at an offset of a `hiera.yaml`.
pub fn hover(db: &dyn Db, file: File, offset: u32) -> Option<Hover> {
    if let Some(hover) = hover_of_name(db, file, offset) {
        return Some(hover);
    }
    if let Some(path) = path_at(db, file, offset) {
        let markdown = about_path(db, &path);
        return Some(Hover { range: path.written.range, markdown });
    }
    let data = project::hiera_data(db, file);
    let (name, range) = key_at(data.root.as_ref()?, offset, 0)?;
    let key = key_named(&name)?;
    Some(Hover { range, markdown: format!("{}\n\n{}", code_span(key.name), key.documentation) })
}

/// Returns the hover text for the fact, variable or class that a data file or configuration names at an
/// offset.
pub(crate) fn hover_of_name(db: &dyn Db, file: File, offset: u32) -> Option<Hover> {
    let (symbol, range) = symbol::symbol_at(db, file, offset)?;
    let about = descriptions::of_symbol(db, file, &symbol)?;
    Some(Hover { range, markdown: about.markdown() })
}

/// Returns the data files that the path at an offset of a `hiera.yaml` matches.
pub fn definition(db: &dyn Db, file: File, offset: u32) -> Option<Navigation> {
    let path = path_at(db, file, offset)?;
    let targets = path.files(db).into_iter().map(NavigationTarget::start_of).collect::<Vec<_>>();
    (!targets.is_empty()).then_some(Navigation { origin: path.written.range, targets })
}

/// Returns the paths of a `hiera.yaml` that name one existing file, by position.
pub fn links(db: &dyn Db, file: File) -> Vec<(TextRange, File)> {
    let mut links = Vec::new();
    for path in paths(db, file) {
        if let [target] = path.files(db)[..]
            && !path.pattern.contains('*')
        {
            links.push((path.written.range, target));
        }
    }
    links
}

/// Path in a `hiera.yaml`.
struct ConfigPath {
    written: Written,
    /// Path relative to the folder of the configuration, with `*` for interpolations.
    pattern: String,
    /// Files of the module or environment; `None` if the data is elsewhere.
    tree: Option<project::ModuleTree>,
}

impl ConfigPath {
    fn files(&self, db: &dyn Db) -> Vec<File> {
        self.tree.map(|tree| project::files_matching(db, tree, &self.pattern)).unwrap_or_default()
    }
}

fn path_at(db: &dyn Db, file: File, offset: u32) -> Option<ConfigPath> {
    paths(db, file).into_iter().find(|it| it.written.range.contains_inclusive(offset))
}

/// Returns the paths of all levels, by position in the hierarchy.
fn paths(db: &dyn Db, file: File) -> Vec<ConfigPath> {
    let Some(config) = project::hiera_configuration(db, file) else { return Vec::new() };
    let tree = match file.role(db) {
        FileRole::Module { module, relative } if relative == "hiera.yaml" => Some(*module),
        _ => None,
    };
    let of_level = |level: &HierarchyLevel| {
        let written = match &level.locations {
            Locations::Paths(written) | Locations::Globs(written) => written.clone(),
            Locations::Mapped([_, _, path]) => vec![path.clone()],
            Locations::None | Locations::Uris(_) => Vec::new(),
        };
        let is_elsewhere = level.datadir.starts_with('/') || level.datadir.split('/').any(|it| it == "..");
        let path = |written: Written| {
            let pattern = project::path_pattern(level, &written.text);
            ConfigPath { written, pattern, tree: tree.filter(|_| !is_elsewhere) }
        };
        written.into_iter().map(path).collect::<Vec<_>>()
    };
    // The default level of a configuration without a hierarchy is not written anywhere.
    config.levels().flat_map(of_level).filter(|it| !it.written.range.is_empty()).collect()
}

fn about_path(db: &dyn Db, path: &ConfigPath) -> String {
    let pattern = code_span(&path.pattern);
    let Some(tree) = path.tree else { return format!("{pattern}\n\nThe data is outside of this folder.") };
    let files = path.files(db);
    let root = tree.root(db);
    let name = |file: &File| file.path(db).strip_prefix(root).map(str::to_owned);
    let lines = files.iter().filter_map(name).map(|it| format!("* {}", code_span(&it)));
    let mut lines: Vec<String> = lines.take(MAX_FILES).collect();
    if files.len() > MAX_FILES {
        lines.push(format!("* and {} more", files.len() - MAX_FILES));
    }
    match (files.len(), path.pattern.contains('*')) {
        (0, _) => format!("{pattern}\n\nNo such file."),
        (1, false) => pattern,
        (count, _) => {
            let noun = if count == 1 { "file" } else { "files" };
            format!("{pattern}\n\n{count} {noun}:\n\n{}", lines.join("\n"))
        }
    }
}

/// Returns the key at an offset with its range. Keys inside of `options` belong to the data function.
fn key_at(node: &DataNode, offset: u32, depth: usize) -> Option<(String, TextRange)> {
    for entry in node.entries() {
        let name = entry.key.value.as_str().unwrap_or_default();
        if entry.key.range.contains_inclusive(offset) {
            return Some((name.to_owned(), entry.key.range));
        }
        if entry.value.range.contains_inclusive(offset) && name != "options" && depth < 4 {
            return key_at(&entry.value, offset, depth + 1);
        }
    }
    node.elements().iter().find_map(|it| key_at(it, offset, depth + 1))
}
