//! What the catalog goes by of resource types: names, keys, and which attributes there are.

use hir::Name;
use plugins::built_in;
use smol_str::SmolStr;
use types::Value;

use super::store::{Resource, ResourceKind};

/// The name that a title stands for, where it differs: paths lose the slashes at their end.
pub(super) fn name_of_title(type_name: &str, title: &str) -> Option<SmolStr> {
    if type_name != "file" || !title.ends_with('/') {
        return None;
    }
    let trimmed = title.trim_end_matches('/');
    match trimmed {
        "" => Some("/".into()),
        drive if drive.ends_with(':') => Some(format!("{drive}/").into()),
        path => Some(path.into()),
    }
}

/// What a resource is known by whose title is not the one that a reference names; `None` where that is the title alone.
pub(super) fn key_of_reference(type_name: &str, title: &str) -> Option<Vec<Value>> {
    let name = name_of_title(type_name, title);
    let names = built_in::resource_type(type_name)
        .filter(|_| built_in::is_core_resource_type(type_name))
        .map(|it| it.attributes.iter().filter(|it| it.is_name_variable).collect::<Vec<_>>())
        .unwrap_or_default();
    if names.len() < 2 {
        return name.map(|name| vec![Value::String(name)]);
    }
    let mut names: Vec<&str> = names.iter().map(|it| it.name.as_str()).collect();
    names.sort_unstable();
    let name = Value::String(name.unwrap_or_else(|| title.into()));
    Some(names.iter().map(|it| if *it == "name" { name.clone() } else { Value::Undef }).collect())
}

/// May two resources of the type stand for the same thing?
fn is_isomorphic(type_name: &str) -> bool {
    !matches!(type_name, "exec" | "tidy")
}

/// The attribute that the title stands for; `None` where that is not known.
pub(super) fn name_variable(resource: &Resource) -> Option<Name> {
    match &resource.kind {
        ResourceKind::Evaluated(_) => Some("name".into()),
        ResourceKind::BuiltIn(Some(resource_type)) => {
            let names: Vec<_> = resource_type.attributes.iter().filter(|it| it.is_name_variable).collect();
            match names.as_slice() {
                [only] => Some(only.name.clone()),
                [] if resource_type.is_open => None,
                _ => Some("name".into()),
            }
        }
        ResourceKind::BuiltIn(None) => None,
    }
}

/// What a resource is known by besides its title: the values of its key attributes. `None` where there is nothing else, or
/// that is not known.
pub(super) fn uniqueness_key(resource: &Resource) -> Option<Vec<Value>> {
    if !is_isomorphic(&resource.type_name) {
        return None;
    }
    let title = resource.title.as_ref()?;
    let from_title = name_of_title(&resource.type_name, title).unwrap_or_else(|| title.clone());
    let name_variable = name_variable(resource)?;
    let name = match resource.parameter(&name_variable).or_else(|| resource.parameter("name")) {
        Some(value) if !value.is_undef() => value.clone(),
        _ => Value::String(from_title),
    };
    let mut keys: Vec<Name> = match &resource.kind {
        ResourceKind::BuiltIn(Some(resource_type)) => {
            // A title that says more than the name may take any form.
            if resource_type.has_title_patterns && !built_in::is_core_resource_type(&resource.type_name) {
                return None;
            }
            let names = resource_type.attributes.iter().filter(|it| it.is_name_variable);
            names.map(|it| it.name.clone()).collect()
        }
        _ => vec![name_variable.clone()],
    };
    keys.sort();
    let key: Vec<Value> = keys
        .iter()
        .map(|key| match *key == name_variable || key == "name" {
            true => name.clone(),
            false => resource.parameter(key).cloned().unwrap_or(Value::Undef),
        })
        .collect();
    let is_title = matches!(key.as_slice(), [Value::String(only)] if only == title);
    (!is_title && key.iter().all(Value::is_known) && key.iter().any(|it| !it.is_undef())).then_some(key)
}

/// Is it an attribute of the resource's type? `None` when that is not known.
pub(super) fn has_attribute(resource: &Resource, name: &str) -> Option<bool> {
    if name == "name" || built_in::metaparameter(name).is_some() {
        return Some(true);
    }
    match &resource.kind {
        ResourceKind::BuiltIn(None) | ResourceKind::Evaluated(None) => None,
        ResourceKind::BuiltIn(Some(resource_type)) => {
            match resource_type.attributes.iter().any(|it| it.name == name) {
                true => Some(true),
                false if resource_type.is_open => None,
                false => Some(false),
            }
        }
        ResourceKind::Evaluated(Some(unit)) => {
            Some(unit.body.parameters.iter().any(|parameter| parameter.name == name))
        }
    }
}
