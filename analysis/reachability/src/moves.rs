//! Values in data that have no effect, and values that more general levels could have.

use std::collections::{BTreeMap, BTreeSet};

use hiera::DataFormat;
use hiera::config::{HieraConfig, HierarchyLevel, Locations};
use hiera::data::is_encrypted;
use hiera::interpolation::{InterpolationExpression, interpolations};
use hiera::lookup_options::LOOKUP_OPTIONS;
use hir::Name;
use project::{Db, Environment, File, FileKind, ModuleTree};
use rustc_hash::{FxHashMap, FxHashSet};
use syntax::TextRange;
use types::Value;

use crate::items::{TextReader, own_modules};
use crate::merges::{MergeKinds, MergeReason, Merges};
use crate::path_template::PathTemplate;

/// Values of an environment and its own modules that can be removed or moved.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct DataMoves {
    pub redundant: Vec<RedundantValue>,
    pub candidates: Vec<MoveCandidate>,
    pub open: Vec<OpenValues>,
    /// Variables other than `$facts` and `$trusted` in the paths of the hierarchies.
    pub variables: Vec<String>,
}

/// Values that equal those of a more general level, but may have an effect.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OpenValues {
    pub reason: String,
    /// Location of the code that the reason is about.
    pub origin: Option<(File, TextRange)>,
    /// Number of values.
    pub count: usize,
}

/// Value without effect: every lookup that finds it finds an equal one without it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RedundantValue {
    pub key: Name,
    pub value: DataPlace,
    /// Equal value that every node finds after this one.
    pub general: DataPlace,
}

/// Key with equal values in all files of a level, which is missing in the next level that all nodes read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MoveCandidate {
    pub key: Name,
    pub values: Vec<DataPlace>,
    /// File of the more general level; its range is empty.
    pub target: DataPlace,
    /// True if lookups only use the first value found.
    pub is_first: bool,
}

/// Location of a value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DataPlace {
    pub file: File,
    /// The key.
    pub range: TextRange,
    /// Name of the hierarchy entry.
    pub level: Name,
}

/// Location that a hierarchy reads: one or more files.
struct StaticLocation {
    level: Name,
    /// Files that nodes may read there.
    files: Vec<File>,
    /// True if every node reads the file.
    is_certain: bool,
    /// True if a node reads one of the files at most.
    is_single: bool,
    /// True if nodes may find data there that is not known.
    is_open: bool,
    /// Path of a location with at most one file for each node.
    template: Option<PathTemplate>,
}

/// Locations of a hierarchy, in lookup order.
struct StaticHierarchy {
    locations: Vec<StaticLocation>,
    /// Positions at which nodes may read a file.
    positions: FxHashMap<File, Vec<usize>>,
    /// Paths of files, relative to the folder of the configuration.
    paths: FxHashMap<File, String>,
}

/// Values of a key at a location.
struct KeyAt {
    position: usize,
    /// Files with the key.
    files: Vec<File>,
    /// Value of all files, if it is the same.
    value: Option<Value>,
}

/// Returns the values of an environment and its own modules that can be removed or moved. `read` reads templates that
/// are not part of the project.
pub fn data_moves(db: &dyn Db, environment: Environment, read: TextReader<'_>) -> DataMoves {
    let _span = tracing::info_span!("data_moves").entered();
    let own = own_modules(db, environment);
    let merges = Merges::new(db, environment, read);
    let mut search = MoveSearch { db, merges, found: DataMoves::default(), open: Vec::new() };
    let mut is_empty = true;
    for (name, tree) in environment.modules(db).iter().filter(|(name, _)| own.contains(name)) {
        let Some(file) = tree.files(db).get("hiera.yaml").copied() else { continue };
        is_empty = false;
        let is_environment = project::environment_tree(db, environment) == Some(*tree);
        let config = project::hiera_configuration(db, file);
        let config = match config.filter(|it| it.error().is_none()) {
            Some(config) if config.version == 5 => config,
            Some(_) => {
                search.add_open_file("hierarchies before version 5 are not examined", file);
                continue;
            }
            None => {
                search.add_open_file("hierarchy cannot be used", file);
                continue;
            }
        };
        // Plans read the files in another order, and levels of the environment may read those of a module.
        if keys_of(db, file).iter().any(|key| key == "plan_hierarchy") {
            search.add_open_file("hierarchies with `plan_hierarchy` are not examined", file);
            continue;
        }
        if !is_environment && reads_elsewhere(db, environment) {
            search.add_open_file("levels of the environment may read the data of this module", file);
            continue;
        }
        let prefix = if is_environment { String::new() } else { format!("{name}::") };
        search.tree(*tree, &config, &prefix);
        for level in &config.hierarchy {
            search.found.variables.extend(variables(level));
        }
    }
    if is_empty {
        search.add_open(MergeReason { text: "no `hiera.yaml` found".to_owned(), origin: None });
    }
    let DataMoves { redundant, candidates, mut variables, .. } = search.found;
    variables.sort_unstable();
    variables.dedup();
    let open = search.open.into_iter();
    let open = open.map(|(reason, count)| OpenValues { reason: reason.text, origin: reason.origin, count });
    DataMoves { redundant, candidates, open: open.collect(), variables }
}

