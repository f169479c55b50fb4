//! Completion in `metadata.json`: keys, and the values that are known.

use plugins::built_in::metadata::{self as known, MetadataKey, MetadataShape};
use project::{Db, File, FileRole, ModuleMetadata, ModuleTree, module_metadata};
use scalars::semver::Version;
use smol_str::SmolStr;
use symbols::metadata_json::{metadata_of, module_of};

use super::json_cursor::{self, JsonCursor, PlaceKind};
use crate::item::{CompletionDetails, CompletionItem, CompletionKind};
use crate::{Completions, rank};

/// Returns the completions at an offset of a `metadata.json`.
pub(crate) fn completions(db: &dyn Db, file: File, offset: u32) -> Option<Completions> {
    let text = project::text(db, file)?;
    let position = json_cursor::position(&text, offset as usize)?;
    let path: Vec<&str> = position.path.iter().map(|it| it.as_deref().unwrap_or("*")).collect();
    let items = match position.kind {
        PlaceKind::Key => key_items(db, file, &position, &path),
        PlaceKind::Value => value_items(db, file, &position, &path),
    };
    let typed = text.get(position.range.start as usize..offset as usize)?;
    let (items, is_incomplete) = rank::ranked(items, typed, &text, offset);
    Some(Completions { range: position.range, items, is_incomplete })
}

/// Returns the details of an item: a key of the object identified by `owner`, or a module.
pub(crate) fn details(
    db: &dyn Db,
    file: File,
    label: &str,
    owner: Option<&str>,
) -> Option<CompletionDetails> {
    if let Some(owner) = owner.and_then(|it| it.strip_prefix(OWNER)) {
        let keys = keys_at(&owner.split('/').filter(|it| !it.is_empty()).collect::<Vec<_>>())?;
        let key = keys.iter().find(|it| it.name == label)?;
        return Some(CompletionDetails {
            detail: key.name.to_owned(),
            documentation: Some(key.documentation.clone()),
        });
    }
    let metadata = metadata_of(db, module_of(db, file, label)?)?;
    let version = metadata.version().map(|it| format!(" {}", it.text)).unwrap_or_default();
    let documentation = metadata.summary().map(|it| it.text.to_string());
    Some(CompletionDetails { detail: format!("{label}{version}"), documentation })
}

/// Prefix of the owners of keys, followed by the path of their object.
const OWNER: &str = "metadata.json:";

/// Returns the keys that the object at `path` accepts.
fn keys_at(path: &[&str]) -> Option<&'static [MetadataKey]> {
    match path {
        [] => Some(known::keys()),
        [outer, "*"] => known::keys().iter().find(|it| it.name == *outer).map(|it| it.keys.as_slice()),
        _ => None,
    }
}

fn key_items(db: &dyn Db, file: File, position: &JsonCursor, path: &[&str]) -> Vec<CompletionItem> {
    let given = keys_of_hash(db, file, position);
    let keys = keys_at(path).unwrap_or_default();
    let offered = keys.iter().filter(|key| !key.is_old && !given.iter().any(|it| it == key.name));
    offered.map(|key| key_item(key, path, position.is_in_quotes)).collect()
}

/// Returns the keys of the object around a position, except for the one at the position.
fn keys_of_hash(db: &dyn Db, file: File, position: &JsonCursor) -> Vec<String> {
    let mut keys = Vec::new();
    if let Some(root) = &module_metadata(db, file).data.root {
        root.walk(&mut |node| {
            if node.range.start == position.container {
                let others =
                    node.entries().iter().filter(|it| !it.key.range.contains_inclusive(position.range.start));
                keys.extend(others.filter_map(|it| it.key.value.as_str()).map(str::to_owned));
            }
        });
    }
    keys
}

fn key_item(key: &MetadataKey, path: &[&str], is_in_quotes: bool) -> CompletionItem {
    let item = CompletionItem::new(CompletionKind::Key, key.name).owner(format!("{OWNER}{}", path.join("/")));
    if is_in_quotes {
        return item;
    }
    let value = match key.shape {
        MetadataShape::Text => "\"$0\"",
        MetadataShape::List if key.keys.is_empty() => "[$0]",
        MetadataShape::List => "[\n  {$0}\n]",
        MetadataShape::Any => "$0",
    };
    item.text(format!("\"{}\": ", key.name)).snippet(Some(format!("\"{}\": {value}", key.name)))
}

