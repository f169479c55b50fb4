//! Functions that select a value, or convert between types.

use conversions::ruby;
use eval::{BuiltInFunction, Call, Outcome};
use types::{IntegerRange, Kinds, Type, TypeEnvironment, Value};

use super::support::lines;
use crate::legacy::legacy;
use crate::support::{known, open};

pub(super) const TABLE: &[BuiltInFunction] = &[
    legacy(
        "any2array",
        "Converts the arguments to an array; a hash becomes the array of its keys and values.",
        &[open("(Any *$values) >> Array", any2array)],
    ),
    legacy(
        "any2bool",
        "Converts a value to a Boolean: positive numbers, strings such as `yes`, and other values are true.",
        &[known("(Any +$value) >> Boolean", any2bool)],
    ),
    legacy(
        "bool2num",
        "Returns 1 for true and strings such as `yes`, 0 for false and strings such as `no`.",
        &[known("(Variant[Boolean, String] $value, Any *$more) >> Integer[0, 1]", bool2num)],
    ),
    legacy(
        "bool2str",
        "Converts a Boolean to a string.",
        &[
            known("(Boolean $value) >> Enum['false', 'true']", bool2str),
            known("(Boolean $value, String $true_text, String $false_text) >> String", bool2str),
        ],
    ),
    legacy("num2bool", "Returns true for a positive number.", &[known("(Any $number) >> Boolean", num2bool)]),
    legacy(
        "pick",
        "Returns the first value that is neither `undef` nor an empty string; fails if there is none.",
        &[open("(Any *$values) >> NotUndef", pick)],
    ),
    legacy(
        "pick_default",
        "Returns the first value that is neither `undef` nor an empty string; otherwise the last one.",
        &[open("(Any +$values) >> NotUndef", pick_default)],
    ),
    legacy(
        "str2bool",
        "Returns true for `1`, `t`, `y`, `true` and `yes`, false for `0`, `f`, `n`, `false`, `no` and an empty string.",
        &[known("(Variant[Boolean, String] $value, Any *$more) >> Boolean", str2bool)],
    ),
];

/// Returns the values that may be selected, and whether one of them certainly is.
fn candidates(values: &[Value], env: &dyn TypeEnvironment) -> (Vec<Value>, bool) {
    let empty = Type::LiteralString("".into());
    let mut candidates = Vec::new();
    for value in values {
        match value {
            Value::String(text) if text.is_empty() => {}
            Value::Unknown(unknown) => {
                if !types::assign::overlaps(&unknown.ty, &empty, env) {
                    candidates.push(value.clone());
                    return (candidates, true);
                }
                let wanted = types::narrow::exclude(&unknown.ty, &empty, env);
                if !types::assign::is_assignable(&empty, &unknown.ty, env) {
                    candidates.push(Value::unknown(wanted, unknown.origin));
                }
            }
            other => {
                candidates.push(other.clone());
                return (candidates, true);
            }
        }
    }
    (candidates, false)
}

fn joined(call: &Call, mut values: Vec<Value>) -> Value {
    match values.len() {
        0 => Value::Undef,
        1 => values.swap_remove(0),
        _ => {
            let origin =
                values.iter().filter_map(Value::least_trustworthy).max().unwrap_or(types::Origin::Join);
            eval::join_values(values, origin, call.env())
        }
    }
}

fn pick(call: &mut Call) -> Outcome {
    let (candidates, _) = candidates(&call.arguments, call.env());
    if candidates.is_empty() {
        Err(call.refuse("all arguments of `pick()` are `undef` or empty strings"))
    } else {
        Ok(joined(call, candidates))
    }
}

fn pick_default(call: &mut Call) -> Outcome {
    let Some((default, values)) = call.arguments.split_last() else { return Ok(Value::Undef) };
    let (mut candidates, is_certain) = candidates(values, call.env());
    if !is_certain {
        candidates.push(default.clone());
    }
    Ok(joined(call, candidates))
}

