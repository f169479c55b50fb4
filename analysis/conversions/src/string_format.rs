//! String conversion with formats, as in `String.new(value, formats)`.

mod containers;
mod format;
mod single_values;

use std::cell::Cell;

use scalars::sprintf::Argument;
use types::infer::infer_set;
use types::text::{DEPTH_LIMIT, TEXT_LIMIT, VALUE_LIMIT};
use types::{TypeEnvironment, Value};

pub use self::format::FormatError;
use self::format::{FormatMap, ValueFormat, any_array, any_hash, parse_format};

/// Formats `value`. `formats` is `None` or `default` for the default formats, a string for the value itself,
/// or a hash of types to formats.
pub fn format_value(
    value: &Value,
    formats: Option<&Value>,
    env: &dyn TypeEnvironment,
) -> Result<String, FormatError> {
    let given = match formats {
        None | Some(Value::Default) => None,
        Some(Value::String(text)) => {
            let key = match value {
                Value::Array(_) => any_array(),
                Value::Hash(_) => any_hash(),
                value => infer_set(value, env),
            };
            Some(FormatMap::single(key, parse_format(text)?))
        }
        Some(Value::Hash(formats)) => Some(FormatMap::from_hash(formats)?),
        Some(Value::Unknown(unknown)) => return Err(FormatError::Unknown(unknown.origin)),
        Some(_) => {
            return Err(FormatError::new(
                "formats must be a string, a hash of types to formats, or `default`".into(),
            ));
        }
    };
    let defaults = FormatMap::default_formats();
    let formats = match given {
        Some(given) => defaults.merge(&given, env),
        None => defaults.clone(),
    };
    let converter = FormatConverter { env, budget: Cell::new(VALUE_LIMIT) };
    let text =
        converter.convert(value, &formats, Indentation { level: 0, is_first: true, is_indenting: false })?;
    if text.len() > TEXT_LIMIT { Err(FormatError::TooLong) } else { Ok(text) }
}

struct FormatConverter<'e> {
    env: &'e dyn TypeEnvironment,
    /// Number of values that may still be visited.
    budget: Cell<usize>,
}

/// Position of a value within containers.
#[derive(Clone, Copy)]
struct Indentation {
    level: usize,
    is_first: bool,
    is_indenting: bool,
}

impl Indentation {
    fn subsequent(self) -> Indentation {
        Indentation { is_first: false, ..self }
    }

    fn indenting(self, is_indenting: bool) -> Indentation {
        Indentation { is_indenting, ..self }
    }

    fn increase(self, is_indenting: bool) -> Indentation {
        Indentation { level: self.level + 1, is_first: true, is_indenting }
    }

    /// Returns true if the value starts on a new line.
    fn breaks(self) -> bool {
        self.is_indenting && self.level > 0 && !self.is_first
    }

    fn padding(self) -> String {
        "  ".repeat(self.level)
    }
}

impl FormatConverter<'_> {
    /// Formats a value with the formats of its position.
    fn convert(
        &self,
        value: &Value,
        formats: &FormatMap,
        indentation: Indentation,
    ) -> Result<String, FormatError> {
        let Some(budget) = self.budget.get().checked_sub(1) else { return Err(FormatError::TooLong) };
        self.budget.set(budget);
        if indentation.level > DEPTH_LIMIT {
            return Err(FormatError::TooLong);
        }
        match value {
            Value::Array(elements) => self.array(value, elements, formats, indentation),
            Value::Hash(entries) => self.hash(value, entries, formats, indentation),
            Value::Iterator(iterator) => {
                let elements = types::text::iterator_elements(iterator, self.env)?;
                self.convert(&Value::array(elements), formats, indentation)
            }
            Value::Object(object) => self.object(value, object, formats, indentation),
            Value::Uri(uri) => self.uri(value, &uri.to_string(), formats, indentation),
            Value::Unknown(unknown) => Err(FormatError::Unknown(unknown.origin)),
            value => self.scalar(value, &formats.format_of(value, self.env)),
        }
    }
}

/// Calls Ruby's `format` with one argument.
fn ruby_format(format: &str, argument: Argument<'_>) -> Result<String, FormatError> {
    scalars::sprintf::format(format, &[argument]).map_err(|error| FormatError::new(error.to_string()))
}

/// Formats a string. `inspected` is the result of Ruby's `inspect`.
fn format_text(format: &str, text: &str, inspected: &str) -> Result<String, FormatError> {
    ruby_format(format, Argument::Text { text, inspect: inspected, is_string: true })
}

/// Applies only width, precision and left alignment.
fn pad(format: &ValueFormat, text: String) -> Result<String, FormatError> {
    let text = match format.precision {
        Some(precision) => text.chars().take(precision).collect(),
        None => text,
    };
    let length = text.chars().count();
    let Some(missing) = format.width.and_then(|width| width.checked_sub(length)) else { return Ok(text) };
    if missing > TEXT_LIMIT {
        return Err(FormatError::TooLong);
    }
    let padding = " ".repeat(missing);
    Ok(if format.left { text + &padding } else { padding + &text })
}
