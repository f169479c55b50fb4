//! Strict Base64 check of text with whitespace.

/// Checks a text as Puppet does: whitespace, line breaks and question marks are removed, and the rest must be
/// exact, with padding and with zeros in the unused bits.
pub(super) fn check(text: &str) -> Result<(), &'static str> {
    let kept = text.chars().filter(|&c| !matches!(c, '\r' | '\n' | '?') && !syntax::is_blank(c));
    let digits: Option<Vec<u8>> = kept.map(digit).collect();
    let Some(digits) = digits else {
        return Err("characters other than A-Z, a-z, 0-9, `+`, `/` and `=`");
    };
    if digits.len() % 4 != 0 {
        return Err("length is not a multiple of 4");
    }
    let padding = digits.iter().rev().take_while(|&&it| it == PADDING).count();
    let values = &digits[..digits.len() - padding];
    if padding > 2 || values.contains(&PADDING) {
        return Err("`=` is only allowed in the last two positions");
    }
    let unused_bits = match padding {
        1 => 0b11,
        2 => 0b1111,
        _ => 0,
    };
    if values.last().is_some_and(|it| it & unused_bits != 0) {
        return Err("unused bits of the last character are not zero");
    }
    Ok(())
}

const PADDING: u8 = 64;

fn digit(c: char) -> Option<u8> {
    Some(match c {
        'A'..='Z' => c as u8 - b'A',
        'a'..='z' => c as u8 - b'a' + 26,
        '0'..='9' => c as u8 - b'0' + 52,
        '+' => 62,
        '/' => 63,
        '=' => PADDING,
        _ => return None,
    })
}
