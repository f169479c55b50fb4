//! Hash functions: merging, access, and construction.

use conversions::ruby;
use eval::{BuiltInFunction, Call, Outcome, union_of};
use types::iterate::is_hash_style;
use types::{HashValue, Kinds, Type, TypeEnvironment, Value};

use crate::legacy::legacy;
use crate::support::{also, function, known, open, ruby_equal};

const MERGE_BLOCK_3: &str = "(Iterable *$args, Callable[3, 3] &$block) >> Hash";
const MERGE_BLOCK_2: &str = "(Iterable *$args, Callable[2, 2] &$block) >> Hash";

const MERGE: BuiltInFunction = function(
    "merge",
    "Merges hashes from left to right; with a block, merges its results for the elements.",
    &[
        open("(Variant[Hash[Scalar, Any], Undef, String[0, 0]] *$args) >> Hash[Scalar, Any]", merge),
        open(MERGE_BLOCK_3, merge_with_block),
        open(MERGE_BLOCK_2, merge_with_block),
    ],
);

pub(super) const TABLE: &[BuiltInFunction] = &[
    legacy(
        "deep_merge",
        "Merges hashes recursively from left to right.",
        &[open(
            "(Variant[Hash, String[0, 0]] $first, Variant[Hash, String[0, 0]] +$more) >> Hash",
            deep_merge,
        )],
    ),
    legacy(
        "delete_values",
        "Removes the entries with a value from a hash.",
        &[known("(Hash $hash, Any $value) >> Hash", delete_values)],
    ),
    legacy(
        "dig44",
        "Returns the value at a path of keys in a hash or array, or a default.",
        &[known("(Variant[Array, Hash] $data, Array $path, Any $default = undef, Any *$more) >> Any", dig44)],
    ),
    legacy(
        "has_key",
        "Returns true if a hash has a key.",
        &[open("(Hash $hash, Any $key) >> Boolean", has_key)],
    ),
    legacy(
        "hash",
        "Converts an array of alternating keys and values to a hash.",
        &[known("(Array $list, Any *$more) >> Hash", hash)],
    ),
    legacy(
        "join_keys_to_values",
        "Converts the entries of a hash to strings of key, separator and value.",
        &[known("(Hash $hash, String $separator) >> Array[String]", join_keys_to_values)],
    ),
    MERGE,
    also("stdlib::merge", MERGE),
];

fn merge(call: &mut Call) -> Outcome {
    let all_known = call.arguments.iter().all(|argument| match argument {
        Value::Hash(entries) => entries.keys().all(Value::is_known),
        other => !matches!(other, Value::Unknown(_)),
    });
    if !all_known {
        return Ok(merged_type(call));
    }
    let mut merged = HashValue::default();
    for argument in &call.arguments {
        if let Value::Hash(entries) = argument {
            merged.extend(entries.iter().map(|(key, value)| (key.clone(), value.clone())));
        }
    }
    call.grow(merged.len())?;
    Ok(Value::Hash(merged.into()))
}

/// Returns an unknown hash with the key and value types of all arguments.
fn merged_type(call: &Call) -> Value {
    let env = call.env();
    let (mut keys, mut values) = (Vec::new(), Vec::new());
    for argument in &call.arguments {
        match argument {
            Value::Hash(entries) => {
                keys.push(union_of(entries.keys(), env));
                values.push(union_of(entries.values(), env));
            }
            Value::Unknown(unknown) => add_entry_types(&unknown.ty, &mut keys, &mut values, env),
            _ => {}
        }
    }
    call.unknown(Type::hash_of(types::common::union(keys, env), types::common::union(values, env)))
}

