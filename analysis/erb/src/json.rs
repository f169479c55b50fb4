//! Values from JSON as Ruby reads it, and texts as Ruby writes them there.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use types::{HashValue, Origin, Type, Value};

/// A value read from JSON; hashes keep their order.
struct Parsed(Value);

/// The data in a JSON text; what no integer of Puppet can hold is not known.
///
/// # Errors
/// The text is no JSON.
pub fn parse_json(text: &str) -> Result<Value, serde_json::Error> {
    serde_json::from_str::<Parsed>(text).map(|parsed| parsed.0)
}

/// Writes a text as JSON has it.
pub fn write_json_text(out: &mut String, text: &str) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\x08' => out.push_str("\\b"),
            '\x0c' => out.push_str("\\f"),
            '\0'..='\x1f' => out.push_str(&format!("\\u{:04x}", u32::from(c))),
            c => out.push(c),
        }
    }
    out.push('"');
}

impl<'de> Deserialize<'de> for Parsed {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Parsed, D::Error> {
        deserializer.deserialize_any(ParsedVisitor).map(Parsed)
    }
}

struct ParsedVisitor;

impl<'de> Visitor<'de> for ParsedVisitor {
    type Value = Value;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("data")
    }

    fn visit_unit<E: Error>(self) -> Result<Value, E> {
        Ok(Value::Undef)
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Boolean(value))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Value, E> {
        Ok(Value::Integer(value))
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Value, E> {
        // Ruby has integers of any size.
        Ok(Value::integer(value.into()))
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Value, E> {
        // It may have been written as a large integer.
        Ok(match value.abs() >= i64::MAX as f64 && value.fract() == 0.0 {
            true => Value::unknown(Type::Numeric, Origin::Ruby),
            false => Value::float(value),
        })
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<Value, E> {
        Ok(Value::string(value))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<Value, A::Error> {
        let mut elements = Vec::new();
        while let Some(Parsed(element)) = access.next_element()? {
            elements.push(element);
        }
        Ok(Value::array(elements))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Value, A::Error> {
        let mut entries = HashValue::default();
        while let Some((key, Parsed(value))) = access.next_entry::<String, Parsed>()? {
            entries.insert(Value::string(key), value);
        }
        Ok(Value::Hash(entries.into()))
    }
}
