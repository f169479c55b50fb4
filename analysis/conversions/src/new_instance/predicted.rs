//! Result types of conversions with unknown arguments.

use types::constructor::Constructor;
use types::infer::infer_set;
use types::kind::Kinds;
use types::narrow::{intersect, is_never};
use types::{FloatRange, IntegerRange, Type, TypeEnvironment, Value};

/// Returns the narrowest type that is certain for the result of the constructor of `ty`. The arguments
/// already match the signature.
pub(super) fn predict_type(
    constructor: Constructor,
    signature: usize,
    ty: &Type,
    arguments: &[Value],
    env: &dyn TypeEnvironment,
) -> Type {
    let narrower = match arguments {
        [argument] => from_one(constructor, signature, &infer_set(argument, env), env),
        _ => None,
    };
    let Some(narrower) = narrower else { return ty.clone() };
    let both = intersect(ty, &narrower, env);
    if is_never(&both) { ty.clone() } else { both }
}

fn from_one(
    constructor: Constructor,
    signature: usize,
    argument: &Type,
    env: &dyn TypeEnvironment,
) -> Option<Type> {
    let kinds = argument.kinds(env);
    let is_only = |kind: Kinds| kind.contains(kinds);
    Some(match constructor {
        Constructor::Integer | Constructor::Numeric if is_only(Kinds::BOOLEAN) => Type::integer(0, 1),
        Constructor::Float if is_only(Kinds::BOOLEAN) => Type::Float(FloatRange::new(0.0, 1.0)),
        Constructor::String if is_only(Kinds::BOOLEAN) => Type::enumeration(["false", "true"], false),
        Constructor::Array if is_only(Kinds::STRING) => {
            Type::array_of(Type::String(IntegerRange::exactly(1)))
        }
        Constructor::Array if is_only(Kinds::BINARY) => Type::array_of(Type::integer(0, 255)),
        Constructor::Array if is_only(Kinds::INTEGER) => Type::array_of(Type::integer(0, i64::MAX)),
        Constructor::Array => match argument {
            Type::Hash(hash) => {
                Type::array(Type::tuple([hash.key.clone(), hash.value.clone()], None), hash.size)
            }
            _ => return None,
        },
        Constructor::Hash if signature < 2 => {
            let Type::Array(array) = argument else { return None };
            let Type::Tuple(pair) = &array.element else { return None };
            let ([key, value], None) = (&pair.types[..], pair.size) else { return None };
            // Several pairs may have the same key.
            let size = IntegerRange::new(array.size.min.min(1), array.size.max);
            Type::hash(key.clone(), value.clone(), size)
        }
        _ => return None,
    })
}
