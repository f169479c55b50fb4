//! Float directives: `%f`, `%e`, `%g` and `%a`.

use super::{Directive, SprintfError, bounded};
use crate::numbers::Magnitude;

/// Maximum number of nonzero fraction digits of a float; all further digits are zeros.
const MAX_FRACTION_DIGITS: usize = 1100;

/// Formats an integer of any size with `%f`.
pub(super) fn integer(
    directive: Directive,
    negative: bool,
    magnitude: Magnitude,
) -> Result<String, SprintfError> {
    let mut digits = magnitude.digits(10);
    let precision = directive.precision.unwrap_or(6);
    if precision > 0 {
        digits.push('.');
        digits.extend(std::iter::repeat_n('0', precision));
    }
    adjust(directive, negative, "", &digits)
}

pub(super) fn float(letter: char, directive: Directive, value: f64) -> Result<String, SprintfError> {
    let negative = value.is_sign_negative() && !value.is_nan();
    if !value.is_finite() {
        let text = if value.is_nan() { "NaN" } else { "Inf" };
        let mut directive = directive;
        directive.flags.zero = false;
        return adjust(directive, negative, "", text);
    }
    let magnitude = value.abs();
    let alternate = directive.flags.alternate;
    let text = match letter {
        'f' => fixed(magnitude, directive.precision.unwrap_or(6), alternate),
        'e' | 'E' => scientific(magnitude, directive.precision.unwrap_or(6), alternate),
        'g' | 'G' => general(magnitude, directive.precision.unwrap_or(6).max(1), alternate),
        _ => {
            let text = hexadecimal(magnitude, directive.precision, alternate);
            return match letter {
                'A' => adjust(directive, negative, "0X", &text.to_ascii_uppercase()),
                _ => adjust(directive, negative, "0x", &text),
            };
        }
    };
    let text = if letter.is_ascii_uppercase() { text.to_ascii_uppercase() } else { text };
    adjust(directive, negative, "", &text)
}

/// Adds the sign and pads to the width.
fn adjust(directive: Directive, negative: bool, prefix: &str, digits: &str) -> Result<String, SprintfError> {
    let flags = directive.flags;
    let sign = if negative {
        "-"
    } else if flags.plus {
        "+"
    } else if flags.space {
        " "
    } else {
        ""
    };
    let length = sign.len() + prefix.len() + digits.len();
    let missing = directive.width.unwrap_or(0).saturating_sub(length);
    bounded((length + missing) as u128)?;
    let fill = |c: &str| c.repeat(missing);
    Ok(match flags {
        flags if flags.minus => format!("{sign}{prefix}{digits}{}", fill(" ")),
        flags if flags.zero => format!("{sign}{prefix}{}{digits}", fill("0")),
        _ => format!("{}{sign}{prefix}{digits}", fill(" ")),
    })
}

/// Returns the shortest digits that round-trip to `value`, and the power of ten of the first one.
fn shortest(value: f64) -> (Vec<u8>, i64) {
    let text = format!("{value:e}");
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let digits = mantissa.bytes().filter(u8::is_ascii_digit).collect();
    (digits, exponent.parse().unwrap_or(0))
}

/// Rounds `value` to `count` digits if its shortest digits are one more and end in a 5. In that case Ruby
/// rounds half to even, regardless of the exact value of the float.
fn even(value: f64, count: i64) -> Option<f64> {
    let (mut digits, exponent) = shortest(value);
    if count < 1 || digits.len() as i64 != count + 1 || digits.pop() != Some(b'5') {
        return None;
    }
    let number: i64 = std::str::from_utf8(&digits).ok()?.parse().ok()?;
    format!("{}e{}", number + number % 2, exponent - count + 1).parse().ok()
}

fn fixed(value: f64, precision: usize, alternate: bool) -> String {
    let kept = shortest(value).1.saturating_add(1).saturating_add(precision.min(MAX_FRACTION_DIGITS) as i64);
    let value = even(value, kept).unwrap_or(value);
    let mut text = format!("{value:.*}", precision.min(MAX_FRACTION_DIGITS));
    text.extend(std::iter::repeat_n('0', precision.saturating_sub(MAX_FRACTION_DIGITS)));
    if precision == 0 && alternate {
        text.push('.');
    }
    text
}

fn scientific(value: f64, precision: usize, alternate: bool) -> String {
    let value = even(value, precision.min(MAX_FRACTION_DIGITS) as i64 + 1).unwrap_or(value);
    let text = format!("{value:.*e}", precision.min(MAX_FRACTION_DIGITS));
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let zeros = "0".repeat(precision.saturating_sub(MAX_FRACTION_DIGITS));
    let point = if precision == 0 && alternate { "." } else { "" };
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{mantissa}{zeros}{point}e{sign}{:02}", exponent.abs())
}

fn general(value: f64, precision: usize, alternate: bool) -> String {
    let value = even(value, precision.min(MAX_FRACTION_DIGITS) as i64).unwrap_or(value);
    let rounded = format!("{value:.*e}", (precision - 1).min(MAX_FRACTION_DIGITS));
    let exponent: i64 = rounded.split_once('e').and_then(|(_, it)| it.parse().ok()).unwrap_or(0);
    let is_fixed = exponent >= -4 && exponent < precision as i64;
    let text = if is_fixed {
        fixed(value, (precision as i64 - 1 - exponent).max(0) as usize, alternate)
    } else {
        scientific(value, precision - 1, alternate)
    };
    if alternate {
        return text;
    }
    let (mantissa, exponent) = match text.find('e') {
        Some(at) => text.split_at(at),
        None => (&*text, ""),
    };
    if mantissa.contains('.') {
        format!("{}{exponent}", mantissa.trim_end_matches('0').trim_end_matches('.'))
    } else {
        text
    }
}

/// Returns the hexadecimal digits after `0x`.
fn hexadecimal(value: f64, precision: Option<usize>, alternate: bool) -> String {
    let bits = value.to_bits();
    let mut mantissa = bits & ((1 << 52) - 1);
    let mut exponent = (bits >> 52) as i64 - 1023;
    if value == 0.0 {
        exponent = 0;
    } else if exponent == -1023 {
        // A subnormal mantissa is normalized to a leading 1.
        let shift = mantissa.leading_zeros() - 11;
        mantissa <<= shift;
        exponent = -1022 - i64::from(shift);
    } else {
        mantissa |= 1 << 52;
    }
    if let Some(precision) = precision.filter(|&it| it < 13) {
        let dropped = 4 * (13 - precision as u32);
        let half = 1u64 << (dropped - 1);
        let rest = mantissa & ((1 << dropped) - 1);
        mantissa >>= dropped;
        if rest > half || (rest == half && mantissa & 1 == 1) {
            mantissa += 1;
        }
        mantissa <<= dropped;
        if mantissa >> 53 != 0 {
            mantissa >>= 1;
            exponent += 1;
        }
    }
    let fraction = format!("{:013x}", mantissa & ((1 << 52) - 1));
    let mut digits = match precision {
        Some(precision) => fraction.get(..precision).unwrap_or(&fraction).to_owned(),
        None => fraction.trim_end_matches('0').to_owned(),
    };
    digits.extend(std::iter::repeat_n('0', precision.unwrap_or(0).saturating_sub(13)));
    let point = if digits.is_empty() && !alternate { "" } else { "." };
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{}{point}{digits}p{sign}{}", mantissa >> 52, exponent.abs())
}
