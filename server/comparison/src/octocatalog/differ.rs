//! Difference of two catalogs in the format of octocatalog-diff.

use std::collections::{HashMap, HashSet};

use serde_json::{Map, Value as Json};

use super::hashdiff::{self, SEPARATOR, ValueDiff};

/// Parameters that only affect the order in which resources are applied.
const IGNORED_PARAMETERS: [&str; 2] = ["before", "require"];

/// Parameters whose elements have no order.
const UNORDERED_PARAMETERS: [&str; 3] = ["notify", "subscribe", "tag"];

/// Kind of a difference.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DiffItemKind {
    /// `+`: a resource that only exists after the change.
    Added,
    /// `-`: a resource that only exists before the change.
    Removed,
    /// `~`: a value that differs.
    Changed,
    /// `!`: a key of a hash or an element of an array that only exists on one side.
    Nested,
}

impl DiffItemKind {
    pub fn sign(self) -> char {
        match self {
            DiffItemKind::Added => '+',
            DiffItemKind::Removed => '-',
            DiffItemKind::Changed => '~',
            DiffItemKind::Nested => '!',
        }
    }

    /// Returns true if the resource exists on both sides.
    pub fn is_change(self) -> bool {
        matches!(self, DiffItemKind::Changed | DiffItemKind::Nested)
    }
}

/// Location of a resource: `file` and `line` as the catalog has them.
#[derive(Clone, PartialEq, Debug)]
pub struct DiffItemPlace {
    pub file: Json,
    pub line: Json,
}

/// One difference between two catalogs.
#[derive(Clone, PartialEq, Debug)]
pub struct DiffItem {
    pub kind: DiffItemKind,
    pub type_name: String,
    pub title: String,
    /// Keys below the resource, separated by form feeds; `None` for whole resources.
    pub attribute: Option<String>,
    /// Value before the change; `null` if there is none.
    pub old: Json,
    /// Value after the change; `null` if there is none.
    pub new: Json,
    pub old_place: Option<DiffItemPlace>,
    pub new_place: Option<DiffItemPlace>,
}

impl DiffItem {
    /// Returns the keys below the resource.
    pub fn structure(&self) -> Vec<&str> {
        self.attribute.iter().flat_map(|it| it.split(SEPARATOR)).collect()
    }
}

/// Name of a resource, which is the same in both catalogs.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct ResourceKey {
    pub(crate) type_name: String,
    pub(crate) title: String,
}

/// Resources of a catalog by key, in the order of the catalog.
#[derive(Default)]
struct Resources {
    keys: Vec<ResourceKey>,
    by_key: HashMap<ResourceKey, PreparedResource>,
}

struct PreparedResource {
    value: Json,
    place: DiffItemPlace,
}

/// Returns the differences between the resources of two catalogs, in the order of octocatalog-diff: additions,
/// removals, changed values, and then changes inside of hashes and arrays.
pub fn items(old: &[Json], new: &[Json]) -> Vec<DiffItem> {
    let (old, new) = (Resources::new(old), Resources::new(new));
    let mut items = Vec::new();
    for (kind, from, other) in [(DiffItemKind::Added, &new, &old), (DiffItemKind::Removed, &old, &new)] {
        for key in from.keys.iter().filter(|key| !other.by_key.contains_key(key)) {
            let Some(resource) = from.by_key.get(key) else { continue };
            items.push(whole_resource(kind, key, resource));
        }
    }
    let mut common: Vec<&ResourceKey> = old.keys.iter().filter(|key| new.by_key.contains_key(key)).collect();
    common.sort_by_cached_key(|ResourceKey { type_name, title }| format!("{type_name}{SEPARATOR}{title}"));
    let mut nested = Vec::new();
    for key in common {
        let (Some(before), Some(after)) = (old.by_key.get(key), new.by_key.get(key)) else { continue };
        let places = (Some(before.place.clone()), Some(after.place.clone()));
        for mut item in items_of_values(key, "", &before.value, &after.value) {
            (item.old_place, item.new_place) = places.clone();
            if item.kind == DiffItemKind::Nested { nested.push(item) } else { items.push(item) }
        }
    }
    items.extend(nested);
    items
}

fn whole_resource(kind: DiffItemKind, key: &ResourceKey, it: &PreparedResource) -> DiffItem {
    let is_added = kind == DiffItemKind::Added;
    let (old, new) = if is_added { (Json::Null, it.value.clone()) } else { (it.value.clone(), Json::Null) };
    let place = Some(it.place.clone());
    let (old_place, new_place) = if is_added { (None, place) } else { (place, None) };
    let ResourceKey { type_name, title } = key.clone();
    DiffItem { kind, type_name, title, attribute: None, old, new, old_place, new_place }
}

