//! Conversion of arguments for functions of the 3.x API.
//!
//! See "3.x API" in the Puppet specification. Known and unknown values follow the same table.

use codes::Code;
use std::sync::Arc;

use types::{IntegerRange, Kinds, Origin, StructMember, TupleType, Type, TypeEnvironment, Value};

use crate::Failure;

/// Maximum number of nested aliases that are unfolded.
const ALIAS_DEPTH: u32 = 16;

/// Converts an argument for a function of the 3.x API. `undef` becomes `''` (but stays `undef` inside
/// collections), and values unknown to 3.x become strings.
///
/// # Errors
/// If the value is an iterator other than that of `tree_each`, or a reference without a title that Ruby code
/// cannot represent.
pub fn legacy_argument(
    argument: Value,
    env: &dyn TypeEnvironment,
    object_of: ObjectOf,
) -> Result<Value, Failure> {
    convert(argument, false, env, object_of)
}

/// Function that returns the resource that a reference denotes in the 3.x API, or `None` if it already is
/// one.
pub type ObjectOf = fn(&Type) -> Result<Option<Type>, Failure>;

fn convert(
    value: Value,
    is_inside: bool,
    env: &dyn TypeEnvironment,
    object_of: ObjectOf,
) -> Result<Value, Failure> {
    Ok(match value {
        Value::Undef if !is_inside => Value::string(""),
        Value::Regexp(regexp) => Value::string(inspected(regexp.source())),
        Value::SemVer(_)
        | Value::SemVerRange(_)
        | Value::Binary(_)
        | Value::Timespan(_)
        | Value::Timestamp(_) => match types::text::interpolated(&value, env) {
            Ok(text) => Value::string(text),
            Err(_) => return Err(not_supported("a value of this size")),
        },
        Value::Array(elements) => {
            // Most arrays are passed unchanged.
            if elements.iter().all(stays_the_same) {
                return Ok(Value::Array(elements));
            }
            let elements: Result<Vec<Value>, Failure> =
                elements.iter().map(|element| convert(element.clone(), true, env, object_of)).collect();
            Value::array(elements?)
        }
        Value::Hash(entries) => {
            if entries.iter().all(|(key, value)| stays_the_same(key) && stays_the_same(value)) {
                return Ok(Value::Hash(entries));
            }
            let entries: Result<Vec<(Value, Value)>, Failure> = entries
                .iter()
                .map(|(key, value)| {
                    Ok((
                        convert(key.clone(), true, env, object_of)?,
                        convert(value.clone(), true, env, object_of)?,
                    ))
                })
                .collect();
            Value::hash(entries?)
        }
        Value::WideInteger(_) => return Err(not_supported("an integer beyond 64 bits")),
        // Puppet does not recognize it as an `Iterator`, and the Ruby object is converted in an unknown way.
        Value::Iterator(_) if types::iterate::is_tree(&value) => Value::unknown(Type::Any, Origin::Ruby),
        Value::Iterator(_) => return Err(not_supported("an Iterator")),
        Value::Type(ty) => {
            let object = object_of(&ty).map_err(|_| not_supported("a reference without a title"))?;
            object.map_or(Value::Type(ty), Value::ty)
        }
        Value::Unknown(unknown) => Value::unknown(type_of_unknown(&unknown, is_inside, env)?, unknown.origin),
        other => other,
    })
}

fn type_of_unknown(
    unknown: &types::Unknown,
    is_inside: bool,
    env: &dyn TypeEnvironment,
) -> Result<Type, Failure> {
    if unknown.ty.kinds(env) != Kinds::ITERATOR {
        return Ok(legacy_type(&unknown.ty, is_inside, ALIAS_DEPTH, env));
    }
    let may_be_tree = matches!(&unknown.ty, Type::Iterator(Some(of)) if **of == Type::Any);
    if unknown.origin.is_trustworthy() && !may_be_tree {
        Err(not_supported("an Iterator"))
    } else {
        Ok(Type::Any)
    }
}

fn stays_the_same(value: &Value) -> bool {
    matches!(
        value,
        Value::Undef
            | Value::String(_)
            | Value::Integer(_)
            | Value::Float(_)
            | Value::Boolean(_)
            | Value::Default
    )
}

