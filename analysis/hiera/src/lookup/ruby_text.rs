//! Conversion of values to strings as in Ruby's `to_s`.

use std::fmt::Write;

use scalars::numbers::float_text;
use types::Value;

/// Returns the string that replaces an interpolated value; `None` if it is not known.
pub(super) fn ruby_text(value: &Value) -> Option<String> {
    Some(match value {
        Value::Undef => String::new(),
        Value::String(text) => text.to_string(),
        value => {
            let mut text = String::new();
            inspect(value, &mut text, 0)?;
            text
        }
    })
}

fn inspect(value: &Value, to: &mut String, depth: usize) -> Option<()> {
    if depth > Value::MAX_DEPTH || to.len() > 1 << 20 {
        return None;
    }
    match value {
        Value::Undef => to.push_str("nil"),
        Value::Boolean(value) => write!(to, "{value}").ok()?,
        Value::Integer(value) => write!(to, "{value}").ok()?,
        Value::Float(value) => to.push_str(&float_text(value.0)),
        Value::String(text) => quote(text, to),
        Value::Sensitive(_) => to.push_str("Sensitive [value redacted]"),
        Value::Array(elements) => {
            to.push('[');
            for (index, element) in elements.iter().enumerate() {
                to.push_str(if index > 0 { ", " } else { "" });
                inspect(element, to, depth + 1)?;
            }
            to.push(']');
        }
        Value::Hash(entries) => {
            to.push('{');
            for (index, (key, value)) in entries.iter().enumerate() {
                to.push_str(if index > 0 { ", " } else { "" });
                inspect(key, to, depth + 1)?;
                to.push_str("=>");
                inspect(value, to, depth + 1)?;
            }
            to.push('}');
        }
        _ => return None,
    }
    Some(())
}

fn quote(text: &str, to: &mut String) {
    to.push('"');
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '"' | '\\' => {
                to.push('\\');
                to.push(character);
            }
            '#' if matches!(characters.peek(), Some('{' | '$' | '@')) => to.push_str("\\#"),
            '\n' => to.push_str("\\n"),
            '\t' => to.push_str("\\t"),
            '\r' => to.push_str("\\r"),
            '\u{1b}' => to.push_str("\\e"),
            '\u{7}' => to.push_str("\\a"),
            '\u{8}' => to.push_str("\\b"),
            '\u{b}' => to.push_str("\\v"),
            '\u{c}' => to.push_str("\\f"),
            control if control < ' ' || control == '\u{7f}' => {
                to.push_str(&format!("\\x{:02X}", control as u32));
            }
            character => to.push(character),
        }
    }
    to.push('"');
}