/// Returns the differences between two values of a resource at `path`, without locations.
pub(crate) fn items_of_values(key: &ResourceKey, path: &str, old: &Json, new: &Json) -> Vec<DiffItem> {
    let ResourceKey { type_name, title } = key;
    let item = |kind, path: String, old: Json, new: Json| DiffItem {
        kind,
        type_name: type_name.clone(),
        title: title.clone(),
        attribute: Some(path),
        old,
        new,
        old_place: None,
        new_place: None,
    };
    let mut items = Vec::new();
    let mut seen = HashSet::new();
    for found in hashdiff::diff(path, old, new) {
        match found {
            ValueDiff::Changed { path, old, new } => items.push(item(DiffItemKind::Changed, path, old, new)),
            ValueDiff::Nested { path: of_change } => {
                if seen.insert(of_change.clone()) {
                    let below = of_change.strip_prefix(path).unwrap_or(&of_change);
                    let (old, new) = (at(old, below), at(new, below));
                    items.push(item(DiffItemKind::Nested, of_change, old, new));
                }
            }
        }
    }
    items
}

/// Returns the value at a path; `null` if there is none.
fn at(value: &Json, path: &str) -> Json {
    let mut value = value;
    for key in path.split(SEPARATOR).filter(|key| !key.is_empty()) {
        let Json::Object(entries) = value else { break };
        match entries.get(key) {
            Some(inner) => value = inner,
            None => return Json::Null,
        }
    }
    value.clone()
}

impl Resources {
    fn new(resources: &[Json]) -> Resources {
        let mut all = Resources::default();
        for resource in resources.iter().filter_map(Json::as_object) {
            let Some((key, prepared)) = prepared(resource) else { continue };
            if all.by_key.insert(key.clone(), prepared).is_none() {
                all.keys.push(key);
            }
        }
        all
    }
}

/// Returns the key of a resource, and what is compared; `None` for exported resources.
fn prepared(resource: &Map<String, Json>) -> Option<(ResourceKey, PreparedResource)> {
    if resource.get("exported") == Some(&Json::Bool(true)) {
        return None;
    }
    let text = |name: &str| resource.get(name).and_then(Json::as_str).unwrap_or_default().to_owned();
    let (type_name, title) = (text("type"), title_of(resource));
    let mut value = Map::new();
    value.insert("type".to_owned(), Json::String(type_name.clone()));
    value.insert("title".to_owned(), Json::String(title.clone()));
    let get = |name: &str| resource.get(name).cloned().unwrap_or(Json::Null);
    let place = DiffItemPlace { file: get("file"), line: get("line") };
    for (name, it) in resource {
        match (name.as_str(), it) {
            ("type" | "title" | "file" | "line", _) => {}
            ("parameters", Json::Object(parameters)) => {
                let compared = compared_parameters(parameters, type_name == "File");
                if !compared.is_empty() {
                    value.insert(name.clone(), Json::Object(compared));
                }
            }
            ("tags", Json::Array(tags)) => {
                if !tags.is_empty() {
                    value.insert(name.clone(), sorted(tags));
                }
            }
            ("parameters" | "tags", _) => {}
            _ => drop(value.insert(name.clone(), it.clone())),
        }
    }
    let value = Json::Object(value);
    Some((ResourceKey { type_name, title }, PreparedResource { value, place }))
}

/// Returns the title by which a resource is compared: that of a file is its path.
pub(super) fn title_of(resource: &Map<String, Json>) -> String {
    let text = |value: Option<&Json>| value.and_then(Json::as_str).map(str::to_owned);
    let is_file = resource.get("type").and_then(Json::as_str) == Some("File");
    let path = resource.get("parameters").and_then(|it| it.get("path")).filter(|_| is_file);
    text(path).or_else(|| text(resource.get("title"))).unwrap_or_default()
}

fn compared_parameters(parameters: &Map<String, Json>, is_file: bool) -> Map<String, Json> {
    let mut compared = parameters.clone();
    IGNORED_PARAMETERS.iter().for_each(|name| drop(compared.shift_remove(*name)));
    if is_file && compared.get("path").is_some_and(Json::is_string) {
        compared.shift_remove("path");
    }
    for name in UNORDERED_PARAMETERS {
        if let Some(Json::Array(elements)) = compared.get(name) {
            let elements = sorted(elements);
            compared.insert(name.to_owned(), elements);
        }
    }
    compared
}

/// Returns an array sorted by its strings; unchanged if other values are in it.
fn sorted(elements: &[Json]) -> Json {
    let texts: Option<Vec<&str>> = elements.iter().map(Json::as_str).collect();
    match texts {
        Some(mut texts) => {
            texts.sort_unstable();
            texts.into_iter().map(Json::from).collect()
        }
        None => Json::Array(elements.to_vec()),
    }
}
