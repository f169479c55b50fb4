//! Array functions: set operations, searching, and construction.

use codes::Code;
use conversions::ruby;
use eval::{BuiltInFunction, Call, Outcome, union_of};
use scalars::letters::LetterSet;
use scalars::regexp::Regexp;
use types::{Kinds, Origin, Type, TypeEnvironment, Value};

use super::conversions::string_to_bool;
use crate::legacy::legacy;
use crate::support::{known, open, ruby_equal};

pub(super) const TABLE: &[BuiltInFunction] = &[
    legacy(
        "concat",
        "Appends the elements of arrays, and other values, to an array.",
        &[open("(Array $first, Any +$more) >> Array", concat)],
    ),
    legacy(
        "count",
        "Counts the elements that are equal to a value; without a value, those that are neither `undef` nor an empty string.",
        &[
            known("(Variant[Array, Hash, String] $collection, Any $item = undef) >> Integer[0]", count),
            known("(Type[CatalogEntry] $reference, Any $item = undef) >> Integer[0]", count_of_reference),
        ],
    ),
    legacy(
        "delete",
        "Removes elements from an array, keys from a hash, or substrings from a string.",
        &[
            known("(Array $collection, Any $items) >> Array", delete),
            known("(Hash $collection, Any $keys) >> Hash", delete),
            known("(String $text, Any $parts) >> String", delete),
            // The first argument is checked only if something is to be deleted from it.
            known("(Any $value, Array[Any, 0, 0] $nothing) >> Any", delete),
        ],
    ),
    legacy(
        "delete_regex",
        "Removes the elements of an array, or the keys of a hash, in which a pattern matches a whole word.",
        &[
            known("(Array $collection, Any $patterns) >> Array", delete_regex),
            known("(Hash $collection, Any $patterns) >> Hash", delete_regex),
        ],
    ),
    legacy(
        "delete_undef_values",
        "Removes the `undef` values from an array or hash.",
        &[
            open("(Array $collection, Any *$more) >> Array", delete_undef_values),
            open("(Hash $collection, Any *$more) >> Hash", delete_undef_values),
        ],
    ),
    legacy(
        "difference",
        "Returns the elements of an array that are not in another.",
        &[known("(Array $first, Array $second) >> Array", difference)],
    ),
    legacy(
        "grep",
        "Returns the elements of an array that match a regular expression.",
        &[known("(Variant[Array, Hash] $array, String $pattern) >> Array", grep)],
    ),
    legacy(
        "intersection",
        "Returns the elements that are in both arrays, without duplicates.",
        &[known("(Array $first, Array $second) >> Array", intersection)],
    ),
    legacy(
        "member",
        "Returns true if an array contains a value, or all elements of another array.",
        &[known("(Array $array, Variant[String, Integer, Array] $item, Any *$more) >> Boolean", member)],
    ),
    legacy(
        "prefix",
        "Prepends a string to the elements of an array, or to the keys of a hash.",
        &[
            open(
                "(Array $array, Variant[String, Boolean[false]] $prefix = '', Any *$more) >> Array[String]",
                affix,
            ),
            open(
                "(Hash $hash, Variant[String, Boolean[false]] $prefix = '', Any *$more) >> Hash[String, Any]",
                affix,
            ),
        ],
    ),
    legacy(
        "reject",
        "Removes the elements of an array, or the keys of a hash, that match a regular expression.",
        &[
            known("(Array $array, String $pattern) >> Array", reject),
            known("(Hash $hash, String $pattern) >> Hash", reject),
        ],
    ),
    legacy(
        "reverse",
        "Reverses an array or a string.",
        &[
            known("(Array $array, Any *$more) >> Array", reverse),
            known("(String $text, Any *$more) >> String", reverse),
        ],
    ),
    legacy(
        "suffix",
        "Appends a string to the elements of an array, or to the keys of a hash.",
        &[
            open(
                "(Array $array, Variant[String, Boolean[false]] $suffix = '', Any *$more) >> Array[String]",
                affix,
            ),
            open(
                "(Hash $hash, Variant[String, Boolean[false]] $suffix = '', Any *$more) >> Hash[String, Any]",
                affix,
            ),
        ],
    ),
    legacy(
        "union",
        "Returns the elements of several arrays, without duplicates.",
        &[known("(Array $first, Array +$more) >> Array", union)],
    ),
    legacy(
        "zip",
        "Pairs the elements of two arrays by index; optionally flattened.",
        &[known(
            "(Array $first, Array $second, Variant[Boolean, String] $flatten = false, Any *$more) >> Array",
            zip,
        )],
    ),
];

