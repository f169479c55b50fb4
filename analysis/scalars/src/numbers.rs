//! String forms of numbers: printing and parsing by Ruby's rules, and detection of numeric strings by
//! Puppet's.

use std::fmt;

/// Formats a float like Ruby's `Float#to_s`: the shortest digits that round-trip, with an exponent below 1e-4
/// and from 1e15 on, unless there are fraction digits.
pub fn float_text(value: f64) -> String {
    if value.is_nan() {
        return "NaN".to_owned();
    }
    if value.is_infinite() {
        return if value < 0.0 { "-Infinity" } else { "Infinity" }.to_owned();
    }
    let scientific = shortest(value);
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let has_fraction = mantissa.trim_start_matches('-').len() as i32 - 2 > exponent;
    if value == 0.0 || (-4..15).contains(&exponent) || (exponent == 15 && has_fraction) {
        let digits = mantissa.split_once('.').map_or(0, |(_, fraction)| fraction.len() as i32);
        return format!("{value:.0$}", (digits - exponent).max(1) as usize);
    }
    let point = if mantissa.contains('.') { "" } else { ".0" };
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{mantissa}{point}e{sign}{:02}", exponent.abs())
}

/// Returns the shortest digits that round-trip, in scientific notation. If two are equally near, Ruby chooses
/// the even one, Rust the larger one.
fn shortest(value: f64) -> String {
    let shortest = format!("{value:e}");
    let mantissa = shortest.split_once('e').map_or(shortest.as_str(), |(mantissa, _)| mantissa);
    let digits = mantissa.split_once('.').map_or(0, |(_, fraction)| fraction.len());
    let even = format!("{value:.digits$e}");
    if even.parse() == Ok(value) { even } else { shortest }
}

/// Error of a string that is not a number.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NotANumber {
    /// Expected kind of number: `Integer` or `Float`.
    pub wanted: &'static str,
    pub text: String,
}

