//! Numbers, ranges, and elements by index.

use codes::Code;
use conversions::ruby;
use eval::{BuiltInFunction, Call, Outcome};
use types::{Type, Value};

use super::support::lines;
use crate::legacy::legacy;
use crate::support::known;

/// Maximum number of elements that `range` creates.
const MAX_RANGE_ELEMENTS: usize = 1_000_000;

pub(super) const TABLE: &[BuiltInFunction] = &[
    legacy(
        "clamp",
        "Returns the middle one of three numbers: restricts a value to a range.",
        &[known("(Any +$numbers) >> Integer", clamp)],
    ),
    legacy(
        "convert_base",
        "Formats a number in another base, from 2 to 36.",
        &[known(
            "(Variant[Integer, String] $number, Variant[Integer, String] $base) >> String",
            convert_base,
        )],
    ),
    legacy(
        "delete_at",
        "Removes the element at an index from an array.",
        &[known("(Array $array, Variant[Numeric, String] $index, Any *$more) >> Array", delete_at)],
    ),
    legacy(
        "range",
        "Returns the numbers, or strings, from a first to a last one: `range(1, 5, 2)`, `range('a', 'e')`, `range('1..5')`.",
        &[
            known("(String $range) >> Array[Variant[Integer, String]]", range_of_text),
            known(
                "(Any $first, Any $last, Any $step = 1, Any *$more) >> Array[Variant[Integer, String]]",
                range,
            ),
        ],
    ),
    legacy(
        "to_bytes",
        "Converts a string with a unit, such as `'4 kB'`, to a number of bytes.",
        &[known("(Variant[Numeric, String] $size) >> Numeric", to_bytes)],
    ),
    legacy(
        "values_at",
        "Returns the elements of an array at indices: numbers, or ranges such as `'1-3'`.",
        &[known("(Array $array, Any $indices, Any *$more) >> Array[NotUndef]", values_at)],
    ),
];

