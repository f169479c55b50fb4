//! Nested arrays as one list.

use types::Value;

/// All elements of nested arrays.
pub fn flatten(value: &Value, flat: &mut Vec<Value>) {
    match value {
        Value::Array(elements) => elements.iter().for_each(|element| flatten(element, flat)),
        other => flat.push(other.clone()),
    }
}

/// Relationships in nested arrays are one list, without what is undef.
pub fn flat(value: &Value) -> Value {
    if let Value::Array(elements) = value
        && elements.iter().all(|it| !it.is_undef() && !matches!(it, Value::Array(_)))
    {
        return value.clone();
    }
    match flattened(value) {
        Value::Array(all) => {
            Value::array(all.iter().filter(|it| !it.is_undef()).cloned().collect::<Vec<_>>())
        }
        other => other,
    }
}

/// Nested arrays are one list; anything else is what it is.
pub fn flattened(value: &Value) -> Value {
    match value {
        Value::Array(_) => {
            let mut all = Vec::new();
            flatten(value, &mut all);
            Value::array(all)
        }
        other => other.clone(),
    }
}

/// Nested arrays with references among their elements are one list in the end.
pub fn holds_resource_objects(value: &Value) -> bool {
    match value {
        Value::Array(elements) => elements.iter().any(|it| match it {
            Value::Type(ty) => ty.is_resource_object(),
            inner => holds_resource_objects(inner),
        }),
        _ => false,
    }
}