/// Returns true if the environment itself may read data that is not its own.
fn reads_elsewhere(db: &dyn Db, environment: Environment) -> bool {
    let Some(tree) = project::environment_tree(db, environment) else { return false };
    let file = tree.files(db).get("hiera.yaml");
    let config = file.and_then(|it| project::hiera_configuration(db, *it));
    config.is_some_and(|it| it.levels().any(|level| project::may_level_be_unread(db, tree, level)))
}

struct MoveSearch<'db> {
    db: &'db dyn Db,
    merges: Merges<'db>,
    found: DataMoves,
    open: Vec<(MergeReason, usize)>,
}

impl MoveSearch<'_> {
    fn tree(&mut self, tree: ModuleTree, config: &HieraConfig, prefix: &str) {
        let locations = locations(self.db, tree, config);
        let mut positions: FxHashMap<File, Vec<usize>> = FxHashMap::default();
        for (position, location) in locations.iter().enumerate() {
            location.files.iter().for_each(|file| positions.entry(*file).or_default().push(position));
        }
        let paths = tree.files(self.db).iter().map(|(path, file)| (*file, path.to_string())).collect();
        let hierarchy = StaticHierarchy { locations, positions, paths };
        let locations = &hierarchy.locations;
        let mut keys: BTreeMap<Name, BTreeMap<usize, Vec<File>>> = BTreeMap::new();
        let open: BTreeSet<&Name> = locations.iter().filter(|it| it.is_open).map(|it| &it.level).collect();
        for level in open {
            let text = format!("level `{level}` is not examined: its data is unknown or invalid");
            self.add_open(MergeReason { text, origin: None });
        }
        for (position, location) in locations.iter().enumerate() {
            for file in &location.files {
                for key in keys_of(self.db, *file).into_iter().filter(|key| key.starts_with(prefix)) {
                    keys.entry(key).or_default().entry(position).or_default().push(*file);
                }
            }
        }
        for (key, positions) in keys {
            if positions.values().map(Vec::len).sum::<usize>() > 1 {
                let at = |(position, files): (usize, Vec<File>)| KeyAt {
                    position,
                    value: same_value(self.db, &files, &key),
                    files,
                };
                let values: Vec<KeyAt> = positions.into_iter().map(at).collect();
                self.key(&hierarchy, &key, &values);
            }
        }
    }

    fn key(&mut self, hierarchy: &StaticHierarchy, key: &Name, values: &[KeyAt]) {
        let locations = &hierarchy.locations;
        let mut kinds = None;
        let mut seen = FxHashSet::default();
        for (at, file) in values.iter().flat_map(|at| at.files.iter().map(move |file| (at, *file))) {
            if !seen.insert(file) {
                continue;
            }
            let Some(value) = removable_value(self.db, file, key) else { continue };
            let Some((found, other, open)) = general(self.db, hierarchy, key, values, file, &value) else {
                continue;
            };
            let kinds = kinds.get_or_insert_with(|| self.merges.of_key(key));
            let is_allowed = allows_removal(kinds, &value);
            if let (Some(position), true) = (open, is_allowed || kinds.unknown.is_some()) {
                let text = format!("level `{}` may have it, and is not known", locations[position].level);
                self.add_open(MergeReason { text, origin: None });
            } else if is_allowed {
                let value = place(self.db, file, key, &locations[at.position].level);
                let general = place(self.db, other, key, &locations[found].level);
                self.found.redundant.push(RedundantValue { key: key.clone(), value, general });
            } else if let Some(reason) = &kinds.unknown {
                self.add_open(reason.clone());
            }
        }
        for at in values {
            self.candidate(locations, key, values, at);
        }
    }

    /// Adds a file that is not examined.
    fn add_open_file(&mut self, reason: &str, file: File) {
        self.add_open(MergeReason { text: reason.to_owned(), origin: Some((file, TextRange::empty(0))) });
    }

    fn add_open(&mut self, reason: MergeReason) {
        match self.open.iter_mut().find(|(known, _)| *known == reason) {
            Some((_, count)) => *count += 1,
            None => self.open.push((reason, 1)),
        }
    }

    fn candidate(&mut self, locations: &[StaticLocation], key: &Name, values: &[KeyAt], at: &KeyAt) {
        let location = &locations[at.position];
        let is_group = location.is_single && !location.is_certain && location.files.len() > 1;
        if !is_group || at.files.len() < location.files.len() || at.value.is_none() {
            return;
        }
        let is_removable = |file: &File| removable_value(self.db, *file, key).is_some();
        let is_redundant =
            |file: &File| self.found.redundant.iter().any(|it| it.key == *key && it.value.file == *file);
        if !at.files.iter().all(is_removable) || at.files.iter().any(is_redundant) {
            return;
        }
        let mut after = locations.iter().enumerate().skip(at.position + 1);
        let Some((position, target)) = after.find(|(_, it)| it.is_certain) else { return };
        let [file] = target.files.as_slice() else { return };
        if values.iter().any(|it| it.position == position) || keys_of(self.db, *file).contains(key) {
            return;
        }
        let values = at.files.iter().map(|it| place(self.db, *it, key, &location.level));
        self.found.candidates.push(MoveCandidate {
            key: key.clone(),
            values: values.collect(),
            target: DataPlace { file: *file, range: TextRange::empty(0), level: target.level.clone() },
            is_first: self.merges.of_key(key).is_first(),
        });
    }
}

