//! Evaluation of HOCON: expands paths, merges objects and resolves references.

use std::cell::Cell;
use std::sync::Arc;

use types::{HashValue, Value};

use super::unknown;

/// Value as written.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum HoconTree {
    /// Paths with their values; the flag is true for entries that append to a list.
    Object(Vec<(Vec<String>, HoconTree, bool)>),
    Array(Vec<HoconTree>),
    Parts(Vec<HoconPart>),
    Unknown,
}

#[derive(Clone, PartialEq, Debug)]
pub(super) enum HoconPart {
    Plain(String),
    Quoted(String),
    Blank(String),
    Value(HoconTree),
    Reference { path: Vec<String>, is_optional: bool },
}

/// Maximum length of a chain of references, which may be circular.
const MAX_CHAIN_LENGTH: usize = 32;

/// Maximum number of values (and bytes of strings) copied by references, each of which may double the size of
/// the previous one.
const MAX_COPIED_SIZE: usize = 1 << 20;

/// Evaluates a document.
pub(super) fn resolve(tree: &HoconTree) -> Value {
    // References see the whole document, so it is evaluated repeatedly with the values known so far until
    // nothing changes.
    let budget = Cell::new(MAX_COPIED_SIZE);
    let mut value = evaluate(tree, SeenByReferences { value: &Value::Hash(Arc::default()), budget: &budget });
    for _ in 0..MAX_CHAIN_LENGTH {
        let next = evaluate(tree, SeenByReferences { value: &value, budget: &budget });
        if budget.get() == 0 {
            break;
        }
        if next == value {
            return value;
        }
        value = next;
    }
    unknown()
}

/// Values visible to references, and the remaining budget for copying them.
#[derive(Clone, Copy)]
struct SeenByReferences<'a> {
    value: &'a Value,
    budget: &'a Cell<usize>,
}

impl SeenByReferences<'_> {
    /// Takes `amount` from the budget. Returns false if the budget is exhausted.
    fn take(self, amount: usize) -> bool {
        self.budget.set(self.budget.get().saturating_sub(amount));
        self.budget.get() > 0
    }
}

fn evaluate(tree: &HoconTree, root: SeenByReferences<'_>) -> Value {
    match tree {
        HoconTree::Unknown => unknown(),
        HoconTree::Array(elements) => {
            Value::array(elements.iter().map(|element| evaluate(element, root)).collect::<Vec<_>>())
        }
        HoconTree::Object(fields) => {
            let mut object = HashValue::default();
            for (path, tree, appends) in fields {
                if is_missing_optional(tree, root) {
                    continue;
                }
                let value = evaluate(tree, root);
                insert_at_path(&mut object, path, value, *appends, root);
            }
            Value::Hash(Arc::new(object))
        }
        HoconTree::Parts(parts) => join(parts, root),
    }
}

/// Returns true if the value is an optional reference (`${?x}`) to a missing value.
fn is_missing_optional(tree: &HoconTree, root: SeenByReferences<'_>) -> bool {
    match tree {
        HoconTree::Parts(parts) => match parts.as_slice() {
            [part @ HoconPart::Reference { .. }] => evaluate_part(part, root).is_none(),
            _ => false,
        },
        _ => false,
    }
}

/// Stores a value at a path. Objects are merged, any other value is replaced.
fn insert_at_path(
    object: &mut HashValue,
    path: &[String],
    value: Value,
    appends: bool,
    root: SeenByReferences<'_>,
) {
    let Some((first, rest)) = path.split_first() else { return };
    let key = Value::string(first.as_str());
    if !rest.is_empty() {
        let mut inner = HashValue::default();
        if appends && let Some(Value::Hash(old)) = object.get(&key) {
            inner = (**old).clone();
        }
        insert_at_path(&mut inner, rest, value, appends, root);
        return insert_at_path(object, &path[..1], Value::Hash(Arc::new(inner)), false, root);
    }
    let old = object.get(&key);
    let length = match old {
        Some(Value::Array(old)) if appends => old.len(),
        Some(Value::Hash(old)) => old.len(),
        _ => 0,
    };
    if !root.take(length) {
        return;
    }
    let value = match (old, value) {
        (Some(Value::Array(old)), value) if appends => {
            let mut elements = (**old).clone();
            elements.push(value);
            Value::array(elements)
        }
        (_, value) if appends => Value::array([value]),
        (Some(Value::Hash(old)), Value::Hash(new)) => Value::Hash(Arc::new(merge_objects(old, &new))),
        (_, value) => value,
    };
    object.insert(key, value);
}

