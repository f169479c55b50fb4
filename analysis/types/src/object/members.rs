//! Members of object types, inherited ones included.

use std::sync::Arc;

use smol_str::SmolStr;

use super::{ObjectAttribute, ObjectAttributeKind, ObjectFunction, ObjectType};
use crate::assign::unfold_alias;
use crate::environment::TypeEnvironment;
use crate::ty::Type;

/// Maximum number of ancestors that are followed.
pub const LINEAGE_LIMIT: usize = 64;

/// Attribute or function of an object type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ObjectMember {
    Attribute(ObjectAttribute),
    Function(ObjectFunction),
}

/// Returns the parent of `object`.
pub fn parent_object(object: &ObjectType, env: &dyn TypeEnvironment) -> Option<Arc<ObjectType>> {
    let mut parent = object.parent.clone()?;
    for _ in 0..LINEAGE_LIMIT {
        parent = match parent {
            Type::Object(object) => return object,
            Type::ObjectExtension(extension) => extension.base.clone(),
            parent => unfold_alias(&parent, env)?,
        };
    }
    None
}

/// Returns true if both are the same type: named types are compared by name, anonymous ones structurally.
pub fn is_same_object_type(a: &ObjectType, b: &ObjectType) -> bool {
    match (&a.name, &b.name) {
        (Some(a), Some(b)) => a.eq_ignore_ascii_case(b),
        (None, None) => a == b,
        _ => false,
    }
}

/// Returns the object type and its ancestors, starting with the root.
pub fn lineage(object: &ObjectType, env: &dyn TypeEnvironment) -> Vec<Arc<ObjectType>> {
    let mut generations = vec![Arc::new(object.clone())];
    while generations.len() < LINEAGE_LIMIT {
        match generations.last().and_then(|youngest| parent_object(youngest, env)) {
            Some(parent) => generations.push(parent),
            None => break,
        }
    }
    generations.reverse();
    generations
}

/// Collects members of one sort from the object type and its ancestors, starting with the root. An override
/// takes the position of the member that it overrides.
fn inherited<T: Clone>(
    object: &ObjectType,
    env: &dyn TypeEnvironment,
    of: impl Fn(&ObjectType) -> &[T],
    name: impl Fn(&T) -> &SmolStr,
) -> Vec<T> {
    let mut all: Vec<T> = Vec::new();
    for generation in lineage(object, env) {
        for it in of(&generation) {
            match all.iter_mut().find(|known| name(known) == name(it)) {
                Some(known) => *known = it.clone(),
                None => all.push(it.clone()),
            }
        }
    }
    all
}

/// Returns all attributes, inherited ones first. An override takes the position of the attribute that it
/// overrides.
pub fn attributes(object: &ObjectType, env: &dyn TypeEnvironment) -> Vec<ObjectAttribute> {
    inherited(object, env, |it| &it.attributes, |it| &it.name)
}

/// Returns all functions, inherited ones first. An override takes the position of the function that it
/// overrides.
pub fn functions(object: &ObjectType, env: &dyn TypeEnvironment) -> Vec<ObjectFunction> {
    inherited(object, env, |it| &it.functions, |it| &it.name)
}

/// Returns all type parameters, inherited ones first.
pub fn type_parameters(object: &ObjectType, env: &dyn TypeEnvironment) -> Vec<(SmolStr, Type)> {
    inherited(object, env, |it| &it.type_parameters, |(name, _)| name)
}

/// Returns the attribute or function with the given name; the type's own members take precedence over
/// inherited ones.
pub fn member(object: &ObjectType, name: &str, env: &dyn TypeEnvironment) -> Option<ObjectMember> {
    lineage(object, env).iter().rev().find_map(|generation| {
        let attribute = generation.attributes.iter().find(|attribute| attribute.name == name);
        let function = || generation.functions.iter().find(|function| function.name == name);
        attribute
            .cloned()
            .map(ObjectMember::Attribute)
            .or_else(|| function().cloned().map(ObjectMember::Function))
    })
}

/// Returns the names of the attributes that take part in the equality of two instances.
pub fn equality_attributes(object: &ObjectType, env: &dyn TypeEnvironment) -> Vec<SmolStr> {
    let mut all: Vec<SmolStr> = Vec::new();
    for generation in lineage(object, env) {
        let own: Vec<SmolStr> = match &generation.equality {
            Some(names) => names.to_vec(),
            None => {
                let plain =
                    generation.attributes.iter().filter(|it| it.kind != ObjectAttributeKind::Constant);
                plain.map(|attribute| attribute.name.clone()).collect()
            }
        };
        for name in own {
            if !all.contains(&name) {
                all.push(name);
            }
        }
    }
    all
}

/// Returns the attributes that the constructor takes, in the order of its parameters: required ones first.
pub fn constructor_attributes(object: &ObjectType, env: &dyn TypeEnvironment) -> Vec<ObjectAttribute> {
    let given = |attribute: &ObjectAttribute| {
        !matches!(attribute.kind, ObjectAttributeKind::Constant | ObjectAttributeKind::Derived)
    };
    let taken: Vec<ObjectAttribute> = attributes(object, env).into_iter().filter(given).collect();
    if let Some(order) = object.name.as_deref().and_then(super::built_in::constructor_order) {
        return order.iter().filter_map(|name| taken.iter().find(|it| it.name == *name)).cloned().collect();
    }
    let (required, optional): (Vec<ObjectAttribute>, Vec<ObjectAttribute>) =
        taken.into_iter().partition(|attribute| attribute.value.is_none());
    required.into_iter().chain(optional).collect()
}
