//! Completion in `hiera.yaml`: keys, paths of data files, functions, and interpolations.

use plugins::built_in;
use project::{Db, File, FileRole};
use symbols::hiera_config::{self, ConfigKey, ConfigShape, DEFAULT_KEYS, LEVEL_KEYS, TOP_KEYS};
use syntax::TextRange;

use super::interpolations;
use super::yaml_cursor::{self, YamlCursor};
use crate::item::{CompletionDetails, CompletionItem, CompletionKind, literal};
use crate::{Completions, rank};

/// Owner of the items for keys.
pub(crate) const OWNER: &str = "hiera.yaml";

/// Keys of which a level has at most one.
const LOCATIONS: &[&str] = &["path", "paths", "glob", "globs", "uri", "uris", "mapped_paths"];
const FUNCTIONS: &[&str] = &["data_hash", "lookup_key", "data_dig"];

/// Paths that most hierarchies have.
const COMMON_PATHS: &[&str] = &[
    "common.yaml",
    "nodes/%{trusted.certname}.yaml",
    "os/%{facts.os.family}.yaml",
    "os/%{facts.os.name}.yaml",
];

/// Returns the completions at an offset of a `hiera.yaml`.
pub(crate) fn completions(db: &dyn Db, file: File, offset: u32) -> Option<Completions> {
    let text = project::text(db, file)?;
    let cursor = yaml_cursor::cursor(&text, offset as usize)?;
    let (items, typed) = match interpolations::open(&cursor) {
        Some(open) => {
            let items = interpolations::items(db, file, &cursor, &open, false, &text[offset as usize..]);
            (items, open.typed)
        }
        None => (items(db, file, &cursor, &text), cursor.typed),
    };
    let is_interpolation = typed.len() < cursor.typed.len();
    let end = if is_interpolation { offset } else { u32::try_from(cursor.end).ok()? };
    let range = TextRange::new(offset - u32::try_from(typed.len()).ok()?, end);
    let (mut items, is_incomplete) = rank::ranked(items, typed, &text, offset);
    if rank::is_complete(&items, typed) {
        items.clear();
    }
    (!items.is_empty()).then_some(Completions { range, items, is_incomplete })
}

/// Returns the details of a key.
pub(crate) fn details(label: &str) -> Option<CompletionDetails> {
    let key = hiera_config::key_named(label)?;
    Some(CompletionDetails { detail: key.name.to_owned(), documentation: Some(key.documentation.to_owned()) })
}

fn items(db: &dyn Db, file: File, cursor: &YamlCursor<'_>, text: &str) -> Vec<CompletionItem> {
    let steps = cursor.steps();
    let is_hierarchy = |it: &str| matches!(it, "hierarchy" | "default_hierarchy" | "plan_hierarchy");
    match (cursor.is_value, &steps[..]) {
        (false, []) => keys(TOP_KEYS.iter(), cursor),
        (false, ["defaults"]) => keys(LEVEL_KEYS.iter().filter(|it| DEFAULT_KEYS.contains(&it.name)), cursor),
        (false, [hierarchy]) if is_hierarchy(hierarchy) => vec![level(cursor)],
        (false, [hierarchy, "*"]) if is_hierarchy(hierarchy) => keys(left_keys(&cursor.given), cursor),
        (false, ["defaults", "options"]) => options(cursor, text),
        (false, [hierarchy, "*", "options"]) if is_hierarchy(hierarchy) => options(cursor, text),
        (_, [hierarchy, "*", "mapped_paths", "*"])
            if is_hierarchy(hierarchy) && mapped_path_element(text, cursor.start) < 2 =>
        {
            if mapped_path_element(text, cursor.start) == 0 {
                variables(db, file)
            } else {
                Vec::new()
            }
        }
        (_, [hierarchy, "*", "paths" | "globs" | "mapped_paths", "*"])
        | (true, [hierarchy, "*", "path" | "glob"])
            if is_hierarchy(hierarchy) =>
        {
            paths(db, file, cursor)
        }
        (true, ["defaults", "datadir"]) => folders(db, file, cursor),
        (true, [hierarchy, "*", "datadir"]) if is_hierarchy(hierarchy) => folders(db, file, cursor),
        (true, ["version"]) => values("version", cursor),
        (true, ["defaults", key]) => values(key, cursor),
        (true, [hierarchy, "*", key]) if is_hierarchy(hierarchy) => values(key, cursor),
        _ => Vec::new(),
    }
}

