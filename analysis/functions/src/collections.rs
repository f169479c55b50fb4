//! Functions on arrays and hashes. Specification: the chapters on arrays and hashes.

use eval::{BuiltInFunction, Call, Outcome, union_of};
use indexmap::{IndexMap, IndexSet};
use rustc_hash::FxBuildHasher;
use types::{HashValue, IntegerRange, Kinds, Type, Value};

use super::numbers::to_ruby_string;
use super::support::{function, known, open};

pub(super) static TABLE: &[BuiltInFunction] = &[
    function("keys", "Returns the keys of a hash.", &[open("(Hash $hsh) >> Array", keys)]),
    function("values", "Returns the values of a hash.", &[open("(Hash $hsh) >> Array", values)]),
    function(
        "flatten",
        "Returns all arguments in one array, with nested arrays flattened.",
        &[open("(Any *$args) >> Array", flatten)],
    ),
    function(
        "join",
        "Joins the elements of an array to a string, separated by a delimiter.",
        &[known("(Array $arg, String $delimiter = '') >> String", join)],
    ),
    function(
        "unique",
        "Removes duplicate elements; a block returns the value to compare. For a hash, groups the keys by their values.",
        &[
            open("(String $string, Optional[Callable[String]] &$block) >> String", unique),
            open("(Hash $hash, Optional[Callable[Any]] &$block) >> Hash", unique),
            open("(Array $array, Optional[Callable[Any]] &$block) >> Array", unique),
            open("(Iterable $iterable, Optional[Callable[Any]] &$block) >> Array", unique),
        ],
    ),
];

/// Returns the key type, the value type and the size of an unknown hash.
fn entry_types(ty: &Type) -> (Type, Type, IntegerRange) {
    match ty {
        Type::Hash(hash) => (hash.key.clone(), hash.value.clone(), hash.size),
        _ => (Type::Any, Type::Any, IntegerRange::SIZE),
    }
}

fn keys(call: &mut Call) -> Outcome {
    let ty = match call.argument(0) {
        Value::Hash(entries) => return Ok(Value::array(entries.keys().cloned().collect::<Vec<_>>())),
        Value::Unknown(unknown) => unknown.ty.clone(),
        _ => Type::Any,
    };
    Ok(call.unknown(match &ty {
        Type::Struct(members) => {
            let names = Type::enumeration(members.iter().map(|member| member.name.clone()), false);
            let element = if members.is_empty() { Type::Unit } else { names };
            Type::array(element, IntegerRange::of_struct(members))
        }
        ty => {
            let (key, _, size) = entry_types(ty);
            Type::array(key, size)
        }
    }))
}

fn values(call: &mut Call) -> Outcome {
    let ty = match call.argument(0) {
        Value::Hash(entries) => return Ok(Value::array(entries.values().cloned().collect::<Vec<_>>())),
        Value::Unknown(unknown) => unknown.ty.clone(),
        _ => Type::Any,
    };
    Ok(call.unknown(match &ty {
        Type::Struct(members) => {
            let values = types::common::union(members.iter().map(|member| member.value.clone()), call.env());
            Type::array(values, IntegerRange::of_struct(members))
        }
        ty => {
            let (_, value, size) = entry_types(ty);
            Type::array(value, size)
        }
    }))
}

fn flatten(call: &mut Call) -> Outcome {
    let arguments = call.arguments.clone();
    let mut flat = Vec::new();
    let mut unflattened = false;
    flatten_into(call, &arguments, &mut flat, &mut unflattened)?;
    if !unflattened {
        return Ok(Value::array(flat));
    }
    let env = call.env();
    let mut elements = Vec::new();
    for value in &flat {
        let ty = match value {
            Value::Unknown(unknown) if may_be_array(unknown.ty.kinds(env)) => {
                flat_element(&unknown.ty, call, 0)
            }
            value => types::infer::infer_set(value, env),
        };
        if !elements.contains(&ty) {
            elements.push(ty);
        }
    }
    Ok(call.unknown(Type::array_of(types::common::union(elements, env))))
}

fn may_be_array(kinds: Kinds) -> bool {
    kinds.intersects(Kinds::ARRAY)
}

fn flatten_into(
    call: &mut Call,
    values: &[Value],
    flat: &mut Vec<Value>,
    unflattened: &mut bool,
) -> Outcome<()> {
    for value in values {
        call.grow(flat.len())?;
        match value {
            Value::Array(elements) => flatten_into(call, elements, flat, unflattened)?,
            Value::Unknown(unknown) => {
                *unflattened |= may_be_array(unknown.ty.kinds(call.env()));
                flat.push(value.clone());
            }
            value => flat.push(value.clone()),
        }
    }
    Ok(())
}

/// Returns the element type of a flattened instance of a type.
fn flat_element(ty: &Type, call: &Call, depth: usize) -> Type {
    const MAX_DEPTH: usize = 32;
    let env = call.env();
    if depth > MAX_DEPTH {
        return Type::Any;
    }
    match ty {
        Type::Array(array) => flat_element(&array.element, call, depth + 1),
        Type::Tuple(tuple) if !tuple.types.is_empty() => {
            types::common::union(tuple.types.iter().map(|ty| flat_element(ty, call, depth + 1)), env)
        }
        Type::Variant(types) => types::common::union(
            types.iter().map(|ty| flat_element(ty, call, depth + 1)).collect::<Vec<_>>(),
            env,
        ),
        Type::Optional(Some(inner)) => Type::optional(flat_element(inner, call, depth + 1)),
        ty if !may_be_array(ty.kinds(env)) => ty.clone(),
        _ => Type::Any,
    }
}

