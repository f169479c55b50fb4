//! Methods of numbers.

use std::cmp::Ordering;

use super::super::interpreter::Interpreter;
use super::super::value::{Object, Ruby, raise_as, unsupported};
use super::{FLOAT, INTEGER, MethodInvocation, MethodRow, NUMBER, WIDE, described, row};

pub(in super::super) const TABLE: &[MethodRow] = &[
    row("+", NUMBER, 1, 1, |_, it| arithmetic(it, i64::checked_add, |a, b| a + b)),
    row("-", NUMBER, 1, 1, |_, it| arithmetic(it, i64::checked_sub, |a, b| a - b)),
    row("*", NUMBER, 1, 1, |_, it| arithmetic(it, i64::checked_mul, |a, b| a * b)),
    row("/", NUMBER, 1, 1, |_, it| {
        divides(it)?;
        arithmetic(it, |a, b| a.checked_div_euclid(b).map(|_| floor_div(a, b)), |a, b| a / b)
    }),
    row("div", INTEGER, 1, 1, |_, it| {
        divides(it)?;
        let (Object::Integer(a), Object::Integer(b)) = (&it.receiver, it.argument(0)) else {
            return unsupported();
        };
        a.checked_div(*b).map_or_else(unsupported, |_| Ok(Object::Integer(floor_div(*a, *b))))
    }),
    row("%", NUMBER, 1, 1, modulo),
    row("modulo", NUMBER, 1, 1, modulo),
    row("**", INTEGER, 1, 1, |_, it| {
        let (Object::Integer(a), Object::Integer(b)) = (&it.receiver, it.argument(0)) else {
            return unsupported();
        };
        let power = u32::try_from(*b).ok().and_then(|b| a.checked_pow(b));
        power.map_or_else(unsupported, |power| Ok(Object::Integer(power)))
    }),
    row("-@", NUMBER, 0, 0, |_, it| match &it.receiver {
        Object::Integer(value) => {
            value.checked_neg().map_or_else(unsupported, |value| Ok(Object::Integer(value)))
        }
        Object::Float(value) => Ok(Object::Float(-value)),
        _ => unsupported(),
    }),
    row("+@", NUMBER, 0, 0, |_, it| Ok(it.receiver.clone())),
    row("<<", INTEGER, 1, 1, |_, it| {
        let (Object::Integer(a), Object::Integer(b)) = (&it.receiver, it.argument(0)) else {
            return unsupported();
        };
        let factor = u32::try_from(*b).ok().and_then(|b| 1i64.checked_shl(b)).filter(|factor| *factor > 0);
        match (factor.and_then(|factor| a.checked_mul(factor)), u32::try_from(*b)) {
            (Some(value), _) => Ok(Object::Integer(value)),
            (None, Ok(bits @ 0..4_000)) if *a > 0 => {
                // One digit represents four bits.
                let first = u128::from(a.unsigned_abs()) << (bits % 4);
                parse_hex_integer(&format!("{first:x}{}", "0".repeat((bits / 4) as usize)))
            }
            _ => unsupported(),
        }
    }),
    row(">>", INTEGER, 1, 1, |_, it| {
        let (Object::Integer(a), Object::Integer(b)) = (&it.receiver, it.argument(0)) else {
            return unsupported();
        };
        let bits = u32::try_from(*b).map_or_else(|_| unsupported(), Ok)?;
        Ok(Object::Integer(a >> bits.min(63)))
    }),
    row("&", INTEGER, 1, 1, |_, it| bits(it, |a, b| a & b)),
    row("|", INTEGER | WIDE, 1, 1, |_, it| match (hexadecimal(&it.receiver), hexadecimal(it.argument(0))) {
        (Some(a), Some(b)) if a.len().max(b.len()) > 15 => parse_hex_integer(&bitwise_or(&a, &b)),
        _ => bits(it, |a, b| a | b),
    }),
    row("^", INTEGER, 1, 1, |_, it| bits(it, |a, b| a ^ b)),
    row("abs", INTEGER, 0, 0, |_, it| match &it.receiver {
        Object::Integer(value) => {
            value.checked_abs().map_or_else(unsupported, |value| Ok(Object::Integer(value)))
        }
        _ => unsupported(),
    }),
    row("to_i", NUMBER, 0, 0, truncated),
    row("to_int", NUMBER, 0, 0, truncated),
    row("truncate", NUMBER, 0, 0, truncated),
    row("to_f", NUMBER, 0, 0, |_, it| match &it.receiver {
        Object::Integer(value) => Ok(Object::Float(*value as f64)),
        receiver => Ok(receiver.clone()),
    }),
    row("floor", NUMBER, 0, 0, |_, it| rounded(it, f64::floor)),
    row("ceil", NUMBER, 0, 0, |_, it| rounded(it, f64::ceil)),
    row("round", NUMBER, 0, 1, |_, it| match (&it.receiver, it.arguments.as_slice()) {
        (_, []) => rounded(it, f64::round),
        (Object::Integer(value), [Object::Integer(digits)]) if *digits >= 0 => Ok(Object::Integer(*value)),
        (Object::Float(value), [Object::Integer(digits)])
            if (1..15).contains(digits) && value.abs() < 1e15 =>
        {
            // The number printed with this many digits, if rounding is certain.
            let scaled = value * 10f64.powi(*digits as i32);
            if (scaled.fract().abs() - 0.5).abs() < 1e-6 {
                return unsupported();
            }
            let text = format!("{value:.*}", *digits as usize);
            text.parse().map_or_else(|_| unsupported(), |value| Ok(Object::Float(value)))
        }
        _ => unsupported(),
    }),
    row("divmod", INTEGER, 1, 1, |ruby, it| {
        let Object::Integer(_) = it.argument(0) else { return unsupported() };
        let quotient = ruby.call_method_of(&it.receiver, "/", it.arguments.all.clone())?;
        let rest = ruby.call_method_of(&it.receiver, "%", it.arguments.all.clone())?;
        Ok(Object::pair(quotient, rest))
    }),
    row("fdiv", INTEGER, 1, 1, |_, it| match (number(&it.receiver), number(it.argument(0))) {
        (Some(a), Some(b)) => Ok(Object::Float(a / b)),
        _ => unsupported(),
    }),
    row("gcd", INTEGER, 1, 1, |_, it| {
        let (mut a, mut b) = (integer(it)?.unsigned_abs(), it.integer_argument(0)?.unsigned_abs());
        while b != 0 {
            (a, b) = (b, a % b);
        }
        i64::try_from(a).map_or_else(|_| unsupported(), |it| Ok(Object::Integer(it)))
    }),
    row("digits", INTEGER, 0, 0, |_, it| match u64::try_from(integer(it)?) {
        Ok(value) => {
            let digits = value.to_string();
            Ok(Object::array(digits.bytes().rev().map(|it| Object::Integer(i64::from(it - b'0'))).collect()))
        }
        Err(_) => unsupported(),
    }),
    row("%", WIDE, 1, 1, |_, it| match (&it.receiver, it.argument(0)) {
        (Object::WideInteger(digits), Object::Integer(by)) if *by > 0 => {
            let digits = digits.chars().filter_map(|digit| digit.to_digit(16));
            let rest = digits.fold(0u128, |rest, digit| (rest * 16 + u128::from(digit)) % *by as u128);
            Ok(Object::Integer(rest as i64))
        }
        _ => unsupported(),
    }),
    row("to_s", WIDE, 1, 1, |_, it| match (&it.receiver, it.argument(0)) {
        (Object::WideInteger(digits), Object::Integer(16)) => Ok(Object::text(&**digits)),
        _ => unsupported(),
    }),
    // Single bit.
    row("[]", INTEGER, 1, 1, |_, it| match it.argument(0) {
        Object::Text(_) | Object::Symbol(_) | Object::Nil => raise_as(
            "TypeError",
            format!("no implicit conversion of {} into Integer", described(it.argument(0))?),
        ),
        Object::Integer(bit @ 0..63) => Ok(Object::Integer(integer(it)? >> bit & 1)),
        _ => unsupported(),
    }),
    row("~", INTEGER, 0, 0, |_, it| Ok(Object::Integer(!integer(it)?))),
    row("ord", INTEGER, 0, 0, |_, it| Ok(it.receiver.clone())),
    row("zero?", NUMBER, 0, 0, |_, it| Ok(Object::Boolean(sign(it) == Some(Ordering::Equal)))),
    row("positive?", NUMBER, 0, 0, |_, it| Ok(Object::Boolean(sign(it) == Some(Ordering::Greater)))),
    row("negative?", NUMBER, 0, 0, |_, it| Ok(Object::Boolean(sign(it) == Some(Ordering::Less)))),
    row("even?", INTEGER, 0, 0, |_, it| Ok(Object::Boolean(integer(it)? % 2 == 0))),
    row("odd?", INTEGER, 0, 0, |_, it| Ok(Object::Boolean(integer(it)? % 2 != 0))),
    row("integer?", NUMBER, 0, 0, |_, it| Ok(Object::Boolean(matches!(it.receiver, Object::Integer(_))))),
    row("nan?", FLOAT, 0, 0, |_, it| {
        Ok(Object::Boolean(matches!(it.receiver, Object::Float(value) if value.is_nan())))
    }),
    row("succ", INTEGER, 0, 0, next),
    row("next", INTEGER, 0, 0, next),
    row("pred", INTEGER, 0, 0, |_, it| {
        integer(it)?.checked_sub(1).map_or_else(unsupported, |value| Ok(Object::Integer(value)))
    }),
    row("chr", INTEGER, 0, 0, |_, it| match u8::try_from(integer(it)?) {
        // Other bytes result in a string with another encoding.
        Ok(byte) if byte.is_ascii() && byte >= b' ' => Ok(Object::text(char::from(byte))),
        _ => unsupported(),
    }),
    row("to_s", INTEGER, 1, 1, |_, it| {
        let (value, radix) = (integer(it)?, it.integer_argument(0)?);
        let magnitude = value.unsigned_abs();
        let text = match radix {
            2 => format!("{magnitude:b}"),
            8 => format!("{magnitude:o}"),
            10 => magnitude.to_string(),
            16 => format!("{magnitude:x}"),
            _ => return unsupported(),
        };
        Ok(Object::text(if value < 0 { format!("-{text}") } else { text }))
    }),
    row("times", INTEGER, 0, 0, |ruby, it| {
        let Some(block) = &it.block else { return unsupported() };
        for index in 0..integer(it)? {
            ruby.call_block(block, vec![Object::Integer(index)])?;
        }
        Ok(it.receiver.clone())
    }),
    row("upto", INTEGER, 1, 1, |ruby, it| {
        let Some(block) = &it.block else { return unsupported() };
        for index in integer(it)?..=it.integer_argument(0)? {
            ruby.call_block(block, vec![Object::Integer(index)])?;
        }
        Ok(it.receiver.clone())
    }),
    row("downto", INTEGER, 1, 1, |ruby, it| {
        let Some(block) = &it.block else { return unsupported() };
        for index in (it.integer_argument(0)?..=integer(it)?).rev() {
            ruby.call_block(block, vec![Object::Integer(index)])?;
        }
        Ok(it.receiver.clone())
    }),
];

