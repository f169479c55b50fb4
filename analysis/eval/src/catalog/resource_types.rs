//! Properties of resource types that the catalog needs: names, keys, and attributes.

use hir::Name;
use plugins::{
    ResourceApi, ResourceAttribute, ResourceAttributeKind, RubyResourceType, TitlePart, TitlePattern,
    TitlePatterns, built_in,
};
use scalars::regexp::Regexp;
use smol_str::SmolStr;
use types::{Origin, Type, Value};

use super::store::{Resource, ResourceKind};

/// Attributes that Puppet derives from a title.
pub(super) enum TitleParts {
    /// The attributes are unknown.
    Unknown,
    /// The title matches no title pattern of the resource type.
    Refused,
    /// Attributes with their values.
    Known(Vec<(Name, Value)>),
}

/// Returns the attributes that a title sets on a resource of this type.
pub(super) fn title_parts(kind: &ResourceKind, type_name: &str, title: &str) -> TitleParts {
    match kind {
        ResourceKind::Evaluated(_) => TitleParts::Known(vec![("name".into(), Value::String(title.into()))]),
        ResourceKind::BuiltIn(None) => TitleParts::Unknown,
        ResourceKind::BuiltIn(Some(resource_type)) => parts_by_type(resource_type, type_name, title),
    }
}

/// Returns true if no resource of the type can have this title.
pub(super) fn is_refused(kind: &ResourceKind, type_name: &str, title: &str) -> bool {
    if built_in::is_core_resource_type(type_name) {
        type_name == "file" && title.is_empty()
    } else {
        matches!(title_parts(kind, type_name, title), TitleParts::Refused)
    }
}

fn parts_by_type(resource_type: &RubyResourceType, type_name: &str, title: &str) -> TitleParts {
    let whole = |name: &str, value: SmolStr| TitleParts::Known(vec![(name.into(), Value::String(value))]);
    match &resource_type.title_patterns {
        // These are the patterns of Puppet's core types, to which nearly all resources belong.
        _ if built_in::is_core_resource_type(type_name) => match key_attributes(resource_type).next() {
            Some(name) if type_name == "file" => whole(name, path_of_title(title)),
            Some(_) if type_name == "package" => whole("name", title.into()),
            Some(name) => whole(name, title.into()),
            None => TitleParts::Unknown,
        },
        _ if resource_type.is_incomplete => TitleParts::Unknown,
        TitlePatterns::Usual => {
            let mut names = key_attributes(resource_type);
            match (names.next(), names.next(), resource_type.api) {
                (Some(name), None, _) | (Some(name), Some(_), ResourceApi::ResourceApi) => {
                    whole(name, title.into())
                }
                _ => TitleParts::Unknown,
            }
        }
        TitlePatterns::Listed(patterns) => parts_by_patterns(patterns, title),
        TitlePatterns::Unknown => TitleParts::Unknown,
    }
}

fn parts_by_patterns(patterns: &[TitlePattern], title: &str) -> TitleParts {
    for TitlePattern { pattern, parts } in patterns {
        let found = Regexp::new(pattern).and_then(|regexp| regexp.captures_at(title, 0));
        let Ok(found) = found else { return TitleParts::Unknown };
        let Some(groups) = found else { continue };
        let part = |(index, part): (usize, &TitlePart)| {
            let text = groups.get(index + 1).and_then(|range| title.get(range));
            let value = match (text, part.is_verbatim) {
                (Some(text), true) => Value::String(text.into()),
                (None, true) => Value::Undef,
                (_, false) => Value::unknown(Type::Any, Origin::Ruby),
            };
            (part.attribute.clone(), value)
        };
        return TitleParts::Known(parts.iter().enumerate().map(part).collect());
    }
    TitleParts::Refused
}

/// Returns the path for the title of a file, without trailing slashes.
fn path_of_title(title: &str) -> SmolStr {
    if !title.ends_with('/') {
        return title.into();
    }
    match title.trim_end_matches('/') {
        "" => "/".into(),
        drive if drive.ends_with(':') => format!("{drive}/").into(),
        path => path.into(),
    }
}

/// Returns the key attributes of a type, in its own order.
fn key_attributes(resource_type: &RubyResourceType) -> impl Iterator<Item = &Name> {
    let is_key = move |it: &&ResourceAttribute| match it.kind {
        ResourceAttributeKind::Parameter => it.is_name_variable || it.name == "name",
        ResourceAttributeKind::Property => {
            it.is_name_variable && resource_type.api == ResourceApi::ResourceApi
        }
        ResourceAttributeKind::ReadOnly => false,
    };
    resource_type.attributes.iter().filter(is_key).map(|it| &it.name)
}

