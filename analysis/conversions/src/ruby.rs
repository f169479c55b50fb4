//! Ruby's view of Puppet values. Functions of the 3.x API are Ruby methods and expose it.

use types::display::expanded_type_text;
use types::text::plain_text;
use types::{Type, TypeEnvironment, Value};

/// Evaluates `value.to_s` in functions of the 3.x API. Returns `None` if the result is unknown.
pub fn to_s(value: &Value, env: &dyn TypeEnvironment) -> Option<String> {
    Some(match value {
        Value::Array(_) | Value::Hash(_) => inspect(value, env)?,
        Value::Type(ty) => match resource_reference(ty) {
            Some((type_name, title)) => format!("{type_name}[{title}]"),
            None => expanded_type_text(ty, env),
        },
        Value::Unknown(_) | Value::Iterator(_) => return None,
        other => plain_text(other, env).ok()?,
    })
}

/// Evaluates `value.to_s` in functions of the 4.x API and in templates, which receive types and references
/// unconverted.
pub fn modern_to_s(value: &Value, env: &dyn TypeEnvironment) -> Option<String> {
    match value {
        Value::Type(ty) if !ty.is_resource_object() => Some(expanded_type_text(ty, env)),
        other => to_s(other, env),
    }
}

/// Evaluates `value.inspect`. Returns `None` if the result is unknown.
pub fn inspect(value: &Value, env: &dyn TypeEnvironment) -> Option<String> {
    Some(match value {
        Value::Undef => "nil".to_owned(),
        Value::Default => ":default".to_owned(),
        Value::String(text) => inspect_text(text),
        Value::Regexp(regexp) => regexp.to_delimited_text(),
        Value::Array(elements) => {
            let parts: Option<Vec<String>> = elements.iter().map(|element| inspect(element, env)).collect();
            format!("[{}]", parts?.join(", "))
        }
        Value::Hash(entries) => {
            let parts: Option<Vec<String>> = entries
                .iter()
                .map(|(key, value)| Some(format!("{}=>{}", inspect(key, env)?, inspect(value, env)?)))
                .collect();
            format!("{{{}}}", parts?.join(", "))
        }
        Value::Type(ty) => {
            let (type_name, title) = resource_reference(ty)?;
            let attribute = match type_name.as_str() {
                "File" => "path",
                _ => "name",
            };
            format!("{type_name}[{title}]{{:{attribute}=>{}}}", inspect_text(&title))
        }
        Value::Sensitive(_) => "#<Sensitive [value redacted]>".to_owned(),
        Value::Boolean(_) | Value::Integer(_) | Value::WideInteger(_) | Value::Float(_) => to_s(value, env)?,
        // Ruby prints addresses of objects and similar details.
        _ => return None,
    })
}

/// Returns type and title of the resource that Ruby code receives for a reference.
fn resource_reference(ty: &Type) -> Option<(String, String)> {
    match ty {
        Type::Class(Some(name)) => {
            Some(("Class".to_owned(), types::display::capitalized_segments(name).to_string()))
        }
        Type::Resource(resource) => {
            let type_name = resource.type_name.as_ref()?;
            Some((type_name.to_string(), resource.title.as_deref().unwrap_or_default().to_owned()))
        }
        _ => None,
    }
}

/// Quotes a string like Ruby's `String#inspect`.
pub fn inspect_text(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '#' if matches!(chars.peek(), Some('{' | '$' | '@')) => out.push_str("\\#"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\x0b' => out.push_str("\\v"),
            '\x0c' => out.push_str("\\f"),
            '\x07' => out.push_str("\\a"),
            '\x08' => out.push_str("\\b"),
            '\x1b' => out.push_str("\\e"),
            '\u{85}' => out.push(c),
            '\0'..='\x1f' | '\x7f'..='\u{9f}' | '\u{2028}' | '\u{2029}' => {
                out.push_str(&format!("\\u{:04X}", u32::from(c)));
            }
            _ => out.push(c),
        }
    }
    out.push('"');
    out
}

/// Evaluates `text.to_i`: parses the leading number, or returns 0. Saturates at the limits of `i128`.
pub fn text_to_i(text: &str) -> i128 {
    let text = text.trim_start_matches(is_space);
    let (is_negative, digits) = match text.as_bytes().first() {
        Some(b'-') => (true, &text[1..]),
        Some(b'+') => (false, &text[1..]),
        _ => (false, text),
    };
    let mut number: i128 = 0;
    let mut after_digit = false;
    for byte in digits.bytes() {
        match byte {
            b'0'..=b'9' => {
                number = number.saturating_mul(10).saturating_add(i128::from(byte - b'0'));
                after_digit = true;
            }
            b'_' if after_digit => after_digit = false,
            _ => break,
        }
    }
    if is_negative { -number } else { number }
}

