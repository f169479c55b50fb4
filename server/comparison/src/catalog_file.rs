//! Catalogs from files: as Puppet compiles and caches them, as PuppetDB stores them, and as
//! `compile --format json` prints them.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use anyhow::{Context, bail, ensure};
use catalog_view::values::{REDACTED, UNKNOWN_TITLE, shown_value};
use serde_json::{Map, Value as Json};
use types::{NoTypes, Origin, Type, Value};

/// Text that Puppet prints instead of a `Sensitive` value.
const REDACTED_BY_PUPPET: &str = "Sensitive [value redacted]";

/// A catalog from a file.
#[derive(Debug)]
pub struct CatalogFile {
    /// Name of the node; empty if the file has none.
    pub node: String,
    /// Resources as in the file.
    pub resources: Vec<Json>,
    /// Resources that are only exported, as in the file.
    pub exported: Vec<Json>,
    /// Containers of resources, by reference.
    pub containers: BTreeMap<String, String>,
    /// Parts that could not be checked when the catalog was compiled.
    pub open: Vec<String>,
    /// True for a catalog from PuppetDB, which stores no sensitive parameters, and strings instead of rich data.
    pub is_stored: bool,
}

/// Reads the catalogs of a file: one, or an array as PuppetDB returns it.
///
/// # Errors
/// Fails if the file is malformed or has no catalog.
pub fn read(text: &str) -> anyhow::Result<Vec<CatalogFile>> {
    let json: Json = serde_json::from_str(text).context("malformed JSON")?;
    let catalogs = match json {
        Json::Array(elements) => elements.into_iter().map(catalog).collect::<anyhow::Result<Vec<_>>>()?,
        json => vec![catalog(json)?],
    };
    ensure!(!catalogs.is_empty(), "it has no catalog");
    let mut names = BTreeSet::new();
    for CatalogFile { node, .. } in &catalogs {
        ensure!(names.insert(node.as_str()), "it has several catalogs of the node `{node}`");
    }
    Ok(catalogs)
}

fn catalog(json: Json) -> anyhow::Result<CatalogFile> {
    let Json::Object(mut outer) = json else { bail!("a catalog is not an object") };
    // The response of a Puppet server, and the format of Puppet 3.
    for wrapper in ["catalog", "data"] {
        if !outer.contains_key("resources")
            && let Some(Json::Object(inner)) = outer.get_mut(wrapper).map(Json::take)
        {
            outer = inner;
        }
    }
    let name = ["name", "certname"].iter().find_map(|key| outer.get(*key).and_then(Json::as_str));
    let node = name.unwrap_or_default().to_owned();
    let (mut resources, is_stored) = match outer.shift_remove("resources") {
        Some(Json::Array(resources)) => (resources, outer.contains_key("certname")),
        Some(Json::Object(mut expanded)) => match expanded.shift_remove("data") {
            Some(Json::Array(resources)) => (resources, true),
            _ if node.is_empty() => bail!("it only has a link to its resources"),
            _ => bail!("the catalog of `{node}` only has a link to its resources"),
        },
        _ => bail!("a catalog has no resources"),
    };
    let mut exported = list(outer.shift_remove("exported"));
    let mut open = BTreeSet::new();
    for resource in resources.iter_mut().chain(&mut exported) {
        let Some(type_name) = resource.get("type").and_then(Json::as_str).map(str::to_owned) else {
            bail!("a resource has no type")
        };
        match resource.get("title") {
            Some(Json::String(_)) => {}
            // `compile --format json` prints it for unknown titles.
            Some(Json::Null) => {
                open.insert(format!("the title of a resource of type `{type_name}` is unknown"));
                resource["title"] = Json::from(UNKNOWN_TITLE);
            }
            _ => bail!("a resource of type `{type_name}` has no title"),
        }
    }
    let edges = list(outer.shift_remove("edges"));
    let noted = list(outer.shift_remove("open"));
    open.extend(noted.iter().filter_map(Json::as_str).map(str::to_owned));
    Ok(CatalogFile {
        node,
        resources,
        exported,
        containers: containers(&edges),
        open: open.into_iter().collect(),
        is_stored,
    })
}

/// Returns the elements of a list, which PuppetDB wraps in an object.
fn list(json: Option<Json>) -> Vec<Json> {
    match json {
        Some(Json::Array(elements)) => elements,
        Some(Json::Object(mut expanded)) => match expanded.shift_remove("data") {
            Some(Json::Array(elements)) => elements,
            _ => Vec::new(),
        },
        _ => Vec::new(),
    }
}