/// Returns the position of the first file after a value that every node reads and that has the key, if all files that
/// a node may read in between have an equal value. Also returns the first position in between whose data is not known.
fn general(
    db: &dyn Db,
    hierarchy: &StaticHierarchy,
    key: &str,
    values: &[KeyAt],
    file: File,
    value: &Value,
) -> Option<(usize, File, Option<usize>)> {
    let locations = &hierarchy.locations;
    let mut found: Option<(usize, File, Option<usize>)> = None;
    // Several levels may read the file.
    for own in hierarchy.positions.get(&file)?.iter().copied() {
        let own_location = &locations[own];
        // Nodes that read the file have these values in paths.
        let template = own_location.template.as_ref();
        let bindings = template.zip(hierarchy.paths.get(&file)).and_then(|(it, path)| it.bindings(path));
        let mut open = None;
        // A node may read other files of the same location after it.
        let first = if own_location.is_single { own + 1 } else { own };
        let mut general = None;
        for (position, location) in locations.iter().enumerate().skip(first) {
            if location.is_open && position > own {
                open = open.or(Some(position));
            }
            let Some(at) = values.iter().find(|it| it.position == position) else { continue };
            let known = location.template.as_ref().zip(bindings.as_ref());
            let known = known.and_then(|(template, bindings)| template.path(bindings));
            let (other, is_certain, of_location) = match &known {
                // Nodes that read the file read no other file of the location.
                Some(path) => {
                    let is_read = |it: &&File| hierarchy.paths.get(*it) == Some(path) && **it != file;
                    let Some(other) = at.files.iter().find(is_read) else { continue };
                    (*other, true, value_of(db, *other, key))
                }
                None => {
                    let Some(other) = at.files.iter().find(|it| **it != file) else { continue };
                    (*other, location.is_certain, at.value.clone())
                }
            };
            if of_location.is_none_or(|it| !is_same(&it, value)) {
                return None;
            }
            if is_certain {
                general = Some((position, other, open));
                break;
            }
        }
        let general = general?;
        if found.is_none_or(|(_, _, open)| open.is_none()) {
            found = Some(general);
        }
    }
    found
}