/// Returns the hexadecimal digits of a number that is not negative.
fn hexadecimal(object: &Object) -> Option<String> {
    match object {
        Object::Integer(value) if *value >= 0 => Some(format!("{value:x}")),
        Object::WideInteger(digits) => Some(digits.to_string()),
        _ => None,
    }
}

/// Parses hexadecimal digits to an integer of any size.
fn parse_hex_integer(digits: &str) -> Ruby {
    Ok(match i64::from_str_radix(digits, 16) {
        Ok(value) => Object::Integer(value),
        Err(_) => Object::WideInteger(digits.trim_start_matches('0').into()),
    })
}

/// Returns the bitwise or of two hexadecimal numbers.
fn bitwise_or(a: &str, b: &str) -> String {
    let size = a.len().max(b.len());
    let digit = |text: &str, index: usize| {
        let at = (index + text.len()).checked_sub(size)?;
        char::from(*text.as_bytes().get(at)?).to_digit(16)
    };
    let digits = (0..size).map(|index| digit(a, index).unwrap_or(0) | digit(b, index).unwrap_or(0));
    digits.filter_map(|digit| char::from_digit(digit, 16)).collect()
}

fn integer(it: &MethodInvocation<'_>) -> Ruby<i64> {
    match &it.receiver {
        Object::Integer(value) => Ok(*value),
        _ => unsupported(),
    }
}