/// Returns the containers of resources other than classes, which may have several.
fn containers(edges: &[Json]) -> BTreeMap<String, String> {
    let end = |edge: &Json, name: &str| match edge.get(name)? {
        Json::String(reference) => Some(reference.clone()),
        Json::Object(end) => reference(end),
        _ => None,
    };
    let mut containers = BTreeMap::new();
    for edge in edges {
        let is_containment = edge.get("relationship").is_none_or(|it| it == "contains");
        if let (true, Some(source), Some(target)) = (is_containment, end(edge, "source"), end(edge, "target"))
            && !target.starts_with("Class[")
        {
            containers.entry(target).or_insert(source);
        }
    }
    containers
}

/// Returns the reference of a resource.
pub(crate) fn reference(resource: &Map<String, Json>) -> Option<String> {
    let text = |name: &str| resource.get(name).and_then(Json::as_str);
    Some(format!("{}[{}]", text("type")?, text("title")?))
}

/// Returns the tags of a resource.
pub(crate) fn tags(resource: &Json) -> impl Iterator<Item = &str> + Clone {
    resource.get("tags").and_then(Json::as_array).into_iter().flatten().filter_map(Json::as_str)
}

/// Converts a parameter. The second value is true if it is sensitive.
pub(crate) fn parameter(json: &Json) -> (Value, bool) {
    match value(json) {
        Value::Sensitive(inner) => ((*inner).clone(), true),
        value => (value, false),
    }
}

fn value(json: &Json) -> Value {
    match json {
        Json::Array(elements) => Value::array(elements.iter().map(value).collect::<Vec<_>>()),
        Json::Object(entries) => match entries.get("__ptype").and_then(Json::as_str) {
            Some("Sensitive") => {
                Value::Sensitive(Arc::new(entries.get("__pvalue").map_or(Value::Undef, value)))
            }
            Some("Unknown") => Value::unknown(Type::Any, Origin::Bound),
            _ => Value::hash(entries.iter().map(|(key, it)| (Value::string(key.as_str()), value(it)))),
        },
        json => types::rich_data::from_json(json),
    }
}

/// Converts a value of a compiled catalog to the form that it has after reading it from a file.
pub(crate) fn as_in_json(compiled: &Value) -> Value {
    match compiled {
        Value::Sensitive(inner) => Value::Sensitive(Arc::new(as_in_json(inner))),
        Value::Array(elements) => Value::array(elements.iter().map(as_in_json).collect::<Vec<_>>()),
        Value::Hash(entries) => {
            Value::hash(entries.iter().map(|(key, it)| (shown_value(key), as_in_json(it))))
        }
        Value::Unknown(_) => compiled.clone(),
        compiled => value(&types::rich_data::to_json(&shown_value(compiled), &NoTypes)),
    }
}

/// Returns true for metaparameters other than relationships whose elements have no order.
pub(crate) fn is_unordered(name: &str) -> bool {
    matches!(name, "alias" | "audit" | "tag")
}

/// Returns true if a part of a value was replaced because it must not be shown.
pub(crate) fn is_redacted(json: &Json) -> bool {
    match json {
        Json::String(text) => text == REDACTED || text == REDACTED_BY_PUPPET,
        Json::Array(elements) => elements.iter().any(is_redacted),
        Json::Object(entries) => entries.values().any(is_redacted),
        _ => false,
    }
}

/// Result of comparing values of which one may be a string instead of rich data.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum RichEquality {
    Same,
    /// A string on one side, and rich data on the other.
    Undecided,
    Different,
}

/// Compares two values.
pub(crate) fn compared_values(old: &Value, new: &Value) -> RichEquality {
    if old == new {
        return RichEquality::Same;
    }
    let worst = |results: &mut dyn Iterator<Item = RichEquality>| results.max().unwrap_or(RichEquality::Same);
    match (old, new) {
        (Value::Array(old), Value::Array(new)) if old.len() == new.len() => {
            worst(&mut old.iter().zip(new.iter()).map(|(old, new)| compared_values(old, new)))
        }
        (Value::Hash(old), Value::Hash(new)) if old.len() == new.len() => {
            let mut entries = old.iter().map(|(key, old)| match new.get(key) {
                Some(new) => compared_values(old, new),
                None => RichEquality::Different,
            });
            worst(&mut entries)
        }
        (Value::Hash(rich), Value::String(text)) | (Value::String(text), Value::Hash(rich)) => {
            match (rich.get_text("__ptype"), rich.get_text("__pvalue")) {
                (Some(_), Some(Value::String(written))) if written == text => RichEquality::Same,
                (Some(_), _) => RichEquality::Undecided,
                (None, _) => RichEquality::Different,
            }
        }
        _ => RichEquality::Different,
    }
}
