//! Properties of values as Ruby sees them. `None` is unknown.

use scalars::numbers::{float_from_text, float_text, integer_from_text};
use scalars::regexp::Regexp;
use smol_str::SmolStr;
use types::Value;

use crate::problem::{RuleResult, ValueProblem};

/// Compiled Ruby pattern.
macro_rules! pattern {
    ($source:literal) => {{
        static PATTERN: std::sync::LazyLock<scalars::regexp::Regexp> =
            std::sync::LazyLock::new(|| scalars::regexp::Regexp::unchecked($source));
        &*PATTERN
    }};
}
pub(crate) use pattern;

/// Returns true for values that Puppet sends to agents as they are, and that the rules know.
pub(crate) fn is_plain(value: &Value) -> bool {
    match value {
        Value::String(_) | Value::Integer(_) | Value::Float(_) | Value::Boolean(_) => true,
        Value::Array(elements) => elements.iter().all(is_plain),
        Value::Hash(entries) => entries.iter().all(|(key, value)| is_plain(key) && is_plain(value)),
        _ => false,
    }
}

/// Returns the string of a scalar, as `to_s` does.
pub(crate) fn text(value: &Value) -> Option<SmolStr> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Integer(value) => Some(value.to_string().into()),
        Value::Boolean(value) => Some(SmolStr::new_static(if *value { "true" } else { "false" })),
        Value::Float(_) => Some(float_text(value.as_number()?).into()),
        _ => None,
    }
}

/// Returns true if the pattern matches; `true` as well if the search is too expensive.
pub(crate) fn matches(pattern: &Regexp, text: &str) -> bool {
    pattern.is_match(text).unwrap_or(true)
}

/// Returns true if the value is a string that the pattern matches.
pub(crate) fn is_match(pattern: &Regexp, value: &Value) -> bool {
    value.as_str().is_some_and(|text| matches(pattern, text))
}

/// Returns the elements of an array, or the value itself.
pub(crate) fn elements(value: &Value) -> &[Value] {
    match value {
        Value::Array(elements) => elements,
        value => std::slice::from_ref(value),
    }
}

/// Returns true for an absolute path on some platform. As in Puppet, any line of the string may be one.
pub(crate) fn is_absolute_path(text: &str) -> bool {
    let windows =
        pattern!(r"(?i)^(?:(?:[A-Z]:[\\/])|(?:[\\/][\\/][^\\/]+[\\/][^\\/]+)|(?:[\\/][\\/]\?[\\/][^\\/]+))");
    text.split('\n').any(|line| line.starts_with('/')) || matches(windows, text)
}

/// Checks that a value is an absolute path.
pub(crate) fn absolute_path(value: &Value) -> RuleResult {
    match value {
        Value::String(text) if is_absolute_path(text) => Ok(()),
        value => ValueProblem::expected("an absolute path", value),
    }
}

/// Returns the integer in a string, as `Integer()` does.
pub(crate) fn integer(text: &str) -> Option<i128> {
    integer_from_text(text, None).ok()
}

/// Returns the number in a string, as `Float()` does.
pub(crate) fn float(text: &str) -> Option<f64> {
    float_from_text(text).ok()
}

/// Returns the boolean that Puppet makes of a value; `None` if it is none.
pub(crate) fn boolean(value: &Value) -> Option<bool> {
    match value {
        Value::Boolean(value) => Some(*value),
        Value::String(text) => match text.to_lowercase().as_str() {
            "true" | "yes" => Some(true),
            "false" | "no" => Some(false),
            _ => None,
        },
        _ => None,
    }
}

/// Checks that a value can be converted to a boolean.
pub(crate) fn is_boolean(value: &Value) -> RuleResult {
    match boolean(value) {
        Some(_) => Ok(()),
        None => ValueProblem::expected("`true` or `false`", value),
    }
}

/// Checks a numeric id: strings of digits are converted, other strings are names.
pub(crate) fn id(value: &Value) -> RuleResult {
    match value {
        Value::String(text) if matches(pattern!("^[-0-9]+$"), text) && integer(text).is_none() => {
            ValueProblem::expected("a number or a name", value)
        }
        _ => Ok(()),
    }
}

/// Checks that there is no whitespace in a string, and that it is not empty.
pub(crate) fn word(value: &Value) -> RuleResult {
    match value {
        Value::String(text) if text.is_empty() => ValueProblem::expected("a string that is not empty", value),
        value => no_whitespace(value),
    }
}

/// Checks that there is no whitespace in a string.
pub(crate) fn no_whitespace(value: &Value) -> RuleResult {
    if is_match(pattern!(r"\s"), value) {
        ValueProblem::expected("a string without whitespace", value)
    } else {
        Ok(())
    }
}

/// Checks that a value is a string.
pub(crate) fn string(value: &Value) -> RuleResult {
    match value {
        Value::String(_) => Ok(()),
        value => ValueProblem::expected("a string", value),
    }
}