impl fmt::Display for NotANumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{:?}` is not a valid {}", self.text, self.wanted)
    }
}

impl std::error::Error for NotANumber {}

/// Compares an integer and a float exactly. Returns `None` for NaN.
pub fn compare_integer_and_float(a: i128, b: f64) -> Option<std::cmp::Ordering> {
    if b.is_nan() {
        return None;
    }
    // Beyond these limits no `i128` remains to compare with; float casts saturate.
    let whole = b.trunc() as i128;
    Some(a.cmp(&whole).then_with(|| 0.0.partial_cmp(&(b - b.trunc())).unwrap_or(std::cmp::Ordering::Equal)))
}

/// Absolute value of an integer of any size.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Magnitude {
    /// Words in little-endian order; the last one is nonzero.
    words: Vec<u32>,
}

impl From<u64> for Magnitude {
    fn from(value: u64) -> Magnitude {
        Magnitude::from(u128::from(value))
    }
}

impl From<u128> for Magnitude {
    fn from(mut value: u128) -> Magnitude {
        let mut words = Vec::new();
        while value > 0 {
            words.push(value as u32);
            value >>= 32;
        }
        Magnitude { words }
    }
}

impl Magnitude {
    /// Truncates a finite float to its integer part.
    pub(crate) fn from_float(value: f64) -> Magnitude {
        let value = value.abs().trunc();
        if value < 1e38 {
            return Magnitude::from(value as u128);
        }
        let bits = value.to_bits();
        let shift = ((bits >> 52) & 0x7ff) as usize - 1075;
        let mut magnitude = Magnitude { words: vec![0; shift / 32] };
        let mantissa = u128::from((bits & ((1 << 52) - 1)) | (1 << 52)) << (shift % 32);
        magnitude.words.extend(Magnitude::from(mantissa).words);
        magnitude
    }

    pub(crate) fn to_u128(&self) -> Option<u128> {
        (self.words.len() <= 4)
            .then(|| self.words.iter().rev().fold(0, |value, &word| value << 32 | u128::from(word)))
    }

    fn multiply_and_add(&mut self, factor: u32, summand: u32) {
        let mut carry = u64::from(summand);
        for word in &mut self.words {
            carry += u64::from(*word) * u64::from(factor);
            *word = carry as u32;
            carry >>= 32;
        }
        if carry > 0 {
            self.words.push(carry as u32);
        }
    }

    /// Divides in place and returns the remainder.
    fn divide(&mut self, divisor: u32) -> u32 {
        let mut rest = 0;
        for word in self.words.iter_mut().rev() {
            let value = rest << 32 | u64::from(*word);
            *word = (value / u64::from(divisor)) as u32;
            rest = value % u64::from(divisor);
        }
        while self.words.last() == Some(&0) {
            self.words.pop();
        }
        rest as u32
    }

    /// Returns the lowercase digits in base 2 to 36, `0` for zero.
    pub(crate) fn digits(mut self, radix: u32) -> String {
        // Extracts as many digits per division as fit into a word.
        let (mut chunk, mut chunk_digits) = (radix, 1);
        while let Some(next) = chunk.checked_mul(radix) {
            chunk = next;
            chunk_digits += 1;
        }
        let mut digits = Vec::new();
        while !self.words.is_empty() {
            let mut rest = self.divide(chunk);
            for _ in 0..chunk_digits {
                digits.push(char::from_digit(rest % radix, radix).unwrap_or('0'));
                rest /= radix;
            }
        }
        while digits.last() == Some(&'0') {
            digits.pop();
        }
        if digits.is_empty() { "0".to_owned() } else { digits.iter().rev().collect() }
    }

    pub(crate) fn to_float(&self) -> f64 {
        self.clone().digits(10).parse().unwrap_or(f64::INFINITY)
    }
}

/// Maximum number of digits that are parsed.
const DIGITS_LIMIT: usize = 4096;

/// Parses an integer of any size and returns true for a negative sign, and the absolute value. See
/// [`integer_from_text`].
pub(crate) fn whole_from_text(text: &str, radix: Option<u32>) -> Option<(bool, Magnitude)> {
    let trimmed = text.trim_matches(is_whitespace);
    let (negative, unsigned) = match trimmed.strip_prefix(['-', '+']) {
        Some(rest) => (trimmed.starts_with('-'), rest),
        None => (false, trimmed),
    };
    let mut chars = unsigned.chars();
    let prefix = match (chars.next(), chars.next().map(|c| c.to_ascii_lowercase())) {
        (Some('0'), Some('x')) => Some((16, 2)),
        (Some('0'), Some('b')) => Some((2, 2)),
        (Some('0'), Some('o')) => Some((8, 2)),
        (Some('0'), Some('d')) => Some((10, 2)),
        (Some('0'), Some(_)) => Some((8, 1)),
        _ => None,
    };
    let (radix, digits) = match (radix, prefix) {
        (None, Some((8, 1))) => (8, unsigned),
        (None, Some((found, length))) => (found, &unsigned[length..]),
        (None, None) => (10, unsigned),
        (Some(wanted), Some((found, 2))) if wanted == found => (wanted, &unsigned[2..]),
        (Some(wanted), _) => (wanted, unsigned),
    };
    if digits.len() > DIGITS_LIMIT {
        return None;
    }
    let mut magnitude = Magnitude::default();
    let mut after_digit = false;
    for c in digits.chars() {
        if c == '_' && after_digit {
            after_digit = false;
            continue;
        }
        magnitude.multiply_and_add(radix, c.to_digit(radix)?);
        after_digit = true;
    }
    let negative = negative && !magnitude.words.is_empty();
    after_digit.then_some((negative, magnitude))
}

/// Returns true for characters in Ruby's `\s` and for the vertical tab.
pub(crate) fn is_whitespace(c: char) -> bool {
    matches!(c, ' ' | '\t'..='\r')
}

/// Parses an integer like Ruby's `Kernel#Integer`.
///
/// Permits surrounding whitespace, a sign, a prefix (`0x`, `0b`, `0o`, `0d`, `0`) and single `_` between
/// digits. With a `radix` (2 to 36), only the prefix of that radix is permitted. Saturates at the limits of
/// `i128`.
///
/// # Errors
/// If the string is not an integer, or has thousands of digits.
pub fn integer_from_text(text: &str, radix: Option<u32>) -> Result<i128, NotANumber> {
    let (negative, magnitude) = whole_from_text(text, radix.map(|it| it.clamp(2, 36)))
        .ok_or_else(|| NotANumber { wanted: "Integer", text: text.to_owned() })?;
    let value = magnitude.to_u128().and_then(|it| i128::try_from(it).ok()).unwrap_or(i128::MAX);
    Ok(if negative { -value } else { value })
}

/// Parses a float like Ruby's `Kernel#Float`.
///
/// Permits surrounding whitespace, a sign, single `_` between digits, an exponent, and hexadecimal numbers. A
/// point must be followed by a digit.
///
/// # Errors
/// If the string is not a float.
pub fn float_from_text(text: &str) -> Result<f64, NotANumber> {
    parse_float(text).ok_or_else(|| NotANumber { wanted: "Float", text: text.to_owned() })
}