/// Adds the key and value types of a type that may be a hash.
fn add_entry_types(ty: &Type, keys: &mut Vec<Type>, values: &mut Vec<Type>, env: &dyn TypeEnvironment) {
    match ty {
        Type::Hash(hash) => {
            keys.push(hash.key.clone());
            values.push(hash.value.clone());
        }
        Type::Variant(types) => {
            for ty in types.iter() {
                add_entry_types(ty, keys, values, env);
            }
        }
        Type::Optional(Some(inner)) | Type::NotUndef(Some(inner)) => {
            add_entry_types(inner, keys, values, env)
        }
        Type::Struct(members) => {
            keys.extend(members.iter().map(|member| Type::LiteralString(member.name.clone())));
            values.extend(members.iter().map(|member| member.value.clone()));
        }
        ty if ty.kinds(env).contains(Kinds::HASH) => {
            keys.push(Type::Scalar);
            values.push(Type::Any);
        }
        _ => {}
    }
}

/// Implements `merge` with a block, which gets the intermediate result, (the index or key, and) an element.
fn merge_with_block(call: &mut Call) -> Outcome {
    if call.arguments.len() != 1 {
        return Err(call.refuse("`merge()` with a block requires exactly one argument"));
    }
    let value = call.argument(0).clone();
    let with_index = call.block_arity(3)? == 3;
    let elements = if value.is_known() {
        types::iterate::elements(&value, call.env(), call.evaluator.world.settings.bounds.size)
    } else {
        None
    };
    let any_hash = || Type::hash_of(Type::Any, Type::Any);
    let Some(elements) = elements else {
        let so_far = call.unknown(any_hash());
        let anything = call.unknown(Type::Any);
        let arguments =
            if with_index { vec![so_far, anything.clone(), anything] } else { vec![so_far, anything] };
        call.fork(2, types::Origin::Join, |call, branch| match branch {
            0 => Ok(Value::Undef),
            _ => call.call_block(&arguments),
        })?;
        return Ok(call.unknown(any_hash()));
    };
    let by_key = is_hash_style(&value);
    let mut merged = Value::hash([]);
    for (index, element) in elements.enumerate() {
        call.step(1)?;
        let arguments = match (with_index, &element) {
            (false, _) => vec![merged.clone(), element],
            (true, Value::Array(pair)) if by_key => [&[merged.clone()], pair.as_slice()].concat(),
            (true, _) => vec![merged.clone(), Value::Integer(index as i64), element],
        };
        match (call.call_block(&arguments)?, &merged) {
            (Value::Hash(more), Value::Hash(entries)) => {
                let mut entries = (**entries).clone();
                entries.extend(more.iter().map(|(key, value)| (key.clone(), value.clone())));
                call.grow(entries.len())?;
                merged = Value::Hash(entries.into());
            }
            (Value::Unknown(unknown), _) if unknown.ty.kinds(call.env()).contains(Kinds::HASH) => {
                merged = Value::unknown(any_hash(), unknown.origin);
            }
            (Value::Hash(_), _) => merged = call.unknown(any_hash()),
            _ => {}
        }
    }
    Ok(merged)
}

fn deep_merge(call: &mut Call) -> Outcome {
    if call.arguments.iter().any(|argument| matches!(argument, Value::Unknown(_))) {
        return Ok(call.unknown(Type::hash_of(Type::Any, Type::Any)));
    }
    let mut merged = HashValue::default();
    for argument in &call.arguments {
        if let Value::Hash(entries) = argument {
            if !entries.keys().all(Value::is_known) {
                return Ok(call.unknown(Type::hash_of(Type::Any, Type::Any)));
            }
            merge_deeply(&mut merged, entries, call.env());
        }
    }
    call.grow(merged.len())?;
    Ok(Value::Hash(merged.into()))
}

