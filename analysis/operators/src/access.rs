//! `left[keys]` with known operands.

use codes::Code;
use std::sync::Arc;

use types::{HashValue, Kinds, Origin, Type, Value};

use super::arithmetic::{ArithmeticNumber, parse_number, to_number};
use super::rules::NOT_APPLICABLE;
use super::unknown::{general_type_text, shown, type_of};
use super::{OperationContext, access_types};
use crate::failure::{Failure, Side};

const BAD_STRING_KEY: Code = Code::BadStringSliceKeyType;
const BAD_KEY: Code = Code::BadSliceKeyType;

/// Evaluates `left[keys]`.
pub(super) fn access(left: &Value, keys: &[Value], ctx: &mut OperationContext) -> Result<Value, Failure> {
    match left {
        Value::Hash(entries) => access_hash(left, entries, keys, ctx),
        Value::Type(ty) => access_type(ty, keys, ctx),
        Value::Array(elements) => match positions(keys) {
            AccessKeys::Known(keys) => access_array(elements, &keys, ctx),
            AccessKeys::Unknown => access_types::access(left, &type_of(left, ctx.env), keys, ctx),
        },
        Value::String(_) | Value::Binary(_) => match positions(keys) {
            AccessKeys::Known(keys) => access_text(left, &keys, ctx),
            AccessKeys::Unknown => access_types::access(left, &type_of(left, ctx.env), keys, ctx),
        },
        Value::Unknown(unknown) => access_types::access(left, &unknown.ty, keys, ctx),
        _ => Err(no_elements(left, ctx)),
    }
}

/// Creates the error for a value that does not support access.
pub(super) fn no_elements(left: &Value, ctx: &OperationContext) -> Failure {
    let message =
        format!("operator `[]` is not supported for values of type `{}`", general_type_text(left, ctx.env));
    Failure::new(NOT_APPLICABLE.0, message).at(NOT_APPLICABLE.1)
}

/// Creates the error for a wrong number of keys.
pub(super) fn bad_arity(left: &str, code: Code, count: usize) -> Failure {
    Failure::new(code, format!("operator `[]` of {left} takes one or two keys, got {count}")).at(Side::Left)
}

enum AccessKeys<'k> {
    /// Known keys with arrays flattened.
    Known(Vec<&'k Value>),
    Unknown,
}

fn positions(keys: &[Value]) -> AccessKeys<'_> {
    fn flatten<'k>(keys: &'k [Value], all: &mut Vec<&'k Value>) -> bool {
        keys.iter().all(|key| match key {
            Value::Array(keys) => flatten(keys, all),
            Value::Unknown(_) => false,
            key => {
                all.push(key);
                true
            }
        })
    }
    let mut all = Vec::with_capacity(keys.len());
    if flatten(keys, &mut all) { AccessKeys::Known(all) } else { AccessKeys::Unknown }
}

/// Returns one or several elements. Negative positions count from the end.
fn access_array(elements: &[Value], keys: &[&Value], ctx: &mut OperationContext) -> Result<Value, Failure> {
    match keys {
        [position] => {
            let position = array_position(position, 0, ctx).and_then(|number| integer_key(number, 0))?;
            let position = check_size(position)?;
            let index = if position < 0 { position + elements.len() as i64 } else { position };
            Ok(usize::try_from(index)
                .ok()
                .and_then(|index| elements.get(index))
                .cloned()
                .unwrap_or(Value::Undef))
        }
        [from, count] => {
            // Both are converted to numbers before either is checked.
            let from = array_position(from, 0, ctx)?;
            let count = array_position(count, 1, ctx)?;
            let (from, count) = (integer_key(from, 0)?, integer_key(count, 1)?);
            let (start, end) = slice(check_size(from)?, check_size(count)?, elements.len());
            Ok(Value::array(&elements[start..end]))
        }
        keys => Err(bad_arity("an Array", Code::BadArraySliceArity, keys.len())),
    }
}

fn array_position(
    key: &Value,
    index: usize,
    ctx: &mut OperationContext,
) -> Result<ArithmeticNumber, Failure> {
    to_number(key, ctx).map_err(|failure| failure.at(Side::Argument(index)))
}

fn integer_key(number: ArithmeticNumber, index: usize) -> Result<i128, Failure> {
    match number {
        ArithmeticNumber::Integer(value) => Ok(value),
        _ => {
            let failure = Failure::new(BAD_KEY, "array index must be an Integer");
            Err(failure.at(Side::Argument(index)))
        }
    }
}

fn check_size(position: i128) -> Result<i64, Failure> {
    i64::try_from(position)
        .map_err(|_| Failure::new(Code::RuntimeError, format!("index {position} is too large")))
}