/// Options of the backend `eyaml_lookup_key`.
const EYAML_OPTIONS: &[(&str, &str)] = &[
    ("pkcs7_private_key", "path of the private key"),
    ("pkcs7_public_key", "path of the public key"),
    ("pkcs7_private_key_env_var", "environment variable with the private key"),
    ("pkcs7_public_key_env_var", "environment variable with the public key"),
    ("gpg_gnupghome", "folder of the GnuPG keys"),
    ("gpg_recipients", "recipients of encrypted values"),
];

/// Returns the options of the backends that the file uses.
fn options(cursor: &YamlCursor<'_>, text: &str) -> Vec<CompletionItem> {
    let known = if text.contains("eyaml_lookup_key") { EYAML_OPTIONS } else { &[] };
    let left = known.iter().filter(|(name, _)| !cursor.given.iter().any(|given| given == name));
    let item = |(name, detail): &(&str, &str)| {
        let is_complete = cursor.has_colon || cursor.quote.is_some();
        let text = if is_complete { (*name).to_owned() } else { format!("{name}: ") };
        CompletionItem::new(CompletionKind::Key, *name).detail(*detail).text(text).once()
    };
    left.map(item).collect()
}

/// Returns the index of the element of `mapped_paths` at an offset: a variable, a name, or a path.
fn mapped_path_element(text: &str, offset: usize) -> usize {
    let before = text.get(..offset).unwrap_or_default();
    let list = before.rsplit_once("mapped_paths").map_or("", |(_, list)| list);
    match list.split_once('[') {
        Some((_, elements)) => elements.matches(',').count(),
        None => list.lines().filter(|line| line.trim_start().starts_with('-')).count().saturating_sub(1),
    }
}

/// Returns the names of facts as variables, those of modules first.
fn variables(db: &dyn Db, file: File) -> Vec<CompletionItem> {
    let custom = file.environments(db).iter().flat_map(|it| project::custom_facts(db, *it));
    let custom = custom.map(|(_, fact)| (fact.name.to_string(), 0));
    let known = built_in::facts().iter().filter(|it| !it.is_legacy && !it.name.contains(['*', '#']));
    let item = |(name, tier): (String, u8)| {
        CompletionItem::new(CompletionKind::Fact, format!("facts.{name}")).tier(tier).once()
    };
    custom.chain(known.map(|it| (it.name.to_string(), 1))).map(item).collect()
}

/// Returns the keys that a level may have in addition to the given ones.
fn left_keys(given: &[String]) -> impl Iterator<Item = &'static ConfigKey> {
    let has_one = |of: &[&str]| given.iter().any(|it| of.contains(&it.as_str()));
    let (has_location, has_function) = (has_one(LOCATIONS), has_one(FUNCTIONS));
    let is_excluded = move |name: &str| {
        (has_location && LOCATIONS.contains(&name)) || (has_function && FUNCTIONS.contains(&name))
    };
    LEVEL_KEYS.iter().filter(move |it| !is_excluded(it.name))
}

fn keys<'k>(keys: impl Iterator<Item = &'k ConfigKey>, cursor: &YamlCursor<'_>) -> Vec<CompletionItem> {
    let left = keys.filter(|it| !cursor.given.iter().any(|given| given == it.name));
    let item = |(index, key): (usize, &ConfigKey)| {
        let item = CompletionItem::new(CompletionKind::Key, key.name).owner(OWNER).once();
        let item = item.weight(u32::try_from(100 - index.min(100)).unwrap_or_default());
        if cursor.has_colon || cursor.quote.is_some() {
            return item;
        }
        let nested = " ".repeat(cursor.column + 2);
        let (text, snippet) = match key.shape {
            ConfigShape::Text | ConfigShape::Path => (format!("{}: ", key.name), None),
            ConfigShape::Paths => {
                (format!("{}:", key.name), Some(format!("{}:\n{nested}- \"$1\"", key.name)))
            }
            ConfigShape::List if key.name.ends_with("hierarchy") => {
                let level = format!("- name: \"$1\"\n{nested}  path: \"$2\"");
                (format!("{}:", key.name), Some(format!("{}:\n{nested}{level}", key.name)))
            }
            ConfigShape::List => (format!("{}:", key.name), Some(format!("{}:\n{nested}- $1", key.name))),
            ConfigShape::Hash => (format!("{}:", key.name), Some(format!("{}:\n{nested}$1", key.name))),
        };
        item.text(text).snippet(snippet)
    };
    left.enumerate().map(item).collect()
}

