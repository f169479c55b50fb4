//! Constructors `Array.new` and `Hash.new`, also used for `Tuple.new` and `Struct.new`.

use types::display::expanded_type_text;
use types::infer::infer_generic;
use types::iterate::elements;
use types::{HashValue, Origin, TypeEnvironment, Value};

use super::{ConversionError, ConversionErrorKind, Made};

/// Maximum number of elements in a converted array or hash.
const MAX_ELEMENTS: usize = 1 << 22;

/// Wraps a value other than an array in an array.
pub(super) fn wrapped(arguments: &[Value]) -> Made {
    Ok(match arguments.first() {
        Some(array @ Value::Array(_)) => array.clone(),
        element => Value::array(element.into_iter().cloned().collect::<Vec<_>>()),
    })
}

pub(super) fn array(arguments: &[Value], env: &dyn TypeEnvironment) -> Made {
    match arguments.first() {
        Some(array @ Value::Array(_)) => Ok(array.clone()),
        Some(Value::Hash(entries)) => {
            let pairs = entries.iter().map(|(key, value)| Value::array([key.clone(), value.clone()]));
            Ok(Value::array(pairs.collect::<Vec<_>>()))
        }
        Some(Value::Binary(bytes)) => {
            Ok(Value::array(bytes.iter().map(|byte| Value::Integer((*byte).into())).collect::<Vec<_>>()))
        }
        Some(value) => Ok(Value::array(iterated(value, env)?)),
        None => Err(ConversionError::impossible("missing value to convert to Array")),
    }
}

/// Returns all elements of an iterable value.
fn iterated(value: &Value, env: &dyn TypeEnvironment) -> Result<Vec<Value>, ConversionError> {
    let Some(elements) = elements(value, env, MAX_ELEMENTS + 1) else {
        return Err(ConversionError::impossible("value is not iterable"));
    };
    let elements: Vec<Value> = elements.collect();
    if elements.len() > MAX_ELEMENTS { Err(too_large()) } else { Ok(elements) }
}

fn too_large() -> ConversionError {
    let message = "result is too large";
    ConversionError::new(ConversionErrorKind::TooLarge, message)
}

/// Evaluates `Hash.new`. `signature` selects a tree, an array of pairs, or any other value.
pub(super) fn hash(signature: usize, arguments: &[Value], env: &dyn TypeEnvironment) -> Made {
    let made = match (signature, arguments) {
        (0, [Value::Array(entries), Value::String(option)]) => tree(entries, option == "hash_tree")?,
        (0 | 1, [Value::Array(pairs)]) => from_pairs(pairs)?,
        (_, [hash @ Value::Hash(_)]) => return Ok(hash.clone()),
        (_, [Value::Array(elements)]) if elements.is_empty() => HashValue::default(),
        (_, [Value::Array(elements)]) if elements.len() % 2 != 0 => return Err(odd_number()),
        (_, [Value::Array(elements)]) => from_flat(elements),
        (_, [value]) if elements(value, env, MAX_ELEMENTS).is_some() => from_iterable(iterated(value, env)?)?,
        (_, [value, ..]) => {
            let ty = expanded_type_text(&infer_generic(value, env), env);
            return Err(ConversionError::impossible(format!(
                "a value of type {ty} cannot be converted to Hash"
            )));
        }
        (_, []) => return Err(ConversionError::impossible("missing value to convert to Hash")),
    };
    if made.keys().any(|key| !key.is_known()) {
        let origin = made.keys().filter_map(Value::least_trustworthy).max().unwrap_or(Origin::Bound);
        return Ok(Value::unknown(types::Type::hash_of(types::Type::Any, types::Type::Any), origin));
    }
    Ok(Value::Hash(made.into()))
}

fn odd_number() -> ConversionError {
    ConversionError::impossible("odd number of keys and values for Hash")
}

/// Creates a hash from arrays of a key and an optional value.
fn from_pairs(pairs: &[Value]) -> Result<HashValue, ConversionError> {
    let mut hash = HashValue::default();
    for pair in pairs {
        match pair.as_array() {
            Some([key]) => hash.insert(key.clone(), Value::Undef),
            Some([key, value]) => hash.insert(key.clone(), value.clone()),
            _ => {
                return Err(ConversionError::impossible(
                    "each element must be an array of a key and its value",
                ));
            }
        };
    }
    Ok(hash)
}

/// Creates a hash from alternating keys and values.
fn from_flat(elements: &[Value]) -> HashValue {
    elements.chunks_exact(2).map(|pair| (pair[0].clone(), pair[1].clone())).collect()
}