/// Returns the start and end of the slice `[from, count]`. A negative `from` counts from the end, a negative
/// `count` is the last position counted from the end. Elements before the first one are cut off.
fn slice(from: i64, count: i64, length: usize) -> (usize, usize) {
    let length = length as i128;
    let from = i128::from(from);
    let mut from = if from < 0 { length + from } else { from };
    let count = i128::from(count);
    let mut count = if count < 0 { length - from + count + 1 } else { count };
    if from < 0 {
        count += from;
        from = 0;
    }
    if from >= length || count <= 0 {
        return (0, 0);
    }
    let end = (from + count).min(length);
    (from as usize, end as usize)
}

/// Returns one or several characters of a string, or bytes of a binary.
fn access_text(text: &Value, keys: &[&Value], ctx: &mut OperationContext) -> Result<Value, Failure> {
    let (from, count) = match keys {
        [from] => (text_position(from, 0, ctx)?, None),
        [from, count] => (text_position(from, 0, ctx)?, Some(text_position(count, 1, ctx)?)),
        keys => return Err(bad_arity("a String", Code::BadStringSliceArity, keys.len())),
    };
    let (from, count) = (check_size(from)?, count.map(check_size).transpose()?);
    let length = match text {
        Value::Binary(bytes) => bytes.len(),
        Value::String(text) if text.is_ascii() => text.len(),
        Value::String(text) => text.chars().count(),
        _ => 0,
    };
    let (start, end) = match count {
        Some(count) => slice(from, count, length),
        // There is nothing before the first character.
        None if from < 0 && from.unsigned_abs() > length as u64 => (0, 0),
        None => slice(from, 1, length),
    };
    Ok(match text {
        Value::Binary(bytes) => Value::Binary(bytes[start..end].into()),
        Value::String(text) if text.is_ascii() => Value::string(&text[start..end]),
        Value::String(text) => Value::string(text.chars().skip(start).take(end - start).collect::<String>()),
        other => other.clone(),
    })
}

/// Converts a key to a position. Strings are converted to numbers without a warning here.
fn text_position(key: &Value, index: usize, ctx: &OperationContext) -> Result<i128, Failure> {
    let number = match key {
        Value::Integer(value) => Some(ArithmeticNumber::Integer((*value).into())),
        Value::WideInteger(value) => Some(ArithmeticNumber::Integer(**value)),
        Value::String(text) => parse_number(text),
        _ => None,
    };
    match number {
        Some(ArithmeticNumber::Integer(value)) => Ok(value),
        _ => Err(bad_text_key(key, index, ctx)),
    }
}

pub(super) fn bad_text_key(key: &Value, index: usize, ctx: &OperationContext) -> Failure {
    let message = format!("string index must be an Integer, got {}", shown(key, ctx.env));
    Failure::new(BAD_STRING_KEY, message).at(Side::Argument(index))
}

/// Returns the value of a single key, or `undef` if it is missing; for several keys, an array of the values
/// that exist.
fn access_hash(
    left: &Value,
    entries: &HashValue,
    keys: &[Value],
    ctx: &mut OperationContext,
) -> Result<Value, Failure> {
    let get = |key: &Value| entries.find(key).cloned().unwrap_or(Value::Undef);
    // An unknown key may turn out to be any other key.
    let all_known = keys.iter().all(Value::is_known)
        && entries.keys().all(|key| matches!(key, Value::String(_)) || key.is_known());
    if !all_known {
        return access_types::access(left, &type_of(left, ctx.env), keys, ctx);
    }
    if let [key] = keys {
        return Ok(get(key));
    }
    let mut values = Vec::with_capacity(keys.len());
    for key in keys {
        match get(key) {
            Value::Undef => {}
            // The result omits an element that is `undef`, so its size is unknown here.
            value @ Value::Unknown(_) if value.kinds(ctx.env).intersects(Kinds::UNDEF) => {
                return access_types::access(left, &type_of(left, ctx.env), keys, ctx);
            }
            value => values.push(value),
        }
    }
    Ok(Value::array(values))
}

/// Parameterizes a type. The value of a resource parameter is known only to the catalog.
fn access_type(ty: &Arc<Type>, keys: &[Value], ctx: &mut OperationContext) -> Result<Value, Failure> {
    match types::access::access_type(ty, keys, ctx.env) {
        Ok(value) => Ok(value),
        Err(error) if error.code == Code::UnknownResource => {
            Ok(Value::unknown(Type::Any, Origin::MissingDefinition))
        }
        Err(error) => {
            Err(Failure::new(error.code, error.message)
                .at(error.argument.map_or(Side::Whole, Side::Argument)))
        }
    }
}