/// Evaluates `text.to_f`: parses the leading number, or returns 0.
pub fn text_to_f(text: &str) -> f64 {
    let bytes = text.trim_start_matches(is_space).as_bytes();
    let mut number = String::new();
    let mut at = 0;
    if let Some(sign @ (b'-' | b'+')) = bytes.first() {
        number.push(char::from(*sign));
        at = 1;
    }
    let whole = digits(bytes, &mut at, &mut number);
    if bytes.get(at) == Some(&b'.') && bytes.get(at + 1).is_some_and(u8::is_ascii_digit) {
        at += 1;
        if !whole {
            number.push('0');
        }
        number.push('.');
        digits(bytes, &mut at, &mut number);
    } else if !whole {
        return 0.0;
    }
    if let Some(b'e' | b'E') = bytes.get(at) {
        let mut exponent = String::from("e");
        let mut end = at + 1;
        if let Some(sign @ (b'-' | b'+')) = bytes.get(end) {
            exponent.push(char::from(*sign));
            end += 1;
        }
        if digits(bytes, &mut end, &mut exponent) {
            number.push_str(&exponent);
        }
    }
    number.parse().unwrap_or(0.0)
}

/// Moves digits, optionally separated by single underscores, to `out`. Returns true if there were any.
fn digits(bytes: &[u8], at: &mut usize, out: &mut String) -> bool {
    let start = out.len();
    loop {
        match bytes.get(*at) {
            Some(digit) if digit.is_ascii_digit() => out.push(char::from(*digit)),
            Some(b'_') if out.len() > start && bytes.get(*at + 1).is_some_and(u8::is_ascii_digit) => {}
            _ => return out.len() > start,
        }
        *at += 1;
    }
}

fn is_space(c: char) -> bool {
    matches!(c, ' ' | '\t'..='\r')
}

/// Evaluates `array.join(separator)`, including nested arrays. Returns `None` if the result is unknown.
pub fn join(elements: &[Value], separator: &str, env: &dyn TypeEnvironment) -> Option<String> {
    let mut out = String::new();
    for (index, element) in elements.iter().enumerate() {
        if index > 0 {
            out.push_str(separator);
        }
        match element {
            Value::Array(inner) => out.push_str(&join(inner, separator, env)?),
            other => out.push_str(&to_s(other, env)?),
        }
    }
    Some(out)
}

/// Evaluates `array.flatten`.
pub fn flatten(elements: &[Value]) -> Vec<Value> {
    let mut out = Vec::with_capacity(elements.len());
    flatten_into(elements, &mut out);
    out
}

fn flatten_into(elements: &[Value], out: &mut Vec<Value>) {
    for element in elements {
        match element {
            Value::Array(inner) => flatten_into(inner, out),
            other => out.push(other.clone()),
        }
    }
}

/// Returns the name of the value's Ruby class for messages.
pub fn class_name(value: &Value) -> &'static str {
    match value {
        Value::Undef => "undef",
        Value::Default => "default",
        Value::Boolean(_) => "a Boolean",
        Value::Integer(_) | Value::WideInteger(_) => "an Integer",
        Value::Float(_) => "a Float",
        Value::String(_) => "a String",
        Value::Array(_) => "an Array",
        Value::Hash(_) => "a Hash",
        Value::Type(_) => "a type or reference",
        Value::Sensitive(_) => "a Sensitive",
        _ => "another kind of value",
    }
}

/// Evaluates `capitalize`: converts the first letter to title case and the others to lowercase.
pub fn capitalize(text: &str) -> String {
    let mut characters = text.chars();
    let Some(first) = characters.next() else { return String::new() };
    let mut capitalized = String::with_capacity(text.len());
    match first {
        // Digraphs have a separate title case form.
        '\u{1c4}'..='\u{1c6}' => capitalized.push('\u{1c5}'),
        '\u{1c7}'..='\u{1c9}' => capitalized.push('\u{1c8}'),
        '\u{1ca}'..='\u{1cc}' => capitalized.push('\u{1cb}'),
        '\u{1f1}'..='\u{1f3}' => capitalized.push('\u{1f2}'),
        first => {
            let mut upper = first.to_uppercase();
            capitalized.extend(upper.next());
            capitalized.extend(upper.flat_map(char::to_lowercase));
        }
    }
    capitalized.push_str(&downcase(characters.as_str()));
    capitalized
}

/// Evaluates `downcase`, which converts each character independent of its context.
pub fn downcase(text: &str) -> String {
    text.chars().flat_map(char::to_lowercase).collect()
}

/// Returns true if `a == b` in Ruby, where `600` equals `600.0`, but neither `'600'` nor a reference equals its
/// string. References are equal if they print alike.
pub fn is_equal(a: &Value, b: &Value, env: &dyn TypeEnvironment) -> bool {
    match (a, b) {
        // Ruby compares the exact values: a float that is no integer equals none.
        (Value::Integer(integer), Value::Float(float)) | (Value::Float(float), Value::Integer(integer)) => {
            float.0.fract() == 0.0 && float.0.abs() < 2_f64.powi(63) && float.0 as i64 == *integer
        }
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b.iter()).all(|(a, b)| is_equal(a, b, env))
        }
        (Value::Hash(a), Value::Hash(b)) => {
            let has_equal =
                |(key, value): (&Value, &Value)| b.get(key).is_some_and(|it| is_equal(value, it, env));
            a.len() == b.len() && a.iter().all(has_equal)
        }
        (Value::Type(_), Value::Type(_)) => to_s(a, env) == to_s(b, env),
        _ => a == b,
    }
}
