//! `left[keys]` for operands that are not completely known.

use codes::Code;
use types::{IntegerRange, Kinds, StructKey, StructMember, Type, Value};
use validation::Strict;

use super::OperationContext;
use super::access::{bad_arity, bad_text_key, no_elements};
use super::arithmetic::{ArithmeticNumber, parse_number};
use super::collections::{any_element_of, element_of, entries_of};
use super::comparison::{literals, size_of};
use super::rules::NOT_NUMERIC_LEFT;
use super::unknown::{Alternative, alternatives, instance_of, origin_of, shown, type_of};
use crate::failure::{Failure, Side};

/// Maximum number of tuple positions that are inspected one by one.
const MAX_POSITIONS: i64 = 64;

/// Returns the result of `left[keys]`, where `ty` is the type of `left`.
pub(super) fn access(
    left: &Value,
    ty: &Type,
    keys: &[Value],
    ctx: &mut OperationContext,
) -> Result<Value, Failure> {
    let mut results = Vec::new();
    let mut failure = None;
    let all = alternatives(ty, ctx.env);
    let is_impossible = all.is_empty();
    for alternative in all {
        match access_alternative(left, &alternative, keys, ctx) {
            Ok(ty) => results.push(ty),
            Err(new) => failure = failure.or(Some(new)),
        }
    }
    let origin = origin_of(keys.iter().chain([left]));
    match failure {
        Some(failure) if results.is_empty() => Err(failure),
        _ if is_impossible => Ok(Value::unknown(Type::variant([]), origin)),
        _ => Ok(instance_of(types::common::union(results, ctx.env), origin)),
    }
}

fn access_alternative(
    left: &Value,
    of: &Alternative,
    keys: &[Value],
    ctx: &OperationContext,
) -> Result<Type, Failure> {
    let accessible = Kinds::STRING | Kinds::COLLECTION | Kinds::TYPE | Kinds::BINARY;
    if !of.may_be(accessible) {
        return Err(no_elements(left, ctx));
    }
    let single = of.kinds & accessible;
    if single == Kinds::STRING || single == Kinds::BINARY {
        return access_text(of, keys, ctx);
    }
    if single == Kinds::ARRAY {
        return access_array(of, keys, ctx);
    }
    if single == Kinds::HASH {
        return Ok(access_hash(of, keys, ctx));
    }
    if single == Kinds::TYPE {
        return Ok(access_type(&of.ty));
    }
    Ok(Type::Any)
}

/// Flattens the keys into positions. Returns `None` if their number is unknown because one of them may be an
/// array.
fn position_keys<'k>(keys: &'k [Value], ctx: &OperationContext) -> Option<Vec<&'k Value>> {
    let mut all = Vec::new();
    for key in keys {
        match key {
            Value::Array(inner) => all.extend(position_keys(inner, ctx)?),
            Value::Unknown(_) if key.kinds(ctx.env).intersects(Kinds::ARRAY) => return None,
            key => all.push(key),
        }
    }
    Some(all)
}

/// Returns true if the key may be an integer or a string that contains one.
fn may_be_position(key: &Value, ctx: &OperationContext) -> bool {
    let says_integer =
        |text: &smol_str::SmolStr| matches!(parse_number(text), Some(ArithmeticNumber::Integer(_)));
    alternatives(&type_of(key, ctx.env), ctx.env).iter().any(|it| match literals(&it.ty) {
        Some(strings) => strings.iter().any(says_integer),
        None => it.may_be(Kinds::INTEGER | Kinds::STRING),
    })
}

fn access_text(of: &Alternative, keys: &[Value], ctx: &OperationContext) -> Result<Type, Failure> {
    let is_binary = of.is_certainly(Kinds::BINARY);
    let text = |size| if is_binary { Type::Binary } else { Type::String(size) };
    let Some(keys) = position_keys(keys, ctx) else { return Ok(text(IntegerRange::SIZE)) };
    for (index, key) in keys.iter().enumerate() {
        if !may_be_position(key, ctx) {
            return Err(bad_text_key(key, index, ctx));
        }
    }
    let length = match &of.ty {
        Type::String(size) => size.max,
        ty => literals(ty)
            .and_then(|strings| strings.iter().map(|text| text.chars().count() as i64).max())
            .unwrap_or(i64::MAX),
    };
    match keys.len() {
        1 => Ok(text(IntegerRange::new(0, length.min(1)))),
        2 => Ok(text(IntegerRange::new(0, length))),
        count => Err(bad_arity("a String", Code::BadStringSliceArity, count)),
    }
}

