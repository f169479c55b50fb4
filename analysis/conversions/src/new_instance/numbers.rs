//! Constructors `Numeric.new`, `Integer.new` and `Float.new`. The arguments already match a signature.

use scalars::numbers::{Number, float_from_text, integer_from_text, number_from_text};
use types::{HashValue, Value};

use super::{ConversionError, Made};

/// Arguments of a numeric conversion.
struct NumberRequest<'a> {
    from: &'a Value,
    radix: Option<u32>,
    absolute: bool,
}

/// Reads the arguments: values for signature 0, a hash for signature 1. `radix_at` is the index of the radix
/// among the values, if they may have one.
fn request(signature: usize, arguments: &[Value], radix_at: Option<usize>) -> NumberRequest<'_> {
    static UNDEF: Value = Value::Undef;
    let radix =
        |value: Option<&Value>| value.and_then(Value::as_integer).and_then(|radix| u32::try_from(radix).ok());
    let is_true = |value: Option<&Value>| matches!(value, Some(Value::Boolean(true)));
    if let (1, Some(Value::Hash(settings))) = (signature, arguments.first()) {
        let settings: &HashValue = settings;
        return NumberRequest {
            from: settings.get_text("from").unwrap_or(&UNDEF),
            radix: radix(settings.get_text("radix")),
            absolute: is_true(settings.get_text("abs")),
        };
    }
    let absolute_at = radix_at.map_or(1, |at| at + 1);
    NumberRequest {
        from: arguments.first().unwrap_or(&UNDEF),
        radix: radix_at.and_then(|at| radix(arguments.get(at))),
        absolute: is_true(arguments.get(absolute_at)),
    }
}

pub(super) fn integer(signature: usize, arguments: &[Value]) -> Made {
    let NumberRequest { from, radix, absolute } = request(signature, arguments, Some(1));
    let number = match from {
        Value::Integer(number) => i128::from(*number),
        Value::WideInteger(number) => **number,
        Value::Float(number) if number.0.is_finite() => number.0.trunc() as i128,
        Value::Boolean(value) => i128::from(*value),
        Value::Timestamp(time) => i128::from(time.to_integer()),
        Value::Timespan(time) => i128::from(time.to_integer()),
        Value::String(text) => {
            let read = |text: &str| integer_from_text(text, radix);
            read(text).or_else(|_| read(&remove_space_after_sign(text))).map_err(|_| {
                ConversionError::impossible(format!("the string '{text}' cannot be converted to Integer"))
            })?
        }
        _ => return Err(ConversionError::impossible("the value cannot be converted to Integer")),
    };
    within_bounds(if absolute { number.saturating_abs() } else { number })
}

pub(super) fn float(signature: usize, arguments: &[Value]) -> Made {
    let NumberRequest { from, absolute, .. } = request(signature, arguments, None);
    let number = match from {
        Value::Integer(number) => *number as f64,
        Value::WideInteger(number) => **number as f64,
        Value::Float(number) => number.0,
        Value::Boolean(value) => f64::from(*value),
        Value::Timestamp(time) => time.to_float(),
        Value::Timespan(time) => time.to_float(),
        Value::String(text) => {
            let read = |text: &str| {
                if is_binary(text) {
                    integer_from_text(text, None).map(|number| number as f64)
                } else {
                    float_from_text(text)
                }
            };
            if text == "0" {
                // Puppet checks the second character if the first one is `0`.
                return Err(ConversionError::impossible(
                    "the string '0' cannot be converted to Float\nhelp: write '0.0'",
                ));
            }
            read(text).or_else(|_| read(&remove_space_after_sign(text))).map_err(|_| {
                ConversionError::impossible(format!("the string '{text}' cannot be converted to Float"))
            })?
        }
        _ => return Err(ConversionError::impossible("the value cannot be converted to Float")),
    };
    Ok(Value::float(if absolute { number.abs() } else { number }))
}

pub(super) fn numeric(signature: usize, arguments: &[Value]) -> Made {
    let NumberRequest { from, absolute, .. } = request(signature, arguments, None);
    let number = match from {
        Value::Integer(_) | Value::WideInteger(_) | Value::Float(_) => from.clone(),
        Value::Boolean(value) => Value::Integer(i64::from(*value)),
        Value::Timestamp(time) => Value::float(time.to_float()),
        Value::Timespan(time) => Value::float(time.to_float()),
        Value::String(text) => {
            let is_prefixed = is_binary(text) || text.starts_with("0x") || text.starts_with("0X");
            let number = if is_prefixed {
                Some(within_bounds(integer_from_text(text, None).map_err(|_| not_numeric(text))?)?)
            } else {
                match number_from_text(text) {
                    Some((Number::Integer(number), _)) => Some(within_bounds(number)?),
                    Some((Number::Float(number), _)) => Some(Value::float(number)),
                    None => None,
                }
            };
            number.ok_or_else(|| not_numeric(text))?
        }
        _ => return Err(ConversionError::impossible("the value cannot be converted to Numeric")),
    };
    Ok(match number {
        Value::Integer(number) if absolute => return within_bounds(i128::from(number).abs()),
        Value::WideInteger(number) if absolute => return within_bounds(number.saturating_abs()),
        Value::Float(number) if absolute => Value::float(number.0.abs()),
        number => number,
    })
}

fn not_numeric(text: &str) -> ConversionError {
    ConversionError::impossible(format!("the string '{text}' cannot be converted to Numeric"))
}

fn is_binary(text: &str) -> bool {
    text.starts_with("0b") || text.starts_with("0B")
}

/// Converts `- 1` to `-1`.
fn remove_space_after_sign(text: &str) -> String {
    match text.strip_prefix(['+', '-']) {
        Some(number) => format!("{}{}", &text[..1], number.trim_start()),
        None => text.to_owned(),
    }
}

const MAX_NEGATIVE: i128 = -i128::MAX;

/// Rejects numbers that exceed 128 bits. They were parsed to the smallest or largest 128-bit number.
fn within_bounds(number: i128) -> Made {
    match number {
        i128::MIN..=MAX_NEGATIVE | i128::MAX => {
            Err(ConversionError::impossible("integers wider than 128 bits are not supported"))
        }
        number => Ok(Value::integer(number)),
    }
}