fn clamp(call: &mut Call) -> Outcome {
    let mut numbers = Vec::new();
    for value in ruby::flatten(&call.arguments) {
        numbers.push(match &value {
            Value::Undef => 0,
            Value::Integer(number) => *number,
            Value::Float(number) if number.0.is_finite() => number.0 as i64,
            Value::String(text) if lines(text).any(is_digits) => {
                ruby::text_to_i(text).clamp(i64::MIN.into(), i64::MAX.into()) as i64
            }
            other => {
                return Err(call.refuse(format!(
                    "expected a number for `clamp()`, found `{}`",
                    ruby::class_name(other)
                )));
            }
        });
    }
    if numbers.len() != 3 {
        return Err(call.refuse(format!("expected three numbers for `clamp()`, found {}", numbers.len())));
    }
    numbers.sort_unstable();
    Ok(Value::Integer(numbers[1]))
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

fn convert_base(call: &mut Call) -> Outcome {
    let mut numbers = [0, 0];
    for (index, number) in numbers.iter_mut().enumerate() {
        *number = match call.argument(index) {
            Value::String(text) if lines(text).any(is_digits) => ruby::text_to_i(text),
            Value::Integer(number) => i128::from(*number),
            _ => return Err(call.fail_at(index, Code::RuntimeError, "expected an integer")),
        };
    }
    match numbers {
        [number, base @ 2..=36] => Ok(Value::string(text_in_base(number, base as u32))),
        _ => Err(call.fail_at(1, Code::RuntimeError, "base must be from 2 to 36")),
    }
}

fn text_in_base(number: i128, base: u32) -> String {
    let mut digits = Vec::new();
    let mut rest = number.unsigned_abs();
    loop {
        digits.extend(char::from_digit((rest % u128::from(base)) as u32, base));
        rest /= u128::from(base);
        if rest == 0 {
            break;
        }
    }
    if number < 0 {
        digits.push('-');
    }
    digits.into_iter().rev().collect()
}

fn delete_at(call: &mut Call) -> Outcome {
    let index = match call.argument(1) {
        Value::Integer(index) => *index,
        Value::Float(number) if number.0.is_finite() => number.0 as i64,
        Value::String(text) if lines(text).any(is_digits) => {
            i64::try_from(ruby::text_to_i(text)).unwrap_or(i64::MAX)
        }
        _ => {
            return Err(call.fail_at(1, Code::RuntimeError, "expected a non-negative integer"));
        }
    };
    let elements = call.argument(0).as_array().unwrap_or_default();
    if index > elements.len() as i64 - 1 {
        return Err(call.fail_at(1, Code::RuntimeError, format!("array has no element {index}")));
    }
    let mut rest = elements.to_vec();
    let index = if index < 0 { index + rest.len() as i64 } else { index };
    if let Ok(index) = usize::try_from(index) {
        rest.remove(index);
    }
    Ok(Value::array(rest))
}

fn range_of_text(call: &mut Call) -> Outcome {
    let text = call.string(0).to_owned();
    // The pattern is greedy in its first part.
    let is_word = |part: &str| {
        !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    };
    for line in lines(&text) {
        for (mark, is_exclusive) in [("...", true), ("..", false), ("-", false)] {
            if let Some((first, last)) = line.split_once(mark)
                && is_word(first)
                && is_word(last)
            {
                return span(call, &Value::string(first), &Value::string(last), 1, is_exclusive);
            }
        }
    }
    Err(call.fail_at(0, Code::RuntimeError, format!("`{text}` is not a range")))
}

fn range(call: &mut Call) -> Outcome {
    let step = match call.arguments.get(2) {
        None => 1,
        Some(Value::Integer(step)) => step.unsigned_abs(),
        Some(Value::Float(step)) if step.0.is_finite() => step.0.abs() as u64,
        Some(Value::String(text)) => u64::try_from(ruby::text_to_i(text).abs()).unwrap_or(u64::MAX),
        Some(_) => return Err(call.fail_at(2, Code::RuntimeError, "expected an integer")),
    };
    if step == 0 {
        return Err(call.fail_at(2, Code::RuntimeError, "step of a range must not be 0"));
    }
    let (first, last) = (call.argument(0).clone(), call.argument(1).clone());
    span(call, &first, &last, step, false)
}

fn span(call: &mut Call, first: &Value, last: &Value, step: u64, is_exclusive: bool) -> Outcome {
    let env = call.env();
    let (Some(first_text), Some(last_text)) = (ruby::to_s(first, env), ruby::to_s(last, env)) else {
        return Ok(call.unknown(Type::array_of(Type::STRING)));
    };
    if !lines(&first_text).any(is_digits) {
        return span_of_texts(call, &first_text, &last_text, step, is_exclusive);
    }
    let first = ruby::text_to_i(&first_text);
    let last = match last {
        Value::Integer(last) => i128::from(*last),
        Value::Float(last) if last.0.is_finite() => last.0 as i128,
        Value::String(text) => ruby::text_to_i(text),
        Value::Undef => 0,
        other => return Err(call.refuse(format!("range cannot end at {}", ruby::class_name(other)))),
    };
    let last = if is_exclusive { last.saturating_sub(1) } else { last };
    let mut numbers = Vec::new();
    let mut next = first;
    while next <= last && numbers.len() < MAX_RANGE_ELEMENTS {
        let Ok(number) = i64::try_from(next) else {
            return Err(call.refuse("number in range is too large"));
        };
        numbers.push(Value::Integer(number));
        next = next.saturating_add(step.into());
    }
    call.grow(numbers.len())?;
    Ok(Value::array(numbers))
}

/// Implements Ruby's `first.upto(last)` with a step.
fn span_of_texts(call: &mut Call, first: &str, last: &str, step: u64, is_exclusive: bool) -> Outcome {
    if !first.is_ascii() || !last.is_ascii() {
        return Ok(call.unknown(Type::array_of(Type::STRING)));
    }
    let mut texts = Vec::new();
    let mut current = first.to_owned();
    let is_single = first.len() == 1 && last.len() == 1;
    let after_last = if is_single { None } else { Some(successor(last)) };
    if first > last || is_exclusive && first == last {
        return Ok(Value::array([]));
    }
    let mut index: u64 = 0;
    while after_last.as_ref() != Some(&current) && texts.len() < MAX_RANGE_ELEMENTS {
        if index.is_multiple_of(step) {
            texts.push(Value::string(current.as_str()));
        }
        index += 1;
        call.step(1)?;
        if current == last {
            break;
        }
        current = if is_single {
            current.chars().map(|c| char::from(c as u8 + 1)).collect()
        } else {
            successor(&current)
        };
        if is_exclusive && current == last || current.is_empty() || current.len() > last.len() {
            break;
        }
    }
    call.grow(texts.len())?;
    Ok(Value::array(texts))
}

/// Implements Ruby's `String#succ` for ASCII.
fn successor(text: &str) -> String {
    let mut bytes = text.as_bytes().to_vec();
    if !bytes.iter().any(u8::is_ascii_alphanumeric) {
        // Increments the last character.
        for at in (0..bytes.len()).rev() {
            if bytes[at] < 0x7f {
                bytes[at] += 1;
                break;
            }
            bytes[at] = 0;
        }
        return String::from_utf8(bytes).unwrap_or_default();
    }
    let mut carry = None;
    let mut last_alphanumeric = None;
    for at in (0..bytes.len()).rev() {
        if !bytes[at].is_ascii_alphanumeric() {
            // Other characters between letters and digits stop the carry only at the left end.
            let more = bytes[..at].iter().any(u8::is_ascii_alphanumeric);
            if last_alphanumeric.is_some() && !more {
                break;
            }
            continue;
        }
        last_alphanumeric = Some(at);
        let (next, carried) = match bytes[at] {
            b'z' => (b'a', Some(b'a')),
            b'Z' => (b'A', Some(b'A')),
            b'9' => (b'0', Some(b'1')),
            byte => (byte + 1, None),
        };
        bytes[at] = next;
        carry = carried;
        if carry.is_none() {
            break;
        }
    }
    if let (Some(carried), Some(at)) = (carry, last_alphanumeric) {
        bytes.insert(at, carried);
    }
    String::from_utf8(bytes).unwrap_or_default()
}

fn to_bytes(call: &mut Call) -> Outcome {
    let text = match call.argument(0) {
        Value::String(text) => text,
        number => return Ok(number.clone()),
    };
    let length = text.bytes().take_while(|byte| byte.is_ascii_digit() || b".e+-".contains(byte)).count();
    let number = ruby::text_to_f(&text[..length]);
    let unit = text[length..].trim_start_matches(|c: char| matches!(c, ' ' | '\t'..='\r')).chars().next();
    let power = match unit {
        None | Some('b' | 'B') => 0,
        Some('k') => 10,
        Some('M') => 20,
        Some('G') => 30,
        Some('T') => 40,
        Some('P') => 50,
        Some('E') => 60,
        Some(unit) => {
            return Err(call.fail_at(0, Code::RuntimeError, format!("unknown unit `{unit}`")));
        }
    };
    let bytes = (number * (1u64 << power) as f64).trunc();
    if bytes.is_finite() && bytes.abs() < i64::MAX as f64 {
        Ok(Value::Integer(bytes as i64))
    } else {
        Err(call.refuse("number of bytes is too large"))
    }
}

fn values_at(call: &mut Call) -> Outcome {
    let env = call.env();
    let list = call.argument(0).clone();
    let elements = list.as_array().unwrap_or_default();
    let indices = ruby::flatten(std::slice::from_ref(call.argument(1)));
    if indices.is_empty() {
        return Err(call.fail_at(1, Code::RuntimeError, "`values_at()` requires an index"));
    }
    let mut chosen = Vec::new();
    for index in &indices {
        let Some(text) = ruby::to_s(index, env) else { return Ok(call.unknown(Type::array_of(Type::Any))) };
        let Some((first, last, is_exclusive)) = lines(&text).find_map(index_range) else {
            return Err(call.fail_at(1, Code::RuntimeError, format!("`{text}` is not an index")));
        };
        let last = usize::try_from(last).ok().filter(|last| *last < elements.len());
        let (Ok(first), Some(last)) = (usize::try_from(first), last) else {
            return Err(call.fail_at(1, Code::RuntimeError, format!("array has no elements `{text}`")));
        };
        if first > last {
            return Err(call.fail_at(1, Code::RuntimeError, format!("range `{text}` ends before it begins")));
        }
        let end = if is_exclusive { last } else { last + 1 };
        chosen.extend(elements[first..end].iter().filter(|element| !element.is_undef()).cloned());
        call.grow(chosen.len())?;
        call.step(end - first)?;
    }
    Ok(Value::array(chosen))
}

/// Parses `3`, `1-3`, `1..3` or `1...3` into the first and last index, and whether the last one is excluded.
fn index_range(line: &str) -> Option<(i128, i128, bool)> {
    for (mark, is_exclusive) in [("...", true), ("..", false), ("-", false)] {
        if let Some((first, last)) = line.split_once(mark)
            && is_digits(first)
            && is_digits(last)
        {
            return Some((ruby::text_to_i(first), ruby::text_to_i(last), is_exclusive));
        }
    }
    is_digits(line).then(|| (ruby::text_to_i(line), ruby::text_to_i(line), false))
}