fn access_array(of: &Alternative, keys: &[Value], ctx: &OperationContext) -> Result<Type, Failure> {
    let element = any_element_of(&of.ty, ctx.env);
    let size = size_of(&of.ty);
    let Some(keys) = position_keys(keys, ctx) else { return Ok(Type::Any) };
    for (index, key) in keys.iter().enumerate() {
        if !may_be_position(key, ctx) {
            let message = format!("{} is not a number", shown(key, ctx.env));
            return Err(Failure::new(NOT_NUMERIC_LEFT.0, message).at(Side::Argument(index)));
        }
        if ctx.strict == Strict::Error && Kinds::STRING.contains(key.kinds(ctx.env)) {
            let message = format!("implicit conversion of {} to a number", shown(key, ctx.env));
            return Err(Failure::new(Code::NumericCoercion, message).at(Side::Argument(index)));
        }
    }
    match keys.as_slice() {
        [position] => Ok(element_at(&of.ty, position, ctx)),
        [_, _] => Ok(Type::array(element, IntegerRange::new(0, size.max))),
        keys => Err(bad_arity("an Array", Code::BadArraySliceArity, keys.len())),
    }
}

/// Returns the type of the element at a position, which includes `undef` if the position may be out of
/// bounds.
fn element_at(array: &Type, position: &Value, ctx: &OperationContext) -> Type {
    let size = size_of(array);
    let range = match type_of(position, ctx.env) {
        Type::Integer(range) => range,
        _ => IntegerRange::ALL,
    };
    // A position from the end is certain if the size is.
    let range = match (range.max < 0, size.min == size.max) {
        (true, true) if range.min > i64::MIN => IntegerRange::new(range.min + size.max, range.max + size.max),
        (true, true) => IntegerRange::new(i64::MIN, range.max + size.max),
        _ => range,
    };
    let is_single = range.min == range.max && (0..MAX_POSITIONS).contains(&range.min);
    let is_from_start = range.min >= 0;
    let element =
        if is_single { element_of(array, range.min as usize) } else { any_element_of(array, ctx.env) };
    let element_is_there = is_from_start && range.max < size.min || range.max < 0 && range.min >= -size.min;
    let is_outside = is_from_start && range.min >= size.max || range.max < 0 && size.min == size.max;
    match (is_outside, element_is_there) {
        (true, _) => Type::Undef,
        (false, true) => element,
        (false, false) => types::common::union([element, Type::Undef], ctx.env),
    }
}

fn access_hash(of: &Alternative, keys: &[Value], ctx: &OperationContext) -> Type {
    let values: Vec<Type> = keys.iter().map(|key| value_of(of, key, ctx)).collect();
    if let [value] = values.as_slice() {
        return value.clone();
    }
    let present: Vec<Type> = values
        .iter()
        .filter(|ty| **ty != Type::Undef)
        .map(|ty| types::narrow::exclude(ty, &Type::Undef, ctx.env))
        .collect();
    let certain = values.iter().filter(|ty| !ty.kinds(ctx.env).intersects(Kinds::UNDEF)).count();
    let size = IntegerRange::new(certain as i64, present.len() as i64);
    Type::array(types::common::union(present, ctx.env), size)
}

/// Returns the type of the value of a key.
fn value_of(of: &Alternative, key: &Value, ctx: &OperationContext) -> Type {
    let key_type = type_of(key, ctx.env);
    if let Type::Struct(members) = &of.ty
        && !members.is_empty()
    {
        return member_of(members, &key_type, ctx);
    }
    let (known, value) = entries_of(of);
    if size_of(&of.ty).max == 0 || !types::assign::overlaps(&known, &key_type, ctx.env) {
        return Type::Undef;
    }
    types::common::union([value, Type::Undef], ctx.env)
}

fn member_of(members: &[StructMember], key: &Type, ctx: &OperationContext) -> Type {
    let value = |member: &StructMember| match member.key {
        StructKey::Required => member.value.clone(),
        StructKey::Optional => types::common::union([member.value.clone(), Type::Undef], ctx.env),
    };
    let names = match key {
        Type::Enum(enumeration) if enumeration.case_insensitive => None,
        key => literals(key),
    };
    let values: Vec<Type> = match names {
        Some(names) => names
            .iter()
            .map(|name| members.iter().find(|member| member.name == *name).map_or(Type::Undef, value))
            .collect(),
        None if !key.kinds(ctx.env).intersects(Kinds::STRING) => vec![Type::Undef],
        None => members.iter().map(value).chain([Type::Undef]).collect(),
    };
    types::common::union(values, ctx.env)
}

/// Returns the type of `[ ]` on an unknown type. A reference to a resource may produce a value that only the
/// catalog knows.
fn access_type(ty: &Type) -> Type {
    match ty {
        Type::Type(Some(inner)) => match &**inner {
            Type::Any
            | Type::CatalogEntry
            | Type::Class(_)
            | Type::Resource(_)
            | Type::Alias(_)
            | Type::Reference(_)
            | Type::Variant(_)
            | Type::Optional(_)
            | Type::NotUndef(_) => Type::Any,
            _ => Type::Type(None),
        },
        _ => Type::Any,
    }
}
