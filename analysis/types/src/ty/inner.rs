//! Traversal of the types nested in a type.

use smol_str::SmolStr;

use crate::ty::Type;
use crate::value::{Measure, Value};

/// Calls `visit` with each direct child type of `ty`, except for types in values (defaults, constants).
pub fn for_each_inner<'t>(ty: &'t Type, visit: &mut dyn FnMut(&'t Type)) {
    match ty {
        Type::Array(array) => visit(&array.element),
        Type::Tuple(tuple) => tuple.types.iter().for_each(visit),
        Type::Hash(hash) => {
            visit(&hash.key);
            visit(&hash.value);
        }
        Type::Struct(members) => members.iter().for_each(|member| visit(&member.value)),
        Type::Variant(types) => types.iter().for_each(visit),
        Type::Iterable(inner)
        | Type::Iterator(inner)
        | Type::Optional(inner)
        | Type::NotUndef(inner)
        | Type::Sensitive(inner)
        | Type::Type(inner) => inner.iter().for_each(|inner| visit(inner)),
        Type::Callable(callable) => {
            let parameters = callable.parameters.iter().flat_map(|parameters| &parameters.types);
            parameters.chain(&callable.block).chain(&callable.returns).for_each(visit);
        }
        Type::Init(Some(init)) => visit(&init.ty),
        Type::Object(Some(object)) => {
            object.parent.iter().for_each(&mut *visit);
            object.type_parameters.iter().for_each(|(_, ty)| visit(ty));
            object.attributes.iter().for_each(|attribute| visit(&attribute.ty));
            object.functions.iter().for_each(|function| visit(&function.ty));
        }
        Type::ObjectExtension(extension) => visit(&extension.base),
        Type::TypeSet(Some(set)) => set.types.iter().for_each(|(_, ty)| visit(ty)),
        _ => {}
    }
}

/// Calls `visit` with the name of each alias at any depth of `ty`, without following the aliases.
pub(crate) fn for_each_alias(ty: &Type, visit: &mut dyn FnMut(&SmolStr)) {
    let mut waiting = vec![ty];
    while let Some(ty) = waiting.pop() {
        match ty {
            Type::Alias(name) => visit(name),
            ty => for_each_inner(ty, &mut |inner| waiting.push(inner)),
        }
    }
}

/// Returns the number of types in a type, counting a shared type once per occurrence, and their nesting
/// depth, which is one for a type without parameters. Stops counting above `limit` types or
/// [`Value::MAX_DEPTH`] levels.
pub(crate) fn measure(ty: &Type, limit: usize) -> Measure {
    fn within(ty: &Type, measure: &mut Measure, limit: usize, depth: usize) {
        measure.weight += 1;
        measure.depth = measure.depth.max(depth);
        if measure.weight <= limit && depth <= Value::MAX_DEPTH {
            for_each_inner(ty, &mut |inner| within(inner, measure, limit, depth + 1));
        }
    }
    let mut measure = Measure { weight: 0, depth: 0 };
    within(ty, &mut measure, limit, 1);
    measure
}
