//! `to_s` and `inspect`.

use conversions::ruby;
use scalars::numbers::float_text;
use types::{TypeEnvironment, Value};

use super::value::{Object, Ruby, RubyRegexp, Stop, unsupported};

/// Maximum length of a string, in bytes.
pub(super) const TEXT_LIMIT: usize = 4 << 20;

/// Evaluates `object.to_s`.
pub(super) fn to_s(object: &Object, env: &dyn TypeEnvironment) -> Ruby<String> {
    Ok(match object {
        Object::Nil => String::new(),
        Object::Boolean(value) => value.to_string(),
        Object::Integer(value) => value.to_string(),
        Object::Float(value) => float_text(*value),
        Object::Constant(path) if !super::methods::constants::is_known(path) => return unsupported(),
        Object::Symbol(name) | Object::Constant(name) => name.to_string(),
        Object::Text(text) => text.content.borrow().clone(),
        Object::Array(_) | Object::Hash(_) => inspect(object, env)?,
        Object::Range(range) => {
            let dots = if range.is_exclusive { "..." } else { ".." };
            format!("{}{dots}{}", to_s(&range.first, env)?, to_s(&range.last, env)?)
        }
        Object::Pattern(pattern) => pattern_text(pattern),
        Object::Match(found) => found.text[found.captures.range()].to_owned(),
        Object::Foreign(value) => match ruby::modern_to_s(value, env) {
            Some(text) => text,
            None => return unsupported(),
        },
        Object::Unknown(origin) => return Err(Stop::Unknown(*origin)),
        Object::Error(error) if error.is_exact => error.message.clone(),
        Object::Address(address) => address.text(),
        Object::Uri(uri) => uri.to_string(),
        Object::Enumerator(_)
        | Object::Module(_)
        | Object::Instance(_)
        | Object::Error(_)
        | Object::Proc(_)
        | Object::Set(_)
        | Object::Bytes(_)
        | Object::Version(_)
        | Object::WideInteger(_)
        | Object::Partial(_)
        | Object::Compiler(_)
        | Object::Scope
        | Object::Variables
        | Object::Main => return unsupported(),
    })
}

/// Returns the notation of a pattern inside another one.
pub(super) fn pattern_text(pattern: &RubyRegexp) -> String {
    let off: String = "mix".chars().filter(|letter| !pattern.options.contains(*letter)).collect();
    let dash = if off.is_empty() { "" } else { "-" };
    format!("(?{}{dash}{off}:{})", pattern.options, with_escaped_slashes(&pattern.source))
}

/// Escapes the slashes in a pattern as Ruby does.
fn with_escaped_slashes(source: &str) -> String {
    let mut out = String::with_capacity(source.len());
    let mut is_escaped = false;
    for c in source.chars() {
        if c == '/' && !is_escaped {
            out.push('\\');
        }
        out.push(c);
        is_escaped = c == '\\' && !is_escaped;
    }
    out
}

/// Evaluates `object.inspect`.
pub(super) fn inspect(object: &Object, env: &dyn TypeEnvironment) -> Ruby<String> {
    let mut out = String::new();
    inspect_into(&mut out, object, env, 0)?;
    Ok(out)
}

fn inspect_symbol(out: &mut String, name: &str) -> Ruby<()> {
    let is_plain =
        name.strip_suffix(['?', '!', '=']).unwrap_or(name).bytes().enumerate().all(|(index, byte)| {
            byte == b'_' || byte.is_ascii_alphabetic() || index > 0 && byte.is_ascii_digit()
        });
    out.push(':');
    if is_plain && !name.is_empty() && !name.starts_with(['?', '!', '=']) {
        out.push_str(name);
        return Ok(());
    }
    // Operators and variable names are not quoted either.
    let is_word = name.is_ascii() && name.contains(|c: char| c.is_ascii_alphanumeric());
    if !is_word || name.starts_with(['@', '$']) {
        return unsupported();
    }
    out.push_str(&ruby::inspect_text(name));
    Ok(())
}

fn inspect_into(out: &mut String, object: &Object, env: &dyn TypeEnvironment, depth: u32) -> Ruby<()> {
    // An array may contain itself.
    if depth > 256 || out.len() > TEXT_LIMIT {
        return unsupported();
    }
    match object {
        Object::Nil => out.push_str("nil"),
        Object::Text(text) => out.push_str(&ruby::inspect_text(&text.content.borrow())),
        Object::Symbol(name) => inspect_symbol(out, name)?,
        Object::Array(_) | Object::Hash(_) => inspect_list(out, object, env, depth)?,
        Object::Range(range) => {
            inspect_into(out, &range.first, env, depth + 1)?;
            out.push_str(if range.is_exclusive { "..." } else { ".." });
            inspect_into(out, &range.last, env, depth + 1)?;
        }
        Object::Pattern(pattern) => {
            if pattern.source.contains('\n') {
                return unsupported();
            }
            out.push_str(&format!("/{}/{}", with_escaped_slashes(&pattern.source), pattern.options));
        }
        Object::Foreign(Value::Sensitive(_)) => out.push_str("#<Sensitive [value redacted]>"),
        Object::Boolean(_) | Object::Integer(_) | Object::Float(_) | Object::Constant(_) => {
            out.push_str(&to_s(object, env)?);
        }
        Object::Unknown(origin) => return Err(Stop::Unknown(*origin)),
        Object::Foreign(_)
        | Object::Match(_)
        | Object::Enumerator(_)
        | Object::Module(_)
        | Object::Instance(_)
        | Object::Error(_)
        | Object::Proc(_)
        | Object::Set(_)
        | Object::Bytes(_)
        | Object::Version(_)
        | Object::WideInteger(_)
        | Object::Partial(_)
        | Object::Address(_)
        | Object::Uri(_)
        | Object::Compiler(_)
        | Object::Scope
        | Object::Variables
        | Object::Main => {
            return unsupported();
        }
    }
    Ok(())
}

fn inspect_list(out: &mut String, object: &Object, env: &dyn TypeEnvironment, depth: u32) -> Ruby<()> {
    match object {
        Object::Array(array) => {
            out.push('[');
            for (index, element) in array.elements.borrow().iter().enumerate() {
                if index > 0 {
                    out.push_str(", ");
                }
                inspect_into(out, element, env, depth + 1)?;
            }
            out.push(']');
        }
        Object::Hash(hash) => {
            out.push('{');
            for (index, (key, value)) in hash.entries.borrow().iter().enumerate() {
                if index > 0 {
                    out.push_str(", ");
                }
                inspect_into(out, &key.0, env, depth + 1)?;
                out.push_str("=>");
                inspect_into(out, value, env, depth + 1)?;
            }
            out.push('}');
        }
        _ => return unsupported(),
    }
    Ok(())
}
