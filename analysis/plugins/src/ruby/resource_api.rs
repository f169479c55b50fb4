//! Attributes of Resource API types: hash entries with types in Puppet syntax.

use smol_str::SmolStr;

use super::attributes::AttributeDraft;
use super::text::dedent;
use super::value::{RubyPair, RubyValue, entry};
use crate::{ResourceAttribute, ResourceAttributeKind};

/// Reads an attribute from an entry of the hash `attributes`. Returns `None` if its name is unknown.
pub(super) fn attribute(pair: &RubyPair<'_>) -> Option<ResourceAttribute> {
    let name = pair.key.name()?;
    let description: &[RubyPair] = match &pair.value {
        RubyValue::Hash(entries) => entries,
        _ => &[],
    };
    let get = |key: &str| entry(description, key).map(|entry| &entry.value);
    let behaviour = get("behaviour").or_else(|| get("behavior"));
    let behaviour = behaviour.and_then(RubyValue::name).unwrap_or_default();
    let kind = match &*behaviour {
        "parameter" => ResourceAttributeKind::Parameter,
        "read_only" => ResourceAttributeKind::ReadOnly,
        _ => ResourceAttributeKind::Property,
    };
    let mut attribute = AttributeDraft::new(name, pair.key_range, kind, 0).finish();
    attribute.is_name_variable = behaviour == "namevar";
    attribute.type_text = match get("type") {
        Some(RubyValue::String(text)) => Some(SmolStr::new(text.trim())),
        _ => None,
    };
    attribute.documentation =
        get("desc").and_then(RubyValue::prose).map_or_else(SmolStr::default, |text| dedent(&text));
    attribute.default = get("default").and_then(RubyValue::to_puppet);
    let type_text = attribute.type_text.as_deref().unwrap_or("Any");
    // A missing property is only an error later, and not for absent resources.
    attribute.is_required = kind == ResourceAttributeKind::Parameter
        && get("default").is_none()
        && type_text != "Any"
        && !type_text.starts_with("Optional[");
    attribute.values = values_of_type(type_text);
    attribute.takes_array = type_text.contains("Array") || type_text.contains("Tuple") || type_text == "Any";
    Some(attribute)
}

/// Returns the values listed by a type: those of `Enum[...]` and `Boolean`, optional or not.
fn values_of_type(type_text: &str) -> Vec<SmolStr> {
    let inner =
        type_text.strip_prefix("Optional[").and_then(|rest| rest.strip_suffix(']')).unwrap_or(type_text);
    if inner == "Boolean" {
        return vec![SmolStr::new_static("true"), SmolStr::new_static("false")];
    }
    let Some(list) = inner.strip_prefix("Enum[").and_then(|rest| rest.strip_suffix(']')) else {
        return Vec::new();
    };
    if list.contains(['[', ']', '\\']) {
        return Vec::new();
    }
    list.split(',')
        .map(|value| SmolStr::new(value.trim().trim_matches(['\'', '"'])))
        .filter(|value| !value.is_empty() && value != "true" && value != "false")
        .collect()
}
