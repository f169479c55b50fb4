//! YAML serialization as in Ruby, for values that Puppet can represent.

use rustc_hash::FxHashMap;
use types::Value;

use super::printing::TEXT_LIMIT;
use super::value::{Object, Ruby, Stop, unsupported};

/// Evaluates `object.to_yaml`.
pub(super) fn document(object: &Object) -> Ruby<String> {
    let value = data(object, &mut FxHashMap::default(), 0)?;
    let layout = hiera::yaml::YamlFormat { indentation: None, line_width: None };
    hiera::yaml::write(&value, layout, TEXT_LIMIT).map_or_else(unsupported, Ok)
}

/// Converts an object to a value. Shared objects remain shared: YAML writes them once, with an anchor.
fn data(object: &Object, made: &mut FxHashMap<usize, Value>, depth: usize) -> Ruby<Value> {
    if depth > Value::MAX_DEPTH / 2 {
        return unsupported();
    }
    let address = match object {
        Object::Array(array) => std::rc::Rc::as_ptr(array).addr(),
        Object::Hash(hash) => std::rc::Rc::as_ptr(hash).addr(),
        Object::Unknown(origin) => return Err(Stop::Unknown(*origin)),
        Object::Nil | Object::Boolean(_) | Object::Integer(_) | Object::Float(_) | Object::Text(_) => {
            return object.to_puppet();
        }
        _ => return unsupported(),
    };
    if let Some(known) = made.get(&address) {
        return Ok(known.clone());
    }
    let value = match object {
        Object::Array(array) => {
            let elements = array.elements.borrow();
            let elements: Ruby<Vec<Value>> = elements.iter().map(|it| data(it, made, depth + 1)).collect();
            Value::array(elements?)
        }
        Object::Hash(hash) => {
            let mut entries = Vec::new();
            for (key, value) in hash.entries.borrow().iter() {
                entries.push((data(&key.0, made, depth + 1)?, data(value, made, depth + 1)?));
            }
            Value::hash(entries)
        }
        _ => return unsupported(),
    };
    made.insert(address, value.clone());
    Ok(value)
}
