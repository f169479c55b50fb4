//! Values of a catalog prepared for display: references as strings, sensitive data redacted.

use eval::{Catalog, CatalogResource, RelationshipMetaparameter};
use output::visible;
use types::display::capitalized_segments;
use types::{NoTypes, Type, Value};

pub use output::secrets::REDACTED;

/// Placeholder for unknown titles.
pub const UNKNOWN_TITLE: &str = "<unknown>";

/// Formats a resource as a reference, such as `File[/etc/motd]`.
pub fn reference(resource: &CatalogResource) -> String {
    format!("{}[{}]", resource.type_name, resource.title.as_deref().unwrap_or(UNKNOWN_TITLE))
}

/// Returns the parameters of a resource by name, prepared for display.
pub fn parameters(resource: &CatalogResource) -> Vec<(&str, Value)> {
    let mut shown: Vec<(&str, Value)> = resource
        .parameters
        .iter()
        .map(|(name, value)| {
            if resource.sensitive.contains(name) {
                (name.as_str(), Value::string(REDACTED))
            } else {
                (name.as_str(), shown_value(value))
            }
        })
        .collect();
    shown.sort_by_key(|(name, _)| *name);
    shown
}

/// Returns a value with references as strings and sensitive parts redacted.
pub fn shown_value(value: &Value) -> Value {
    match value {
        Value::Type(ty) => match reference_text(ty) {
            Some(text) => Value::string(text),
            None => value.clone(),
        },
        Value::Array(elements) => Value::array(elements.iter().map(shown_value).collect::<Vec<_>>()),
        Value::Hash(entries) => {
            Value::hash(entries.iter().map(|(key, value)| (shown_value(key), shown_value(value))))
        }
        value => without_ciphertexts(&value.redacted()),
    }
}

/// Returns a value without strings encrypted by hiera-eyaml.
pub fn without_ciphertexts(value: &Value) -> Value {
    match value {
        Value::String(text) if text.contains("ENC[") => {
            Value::string(output::secrets::without_ciphertexts(text))
        }
        Value::Array(elements) => Value::array(elements.iter().map(without_ciphertexts).collect::<Vec<_>>()),
        Value::Hash(entries) => Value::hash(
            entries.iter().map(|(key, value)| (without_ciphertexts(key), without_ciphertexts(value))),
        ),
        value => value.clone(),
    }
}

fn reference_text(ty: &Type) -> Option<String> {
    match ty {
        Type::Resource(resource) => {
            let (type_name, title) = (resource.type_name.as_ref()?, resource.title.as_ref()?);
            Some(format!("{}[{title}]", capitalized_segments(type_name)))
        }
        Type::Class(Some(name)) => Some(format!("Class[{}]", capitalized_segments(name))),
        _ => None,
    }
}

/// Formats a value in Puppet's notation, on one line.
pub fn notation(value: &Value) -> String {
    visible(&types::text::to_notation(&without_ciphertexts(value), &NoTypes)).into_owned()
}

/// Returns whether a part of the value is unknown.
pub fn is_unknown(value: &Value) -> bool {
    value.least_trustworthy().is_some()
}

/// Returns the relationships of a catalog as triples: index of the earlier resource, index of the later
/// resource, and whether the later one is notified of changes.
pub fn relationships(catalog: &Catalog) -> Vec<(usize, usize, bool)> {
    let index_of: std::collections::HashMap<String, usize> =
        catalog.resources.iter().enumerate().map(|(index, resource)| (reference(resource), index)).collect();
    let mut found = Vec::new();
    for (index, resource) in catalog.resources.iter().enumerate() {
        for (name, value) in &resource.parameters {
            let Some(relationship) = RelationshipMetaparameter::from_name(name) else { continue };
            let (is_after, notifies) = (!relationship.comes_first(), relationship.notifies());
            let value = shown_value(value);
            let others = value.as_array().unwrap_or(std::slice::from_ref(&value));
            for other in others.iter().filter_map(Value::as_str) {
                let Some(other) = index_of.get(other).copied() else { continue };
                found.push(if is_after { (other, index, notifies) } else { (index, other, notifies) });
            }
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}