/// Returns the names of the variables in the paths of a level, without those of every node.
fn variables(level: &HierarchyLevel) -> Vec<String> {
    let mut names: Vec<&str> = Vec::new();
    let texts = level.locations.written().iter().map(|it| it.text.as_str()).chain([level.datadir.as_str()]);
    for interpolation in texts.flat_map(interpolations) {
        if let InterpolationExpression::Variable(name) = interpolation.expression {
            names.push(name);
        }
    }
    let mut own = None;
    if let Locations::Mapped([variable, name, _]) = &level.locations {
        names.push(variable.text.as_str());
        own = Some(name.text.as_str());
    }
    let root = |name: &str| {
        let name = name.trim_start_matches("::");
        name.split('.').next().unwrap_or(name).to_owned()
    };
    let is_of_node = |name: &String| {
        matches!(name.as_str(), "facts" | "trusted" | "server_facts" | "environment") || own == Some(name)
    };
    names.into_iter().map(root).filter(|name| !is_of_node(name)).collect()
}

/// Returns the locations that a hierarchy reads, in lookup order.
fn locations(db: &dyn Db, tree: ModuleTree, config: &HieraConfig) -> Vec<StaticLocation> {
    let mut found = Vec::new();
    for level in &config.hierarchy {
        let is_open = project::may_level_be_unread(db, tree, level);
        let location = |files: Vec<File>, is_certain, is_single| {
            let is_readable = files.iter().all(|file| is_readable(db, *file, level));
            let files = if is_readable { files } else { Vec::new() };
            let is_certain = is_certain && !files.is_empty();
            let (level, is_open) = (level.name.text.clone(), is_open || !is_readable);
            StaticLocation { level, files, is_certain, is_single, is_open, template: None }
        };
        let open = || StaticLocation { is_open: true, ..location(Vec::new(), false, true) };
        let of_path = |written: &str, is_single| {
            let Some(template) = PathTemplate::new(level, written) else { return open() };
            let files = tree.files(db).iter().filter(|(_, file)| file.contents(db).has_text());
            let files = files.filter(|(path, _)| template.matches(path)).map(|(_, file)| *file).collect();
            let found = location(files, is_single && template.is_certain(), is_single);
            StaticLocation { template: is_single.then_some(template), ..found }
        };
        match &level.locations {
            Locations::Paths(paths) if level.backend.file_format().is_some() => {
                found.extend(paths.iter().map(|path| of_path(&path.text, true)));
            }
            Locations::Mapped([_, _, path]) if level.backend.file_format().is_some() => {
                found.push(of_path(&path.text, false));
            }
            Locations::Globs(globs) if globs.iter().all(|it| !it.text.contains("%{")) => {
                let patterns = globs.iter().map(|it| project::path_pattern(level, &it.text));
                let files = patterns.flat_map(|it| project::files_matching(db, tree, &it));
                found.extend(files.map(|file| location(vec![file], true, true)));
                // The level itself, whose data may not be known.
                found.push(location(Vec::new(), false, true));
            }
            _ => found.push(open()),
        }
    }
    found
}

/// Returns true if Puppet accepts a data file of a level.
fn is_readable(db: &dyn Db, file: File, level: &HierarchyLevel) -> bool {
    let format = DataFormat::of_path(file.path(db).as_str());
    let data = project::hiera_data(db, file);
    let is_empty = data.root.as_ref().is_none_or(|root| root.value.is_undef());
    !file.is_large(db)
        && project::file_kind(db, file) == FileKind::Data
        && format == level.backend.file_format()
        && data.hash().is_ok()
        && (is_empty && format == Some(DataFormat::Yaml) || !data.is_not_hash())
}

/// Returns the keys of a data file, without `lookup_options`.
fn keys_of(db: &dyn Db, file: File) -> Vec<Name> {
    let data = project::hiera_data(db, file);
    let keys = data.hash().into_iter().flat_map(|it| it.keys()).filter_map(Value::as_str);
    keys.filter(|key| *key != LOOKUP_OPTIONS).map(Name::from).collect()
}

/// Returns the value of a key as it is in a file, if it can be compared with others.
fn value_of(db: &dyn Db, file: File, key: &str) -> Option<Value> {
    let data = project::hiera_data(db, file);
    let value = data.hash().ok()?.get_text(key)?;
    is_comparable(value, 0).then(|| value.clone())
}

