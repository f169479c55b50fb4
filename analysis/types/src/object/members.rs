//! What an object type has, its parents' members included.

use std::sync::Arc;

use smol_str::SmolStr;

use super::{ObjectAttribute, ObjectAttributeKind, ObjectFunction, ObjectType};
use crate::assign::unfold_alias;
use crate::environment::TypeEnvironment;
use crate::ty::Type;

/// So many generations are looked at.
pub const LINEAGE_LIMIT: usize = 64;

/// A member by its name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ObjectMember {
    Attribute(ObjectAttribute),
    Function(ObjectFunction),
}

/// The object type that `object` inherits from.
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

/// Named types are the same when their names are; anonymous ones when all of them is.
pub fn is_same_object_type(a: &ObjectType, b: &ObjectType) -> bool {
    match (&a.name, &b.name) {
        (Some(a), Some(b)) => a.eq_ignore_ascii_case(b),
        (None, None) => a == b,
        _ => false,
    }
}

/// The object type and its ancestors, the eldest first.
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

/// What the object type and its ancestors have of one sort, the eldest's first; one that overrides another takes its place.
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

/// All attributes, those of the parents first; one that overrides another takes its place.
pub fn attributes(object: &ObjectType, env: &dyn TypeEnvironment) -> Vec<ObjectAttribute> {
    inherited(object, env, |it| &it.attributes, |it| &it.name)
}

/// All functions, those of the parents first; one that overrides another takes its place.
pub fn functions(object: &ObjectType, env: &dyn TypeEnvironment) -> Vec<ObjectFunction> {
    inherited(object, env, |it| &it.functions, |it| &it.name)
}

/// All type parameters, those of the parents first.
pub fn type_parameters(object: &ObjectType, env: &dyn TypeEnvironment) -> Vec<(SmolStr, Type)> {
    inherited(object, env, |it| &it.type_parameters, |(name, _)| name)
}

/// The attribute or function of that name, its own before its parents'.
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

/// The names of the attributes that decide whether two instances are equal.
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

/// The attributes that the constructor takes, in its order: those that must be given first.
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