fn any2array(call: &mut Call) -> Outcome {
    let [value] = call.arguments.as_slice() else { return Ok(Value::array(call.arguments.clone())) };
    Ok(match value {
        Value::Array(_) => value.clone(),
        Value::String(text) if text.is_empty() && !super::support::is_stdlib_before(call, "5.0.0") => {
            Value::array([])
        }
        Value::Hash(entries) => {
            let flat: Vec<Value> =
                entries.iter().flat_map(|(key, value)| [key.clone(), value.clone()]).collect();
            Value::array(flat)
        }
        Value::Unknown(unknown) => {
            let env = call.env();
            let can_be_empty = types::assign::overlaps(&unknown.ty, &Type::LiteralString("".into()), env);
            if !unknown.ty.kinds(env).intersects(Kinds::COLLECTION) && !can_be_empty {
                return Ok(Value::array([value.clone()]));
            }
            Value::unknown(array_type(&unknown.ty, env), unknown.origin)
        }
        other => Value::array([other.clone()]),
    })
}

/// Returns the type of the arrays that `any2array` creates from instances of a type.
fn array_type(ty: &Type, env: &dyn TypeEnvironment) -> Type {
    match ty {
        Type::Array(_) | Type::Tuple(_) => ty.clone(),
        Type::Hash(hash) => Type::array_of(types::common::union([hash.key.clone(), hash.value.clone()], env)),
        Type::Variant(types) => types::common::union(types.iter().map(|ty| array_type(ty, env)), env),
        Type::LiteralString(text) if text.is_empty() => Type::array(Type::Unit, IntegerRange::exactly(0)),
        _ if ty.kinds(env).intersects(Kinds::COLLECTION) => Type::array_of(Type::Any),
        _ => Type::array(ty.clone(), IntegerRange { min: 0, max: 1 }),
    }
}

fn str2bool(call: &mut Call) -> Outcome {
    string_to_bool(call, call.argument(0)).map(Value::Boolean)
}

/// Implements `str2bool`.
pub(super) fn string_to_bool(call: &Call, value: &Value) -> Outcome<bool> {
    let text = match value {
        Value::Boolean(value) => return Ok(*value),
        Value::String(text) => text,
        other => return Err(call.refuse(format!("expected a string, found `{}`", ruby::class_name(other)))),
    };
    let ignores_case = !super::support::is_stdlib_before(call, "4.10.0");
    let is_word = |line: &str, word: &str| line == word || ignores_case && line.eq_ignore_ascii_case(word);
    let says = |words: &[&str]| lines(text).any(|line| words.iter().any(|word| is_word(line, word)));
    if says(&[""]) {
        Ok(false)
    } else if says(&["1", "t", "y", "true", "yes"]) {
        Ok(true)
    } else if says(&["0", "f", "n", "false", "no"])
        || lines(text).any(|line| line == "undef" || line == "undefined")
    {
        Ok(false)
    } else {
        Err(call.refuse(format!("`{text}` cannot be converted to a Boolean")))
    }
}

fn bool2num(call: &mut Call) -> Outcome {
    Ok(Value::Integer(string_to_bool(call, call.argument(0))?.into()))
}

fn bool2str(call: &mut Call) -> Outcome {
    let value = call.argument(0).truth() == Some(true);
    Ok(match (call.has(1), value) {
        (false, value) => Value::string(value.to_string()),
        (true, true) => call.argument(1).clone(),
        (true, false) => call.argument(2).clone(),
    })
}

fn num2bool(call: &mut Call) -> Outcome {
    is_above_zero(call, call.argument(0)).map(Value::Boolean)
}

fn is_above_zero(call: &Call, value: &Value) -> Outcome<bool> {
    match value {
        Value::Integer(number) => Ok(*number > 0),
        Value::Float(number) if number.0.is_finite() => Ok(number.0.trunc() > 0.0),
        Value::Float(_) => Err(call.refuse("expected a finite number")),
        Value::String(text) => match scalars::numbers::float_from_text(text) {
            Ok(number) if number.is_finite() => Ok(number.trunc() > 0.0),
            _ => Err(call.refuse(format!("`{text}` is not a number"))),
        },
        // The string has no numeric prefix.
        _ => Ok(false),
    }
}

fn any2bool(call: &mut Call) -> Outcome {
    let value = call.argument(0);
    let is_true = match value {
        Value::Boolean(value) => *value,
        Value::Integer(_) | Value::Float(_) => is_above_zero(call, value)?,
        Value::String(text) => match scalars::numbers::float_from_text(text) {
            Ok(_) => is_above_zero(call, value)?,
            Err(_) => string_to_bool(call, value)?,
        },
        _ => true,
    };
    Ok(Value::Boolean(is_true))
}
