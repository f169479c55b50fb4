//! Functions on numbers, and functions that order values.

use std::cmp::Ordering;

use conversions::ruby;
use eval::{BuiltInFunction, Call, Exit, Outcome, union_of};
use scalars::numbers::compare_integer_and_float;
use scalars::regexp::Regexp;
use types::{Kinds, Type, TypeEnvironment, Value};
use validation::VersionDifference;

use super::support::{function, known, open};

/// Declares the overloads of `max` and `min`, which differ in the wanted ordering.
macro_rules! extremes {
    ($which:expr) => {
        &[
            open("(Numeric *$values)", |call| extreme(call, $which)),
            open("(String *$values)", |call| extreme(call, $which)),
            open("(Array[Numeric] $values, Optional[Callable[2, 2]] &$block)", |call| extreme(call, $which)),
            open("(Array[String] $values, Optional[Callable[2, 2]] &$block)", |call| extreme(call, $which)),
            open("(Array $values, Optional[Callable[2, 2]] &$block)", |call| extreme(call, $which)),
            open("(Any *$values, Callable[2, 2] &$block)", |call| extreme(call, $which)),
            open("(Any *$values)", |call| extreme(call, $which)),
        ]
    };
}

pub(super) static TABLE: &[BuiltInFunction] = &[
    function(
        "abs",
        "Returns the absolute value of a number.",
        &[open("(Numeric $val) >> Numeric", abs), known("(String $val) >> Numeric", abs_of_text)],
    ),
    function(
        "ceiling",
        "Returns the smallest integer that is not less than a number.",
        &[
            known("(Numeric $val) >> Integer", |call| rounded(call, call.argument(0).clone(), f64::ceil)),
            known("(String $val) >> Integer", |call| rounded_text(call, f64::ceil)),
        ],
    ),
    function(
        "floor",
        "Returns the largest integer that is not greater than a number.",
        &[
            known("(Numeric $val) >> Integer", |call| rounded(call, call.argument(0).clone(), f64::floor)),
            known("(String $val) >> Integer", |call| rounded_text(call, f64::floor)),
        ],
    ),
    function(
        "round",
        "Rounds a number to the nearest integer, halves away from zero.",
        &[known("(Numeric $val) >> Integer", round)],
    ),
    function(
        "compare",
        "Compares two values: returns -1, 0 or 1 if the first is less than, equal to or greater than the second.",
        &[
            known("(Numeric $a, Numeric $b) >> Integer[-1, 1]", compare),
            known("(String $a, String $b, Boolean $ignore_case = true) >> Integer[-1, 1]", compare_texts),
            known("(SemVer $a, SemVer $b) >> Integer[-1, 1]", compare),
            known("(Numeric $a, Variant[Timespan, Timestamp] $b) >> Integer[-1, 1]", compare),
            known("(Timestamp $a, Variant[Timestamp, Numeric] $b) >> Integer[-1, 1]", compare),
            known("(Timespan $a, Variant[Timespan, Numeric] $b) >> Integer[-1, 1]", compare),
        ],
    ),
    function("max", "Returns the largest of several values, or of an array.", extremes!(Ordering::Greater)),
    function("min", "Returns the smallest of several values, or of an array.", extremes!(Ordering::Less)),
    function(
        "sort",
        "Sorts the elements of an array, or the characters of a string; a block compares two of them like `compare`.",
        &[
            open("(String $string_value, Optional[Callable[2, 2]] &$block) >> String", sort_text),
            open("(Array $array_value, Optional[Callable[2, 2]] &$block) >> Array", sort_array),
        ],
    ),
];

/// Logs the warning of functions that still accept strings as numbers.
fn warn_about_string(call: &mut Call, kind: &str) {
    let name = call.function.name;
    call.warn_once(&format!(
        "The {name}() function's auto conversion of String to {kind} is deprecated - change to convert input before calling"
    ));
}