fn not_supported(what: &str) -> Failure {
    Failure::new(Code::RuntimeError, format!("{what} cannot be passed to a function of the 3.x API"))
}

/// Returns the type of the converted instances of a type. The result is never too narrow.
fn legacy_type(ty: &Type, is_inside: bool, depth: u32, env: &dyn TypeEnvironment) -> Type {
    let kinds = ty.kinds(env);
    let to_text = Kinds::REGEXP
        | Kinds::SEMVER
        | Kinds::SEMVER_RANGE
        | Kinds::BINARY
        | Kinds::TIMESPAN
        | Kinds::TIMESTAMP;
    let changes_itself = kinds.intersects(to_text) || !is_inside && kinds.contains(Kinds::UNDEF);
    if !changes_itself && !kinds.intersects(Kinds::COLLECTION) {
        return ty.clone();
    }
    let inner = |ty: &Type| legacy_type(ty, true, depth, env);
    match ty {
        Type::Undef if is_inside => Type::Undef,
        Type::Undef => Type::LiteralString("".into()),
        Type::Binary | Type::SemVerRange => Type::STRING,
        Type::Regexp(_) | Type::SemVer(_) | Type::Timespan(_) | Type::Timestamp(_) => {
            Type::String(IntegerRange { min: 1, ..IntegerRange::SIZE })
        }
        Type::Scalar => Type::ScalarData,
        Type::Data if is_inside => Type::Data,
        Type::Data => Type::variant([
            Type::ScalarData,
            Type::hash_of(Type::STRING, Type::Data),
            Type::array_of(Type::Data),
        ]),
        Type::Array(array) => Type::array(inner(&array.element), array.size),
        Type::Tuple(tuple) => {
            let types: Vec<Type> = tuple.types.iter().map(inner).collect();
            Type::Tuple(Arc::new(TupleType { types: types.into(), size: tuple.size }))
        }
        Type::Hash(hash) => {
            let (key, value) = (inner(&hash.key), inner(&hash.value));
            // Distinct keys may convert to the same string.
            let min = if key == hash.key { hash.size.min } else { hash.size.min.min(1) };
            Type::hash(key, value, IntegerRange { min, max: hash.size.max })
        }
        Type::Struct(members) => {
            let converted =
                members.iter().map(|member| StructMember { value: inner(&member.value), ..member.clone() });
            Type::Struct(converted.collect())
        }
        Type::Variant(types) => {
            types::common::union(types.iter().map(|ty| legacy_type(ty, is_inside, depth, env)), env)
        }
        Type::Optional(Some(wanted)) => {
            let nothing = if is_inside { Type::Undef } else { Type::LiteralString("".into()) };
            types::common::union([legacy_type(wanted, is_inside, depth, env), nothing], env)
        }
        Type::NotUndef(Some(wanted)) => {
            let without = types::narrow::exclude(wanted, &Type::Undef, env);
            if without == **wanted && kinds_allow_undef(wanted, env) {
                return anything(is_inside);
            }
            legacy_type(&without, is_inside, depth, env)
        }
        Type::Alias(_) => match types::assign::unfold_alias(ty, env) {
            Some(unfolded) if depth > 0 => legacy_type(&unfolded, is_inside, depth - 1, env),
            _ => anything(is_inside),
        },
        Type::Collection(_) => ty.clone(),
        _ => anything(is_inside),
    }
}

fn kinds_allow_undef(ty: &Type, env: &dyn TypeEnvironment) -> bool {
    ty.kinds(env).contains(Kinds::UNDEF)
}

fn anything(is_inside: bool) -> Type {
    if is_inside { Type::Any } else { Type::NotUndef(None) }
}

/// Formats a regular expression like Ruby's `inspect`: its source between slashes.
fn inspected(source: &str) -> String {
    let mut shown = String::from("/");
    let mut is_escaped = false;
    for character in source.chars() {
        if character == '/' && !is_escaped {
            shown.push('\\');
        }
        is_escaped = character == '\\' && !is_escaped;
        shown.push(character);
    }
    shown.push('/');
    shown
}
