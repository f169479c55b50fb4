//! Constructors of `Timestamp` and `Timespan`. The arguments already match a signature of the constructor.

use scalars::timespan::Timespan;
use scalars::timestamp::Timestamp;

use super::ConversionError;
use crate::ty::Type;
use crate::value::{HashValue, Origin, Value};

type ConversionResult = Result<Value, ConversionError>;

/// Converts a number of seconds to nanoseconds.
fn nanoseconds(seconds: &Value) -> Result<i128, ConversionError> {
    match seconds {
        Value::Integer(seconds) => Ok(i128::from(*seconds) * 1_000_000_000),
        Value::WideInteger(seconds) => {
            let nanoseconds = seconds.checked_mul(1_000_000_000);
            nanoseconds.ok_or_else(|| ConversionError::impossible("number of seconds is too large"))
        }
        Value::Float(seconds) if (seconds.0 * 1e9).abs() < i128::MAX as f64 => Ok((seconds.0 * 1e9) as i128),
        Value::Float(_) => Err(ConversionError::impossible("number of seconds is too large")),
        _ => Err(ConversionError::no_argument()),
    }
}

/// Returns one or more format strings.
fn formats(value: Option<&Value>) -> Option<Vec<&str>> {
    match value? {
        Value::String(format) => Some(vec![format]),
        Value::Array(formats) => Some(formats.iter().filter_map(Value::as_str).collect()),
        _ => None,
    }
}

/// Evaluates `Timestamp.new`.
pub fn timestamp(arguments: &[Value]) -> ConversionResult {
    let parse = |text: &str, formats_value: Option<&Value>, zone: Option<&Value>| {
        let formats = formats(formats_value);
        let is_single = matches!(formats_value, Some(Value::String(_)));
        Timestamp::parse(text, formats.as_deref(), is_single, zone.and_then(Value::as_str))
            .map_err(|error| ConversionError::impossible(error.to_string()))
    };
    let timestamp = match arguments {
        // The time of evaluation is unknown.
        [] => return Ok(Value::unknown(Type::Timestamp(None), Origin::Fact)),
        [Value::Hash(settings)] => {
            let string = settings.get_text("string").and_then(Value::as_str).unwrap_or_default();
            parse(string, settings.get_text("format"), settings.get_text("timezone"))?
        }
        [Value::String(string), rest @ ..] => parse(string, rest.first(), rest.get(1))?,
        [seconds, ..] => Timestamp { nanoseconds: nanoseconds(seconds)? },
    };
    Ok(Value::Timestamp(timestamp.into()))
}

/// Evaluates `Timespan.new`.
pub fn timespan(arguments: &[Value]) -> ConversionResult {
    let parse = |text: &str, formats_value: Option<&Value>| {
        Timespan::parse(text, formats(formats_value).as_deref())
            .map_err(|error| ConversionError::impossible(error.to_string()))
    };
    let timespan = match arguments {
        [Value::Hash(settings)] => match settings.get_text("string").and_then(Value::as_str) {
            Some(string) => parse(string, settings.get_text("format"))?,
            None => timespan_from_fields(settings),
        },
        [Value::String(string), rest @ ..] => parse(string, rest.first())?,
        [seconds] => Timespan { nanoseconds: nanoseconds(seconds)? },
        fields => {
            Timespan { nanoseconds: sum_of_fields(|index| fields.get(index).and_then(Value::as_integer)) }
        }
    };
    Ok(Value::Timespan(timespan.into()))
}

fn timespan_from_fields(settings: &HashValue) -> Timespan {
    const FIELDS: [&str; 7] =
        ["days", "hours", "minutes", "seconds", "milliseconds", "microseconds", "nanoseconds"];
    let nanoseconds =
        sum_of_fields(|index| settings.get_text(FIELDS.get(index)?).and_then(Value::as_integer));
    let is_negative = matches!(settings.get_text("negative"), Some(Value::Boolean(true)));
    Timespan { nanoseconds: if is_negative { -nanoseconds } else { nanoseconds } }
}

/// Returns the sum of days, hours, minutes, seconds and three kinds of fractions in nanoseconds.
fn sum_of_fields(field: impl Fn(usize) -> Option<i64>) -> i128 {
    const UNITS: [i128; 7] =
        [86_400_000_000_000, 3_600_000_000_000, 60_000_000_000, 1_000_000_000, 1_000_000, 1000, 1];
    UNITS.iter().enumerate().map(|(index, unit)| i128::from(field(index).unwrap_or(0)) * unit).sum()
}