fn abs(call: &mut Call) -> Outcome {
    Ok(match call.argument(0) {
        Value::Integer(value) => match value.checked_abs() {
            Some(value) => Value::Integer(value),
            None => Value::integer(i128::from(*value).abs()),
        },
        Value::WideInteger(value) => Value::integer(value.saturating_abs()),
        Value::Float(value) => Value::float(value.0.abs()),
        value => {
            let kinds = value.kinds(call.env());
            call.unknown(
                match (kinds.intersects(Kinds::FLOAT), kinds.intersects(Kinds::INTEGER | Kinds::STRING)) {
                    (true, false) => Type::FLOAT,
                    (false, true) if !kinds.intersects(Kinds::STRING) => Type::integer(0, i64::MAX),
                    _ => Type::Numeric,
                },
            )
        }
    })
}

/// Returns an unknown integer: Ruby's integers are unbounded, the evaluator's have 128 bits.
fn out_of_range() -> Value {
    Value::unknown(Type::INTEGER, types::Origin::Bound)
}

fn abs_of_text(call: &mut Call) -> Outcome {
    warn_about_string(call, "Numeric");
    let is_line = |pattern: &str, text: &str| {
        text.lines()
            .any(|line| Regexp::new(pattern).and_then(|pattern| pattern.is_match(line)).unwrap_or(false))
    };
    let text = call.string(0);
    if is_line(r"\A-?\d+\.\d+\z", text) {
        return Ok(Value::float(ruby::text_to_f(text).abs()));
    }
    if is_line(r"\A-?\d+\z", text) {
        return Ok(Value::integer(ruby::text_to_i(text).saturating_abs()));
    }
    Err(call.refuse("string is not a decimal number"))
}

fn rounded(call: &Call, value: Value, round: fn(f64) -> f64) -> Outcome {
    match value {
        Value::Float(value) => {
            if value.0.is_finite() {
                Ok(integer_of(round(value.0)))
            } else {
                Err(call.refuse("cannot round an infinite number or NaN"))
            }
        }
        value => Ok(value),
    }
}

/// Converts a float without decimals to an integer.
fn integer_of(value: f64) -> Value {
    // Limits as floats: the upper one is one more than the largest integer.
    const LOWEST: f64 = i128::MIN as f64;
    const ABOVE_HIGHEST: f64 = i128::MAX as f64;
    if (LOWEST..ABOVE_HIGHEST).contains(&value) { Value::integer(value as i128) } else { out_of_range() }
}

fn rounded_text(call: &mut Call, round: fn(f64) -> f64) -> Outcome {
    warn_about_string(call, "Float");
    match scalars::numbers::float_from_text(call.string(0)) {
        Ok(value) => rounded(call, Value::float(value), round),
        Err(_) => Err(call.refuse(format!("argument of `{}()` is not a number", call.function.name))),
    }
}

fn round(call: &mut Call) -> Outcome {
    let value = call.argument(0).as_number().unwrap_or_default();
    let moved = if value > 0.0 { value + 0.5 } else { value - 0.5 };
    if moved.is_finite() {
        Ok(integer_of(moved.trunc()))
    } else {
        Err(call.refuse("cannot round an infinite number or NaN"))
    }
}

fn from_ordering(ordering: Ordering) -> Value {
    Value::Integer(ordering as i64)
}

fn compare(call: &mut Call) -> Outcome {
    match order(call.argument(0), call.argument(1)) {
        Some(ordering) => Ok(from_ordering(ordering)),
        None => Ok(Value::Undef),
    }
}

fn compare_texts(call: &mut Call) -> Outcome {
    let (a, b) = (call.string(0), call.string(1));
    Ok(from_ordering(match call.argument(2) {
        Value::Boolean(false) => a.cmp(b),
        _ => a
            .bytes()
            .map(|byte| byte.to_ascii_lowercase())
            .cmp(b.bytes().map(|byte| byte.to_ascii_lowercase())),
    }))
}