fn concat(call: &mut Call) -> Outcome {
    let env = call.env();
    let has_unknown_length = call.arguments.iter().enumerate().any(|(index, argument)| {
        matches!(argument, Value::Unknown(unknown) if index == 0 || unknown.ty.kinds(env).contains(Kinds::ARRAY))
    });
    if has_unknown_length {
        let types: Vec<Type> = call.arguments.iter().map(|argument| element_type(argument, env)).collect();
        return Ok(call.unknown(Type::array_of(types::common::union(types, env))));
    }
    let mut elements = Vec::new();
    for argument in &call.arguments {
        match argument {
            Value::Array(more) => elements.extend(more.iter().cloned()),
            other => elements.push(other.clone()),
        }
    }
    call.grow(elements.len())?;
    Ok(Value::array(elements))
}

/// Returns the type of the elements that `concat` takes from an argument.
fn element_type(argument: &Value, env: &dyn TypeEnvironment) -> Type {
    match argument {
        Value::Array(elements) => union_of(elements.iter(), env),
        Value::Unknown(unknown) => element_of_type(&unknown.ty, env),
        other => types::infer::infer_set(other, env),
    }
}

fn element_of_type(ty: &Type, env: &dyn TypeEnvironment) -> Type {
    match ty {
        Type::Array(array) => array.element.clone(),
        Type::Tuple(tuple) => types::common::union(tuple.types.iter().cloned(), env),
        Type::Variant(types) => types::common::union(types.iter().map(|ty| element_of_type(ty, env)), env),
        _ if ty.kinds(env).contains(Kinds::ARRAY) => Type::Any,
        other => other.clone(),
    }
}

fn union(call: &mut Call) -> Outcome {
    let mut set = types::HashValue::default();
    let elements = call.arguments.iter().filter_map(Value::as_array).flatten();
    for element in elements {
        set.insert(element.clone(), Value::Undef);
    }
    Ok(Value::array(set.keys().cloned().collect::<Vec<_>>()))
}

fn difference(call: &mut Call) -> Outcome {
    let (first, second) = (call.argument(0).as_array(), set_of(call.argument(1)));
    let rest = first.into_iter().flatten().filter(|element| !second.contains_key(*element)).cloned();
    Ok(Value::array(rest.collect::<Vec<_>>()))
}

fn intersection(call: &mut Call) -> Outcome {
    let (first, second) = (set_of(call.argument(0)), set_of(call.argument(1)));
    let both = first.keys().filter(|element| second.contains_key(*element)).cloned();
    Ok(Value::array(both.collect::<Vec<_>>()))
}

fn set_of(array: &Value) -> types::HashValue {
    array.as_array().into_iter().flatten().map(|element| (element.clone(), Value::Undef)).collect()
}

fn member(call: &mut Call) -> Outcome {
    let items = match call.argument(1) {
        Value::Array(items) if items.is_empty() => {
            return Err(call.fail_at(1, Code::RuntimeError, "`member()` requires a value to search for"));
        }
        Value::Array(items) => items.as_slice(),
        item => std::slice::from_ref(item),
    };
    let set = set_of(call.argument(0));
    Ok(Value::Boolean(items.iter().all(|item| set.contains_key(item))))
}

/// Converts a value like Ruby's `Array(value)`.
fn to_array(value: &Value) -> Vec<Value> {
    match value {
        Value::Array(elements) => elements.to_vec(),
        Value::Hash(entries) => {
            entries.iter().map(|(key, value)| Value::array([key.clone(), value.clone()])).collect()
        }
        Value::Undef => Vec::new(),
        other => vec![other.clone()],
    }
}

fn delete(call: &mut Call) -> Outcome {
    let items = to_array(call.argument(1));
    let collection = call.argument(0).clone();
    call.step(items.len())?;
    Ok(match collection {
        Value::Array(elements) => {
            let size = elements.len().saturating_mul(items.len());
            call.step(size)?;
            let rest = elements.iter().filter(|element| !items.iter().any(|item| ruby_equal(element, item)));
            Value::array(rest.cloned().collect::<Vec<_>>())
        }
        Value::Hash(entries) => {
            let mut rest = (*entries).clone();
            for item in &items {
                rest.shift_remove(item);
            }
            Value::Hash(rest.into())
        }
        Value::String(text) => {
            let mut rest = text.to_string();
            for item in &items {
                let Some(part) = item.as_str() else {
                    return Err(call.fail_at(
                        1,
                        Code::RuntimeError,
                        "only strings can be deleted from a string",
                    ));
                };
                call.step(rest.len() / 16 + 1)?;
                if !part.is_empty() {
                    rest = rest.replace(part, "");
                }
            }
            Value::string(rest)
        }
        other => other,
    })
}

