//! How a regular expression is printed, and how text is made a pattern.

use crate::ruby_regex;

use super::Regexp;

impl Regexp {
    /// How `%s` prints it: the source, in a group that says that no option is set if the source is bound to an
    /// encoding. Ruby counts that as an option, and Puppet prints a regular expression with options differently.
    pub fn to_source_text(&self) -> String {
        match self.has_fixed_encoding() {
            true => format!("(?-imx:{})", self.source()),
            false => self.source().to_owned(),
        }
    }

    /// How `%p` and interpolation print it, between slashes.
    pub fn to_delimited_text(&self) -> String {
        match self.has_fixed_encoding() {
            true => format!("/{}/", self.to_option_group()),
            false => format!("/{}/", escape_source(self.source())),
        }
    }

    /// Does the source hold a character that is not ASCII, or a property? An escape for such a character counts too.
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
                // Behind these comes a byte, and what is above ASCII begins with a byte like that.
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

    /// `(?-mix:...)`, as Ruby's `Regexp#to_s` has it: options that all of the source is in become those of the group.
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

/// The source with `/` escaped, and with numbers for characters that cannot be printed.
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

/// `text` as a pattern that matches just that (Ruby's `Regexp.escape`).
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