/// Implements Ruby's `a <=> b`; `None` for values that cannot be ordered.
fn order(a: &Value, b: &Value) -> Option<Ordering> {
    match (a, b) {
        (Value::Integer(a), Value::Integer(b)) => Some(a.cmp(b)),
        _ if a.as_number().is_some() && b.as_number().is_some() => {
            match (a.as_wide_integer(), b.as_wide_integer()) {
                (Some(a), Some(b)) => Some(a.cmp(&b)),
                (Some(a), None) => compare_integer_and_float(a, b.as_number()?),
                (None, Some(b)) => compare_integer_and_float(b, a.as_number()?).map(Ordering::reverse),
                (None, None) => a.as_number()?.partial_cmp(&b.as_number()?),
            }
        }
        (Value::String(a), Value::String(b)) => Some(a.as_bytes().cmp(b.as_bytes())),
        (Value::SemVer(a), Value::SemVer(b)) => Some(a.compare(b)),
        (Value::Timestamp(a), Value::Timestamp(b)) => Some(a.cmp(b)),
        (Value::Timespan(a), Value::Timespan(b)) => Some(a.cmp(b)),
        (Value::Timestamp(_) | Value::Timespan(_), b) if b.as_number().is_some() => {
            nanoseconds(a)?.partial_cmp(&nanoseconds(b)?)
        }
        (a, Value::Timestamp(_) | Value::Timespan(_)) if a.as_number().is_some() => {
            nanoseconds(a)?.partial_cmp(&nanoseconds(b)?)
        }
        (Value::Array(a), Value::Array(b)) => {
            for (a, b) in a.iter().zip(b.iter()) {
                match order(a, b)? {
                    Ordering::Equal => {}
                    different => return Some(different),
                }
            }
            Some(a.len().cmp(&b.len()))
        }
        (Value::Unknown(_), _) | (_, Value::Unknown(_)) => None,
        (a, b) => (a == b).then_some(Ordering::Equal),
    }
}

/// Returns a point in time, or a number of seconds, in nanoseconds.
fn nanoseconds(value: &Value) -> Option<f64> {
    const IN_A_SECOND: f64 = 1e9;
    Some(match value {
        Value::Timestamp(time) => time.nanoseconds as f64,
        Value::Timespan(time) => time.nanoseconds as f64,
        value => value.as_number()? * IN_A_SECOND,
    })
}

/// Interprets the result of a comparison block like Ruby.
fn block_ordering(call: &Call, result: &Value) -> Outcome<Ordering> {
    match result {
        Value::Integer(value) => Ok(value.cmp(&0)),
        Value::WideInteger(value) => Ok((**value).cmp(&0)),
        Value::Float(value) if !value.0.is_nan() => Ok(value.0.partial_cmp(&0.0).unwrap_or(Ordering::Equal)),
        _ => Err(call.refuse("block does not return a number")),
    }
}

/// Returns the largest or smallest argument; the first of several equal ones.
fn extreme(call: &mut Call, wanted: Ordering) -> Outcome {
    let values: Vec<Value> = match call.arguments.as_slice() {
        [Value::Array(elements)] => elements.to_vec(),
        [Value::Unknown(unknown)] if unknown.ty.kinds(call.env()).intersects(types::Kinds::ARRAY) => {
            let element = types::iterate::iterated_type(&unknown.ty, call.env()).unwrap_or(Type::Any);
            return Ok(Value::unknown(
                types::common::union([element, Type::Undef], call.env()),
                unknown.origin,
            ));
        }
        values => values.to_vec(),
    };
    if call.block.is_none() && values.is_empty() {
        return Err(call.refuse(format!("`{}()` requires at least one value", call.function.name)));
    }
    let mut values = values.into_iter();
    let Some(mut best) = values.next() else { return Ok(Value::Undef) };
    let mut passed = Vec::new();
    let mut is_certain = true;
    for value in values {
        call.step(1)?;
        let ordering = match call.block {
            Some(_) => {
                let result = call.call_block(&[value.clone(), best.clone()])?;
                if result.is_known() { Some(block_ordering(call, &result)?) } else { None }
            }
            None if !value.is_known() || !best.is_known() => None,
            None => order_leniently(call, &value, &best)?,
        };
        match ordering {
            Some(ordering) if ordering == wanted => passed.push(std::mem::replace(&mut best, value)),
            Some(_) => passed.push(value),
            None => {
                is_certain = false;
                passed.push(value);
            }
        }
    }
    if is_certain {
        Ok(best)
    } else {
        passed.push(best);
        Ok(call.unknown(union_of(&passed, call.env())))
    }
}