fn delete_regex(call: &mut Call) -> Outcome {
    let mut collection = call.argument(0).clone();
    for item in to_array(call.argument(1)) {
        let Some(pattern) = ruby::to_s(&item, call.env()) else { return Ok(call.unknown(Type::Any)) };
        let regexp = Regexp::new(&format!("\\b{pattern}\\b")).map_err(|error| call.refuse_pattern(&error))?;
        collection = without_matching(call, &collection, &regexp)?;
    }
    Ok(collection)
}

/// Returns the string elements that match, or all other elements.
fn matching(call: &Call, elements: &[Value], regexp: &Regexp, wanted: bool) -> Outcome<Vec<Value>> {
    let mut chosen = Vec::new();
    for element in elements {
        let is_match = match element {
            Value::String(text) => regexp.is_match(text).map_err(|error| call.refuse_pattern(&error))?,
            Value::Default => regexp.is_match("default").map_err(|error| call.refuse_pattern(&error))?,
            _ => false,
        };
        if is_match == wanted {
            chosen.push(element.clone());
        }
    }
    Ok(chosen)
}

fn pattern(call: &Call) -> Outcome<Regexp> {
    Regexp::new(call.string(1)).map_err(|error| call.refuse_pattern(&error))
}

fn grep(call: &mut Call) -> Outcome {
    let regexp = pattern(call)?;
    let elements = call.argument(0).as_array().unwrap_or_default();
    Ok(Value::array(matching(call, elements, &regexp, true)?))
}

fn reject(call: &mut Call) -> Outcome {
    let regexp = pattern(call)?;
    without_matching(call, call.argument(0), &regexp)
}

/// Returns an array without the matching elements, or a hash without the matching keys.
fn without_matching(call: &Call, collection: &Value, regexp: &Regexp) -> Outcome {
    Ok(match collection {
        Value::Array(elements) => Value::array(matching(call, elements, regexp, false)?),
        Value::Hash(entries) => {
            let keys: Vec<Value> = entries.keys().cloned().collect();
            let keys = matching(call, &keys, regexp, false)?;
            Value::hash(keys.into_iter().filter_map(|key| {
                let value = entries.get(&key)?.clone();
                Some((key, value))
            }))
        }
        other => other.clone(),
    })
}

fn delete_undef_values(call: &mut Call) -> Outcome {
    // It looked for a symbol, which Puppet has not passed since version 4.
    if super::support::is_stdlib_before(call, "5.1.0") {
        return Ok(call.argument(0).clone());
    }
    let env = call.env();
    let is_certain = |value: &Value| !matches!(value, Value::Unknown(unknown) if unknown.ty.kinds(env).contains(Kinds::UNDEF));
    let not_undef = |ty: &Type| types::narrow::exclude(ty, &Type::Undef, env);
    Ok(match call.argument(0) {
        Value::Array(elements) if elements.iter().all(is_certain) => {
            Value::array(elements.iter().filter(|element| !element.is_undef()).cloned().collect::<Vec<_>>())
        }
        Value::Hash(entries) if entries.values().all(is_certain) => Value::hash(
            entries
                .iter()
                .filter(|(_, value)| !value.is_undef())
                .map(|(key, value)| (key.clone(), value.clone())),
        ),
        other => {
            let ty = match types::infer::infer_set(other, env) {
                Type::Tuple(tuple) => {
                    Type::array_of(not_undef(&types::common::union(tuple.types.iter().cloned(), env)))
                }
                Type::Array(array) => Type::array_of(not_undef(&array.element)),
                Type::Hash(hash) => Type::hash_of(hash.key.clone(), not_undef(&hash.value)),
                ty if ty.kinds(env) == Kinds::ARRAY => Type::array_of(Type::NotUndef(None)),
                ty if ty.kinds(env) == Kinds::HASH => Type::hash_of(Type::Any, Type::NotUndef(None)),
                _ => Type::Collection(types::IntegerRange::SIZE),
            };
            call.unknown(ty)
        }
    })
}

