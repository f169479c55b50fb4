//! Iterability of types and the types of their elements.

use std::sync::Arc;

use super::{element_of, entry_of, unfold_alias};
use crate::environment::TypeEnvironment;
use crate::ty::{IntegerRange, StructKey, StructMember, Type};

/// Returns the element type of the instances of `ty`: `None` if they are not iterable, `Some(None)` if the
/// element type is unknown. `ty` must not be an alias, a variant or an optional type.
///
/// If `sound` is set, types that Puppet treats as iterable although some of their instances are not are
/// excluded.
pub(super) fn elements_of_type(ty: &Type, sound: bool) -> Option<Option<Type>> {
    Some(match ty {
        Type::Integer(range) if !sound || range.min >= 0 => Some(Type::INTEGER),
        Type::String(_) | Type::LiteralString(_) => Some(Type::String(IntegerRange::exactly(1))),
        Type::Enum(_) => Some(Type::String(IntegerRange::exactly(1))),
        Type::Collection(_) => None,
        Type::Array(array) => match element_of(array) {
            Type::Any => None,
            element => Some(element.clone()),
        },
        Type::Hash(hash) => {
            let pair = match entry_of(hash) {
                (Type::Any, Type::Any) if hash.size == IntegerRange::SIZE && !sound => {
                    [Type::Unit, Type::Unit]
                }
                (key, value) => [key.clone(), value.clone()],
            };
            Some(Type::tuple(pair, Some(IntegerRange::exactly(2))))
        }
        Type::Struct(members) => Some(pair_of_struct(members)),
        Type::Tuple(tuple) if sound && tuple.types.is_empty() => None,
        Type::Tuple(tuple) => Some(variant_of(tuple.types.iter().cloned())),
        Type::Iterable(element) | Type::Iterator(element) => element.as_deref().cloned(),
        Type::Type(Some(inner)) => match &**inner {
            Type::Enum(_) => Some(Type::clone(inner)),
            Type::Integer(range) if is_finite(*range) => Some(Type::clone(inner)),
            _ => return None,
        },
        _ => return None,
    })
}

fn pair_of_struct(members: &[StructMember]) -> Type {
    let pair = if members.is_empty() {
        [Type::Unit, Type::Unit]
    } else {
        let keys = members.iter().map(|member| {
            let key = Type::LiteralString(member.name.clone());
            if member.key == StructKey::Optional { Type::optional(key) } else { key }
        });
        [variant_of(keys), variant_of(members.iter().map(|member| member.value.clone()))]
    };
    Type::tuple(pair, Some(IntegerRange::exactly(2)))
}

/// Returns the only type, or a variant of all types without normalizing it.
fn variant_of(types: impl Iterator<Item = Type>) -> Type {
    let mut each_once: Vec<Type> = Vec::new();
    for ty in types {
        if !each_once.contains(&ty) {
            each_once.push(ty);
        }
    }
    if each_once.len() == 1 { each_once.remove(0) } else { Type::Variant(Arc::from(each_once)) }
}

fn is_finite(range: IntegerRange) -> bool {
    range.min != i64::MIN && range.max != i64::MAX
}

/// Returns true if the type itself is iterable as a value, such as `Integer[1, 3]` or `Enum['a', 'b']`.
pub(super) fn is_iterable_as_value(ty: &Type, env: &dyn TypeEnvironment) -> bool {
    let mut ty = ty.clone();
    for _ in 0..64 {
        match &ty {
            Type::Enum(_) => return true,
            Type::Integer(range) => return is_finite(*range),
            Type::WideInteger(range) => return range.min.is_some() && range.max.is_some(),
            _ => match unfold_alias(&ty, env) {
                Some(unfolded) => ty = unfolded,
                None => return false,
            },
        }
    }
    false
}