fn warn_of_any(call: &mut Call, name: &str) {
    call.warn_once(&format!(
        "The {name}() function's auto conversion of Any to String is deprecated - change to convert input before calling, or use lambda"
    ));
}

/// Returns the first character of Ruby's string form of a value, which may be known even if the rest is not.
fn first_character(value: &Value, text: Option<&str>) -> Option<char> {
    match (text, value) {
        (Some(text), _) => text.chars().next(),
        (None, Value::Array(_)) => Some('['),
        (None, Value::Hash(_)) => Some('{'),
        _ => None,
    }
}

/// Orders values like `max` and `min`: strings that look like numbers are compared as numbers, other values
/// as strings. `None` if Ruby's string form of a value is unknown, for example because it contains an
/// address.
fn order_leniently(call: &mut Call, a: &Value, b: &Value) -> Outcome<Option<Ordering>> {
    if a.as_number().is_some() && b.as_number().is_some() {
        let ordering = order(a, b).ok_or_else(|| call.refuse("numbers cannot be compared"))?;
        return Ok(Some(ordering));
    }
    if call.evaluator.world.settings.version.has(VersionDifference::RichComparison)
        && are_of_one_rich_type(a, b)
    {
        return Ok(order(a, b));
    }
    call.weigh(a)?;
    call.weigh(b)?;
    let env = call.env();
    let (a_text, b_text) = (to_ruby_string(a, env), to_ruby_string(b, env));
    let name = call.function.name;
    let (Some(a_text), Some(b_text)) = (&a_text, &b_text) else {
        let ordering = first_character(a, a_text.as_deref())
            .zip(first_character(b, b_text.as_deref()))
            .map(|(a, b)| a.cmp(&b))
            .filter(|ordering| ordering.is_ne());
        if ordering.is_some() {
            warn_of_any(call, name);
        }
        return Ok(ordering);
    };
    if looks_like_number(a_text) && looks_like_number(b_text) {
        call.warn_once(&format!(
            "The {name}() function's auto conversion of String to Numeric is deprecated - change to convert input before calling, or use lambda"
        ));
        let (a, b) = (ruby::text_to_f(a_text), ruby::text_to_f(b_text));
        return Ok(Some(a.partial_cmp(&b).unwrap_or(Ordering::Equal)));
    }
    if a.as_str().is_none() || b.as_str().is_none() {
        warn_of_any(call, name);
    }
    Ok(Some(a_text.as_bytes().cmp(b_text.as_bytes())))
}

/// Returns true for values that version 8 compares by value, and version 7 as strings.
fn are_of_one_rich_type(a: &Value, b: &Value) -> bool {
    matches!(
        (a, b),
        (Value::SemVer(_), Value::SemVer(_))
            | (Value::Timespan(_), Value::Timespan(_))
            | (Value::Timestamp(_), Value::Timestamp(_))
    )
}

/// Returns the result of Ruby's `to_s` for a value passed to a function of the 4.x API.
pub(super) fn to_ruby_string(value: &Value, env: &dyn TypeEnvironment) -> Option<String> {
    match value {
        Value::Type(ty) => Some(types::display::expanded_type_text(ty, env)),
        value => ruby::to_s(value, env),
    }
}