/// Implements `prefix` and `suffix`.
fn affix(call: &mut Call) -> Outcome {
    let env = call.env();
    let affix = match call.argument(1) {
        Value::String(text) => Some(text.clone()),
        Value::Unknown(_) => None,
        _ => Some("".into()),
    };
    let is_prefix = call.function.name == "prefix";
    let with_affix = |value: &Value| match (ruby::to_s(value, env), &affix) {
        (Some(text), Some(affix)) if is_prefix => Some(Value::string(format!("{affix}{text}"))),
        (Some(text), Some(affix)) => Some(Value::string(format!("{text}{affix}"))),
        _ => None,
    };
    let origin = |call: &Call| call.arguments.iter().filter_map(Value::least_trustworthy).max();
    Ok(match call.argument(0) {
        Value::Array(elements) => {
            let origin = origin(call).unwrap_or(types::Origin::Ruby);
            let unknown = || Value::unknown(Type::STRING, origin);
            Value::array(
                elements
                    .iter()
                    .map(|element| with_affix(element).unwrap_or_else(unknown))
                    .collect::<Vec<_>>(),
            )
        }
        Value::Hash(entries) => {
            let renamed: Option<Vec<(Value, Value)>> =
                entries.iter().map(|(key, value)| Some((with_affix(key)?, value.clone()))).collect();
            match renamed {
                Some(entries) => Value::hash(entries),
                None => call.unknown(Type::hash_of(Type::STRING, Type::Any)),
            }
        }
        Value::Unknown(unknown) => {
            let ty = match &unknown.ty {
                Type::Array(array) => Type::array(Type::STRING, array.size),
                Type::Tuple(tuple) => Type::array(Type::STRING, tuple.element_count()),
                Type::Hash(hash) => Type::hash_of(Type::STRING, hash.value.clone()),
                ty if ty.kinds(env) == Kinds::ARRAY => Type::array_of(Type::STRING),
                ty if ty.kinds(env) == Kinds::HASH => Type::hash_of(Type::STRING, Type::Any),
                _ => Type::variant([Type::array_of(Type::STRING), Type::hash_of(Type::STRING, Type::Any)]),
            };
            call.unknown(ty)
        }
        _ => call.unknown(Type::Any),
    })
}

fn reverse(call: &mut Call) -> Outcome {
    Ok(match call.argument(0) {
        Value::Array(elements) => Value::array(elements.iter().rev().cloned().collect::<Vec<_>>()),
        other => Value::string(other.as_str().unwrap_or_default().chars().rev().collect::<String>()),
    })
}

fn zip(call: &mut Call) -> Outcome {
    let (first, second) =
        (call.argument(0).as_array().unwrap_or_default(), call.argument(1).as_array().unwrap_or_default());
    let is_flat = match call.arguments.get(2) {
        None | Some(Value::Boolean(false)) => false,
        Some(value) => string_to_bool(call, value)?,
    };
    let pairs = first.iter().enumerate().map(|(index, element)| {
        Value::array([element.clone(), second.get(index).cloned().unwrap_or(Value::Undef)])
    });
    let pairs: Vec<Value> = pairs.collect();
    Ok(Value::array(if is_flat { ruby::flatten(&pairs) } else { pairs }))
}

/// Rejects references: Ruby would count the members of their Ruby objects.
fn count_of_reference(_: &mut Call) -> Outcome {
    Ok(Value::unknown(Type::Any, Origin::Ruby))
}

fn count(call: &mut Call) -> Outcome {
    let item = call.arguments.get(1).filter(|item| **item != Value::Boolean(false));
    let is_counted = |value: &Value| match item {
        Some(item) => ruby_equal(value, item),
        None => !value.is_undef() && value.as_str() != Some(""),
    };
    let count = match (call.argument(0), item) {
        (Value::Array(elements), _) => elements.iter().filter(|element| is_counted(element)).count(),
        (Value::Hash(entries), _) => entries
            .iter()
            .filter(|(key, value)| is_counted(&Value::array([(*key).clone(), (*value).clone()])))
            .count(),
        (Value::String(text), Some(Value::String(set))) => {
            let set = LetterSet::read(set).map_err(|failure| call.fail_at(1, Code::RuntimeError, failure))?;
            let (text, work) = (text.clone(), text.len().saturating_mul(set.size()));
            call.step(work / 16)?;
            text.chars().filter(|c| set.contains(*c)).count()
        }
        _ => return Err(call.refuse("expected an array or hash for `count()`")),
    };
    Ok(Value::Integer(count as i64))
}