fn number(object: &Object) -> Option<f64> {
    match object {
        Object::Integer(value) => Some(*value as f64),
        Object::Float(value) => Some(*value),
        _ => None,
    }
}

/// Divides with rounding toward negative infinity, as Ruby does.
fn floor_div(a: i64, b: i64) -> i64 {
    let quotient = a / b;
    if a % b != 0 && (a < 0) != (b < 0) { quotient - 1 } else { quotient }
}

fn divides(it: &MethodInvocation<'_>) -> Ruby<()> {
    match (&it.receiver, it.argument(0)) {
        (Object::Integer(_), Object::Integer(0)) => raise_as("ZeroDivisionError", "divided by 0"),
        _ => Ok(()),
    }
}

/// Evaluates an arithmetic operation. Results beyond 64 bits are unknown.
fn arithmetic(
    it: &MethodInvocation<'_>,
    exact: fn(i64, i64) -> Option<i64>,
    float: fn(f64, f64) -> f64,
) -> Ruby {
    match (&it.receiver, it.argument(0)) {
        (Object::Integer(a), Object::Integer(b)) => {
            exact(*a, *b).map_or_else(unsupported, |value| Ok(Object::Integer(value)))
        }
        // Puppet's times are numbers of a different kind.
        (Object::Foreign(_), _) | (_, Object::Foreign(_)) => unsupported(),
        (a, b) => match (number(a), number(b)) {
            (Some(a), Some(b)) => Ok(Object::Float(float(a, b))),
            _ => raise_as("TypeError", format!("{} can't be coerced into {}", described(b)?, described(a)?)),
        },
    }
}