/// Merges two objects. The entries of the new object come first, as in Ruby's parser.
fn merge_objects(old: &HashValue, new: &HashValue) -> HashValue {
    let mut object = HashValue::default();
    for (key, value) in new.iter() {
        let value = match (old.get(key), value) {
            (Some(Value::Hash(old)), Value::Hash(new)) => Value::Hash(Arc::new(merge_objects(old, new))),
            _ => value.clone(),
        };
        object.insert(key.clone(), value);
    }
    for (key, value) in old.iter() {
        object.entry(key.clone()).or_insert_with(|| value.clone());
    }
    object
}

fn join(parts: &[HoconPart], root: SeenByReferences<'_>) -> Value {
    if let [part] = parts {
        return evaluate_part(part, root).unwrap_or(Value::Undef);
    }
    let values: Vec<Option<Value>> = parts
        .iter()
        .map(|part| match part {
            HoconPart::Blank(_) => None,
            part => evaluate_part(part, root),
        })
        .collect();
    let present: Vec<&Value> = values.iter().flatten().collect();
    if present.iter().any(|value| matches!(value, Value::Unknown(_))) {
        return unknown();
    }
    if !present.is_empty() && present.iter().all(|value| matches!(value, Value::Hash(_))) {
        let objects = present.iter().filter_map(|value| value.as_hash());
        return Value::Hash(Arc::new(objects.fold(HashValue::default(), |all, it| merge_objects(&all, it))));
    }
    if !present.is_empty() && present.iter().all(|value| matches!(value, Value::Array(_))) {
        return Value::array(
            present.iter().filter_map(|it| it.as_array()).flatten().cloned().collect::<Vec<_>>(),
        );
    }
    let mut text = String::new();
    for (part, value) in parts.iter().zip(&values) {
        match (part, value) {
            (HoconPart::Blank(blank), _) => text.push_str(blank),
            (HoconPart::Plain(plain), _) => text.push_str(plain),
            (_, Some(value)) => match scalar_text(value) {
                Some(written) => text.push_str(&written),
                None => return unknown(),
            },
            (_, None) => {}
        }
    }
    Value::string(text)
}

fn scalar_text(value: &Value) -> Option<String> {
    Some(match value {
        Value::String(text) => text.to_string(),
        Value::Integer(number) => number.to_string(),
        Value::Boolean(truth) => truth.to_string(),
        Value::Undef => "null".to_owned(),
        _ => return None,
    })
}

/// Evaluates a part of the document; `None` for an optional reference to a missing value.
fn evaluate_part(part: &HoconPart, root: SeenByReferences<'_>) -> Option<Value> {
    Some(match part {
        HoconPart::Quoted(text) => Value::string(text.as_str()),
        HoconPart::Plain(text) => plain(text),
        HoconPart::Value(tree) => evaluate(tree, root),
        HoconPart::Blank(_) => return None,
        HoconPart::Reference { path, is_optional } => {
            let mut value = root.value;
            for segment in path {
                match value.as_hash().and_then(|hash| hash.get_text(segment)) {
                    Some(next) => value = next,
                    None if *is_optional => return None,
                    None => return Some(unknown()),
                }
            }
            let bytes = value.as_str().map_or(0, str::len);
            if !root.take(value.measure(root.budget.get()).weight + bytes) {
                return Some(unknown());
            }
            value.clone()
        }
    })
}

fn plain(text: &str) -> Value {
    match text {
        "true" => Value::Boolean(true),
        "false" => Value::Boolean(false),
        "null" => Value::Undef,
        _ if text.starts_with(|it: char| it.is_ascii_digit() || it == '-') => match text.parse::<i64>() {
            Ok(number) => Value::Integer(number),
            Err(_) => match text.parse::<f64>() {
                Ok(number) if number.fract() == 0.0 && number.abs() < 9e15 => Value::Integer(number as i64),
                Ok(number) => Value::float(number),
                Err(_) => Value::string(text),
            },
        },
        _ => Value::string(text),
    }
}
