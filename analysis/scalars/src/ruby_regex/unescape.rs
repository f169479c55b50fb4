//! Unescaping that Ruby performs before the regular expression library sees a pattern.

use super::{RegexFailure, failure};

/// Resolves `\u`, `\x`, `\0`, `\c`, `\C-` and `\M-`. Resulting ASCII characters are written as `\xHH` to keep
/// them literal.
pub(super) fn unescape(pattern: &str) -> Result<Vec<char>, RegexFailure> {
    let mut reader =
        EscapeReader { chars: pattern.chars().collect(), at: 0, out: Vec::with_capacity(pattern.len()) };
    while let Some(c) = reader.next() {
        if c == '\\' {
            reader.escape()?;
        } else {
            reader.out.push(c);
        }
    }
    Ok(reader.out)
}

struct EscapeReader {
    chars: Vec<char>,
    at: usize,
    out: Vec<char>,
}

impl EscapeReader {
    fn next(&mut self) -> Option<char> {
        let c = self.chars.get(self.at).copied();
        self.at += c.is_some() as usize;
        c
    }

    fn peek(&self) -> Option<char> {
        self.chars.get(self.at).copied()
    }

    /// Reads an escape after its backslash.
    fn escape(&mut self) -> Result<(), RegexFailure> {
        let Some(c) = self.next() else { return failure("trailing backslash") };
        match c {
            '1'..='7' => {
                let digits = self.chars[self.at - 1..].iter().take(3).map_while(|it| it.to_digit(8));
                if digits.fold(0, |value, digit| value * 8 + digit) <= 0o177 {
                    self.out.extend(['\\', c]);
                    return Ok(());
                }
                self.bytes()
            }
            '0' | 'x' | 'c' | 'C' | 'M' => self.bytes(),
            'u' => self.unicode(),
            _ => {
                self.out.extend(['\\', c]);
                Ok(())
            }
        }
    }

    fn unicode(&mut self) -> Result<(), RegexFailure> {
        if self.peek().is_none() {
            return failure("`\\u` requires four hexadecimal digits");
        }
        if self.peek() != Some('{') {
            let Some(code) = self.hex(4).filter(|it| it.1 == 4) else {
                return failure("`\\u` requires four hexadecimal digits");
            };
            return self.push_code(code.0);
        }
        self.at += 1;
        let mut count = 0;
        loop {
            while self.peek().is_some_and(|c| c.is_ascii_whitespace() || c == '\u{b}') {
                self.at += 1;
            }
            let Some((code, digits)) = self.hex(7) else { break };
            if digits > 6 {
                return failure("code point is too large");
            }
            self.push_code(code)?;
            count += 1;
        }
        if count == 0 || self.next() != Some('}') {
            return failure("`\\u{` requires hexadecimal code points and `}`");
        }
        Ok(())
    }

    /// Reads up to `limit` hexadecimal digits and returns their value and count.
    fn hex(&mut self, limit: usize) -> Option<(u32, usize)> {
        let digits = self.chars[self.at..].iter().take(limit).map_while(|it| it.to_digit(16));
        let (value, count) = digits.fold((0u32, 0), |(value, count), digit| (value * 16 + digit, count + 1));
        self.at += count;
        (count > 0).then_some((value, count))
    }

    fn push_code(&mut self, code: u32) -> Result<(), RegexFailure> {
        match char::from_u32(code) {
            Some(c) if c.is_ascii() => self.push_byte(code as u8),
            Some(c) => self.out.push(c),
            None => return failure("invalid code point"),
        }
        Ok(())
    }

    fn push_byte(&mut self, byte: u8) {
        let digit = |value: u8| char::from_digit(value as u32, 16).unwrap_or('0');
        self.out.extend(['\\', 'x', digit(byte >> 4), digit(byte & 15)]);
    }

    /// Reads a character escaped byte by byte, after the first backslash and letter.
    fn bytes(&mut self) -> Result<(), RegexFailure> {
        self.at -= 2;
        let first = self.byte()?;
        let length = match first {
            0..=0x7f => {
                self.push_byte(first);
                return Ok(());
            }
            0xc2..=0xdf => 2,
            0xe0..=0xef => 3,
            0xf0..=0xf4 => 4,
            _ => return failure("invalid first byte of a character"),
        };
        let mut bytes = vec![first];
        while bytes.len() < length {
            if self.peek() != Some('\\') {
                return failure("incomplete multibyte character");
            }
            bytes.push(self.byte()?);
        }
        match std::str::from_utf8(&bytes) {
            Ok(text) => self.out.extend(text.chars()),
            Err(_) => return failure("invalid multibyte character"),
        }
        Ok(())
    }

    /// Reads one escaped byte, including its backslash.
    fn byte(&mut self) -> Result<u8, RegexFailure> {
        let (mut meta, mut control) = (false, false);
        self.at += 1;
        let code = loop {
            let Some(c) = self.next() else { return failure("incomplete escape sequence") };
            match c {
                '\\' => break 0x5c,
                'n' => break 0x0a,
                't' => break 0x09,
                'r' => break 0x0d,
                'f' => break 0x0c,
                'v' => break 0x0b,
                'a' => break 0x07,
                'e' => break 0x1b,
                '0'..='7' => {
                    self.at -= 1;
                    let digits = self.chars[self.at..].iter().take(3).map_while(|it| it.to_digit(8));
                    let (value, count) =
                        digits.fold((0, 0), |(value, count), digit| (value * 8 + digit, count + 1));
                    self.at += count;
                    break value;
                }
                'x' => match self.hex(2) {
                    Some((value, _)) => break value,
                    None => return failure("`\\x` requires hexadecimal digits"),
                },
                'M' => {
                    if std::mem::replace(&mut meta, true) {
                        return failure("duplicate `\\M-`");
                    }
                    if self.next() != Some('-') {
                        return failure("`\\M` must be followed by `-` and a character");
                    }
                }
                'C' | 'c' => {
                    if c == 'C' && self.next() != Some('-') {
                        return failure("`\\C` must be followed by `-` and a character");
                    }
                    if std::mem::replace(&mut control, true) {
                        return failure("duplicate control escape");
                    }
                }
                _ => return failure("invalid byte escape"),
            }
            // A prefix is followed by another escape or a plain character.
            match self.next() {
                Some('\\') => {}
                Some(c) if c.is_ascii() => break c as u32,
                _ => return failure("expected an ASCII character"),
            }
        };
        if code > 0xff {
            return failure("byte exceeds `\\377`");
        }
        let code = if control { code & 0x1f } else { code };
        Ok(if meta { code as u8 | 0x80 } else { code as u8 })
    }
}
