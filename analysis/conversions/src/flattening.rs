//! Flattening of nested arrays.

use types::Value;

/// Appends all elements of nested arrays to `flat`.
pub fn flatten(value: &Value, flat: &mut Vec<Value>) {
    match value {
        Value::Array(elements) => elements.iter().for_each(|element| flatten(element, flat)),
        other => flat.push(other.clone()),
    }
}

/// Flattens nested arrays of relationship targets and removes `undef`.
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

/// Flattens nested arrays. Returns any other value unchanged.
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

/// Returns true if an array contains resource objects at any depth. Such arrays are eventually flattened.
pub fn contains_resource_objects(value: &Value) -> bool {
    match value {
        Value::Array(elements) => elements.iter().any(|it| match it {
            Value::Type(ty) => ty.is_resource_object(),
            inner => contains_resource_objects(inner),
        }),
        _ => false,
    }
}