fn looks_like_number(text: &str) -> bool {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let text = text.strip_prefix('-').unwrap_or(text);
    match text.find(['.', '_', 'e', 'E']) {
        Some(at) => digits(&text[..at]) && digits(&text[at + 1..]),
        None => digits(text),
    }
}

fn sort_text(call: &mut Call) -> Outcome {
    let Value::String(text) = call.argument(0).clone() else {
        return sort_unknown(call);
    };
    let characters = text.chars().map(|c| Value::string(c.to_string())).collect();
    let Some(sorted) = sorted(call, characters)? else { return Ok(call.unknown(Type::STRING)) };
    Ok(Value::string(sorted.iter().filter_map(Value::as_str).collect::<String>()))
}

fn sort_array(call: &mut Call) -> Outcome {
    let elements = match call.argument(0) {
        Value::Array(elements) => elements.to_vec(),
        _ => return sort_unknown(call),
    };
    if elements.iter().all(Value::is_known)
        && let Some(sorted) = sorted(call, elements.clone())?
    {
        return Ok(Value::array(sorted));
    }
    let size = types::IntegerRange::exactly(elements.len() as i64);
    Ok(call.unknown(Type::array(union_of(&elements, call.env()), size)))
}

/// Returns a permutation of an unknown array: same length, same types.
fn sort_unknown(call: &mut Call) -> Outcome {
    let env = call.env();
    let Value::Unknown(unknown) = call.argument(0).clone() else { return Ok(call.unknown(Type::Any)) };
    let kinds = unknown.ty.kinds(env);
    let sorted_text = Type::String(types::sizes::size_of_type(&unknown.ty, env));
    let element = types::iterate::iterated_type(&unknown.ty, env).unwrap_or(Type::Any);
    if call.block.is_some() {
        let element = Value::unknown(element.clone(), unknown.origin);
        call.fork(2, unknown.origin, |call, branch| match branch {
            0 => Ok(Value::Undef),
            _ => call.call_block(&[element.clone(), element.clone()]),
        })?;
    }
    let sorted_array = Type::array(element, types::sizes::size_of_type(&unknown.ty, env));
    let ty = match (kinds.intersects(types::Kinds::STRING), kinds.intersects(types::Kinds::ARRAY)) {
        (true, false) => sorted_text,
        (false, true) => sorted_array,
        _ => types::common::union([Type::STRING, Type::array_of(Type::Any)], env),
    };
    Ok(Value::unknown(ty, unknown.origin))
}

/// Sorts by merging, which calls the block for the same pairs as Ruby, in the same order. The sort is stable.
/// Returns `None` if the block returned something unknown.
fn sorted(call: &mut Call, elements: Vec<Value>) -> Outcome<Option<Vec<Value>>> {
    if elements.len() < 2 {
        return Ok(Some(elements));
    }
    let mut first = elements;
    let second = first.split_off(first.len() / 2);
    let (Some(first), Some(second)) = (sorted(call, first)?, sorted(call, second)?) else { return Ok(None) };
    let mut merged = Vec::with_capacity(first.len() + second.len());
    let (mut first, mut second) = (first.into_iter().peekable(), second.into_iter().peekable());
    while let (Some(a), Some(b)) = (first.peek(), second.peek()) {
        call.step(1)?;
        let ordering = match call.block {
            Some(_) => {
                let result = call.call_block(&[a.clone(), b.clone()])?;
                if !result.is_known() {
                    return Ok(None);
                }
                block_ordering(call, &result)?
            }
            None => order(a, b).ok_or_else(|| incomparable(call, a, b))?,
        };
        merged.extend(if ordering == Ordering::Greater { second.next() } else { first.next() });
    }
    merged.extend(first);
    merged.extend(second);
    Ok(Some(merged))
}

fn incomparable(call: &Call, a: &Value, b: &Value) -> Exit {
    let env = call.env();
    let type_of = |value| types::display::type_text(&types::infer::infer_generic(value, env), env);
    call.refuse(format!("`{}` and `{}` cannot be ordered", type_of(a), type_of(b)))
}
