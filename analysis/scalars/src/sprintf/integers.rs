//! Integer directives: `%d`, `%x` and similar.

use super::{Directive, SprintfError};
use crate::numbers::Magnitude;

pub(super) fn integer(
    letter: char,
    directive: Directive,
    negative: bool,
    magnitude: Magnitude,
) -> Result<String, SprintfError> {
    let flags = directive.flags;
    let (radix, prefix) = match letter {
        'o' => (8, "0"),
        'x' => (16, "0x"),
        'X' => (16, "0X"),
        'b' => (2, "0b"),
        'B' => (2, "0B"),
        _ => (10, ""),
    };
    let mut prefix = if flags.alternate { prefix } else { "" };
    let signed = radix == 10 || flags.plus || flags.space;
    let sign = if negative {
        if signed { "-" } else { "" }
    } else if flags.plus {
        "+"
    } else if flags.space {
        " "
    } else {
        ""
    };
    // A negative number without a sign is shown in two's complement, which starts with an infinite run of
    // one digit.
    let dots = negative && !signed;
    let mut digits = if dots { complement(magnitude, radix) } else { magnitude.digits(radix) };
    if letter == 'X' {
        digits.make_ascii_uppercase();
    }
    let mut width = directive.width.unwrap_or(0).saturating_sub(sign.len() + if dots { 2 } else { 0 });
    let mut precision = directive.precision.map(|it| it.saturating_sub(if dots { 2 } else { 0 }));
    if prefix == "0" {
        if dots {
            prefix = "";
        } else if digits == "0" {
            digits.clear();
            precision = precision.map(|it| it.saturating_sub(1));
        } else if precision.is_some_and(|it| it > digits.len()) {
            prefix = "";
        }
    } else if digits == "0" {
        prefix = "";
    }
    width = width.saturating_sub(prefix.len());
    let fills_with_digits = flags.zero && !flags.minus && precision.is_none();
    let digits_wanted = if fills_with_digits {
        std::mem::take(&mut width)
    } else {
        if precision == Some(0) && digits == "0" && prefix.is_empty() {
            digits.clear();
        }
        precision.unwrap_or(0).max(digits.len())
    };
    width = width.saturating_sub(digits_wanted);
    let fill = " ".repeat(width);
    let leading = match (dots, letter) {
        (false, _) => "0",
        (true, 'x') => "f",
        (true, 'X') => "F",
        (true, 'o') => "7",
        (true, _) => "1",
    };
    let leading = leading.repeat(digits_wanted.saturating_sub(digits.len()));
    let dots = if dots { ".." } else { "" };
    Ok(if flags.minus {
        format!("{sign}{prefix}{dots}{leading}{digits}{fill}")
    } else {
        format!("{fill}{sign}{prefix}{dots}{leading}{digits}")
    })
}

/// Returns the digits of the two's complement of `-magnitude`, starting with one of the infinitely repeated
/// digits.
fn complement(magnitude: Magnitude, radix: u32) -> String {
    let mut borrowed = true;
    let mut digits: Vec<u32> = magnitude
        .digits(radix)
        .chars()
        .rev()
        .map(|digit| {
            let inverted = radix - 1 - digit.to_digit(radix).unwrap_or(0);
            if !borrowed {
                inverted
            } else if inverted == radix - 1 {
                0
            } else {
                borrowed = false;
                inverted + 1
            }
        })
        .collect();
    while digits.last() == Some(&(radix - 1)) {
        digits.pop();
    }
    digits.push(radix - 1);
    digits.iter().rev().filter_map(|&digit| char::from_digit(digit, radix)).collect()
}