/// Evaluates Ruby's `Hash[*elements]`.
fn from_iterable(elements: Vec<Value>) -> Result<HashValue, ConversionError> {
    match &elements[..] {
        [Value::Hash(hash)] => Ok((**hash).clone()),
        [Value::Array(pairs)] => from_pairs(pairs),
        elements if elements.len() % 2 == 0 => Ok(from_flat(elements)),
        _ => Err(odd_number()),
    }
}

/// Creates a tree from arrays of a path and the value at that path.
fn tree(entries: &[Value], all_hashes: bool) -> Result<HashValue, ConversionError> {
    let mut root = HashValue::default();
    let mut budget = MAX_ELEMENTS;
    for entry in entries {
        let Some([Value::Array(path), value]) = entry.as_array() else {
            return Err(ConversionError::impossible(
                "each entry of a tree must be an array of a path and a value",
            ));
        };
        let measure = value.measure(budget);
        budget = budget.checked_sub(measure.weight).ok_or_else(too_large)?;
        if path.len() + measure.depth > Value::MAX_DEPTH {
            return Err(too_large());
        }
        let Some((last, parents)) = path.split_last() else {
            merge_into_root(&mut root, value)?;
            continue;
        };
        let value = if all_hashes { array_as_hash(value) } else { value.clone() };
        let Some((first, parents)) = parents.split_first() else {
            root.insert(last.clone(), value);
            continue;
        };
        let mut node = root.entry(first.clone()).or_insert_with(empty_hash);
        for key in parents {
            node = child(node, key)?;
        }
        insert(node, last, value, &mut budget)?;
    }
    Ok(root)
}

/// Merges the value at the empty path, which is the tree itself.
fn merge_into_root(root: &mut HashValue, value: &Value) -> Result<(), ConversionError> {
    match value {
        Value::Array(elements) => {
            for (index, element) in elements.iter().enumerate() {
                root.insert(Value::Integer(index as i64), element.clone());
            }
        }
        Value::Hash(entries) => {
            for (key, value) in entries.iter() {
                root.insert(key.clone(), value.clone());
            }
        }
        _ => return Err(ConversionError::impossible("root of a tree must be an array or a hash")),
    }
    Ok(())
}

fn empty_hash() -> Value {
    Value::hash([])
}

/// Returns the node under `key`, which is created in a hash if it is missing.
fn child<'n>(node: &'n mut Value, key: &Value) -> Result<&'n mut Value, ConversionError> {
    let wrong =
        || ConversionError::impossible("path of a tree leads through a value that is not an array or hash");
    match node {
        Value::Hash(entries) => {
            Ok(std::sync::Arc::make_mut(entries).entry(key.clone()).or_insert_with(empty_hash))
        }
        Value::Array(elements) => {
            let elements = std::sync::Arc::make_mut(elements);
            let index = position(elements.len(), key)?;
            elements.get_mut(index).ok_or_else(wrong)
        }
        _ => Err(wrong()),
    }
}

fn insert(node: &mut Value, key: &Value, value: Value, budget: &mut usize) -> Result<(), ConversionError> {
    match node {
        Value::Hash(entries) => {
            std::sync::Arc::make_mut(entries).insert(key.clone(), value);
        }
        Value::Array(elements) => {
            let elements = std::sync::Arc::make_mut(elements);
            let index = position(elements.len(), key)?;
            if index >= elements.len() {
                *budget = budget.checked_sub(index - elements.len()).ok_or_else(too_large)?;
                elements.resize(index + 1, Value::Undef);
            }
            elements[index] = value;
        }
        _ => {
            return Err(ConversionError::impossible(
                "path of a tree leads into a value that is not an array or hash",
            ));
        }
    }
    Ok(())
}

/// Resolves an array index, which may count from the end.
fn position(length: usize, key: &Value) -> Result<usize, ConversionError> {
    let index = match key {
        Value::Integer(index) => *index,
        Value::Float(index) => index.0 as i64,
        _ => return Err(ConversionError::impossible("array in a tree accepts only integer keys")),
    };
    let position = if index < 0 { length as i64 + index } else { index };
    usize::try_from(position).map_err(|_| {
        ConversionError::impossible(format!("index {index} is out of bounds for an array in a tree"))
    })
}

/// Converts arrays, including nested ones, to hashes from indexes to elements.
fn array_as_hash(value: &Value) -> Value {
    match value {
        Value::Array(elements) => Value::hash(
            elements
                .iter()
                .enumerate()
                .map(|(index, element)| (Value::Integer(index as i64), array_as_hash(element))),
        ),
        value => value.clone(),
    }
}
