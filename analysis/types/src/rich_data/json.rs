//! Conversion between values and JSON.

use serde_json::Value as Json;

use super::Serializer;
use crate::environment::TypeEnvironment;
use crate::text::to_notation;
use crate::value::Value;

/// Serializes a value to JSON in Puppet's rich data format.
///
/// Unknown values become `{"__ptype": "Unknown", "type": "String"}`. If a part of the value cannot be
/// serialized (a function, an iterator, a recursive type) or the value is too large, the whole value becomes
/// a string in Puppet notation. Numbers that JSON cannot represent become `null`.
pub fn to_json(value: &Value, env: &dyn TypeEnvironment) -> Json {
    match Serializer::new(env, true).serialize(value) {
        Ok(data) => json_of_data(&data),
        Err(_) => Json::String(to_notation(value, env)),
    }
}

/// Converts JSON to a value. Treats `__ptype` like any other key and turns integers wider than 64 bits into
/// floats.
pub fn from_json(json: &Json) -> Value {
    match json {
        Json::Null => Value::Undef,
        Json::Bool(value) => Value::Boolean(*value),
        Json::Number(number) => match number.as_i64() {
            Some(value) => Value::Integer(value),
            None => match number.as_u64() {
                Some(value) => Value::integer(value.into()),
                None => Value::float(number.as_f64().unwrap_or(f64::NAN)),
            },
        },
        Json::String(text) => Value::string(text.as_str()),
        Json::Array(elements) => Value::array(elements.iter().map(from_json).collect::<Vec<_>>()),
        Json::Object(entries) => {
            Value::hash(entries.iter().map(|(key, value)| (Value::string(key.as_str()), from_json(value))))
        }
    }
}

fn json_of_data(data: &Value) -> Json {
    match data {
        Value::Boolean(value) => Json::Bool(*value),
        Value::Integer(value) => Json::from(*value),
        Value::WideInteger(value) => {
            u64::try_from(**value).map_or_else(|_| Json::from(**value as f64), Json::from)
        }
        Value::Float(value) => Json::from(value.0),
        Value::String(text) => Json::String(text.to_string()),
        Value::Array(elements) => Json::Array(elements.iter().map(json_of_data).collect()),
        Value::Hash(entries) => {
            let entry = |(key, value): (&Value, &Value)| {
                (key.as_str().unwrap_or_default().to_owned(), json_of_data(value))
            };
            Json::Object(entries.iter().map(entry).collect())
        }
        _ => Json::Null,
    }
}