/// Returns the value of a key that can be removed from a file on its own.
fn removable_value(db: &dyn Db, file: File, key: &str) -> Option<Value> {
    let data = project::hiera_data(db, file);
    let entries = || data.entries().iter().filter_map(|it| Some((it.key.value.as_str()?, it)));
    let mut of_key = entries().filter(|(name, _)| *name == key).map(|(_, entry)| entry);
    let (entry, next) = (of_key.next()?, of_key.next());
    let text = project::text(db, file)?;
    let written = text.get(entry.key.range.start as usize..entry.value.range.end as usize)?;
    // Other values may refer to the anchor.
    let is_anchor = |(at, _): (usize, &str)| {
        let next = written[at + 1..].chars().next();
        next.is_some_and(|it| !it.is_whitespace())
    };
    let has_anchor = written.match_indices('&').any(is_anchor);
    let is_merged = entries().any(|(name, _)| name == "<<");
    // Substitutions in HOCON may refer to the key.
    let is_hocon = data.format == DataFormat::Hocon;
    if next.is_some() || has_anchor || is_merged || is_hocon { None } else { value_of(db, file, key) }
}

/// Returns the value of a key in all files, if it is the same.
fn same_value(db: &dyn Db, files: &[File], key: &str) -> Option<Value> {
    let (first, rest) = files.split_first()?;
    let value = value_of(db, *first, key)?;
    let is_equal = |file: &File| value_of(db, *file, key).is_some_and(|it| is_same(&it, &value));
    rest.iter().all(is_equal).then_some(value)
}

fn place(db: &dyn Db, file: File, key: &str, level: &Name) -> DataPlace {
    let range = project::hiera_data(db, file).entry(key).map_or(TextRange::empty(0), |it| it.key.range);
    DataPlace { file, range, level: level.clone() }
}

/// Returns true for data without encrypted and unknown parts.
fn is_comparable(value: &Value, depth: usize) -> bool {
    match value {
        _ if depth > Value::MAX_DEPTH => false,
        Value::String(text) => !is_encrypted(text),
        Value::Undef | Value::Boolean(_) | Value::Integer(_) | Value::Float(_) => true,
        Value::Array(elements) => elements.iter().all(|it| is_comparable(it, depth + 1)),
        Value::Hash(entries) => entries
            .iter()
            .all(|(key, value)| is_comparable(key, depth + 1) && is_comparable(value, depth + 1)),
        _ => false,
    }
}

/// Returns true if two values are equal, including the order of the keys of hashes.
fn is_same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b.iter()).all(|(a, b)| is_same(a, b))
        }
        (Value::Hash(a), Value::Hash(b)) => {
            let is_same_entry = |((a, of_a), (b, of_b)): ((&Value, &Value), (&Value, &Value))| {
                is_same(a, b) && is_same(of_a, of_b)
            };
            a.len() == b.len() && a.iter().zip(b.iter()).all(is_same_entry)
        }
        (a, b) => a == b,
    }
}

/// Returns true if a value that is followed by an equal one has no effect, whatever is merged before and after it.
fn allows_removal(kinds: &MergeKinds, value: &Value) -> bool {
    // The value of another key may be of any type.
    let is_alias = |text: &str| text.contains("alias");
    if kinds.is_first() {
        return true;
    }
    match value {
        // Hash merges fail.
        Value::Boolean(_) | Value::Integer(_) | Value::Float(_) | Value::String(_) if kinds.hash => false,
        Value::Boolean(_) | Value::Integer(_) | Value::Float(_) => true,
        // A deep merge removes values with the knockout prefix.
        Value::String(text) if text.starts_with(|c: char| c.is_alphanumeric() || c == '/') => true,
        _ if kinds.unknown.is_some() || kinds.deep || has_string(value, &is_alias) => false,
        Value::String(_) => true,
        // A single array keeps its duplicates.
        Value::Array(elements) => {
            let is_computed = has_string(value, &|text| text.contains("%{"));
            let is_flat = elements.iter().all(|it| !matches!(it, Value::Array(_) | Value::Hash(_)));
            let is_distinct = elements.iter().enumerate().all(|(at, it)| !elements[..at].contains(it));
            !kinds.hash && !is_computed && is_flat && is_distinct
        }
        Value::Hash(_) => !kinds.unique,
        _ => false,
    }
}

fn has_string(value: &Value, is: &dyn Fn(&str) -> bool) -> bool {
    match value {
        Value::String(text) => is(text),
        Value::Array(elements) => elements.iter().any(|it| has_string(it, is)),
        Value::Hash(entries) => {
            entries.iter().any(|(key, value)| has_string(key, is) || has_string(value, is))
        }
        _ => false,
    }
}
