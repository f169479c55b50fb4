//! String form of regular expressions, and escaping of strings as patterns.

use crate::ruby_regex;

use super::Regexp;

impl Regexp {
    /// Formats the source as `%s` prints it. If it has a fixed encoding, which Ruby treats as an option, the
    /// source is wrapped in a group with all options unset.
    pub fn to_source_text(&self) -> String {
        if self.has_fixed_encoding() {
            format!("(?-imx:{})", self.source())
        } else {
            self.source().to_owned()
        }
    }

    /// Formats the source between slashes, as `%p` and interpolation print it.
    pub fn to_delimited_text(&self) -> String {
        if self.has_fixed_encoding() {
            format!("/{}/", self.to_option_group())
        } else {
            format!("/{}/", escape_source(self.source()))
        }
    }

    /// Returns true if the source contains a non-ASCII character, an escape for one, or a property.
    fn has_fixed_encoding(&self) -> bool {
        let source = self.source();
        if !source.is_ascii() {
            return true;
        }
        let mut rest = source.chars();
        while let Some(c) = rest.next() {
            if c != '\\' {
                continue;
            }
            match rest.next() {
                Some('p' | 'P') => return true,
                Some('u') => match rest.as_str().strip_prefix('{') {
                    Some(codes) => {
                        let codes = codes.split('}').next().unwrap_or_default();
                        if codes.split_whitespace().any(is_above_ascii) {
                            return true;
                        }
                    }
                    None if is_above_ascii(rest.as_str().get(..4).unwrap_or_default()) => return true,
                    None => {}
                },
                // A byte follows; bytes above 0x7F are non-ASCII.
                Some('x') => {
                    let digits: String =
                        rest.as_str().chars().take(2).take_while(char::is_ascii_hexdigit).collect();
                    if is_above_ascii(&digits) {
                        return true;
                    }
                }
                Some(first @ '0'..='7') => {
                    let more = rest.as_str().chars().take(2).take_while(|c| ('0'..='7').contains(c));
                    let value =
                        more.fold(first as u32 - '0' as u32, |value, c| value * 8 + (c as u32 - '0' as u32));
                    if value > 0o177 {
                        return true;
                    }
                }
                Some('M') if rest.as_str().starts_with('-') => return true,
                _ => {}
            }
        }
        false
    }

    /// Formats the source as `(?-mix:...)`, like Ruby's `Regexp#to_s`. Options that enclose the whole source
    /// become those of the group.
    fn to_option_group(&self) -> String {
        let source = self.source();
        let mut options = [false; 3];
        let mut inner = source;
        while inner.len() >= 4
            && let Some(rest) = inner.strip_prefix("(?")
        {
            let (set, rest) = split_letters(rest);
            let (cleared, rest) = match rest.strip_prefix('-') {
                Some(rest) if !rest.is_empty() => split_letters(rest),
                _ => ("", rest),
            };
            let mut changed = options;
            for (index, letter) in LETTERS.into_iter().enumerate() {
                changed[index] = (changed[index] || set.contains(letter)) && !cleared.contains(letter);
            }
            if let Some(rest) = rest.strip_prefix(')') {
                options = changed;
                inner = rest;
                continue;
            }
            let content = rest.strip_prefix(':').and_then(|it| it.strip_suffix(')'));
            match content.filter(|it| ruby_regex::parse(it).is_ok()) {
                Some(content) => {
                    options = changed;
                    inner = content;
                }
                None => {
                    options = [false; 3];
                    inner = source;
                }
            }
            break;
        }
        let letters = |wanted: bool| -> String {
            LETTERS.into_iter().zip(options).filter(|it| it.1 == wanted).map(|it| it.0).collect()
        };
        let (on, off) = (letters(true), letters(false));
        let dash = if off.is_empty() { "" } else { "-" };
        format!("(?{on}{dash}{off}:{})", escape_source(inner))
    }
}

const LETTERS: [char; 3] = ['m', 'i', 'x'];

fn split_letters(text: &str) -> (&str, &str) {
    text.split_at(text.len() - text.trim_start_matches(LETTERS).len())
}

fn is_above_ascii(digits: &str) -> bool {
    u32::from_str_radix(digits, 16).is_ok_and(|code| code > 0x7f)
}

/// Escapes `/` and, numerically, unprintable characters.
fn escape_source(source: &str) -> String {
    let mut out = String::with_capacity(source.len());
    let mut chars = source.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' => {
                out.push(c);
                out.extend(chars.next());
            }
            '/' => out.push_str("\\/"),
            c if c.is_ascii_control() && !matches!(c, '\t'..='\r') => {
                out.push_str(&format!("\\x{:02X}", c as u32));
            }
            c => out.push(c),
        }
    }
    out
}

/// Escapes `text` to a pattern that matches it literally, like Ruby's `Regexp.escape`.
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '[' | ']' | '{' | '}' | '(' | ')' | '|' | '-' | '*' | '.' | '\\' | '?' | '+' | '^' | '$'
            | ' ' | '#' => {
                out.push('\\');
                out.push(c);
            }
            '\t' => out.push_str("\\t"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\u{b}' => out.push_str("\\v"),
            '\u{c}' => out.push_str("\\f"),
            c => out.push(c),
        }
    }
    out
}