fn parse_float(text: &str) -> Option<f64> {
    let trimmed = text.trim_matches(is_whitespace);
    let (negative, unsigned) = match trimmed.strip_prefix(['-', '+']) {
        Some(rest) => (trimmed.starts_with('-'), rest),
        None => (false, trimmed),
    };
    if let Some(hexadecimal) = unsigned.strip_prefix("0x").or_else(|| unsigned.strip_prefix("0X")) {
        let value = parse_hexadecimal_float(hexadecimal)?;
        return Some(if negative { -value } else { value });
    }
    let mut digits = String::with_capacity(unsigned.len());
    let mut last = ' ';
    let (mut has_point, mut has_exponent) = (false, false);
    for c in unsigned.chars() {
        match c {
            '0'..='9' => digits.push(c),
            '_' if last.is_ascii_digit() => {}
            '.' if (last.is_ascii_digit() || digits.is_empty()) && !has_point && !has_exponent => {
                has_point = true;
                digits.push(c);
            }
            'e' | 'E' if last.is_ascii_digit() && !has_exponent => {
                has_exponent = true;
                digits.push('e');
            }
            '+' | '-' if matches!(last, 'e' | 'E') => digits.push(c),
            _ => return None,
        }
        last = c;
    }
    if !last.is_ascii_digit() {
        return None;
    }
    let value: f64 = digits.parse().ok()?;
    Some(if negative { -value } else { value })
}

/// Parses digits with an optional point, followed by `p` and a binary exponent, which is optional without a
/// point.
fn parse_hexadecimal_float(text: &str) -> Option<f64> {
    let (mantissa, exponent) = match text.split_once(['p', 'P']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent.parse::<i32>().ok()?)),
        None => (text, None),
    };
    let (whole, fraction) = match mantissa.split_once('.') {
        Some((_, "")) => return None,
        Some(_) if exponent.is_none() => return None,
        Some(parts) => parts,
        None => (mantissa, ""),
    };
    if !whole.bytes().all(|it| it.is_ascii_hexdigit()) {
        return None;
    }
    let (_, magnitude) = whole_from_text(whole, Some(16))?;
    let mut value = magnitude.to_float();
    let mut place = 1.0 / 16.0;
    for c in fraction.chars() {
        value += f64::from(c.to_digit(16)?) * place;
        place /= 16.0;
    }
    Some(value * 2f64.powi(exponent.unwrap_or(0)))
}

/// Number in a string.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Number {
    /// Integer, saturated at the limits of `i128`.
    Integer(i128),
    Float(f64),
}

/// Parses a numeric string by Puppet's rules for arithmetic and returns the number and its radix.
///
/// Accepts decimal, octal (leading `0`) and hexadecimal numbers and floats, with surrounding whitespace, a
/// sign that may be followed by whitespace, and a leading `::`. Returns `None` for anything else, including
/// zero with an exponent and numbers too large for a float.
pub fn number_from_text(text: &str) -> Option<(Number, u32)> {
    let text = text.strip_prefix("::").unwrap_or(text);
    // `[[:blank:]]`, extended by Unicode.
    let is_whitespace = |c: char| {
        c == '\t' || (c.is_whitespace() && !matches!(c, '\n'..='\r' | '\u{85}' | '\u{2028}' | '\u{2029}'))
    };
    let text = text.trim_matches(is_whitespace);
    let (negative, digits) = match text.strip_prefix(['-', '+']) {
        Some(rest) => (text.starts_with('-'), rest.trim_start_matches(is_whitespace)),
        None => (false, text),
    };
    let integer = |value: i128, radix| Some((Number::Integer(if negative { -value } else { value }), radix));
    if let Some(hexadecimal) = digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        let all = !hexadecimal.is_empty() && hexadecimal.bytes().all(|it| it.is_ascii_hexdigit());
        return all
            .then(|| integer_from_text(hexadecimal, Some(16)).ok())
            .flatten()
            .and_then(|it| integer(it, 16));
    }
    let whole_length = digits.bytes().take_while(u8::is_ascii_digit).count();
    let (whole, rest) = digits.split_at(whole_length);
    if whole.is_empty() {
        return None;
    }
    if rest.is_empty() {
        let radix = if whole.len() > 1 && whole.starts_with('0') { 8 } else { 10 };
        return integer_from_text(whole, Some(radix)).ok().and_then(|it| integer(it, radix));
    }
    let fraction_and_exponent = match rest.strip_prefix('.') {
        Some(fraction) => {
            let length = fraction.bytes().take_while(u8::is_ascii_digit).count();
            fraction.get(length..).filter(|_| length > 0)?
        }
        None => rest,
    };
    if !fraction_and_exponent.is_empty() {
        let exponent = fraction_and_exponent.strip_prefix(['e', 'E'])?;
        let exponent = exponent.strip_prefix('-').unwrap_or(exponent);
        if exponent.is_empty() || !exponent.bytes().all(|it| it.is_ascii_digit()) {
            return None;
        }
    }
    // The integer part is parsed as an integer first, so `09.5` is not a number.
    let is_zero = integer_from_text(whole, None).ok()? == 0;
    let zeros = rest.strip_prefix('.').unwrap_or(rest).trim_start_matches('0');
    if is_zero && zeros.starts_with(['e', 'E']) {
        return None;
    }
    let value = float_from_text(digits).ok().filter(|it| it.is_finite())?;
    Some((Number::Float(if negative { -value } else { value }), 10))
}
