//! Sizes of strings and collections by type.

use crate::{IntegerRange, Type, TypeEnvironment};

/// Returns the range of the number of characters, elements or entries of any instance. The range is never too
/// narrow.
pub fn size_of_type(ty: &Type, env: &dyn TypeEnvironment) -> IntegerRange {
    size_within(ty, env, 0).unwrap_or(IntegerRange::SIZE)
}

/// Returns the size range of a type, or `None` if its instances have no size.
fn size_within(ty: &Type, env: &dyn TypeEnvironment, depth: usize) -> Option<IntegerRange> {
    if depth > 64 {
        return Some(IntegerRange::SIZE);
    }
    Some(match ty {
        Type::String(size) | Type::Collection(size) => bounded(*size),
        Type::LiteralString(text) => IntegerRange::exactly(text.chars().count() as i64),
        Type::Enum(enumeration) if !enumeration.values.is_empty() => {
            let lengths = enumeration.values.iter().map(|value| value.chars().count() as i64);
            lengths.map(IntegerRange::exactly).reduce(IntegerRange::hull)?
        }
        Type::Array(array) => bounded(array.size),
        Type::Tuple(tuple) => bounded(tuple.element_count()),
        Type::Hash(hash) => bounded(hash.size),
        Type::Struct(members) => IntegerRange::of_struct(members),
        Type::Variant(types) => {
            let sizes = types.iter().filter_map(|ty| size_within(ty, env, depth + 1));
            sizes.reduce(IntegerRange::hull)?
        }
        Type::NotUndef(Some(inner)) => return size_within(inner, env, depth + 1),
        Type::Optional(Some(inner)) => return size_within(inner, env, depth + 1),
        Type::Alias(name) => match env.named_type(name) {
            Some(named) => return size_within(&named.ty, env, depth + 1),
            None => IntegerRange::SIZE,
        },
        Type::Any
        | Type::Unit
        | Type::Scalar
        | Type::ScalarData
        | Type::Data
        | Type::RichData
        | Type::RichDataKey
        | Type::Enum(_)
        | Type::Pattern(_)
        | Type::Binary
        | Type::Iterable(_)
        | Type::Iterator(_)
        | Type::Optional(None)
        | Type::NotUndef(None)
        | Type::Init(_)
        | Type::Runtime(_)
        | Type::Reference(_) => IntegerRange::SIZE,
        _ => return None,
    })
}

fn bounded(size: IntegerRange) -> IntegerRange {
    let max = if size.is_unlimited() { i64::MAX } else { size.max };
    IntegerRange::new(size.min.max(0), max)
}