/// Returns the item for a new level.
fn level(cursor: &YamlCursor<'_>) -> CompletionItem {
    let nested = " ".repeat(cursor.column + 2);
    CompletionItem::new(CompletionKind::Construct, "- name")
        .text(format!("- name: level\n{nested}path: common.yaml"))
        .snippet(Some(format!("- name: \"$1\"\n{nested}path: \"$2\"")))
}

/// Returns the known values of a key.
fn values(key: &str, cursor: &YamlCursor<'_>) -> Vec<CompletionItem> {
    let known = hiera_config::key_named(key).map(|it| it.values).unwrap_or_default();
    let is_number = key == "version";
    let fits = |_: &&&str| !is_number || cursor.quote.is_none();
    known.iter().filter(fits).map(|it| CompletionItem::new(CompletionKind::Value, *it)).collect()
}

/// Returns the files in the data folders that no level names yet, and common paths.
fn paths(db: &dyn Db, file: File, cursor: &YamlCursor<'_>) -> Vec<CompletionItem> {
    let item = |path: &str, tier: u8| {
        let needs_quotes = cursor.quote.is_none() && path.contains("%{");
        let text = if needs_quotes { format!("\"{path}\"") } else { path.to_owned() };
        let snippet = needs_quotes.then(|| literal(&text));
        CompletionItem::new(CompletionKind::ServedFile, path).text(text).snippet(snippet).tier(tier).once()
    };
    let config = project::hiera_configuration(db, file);
    let mut folders: Vec<String> =
        config.iter().flat_map(|it| it.levels()).map(|it| it.datadir.to_string()).collect();
    folders.push("data".to_owned());
    folders.sort();
    folders.dedup();
    let used: Vec<String> = config
        .iter()
        .flat_map(|it| it.levels())
        .flat_map(|it| it.locations.written())
        .filter(|it| !it.range.contains_inclusive(u32::try_from(cursor.start).unwrap_or_default()))
        .map(|it| it.text.to_string())
        .collect();
    let mut items = Vec::new();
    if let FileRole::Module { module, .. } = file.role(db) {
        for path in module.files(db).keys() {
            let below =
                folders.iter().find_map(|folder| path.strip_prefix(folder.as_str())?.strip_prefix('/'));
            let is_data = path.ends_with(".yaml") || path.ends_with(".yml") || path.ends_with(".json");
            items.extend(
                below.filter(|it| is_data && !used.iter().any(|used| used == it)).map(|it| item(it, 1)),
            );
        }
    }
    let common = COMMON_PATHS.iter().filter(|it| !used.iter().any(|used| used == *it));
    items.extend(common.map(|it| item(it, 0)));
    items
}

/// Returns the folders beside the configuration that may hold data.
fn folders(db: &dyn Db, file: File, cursor: &YamlCursor<'_>) -> Vec<CompletionItem> {
    let mut names = values("datadir", cursor);
    if let FileRole::Module { module, .. } = file.role(db) {
        let folders = module.files(db).keys().filter_map(|path| {
            let (folder, name) = path.split_once('/')?;
            let is_data = name.ends_with(".yaml") || name.ends_with(".yml") || name.ends_with(".json");
            (is_data && !folder.starts_with('.')).then_some(folder)
        });
        names.extend(folders.map(|it| CompletionItem::new(CompletionKind::ServedFile, it)));
    }
    names
}