fn merge_deeply(merged: &mut HashValue, entries: &HashValue, env: &dyn TypeEnvironment) {
    let is_hash = |value: &Value| value.kinds(env).contains(Kinds::HASH);
    for (key, new) in entries.iter() {
        let value = match (merged.get(key), new) {
            (Some(Value::Hash(old)), Value::Hash(new)) => {
                let mut inner = (**old).clone();
                merge_deeply(&mut inner, new, env);
                Value::Hash(inner.into())
            }
            (Some(old), new) if is_hash(old) && is_hash(new) && !(old.is_known() && new.is_known()) => {
                let origin =
                    old.least_trustworthy().max(new.least_trustworthy()).unwrap_or(types::Origin::Join);
                let any_hash = Type::hash_of(Type::Any, Type::Any);
                Value::unknown(types::common::union([types::infer::infer(new, env), any_hash], env), origin)
            }
            _ => new.clone(),
        };
        merged.insert(key.clone(), value);
    }
}

fn has_key(call: &mut Call) -> Outcome {
    Ok(match (call.argument(0), call.argument(1)) {
        (Value::Hash(entries), key) if key.is_known() && entries.keys().all(Value::is_known) => {
            Value::Boolean(entries.contains_key(key))
        }
        _ => call.unknown(Type::BOOLEAN),
    })
}

fn delete_values(call: &mut Call) -> Outcome {
    let unwanted = call.argument(1);
    let entries = call.argument(0).as_hash().into_iter().flat_map(|entries| entries.iter());
    let rest = entries.filter(|(_, value)| !ruby_equal(unwanted, value));
    Ok(Value::hash(rest.map(|(key, value)| (key.clone(), value.clone()))))
}

fn hash(call: &mut Call) -> Outcome {
    let flat = ruby::flatten(call.argument(0).as_array().unwrap_or_default());
    if let [Value::Hash(_)] = flat.as_slice() {
        return Ok(flat[0].clone());
    }
    if !flat.len().is_multiple_of(2) {
        return Err(call.refuse("odd number of elements for `hash()`"));
    }
    Ok(Value::hash(flat.chunks_exact(2).map(|pair| (pair[0].clone(), pair[1].clone()))))
}

fn join_keys_to_values(call: &mut Call) -> Outcome {
    let env = call.env();
    let separator = call.string(1);
    let mut texts = Vec::new();
    for (key, value) in call.argument(0).as_hash().into_iter().flat_map(|entries| entries.iter()) {
        let Some(key) = ruby::to_s(key, env) else { return Ok(call.unknown(Type::array_of(Type::STRING))) };
        let values = match value {
            Value::Array(values) => values.as_slice(),
            other => std::slice::from_ref(other),
        };
        for one in values {
            let Some(text) = ruby::to_s(one, env) else {
                return Ok(call.unknown(Type::array_of(Type::STRING)));
            };
            texts.push(if text == "undef" && !matches!(value, Value::Array(_)) {
                Value::string(key.as_str())
            } else {
                Value::string(format!("{key}{separator}{text}"))
            });
        }
    }
    Ok(Value::array(texts))
}

fn dig44(call: &mut Call) -> Outcome {
    let default = || if call.has(2) { call.argument(2).clone() } else { Value::Undef };
    let mut value = call.argument(0).clone();
    for key in call.argument(1).as_array().unwrap_or_default() {
        let found = match &value {
            Value::Array(elements) => index(key).and_then(|index| at(elements, index)),
            Value::Hash(entries) => entries.get(key),
            _ => None,
        };
        match found {
            Some(found) if !found.is_undef() => value = found.clone(),
            _ => return Ok(default()),
        }
    }
    Ok(value)
}

/// Converts a key like Ruby's `Integer(key)`.
pub(super) fn index(key: &Value) -> Option<i64> {
    match key {
        Value::Integer(index) => Some(*index),
        Value::Float(number) if number.0.is_finite() => Some(number.0 as i64),
        Value::String(text) => i64::try_from(scalars::numbers::integer_from_text(text, None).ok()?).ok(),
        _ => None,
    }
}

/// Returns the element at an index, counted from the end if it is negative.
pub(super) fn at(elements: &[Value], index: i64) -> Option<&Value> {
    let index = if index < 0 { index.checked_add(elements.len() as i64)? } else { index };
    elements.get(usize::try_from(index).ok()?)
}