fn value_items(db: &dyn Db, file: File, position: &JsonCursor, path: &[&str]) -> Vec<CompletionItem> {
    let value = |kind: CompletionKind, label: &str| {
        let text = if position.is_in_quotes { label.to_owned() } else { format!("\"{label}\"") };
        CompletionItem::new(kind, label).text(text)
    };
    let plain = |label: &str| value(CompletionKind::Value, label);
    match path {
        ["license"] => known::licenses().iter().map(|it| plain(it)).collect(),
        ["requirements", "*", "name"] => ["puppet", "openvox"].map(plain).into(),
        ["requirements", "*", "version_requirement"] => {
            vec![plain(">= 7.0.0 < 9.0.0"), plain(">= 8.0.0 < 9.0.0")]
        }
        ["dependencies", "*", "name"] => installed_modules(db, file)
            .into_iter()
            .map(|(name, metadata)| {
                let version = metadata.version().map(|it| it.text.to_string());
                value(CompletionKind::Module, &name).detail(version.unwrap_or_default())
            })
            .collect(),
        ["dependencies", "*", "version_requirement"] => {
            let name = sibling(db, file, position, "name");
            let metadata = name.and_then(|it| module_of(db, file, &it)).and_then(|it| metadata_of(db, it));
            let version =
                metadata.and_then(ModuleMetadata::version).and_then(|it| Version::parse(&it.text).ok());
            let range = version.map(|it| {
                let (Version { major, minor, patch, .. }, next) = (&it, it.major.saturating_add(1));
                plain(&format!(">= {major}.{minor}.{patch} < {next}.0.0"))
            });
            range.into_iter().collect()
        }
        ["operatingsystem_support", "*", "operatingsystem"] => {
            known::operating_systems().iter().map(|it| plain(it.name)).collect()
        }
        ["operatingsystem_support", "*", "operatingsystemrelease", "*"] => {
            let Some((name, listed)) = system_around(db, file, position) else { return Vec::new() };
            let system = known::operating_systems().iter().find(|it| it.name == name);
            let releases = system.map(|it| it.releases.as_slice()).unwrap_or_default();
            let others = releases.iter().filter(|release| !listed.iter().any(|it| it == *release));
            others.map(|it| plain(it)).collect()
        }
        _ => Vec::new(),
    }
}

/// Returns the modules that the module of a file may depend on, by full name.
fn installed_modules(db: &dyn Db, file: File) -> Vec<(String, &ModuleMetadata)> {
    let own = match file.role(db) {
        FileRole::Module { module, .. } => Some(*module),
        FileRole::Loose | FileRole::MainManifest => None,
    };
    let Some(environment) = file.environments(db).first() else { return Vec::new() };
    let required: Vec<_> = module_metadata(db, file).dependencies().iter().map(|it| it.module()).collect();
    let is_new = |module: &ModuleTree| Some(*module) != own && !required.contains(module.name(db));
    let others = environment.modules(db).values().filter(|it| is_new(it));
    let named = others.filter_map(|module| {
        let metadata = metadata_of(db, *module)?;
        Some((metadata.name()?.text.replace('-', "/"), metadata))
    });
    let mut found: Vec<_> = named.collect();
    found.sort_by(|a, b| a.0.cmp(&b.0));
    found
}

/// Returns the string value of another key in the object around a position.
fn sibling(db: &dyn Db, file: File, position: &JsonCursor, key: &str) -> Option<String> {
    let mut found = None;
    module_metadata(db, file).data.root.as_ref()?.walk(&mut |node| {
        if node.range.start == position.container {
            found = node.entry(key).and_then(|it| it.value.value.as_str()).map(str::to_owned);
        }
    });
    found
}

/// Returns the operating system whose releases contain the position, and the releases that are listed
/// already.
fn system_around(db: &dyn Db, file: File, position: &JsonCursor) -> Option<(SmolStr, Vec<SmolStr>)> {
    let systems = module_metadata(db, file).supported_systems();
    let around = systems.into_iter().find(|it| it.range.contains(position.range.start))?;
    let others = around.releases.iter().filter(|it| !it.range.contains_inclusive(position.range.start));
    Some((around.name.text.clone(), others.map(|it| it.text.clone()).collect()))
}