/// Returns the attribute that the title sets; `None` if it is unknown.
pub(super) fn name_variable(kind: &ResourceKind) -> Option<Name> {
    match kind {
        ResourceKind::Evaluated(_) => Some("name".into()),
        ResourceKind::BuiltIn(Some(resource_type)) => {
            let mut names = key_attributes(resource_type);
            match (names.next(), names.next()) {
                (Some(only), None) => Some(only.clone()),
                (None, _) if resource_type.is_incomplete => None,
                _ => Some("name".into()),
            }
        }
        ResourceKind::BuiltIn(None) => None,
    }
}

/// Returns true if resources of this type have a key that is not part of the title.
pub(super) fn has_other_keys(kind: &ResourceKind) -> bool {
    match kind {
        ResourceKind::BuiltIn(Some(resource_type)) => {
            resource_type.title_patterns != TitlePatterns::Usual
                || key_attributes(resource_type).nth(1).is_some()
        }
        ResourceKind::BuiltIn(None) | ResourceKind::Evaluated(_) => false,
    }
}

/// Returns the values of a resource's key attributes; `None` if the title is the only key, or if they are
/// unknown.
pub(super) fn uniqueness_key(resource: &Resource) -> Option<Vec<Value>> {
    if resource.is_incomplete {
        return None;
    }
    let given = |name: &str| resource.parameter(name).cloned();
    key_of(&resource.kind, &resource.type_name, resource.title.as_ref()?, given)
}

/// Returns the key of the resource that a reference denotes by something other than its title; `None` if the
/// title is the only key.
pub(super) fn key_of_reference(kind: &ResourceKind, type_name: &str, title: &str) -> Option<Vec<Value>> {
    key_of(kind, type_name, title, |_| None)
}

fn key_of(
    kind: &ResourceKind,
    type_name: &str,
    title: &str,
    given: impl Fn(&str) -> Option<Value>,
) -> Option<Vec<Value>> {
    if matches!(kind, ResourceKind::BuiltIn(Some(resource_type)) if !resource_type.is_isomorphic) {
        return None;
    }
    let TitleParts::Known(parts) = title_parts(kind, type_name, title) else { return None };
    let name_variable = name_variable(kind)?;
    let value = |name: &str| {
        let part = || parts.iter().find(|(known, _)| known == name).map(|(_, value)| value.clone());
        given(name).filter(|it| !it.is_undef()).or_else(part).filter(|it| !it.is_undef())
    };
    let name = value(&name_variable).or_else(|| value("name")).unwrap_or_else(|| Value::String(title.into()));
    let mut keys: Vec<&str> = match kind {
        ResourceKind::BuiltIn(Some(resource_type)) => {
            key_attributes(resource_type).map(Name::as_str).collect()
        }
        _ => vec![&name_variable],
    };
    keys.sort_unstable();
    let key_value = |key: &&str| match value(key) {
        Some(value) => value,
        None if *key == name_variable || *key == "name" => name.clone(),
        None => Value::Undef,
    };
    let key: Vec<Value> = keys.iter().map(key_value).collect();
    let is_title = matches!(key.as_slice(), [Value::String(only)] if only == title);
    (!is_title && key.iter().all(Value::is_known) && key.iter().any(|it| !it.is_undef())).then_some(key)
}

/// Returns the known attribute names of a resource's type.
pub(super) fn attribute_names(resource: &Resource) -> impl Iterator<Item = &str> {
    let of_all = built_in::metaparameters().iter().map(|it| it.name.as_str());
    let (built_in, parameters) = match &resource.kind {
        ResourceKind::BuiltIn(Some(resource_type)) => (Some(&resource_type.attributes), None),
        ResourceKind::Evaluated(Some(unit)) => (None, Some(&unit.body.parameters)),
        ResourceKind::BuiltIn(None) | ResourceKind::Evaluated(None) => (None, None),
    };
    let of_ruby = built_in.into_iter().flatten().map(|it| it.name.as_str());
    of_ruby.chain(parameters.into_iter().flatten().map(|it| it.name.as_str())).chain(of_all)
}

/// Returns true if the resource's type has the attribute; `None` if that is unknown.
pub(super) fn has_attribute(resource: &Resource, name: &str) -> Option<bool> {
    if name == "name" || built_in::metaparameter(name).is_some() {
        return Some(true);
    }
    match &resource.kind {
        ResourceKind::BuiltIn(None) | ResourceKind::Evaluated(None) => None,
        ResourceKind::BuiltIn(Some(resource_type)) => {
            if resource_type.attributes.iter().any(|it| it.name == name) {
                Some(true)
            } else if resource_type.is_incomplete {
                None
            } else {
                Some(false)
            }
        }
        ResourceKind::Evaluated(Some(unit)) => {
            Some(unit.body.parameters.iter().any(|parameter| parameter.name == name))
        }
    }
}