fn modulo(_: &mut Interpreter<'_>, it: &MethodInvocation<'_>) -> Ruby {
    divides(it)?;
    arithmetic(
        it,
        |a, b| a.checked_rem(b).map(|rest| if rest != 0 && (rest < 0) != (b < 0) { rest + b } else { rest }),
        |a, b| {
            let rest = a % b;
            if rest != 0.0 && (rest < 0.0) != (b < 0.0) { rest + b } else { rest }
        },
    )
}

fn bits(it: &MethodInvocation<'_>, operate: fn(i64, i64) -> i64) -> Ruby {
    Ok(Object::Integer(operate(integer(it)?, it.integer_argument(0)?)))
}

fn sign(it: &MethodInvocation<'_>) -> Option<Ordering> {
    match &it.receiver {
        Object::Integer(value) => Some(value.cmp(&0)),
        Object::Float(value) => value.partial_cmp(&0.0),
        _ => None,
    }
}

fn truncated(_: &mut Interpreter<'_>, it: &MethodInvocation<'_>) -> Ruby {
    rounded(it, f64::trunc)
}

fn rounded(it: &MethodInvocation<'_>, round: fn(f64) -> f64) -> Ruby {
    match &it.receiver {
        Object::Float(value) if value.is_nan() || value.is_infinite() => {
            raise_as("FloatDomainError", "not a finite number")
        }
        Object::Float(value) if value.abs() < 9e18 => Ok(Object::Integer(round(*value) as i64)),
        Object::Float(_) => unsupported(),
        receiver => Ok(receiver.clone()),
    }
}

fn next(_: &mut Interpreter<'_>, it: &MethodInvocation<'_>) -> Ruby {
    integer(it)?.checked_add(1).map_or_else(unsupported, |value| Ok(Object::Integer(value)))
}
