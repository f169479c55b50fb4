//! Is a text Base64 once its blanks are taken out?

/// Puppet takes out blanks, line breaks and question marks, and wants the rest exact: padded, and nothing but zeros in
/// the bits that are left over.
pub(super) fn check(text: &str) -> Result<(), &'static str> {
    let kept = text.chars().filter(|&c| !matches!(c, '\r' | '\n' | '?') && !syntax::is_blank(c));
    let digits: Option<Vec<u8>> = kept.map(digit).collect();
    let Some(digits) = digits else {
        return Err("it has other characters than A-Z, a-z, 0-9, `+`, `/` and `=`");
    };
    if digits.len() % 4 != 0 {
        return Err("its length is no multiple of 4; pad it with `=`");
    }
    let padding = digits.iter().rev().take_while(|&&it| it == PADDING).count();
    let values = &digits[..digits.len() - padding];
    if padding > 2 || values.contains(&PADDING) {
        return Err("a `=` can only stand in the last two places");
    }
    let left_over = match padding {
        1 => 0b11,
        2 => 0b1111,
        _ => 0,
    };
    if values.last().is_some_and(|it| it & left_over != 0) {
        return Err("its last character holds more than the text before it needs");
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