fn join(call: &mut Call) -> Outcome {
    let elements = call.argument(0).clone();
    call.weigh(&elements)?;
    let delimiter = call.string(1).to_owned();
    let mut text = String::new();
    let mut is_first = true;
    if join_into(call, &elements, &delimiter, &mut text, &mut is_first)? {
        Ok(Value::string(text))
    } else {
        Ok(Value::unknown(Type::STRING, types::Origin::Ruby))
    }
}

/// Appends the elements of an array. Returns false if the string form of an element is unknown.
fn join_into(
    call: &mut Call,
    value: &Value,
    delimiter: &str,
    text: &mut String,
    is_first: &mut bool,
) -> Outcome<bool> {
    let Value::Array(elements) = value else { return Ok(false) };
    for element in elements.iter() {
        if let Value::Array(inner) = element
            && !inner.is_empty()
        {
            if !join_into(call, element, delimiter, text, is_first)? {
                return Ok(false);
            }
            continue;
        }
        if !std::mem::take(is_first) {
            text.push_str(delimiter);
        }
        match element {
            // An empty array is an empty part.
            Value::Array(_) => {}
            Value::String(part) => text.push_str(part),
            element => match to_ruby_string(element, call.env()) {
                Some(part) => text.push_str(&part),
                None => return Ok(false),
            },
        }
        call.grow(text.len() / 8)?;
    }
    Ok(true)
}

fn unique(call: &mut Call) -> Outcome {
    let value = call.argument(0).clone();
    if let Value::Hash(entries) = &value {
        return unique_entries(call, entries);
    }
    let elements = match &value {
        Value::String(text) => text.chars().map(|c| Value::string(c.to_string())).collect(),
        Value::Array(elements) => elements.to_vec(),
        Value::Unknown(_) => return unique_of_unknown(call, &value),
        value => {
            let elements = match types::iterate::elements(value, call.env(), usize::MAX) {
                Some(elements) => elements,
                None if !value.is_known() => return Ok(call.unknown(Type::array_of(Type::Any))),
                None => return Err(call.refuse("value is not iterable")),
            };
            let mut all = Vec::new();
            for element in elements {
                call.grow(all.len())?;
                all.push(element);
            }
            all
        }
    };
    let mut seen: IndexSet<Value, FxBuildHasher> = IndexSet::default();
    let mut kept = Vec::new();
    let mut is_certain = true;
    for element in &elements {
        call.step(1)?;
        let key = match call.block {
            Some(_) => call.call_block(std::slice::from_ref(element))?,
            None => element.clone(),
        };
        is_certain &= key.is_known();
        if seen.insert(key) {
            kept.push(element.clone());
        }
    }
    Ok(match (&value, is_certain) {
        (Value::String(_), true) => Value::string(kept.iter().filter_map(Value::as_str).collect::<String>()),
        (Value::String(_), false) => call.unknown(Type::STRING),
        (_, true) => Value::array(kept),
        (_, false) => {
            let size = IntegerRange::new(1, elements.len() as i64);
            call.unknown(Type::array(union_of(&elements, call.env()), size))
        }
    })
}

/// Groups the keys of a hash into arrays by the uniqueness of their values.
fn unique_entries(call: &mut Call, entries: &HashValue) -> Outcome {
    let mut groups: IndexMap<Value, (Vec<Value>, Vec<Value>), FxBuildHasher> = IndexMap::default();
    let mut is_certain = true;
    for (key, value) in entries.iter() {
        call.step(1)?;
        let common = match call.block {
            Some(_) => call.call_block(std::slice::from_ref(value))?,
            None => value.clone(),
        };
        is_certain &= common.is_known() && value.is_known();
        let (keys, values) = groups.entry(common).or_default();
        keys.push(key.clone());
        if !values.contains(value) {
            values.push(value.clone());
        }
    }
    if !is_certain {
        return Ok(call.unknown(Type::hash_of(Type::array_of(Type::Any), Type::array_of(Type::Any))));
    }
    Ok(Value::hash(groups.into_values().map(|(keys, values)| (Value::array(keys), Value::array(values)))))
}

fn unique_of_unknown(call: &mut Call, value: &Value) -> Outcome {
    let env = call.env();
    let Value::Unknown(unknown) = value else { return Ok(call.unknown(Type::Any)) };
    let kinds = unknown.ty.kinds(env);
    let element = types::iterate::iterated_type(&unknown.ty, env).unwrap_or(Type::Any);
    if call.block.is_some() {
        let argument = match kinds {
            Kinds::HASH => Value::unknown(entry_types(&unknown.ty).1, unknown.origin),
            kinds if kinds.intersects(Kinds::HASH) => Value::unknown(Type::Any, unknown.origin),
            _ => Value::unknown(element.clone(), unknown.origin),
        };
        call.fork(2, unknown.origin, |call, branch| match branch {
            0 => Ok(Value::Undef),
            _ => call.call_block(std::slice::from_ref(&argument)),
        })?;
    }
    let mut results = Vec::new();
    if kinds.intersects(Kinds::STRING) {
        results.push(Type::STRING);
    }
    if kinds.intersects(Kinds::HASH) {
        let (key, value, _) = entry_types(&unknown.ty);
        results.push(Type::hash_of(Type::array_of(key), Type::array_of(value)));
    }
    if kinds.intersects(Kinds::all() - Kinds::STRING - Kinds::HASH) {
        let size = types::sizes::size_of_type(&unknown.ty, env);
        results.push(Type::array(element, IntegerRange::new(size.min.min(1), size.max)));
    }
    Ok(Value::unknown(types::common::union(results, env), unknown.origin))
}
