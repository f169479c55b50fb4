//! `Shellwords`: splitting and escaping of command lines.

use super::super::interpreter::Interpreter;
use super::super::methods::{MethodInvocation, MethodRow, TEXT, row};
use super::super::value::{Object, Ruby, raise_as, unsupported};
use super::{ModuleRow, of};

pub(super) const MODULE_TABLE: &[ModuleRow] = &[
    of("Shellwords", "escape", 1, 1, |ruby, it| escape(ruby, &it.text_argument(0)?)),
    of("Shellwords", "shellescape", 1, 1, |ruby, it| escape(ruby, &it.text_argument(0)?)),
    of("Shellwords", "split", 1, 1, |ruby, it| split(ruby, &it.text_argument(0)?)),
    of("Shellwords", "shellsplit", 1, 1, |ruby, it| split(ruby, &it.text_argument(0)?)),
    of("Shellwords", "shellwords", 1, 1, |ruby, it| split(ruby, &it.text_argument(0)?)),
    of("Shellwords", "join", 1, 1, join),
    of("Shellwords", "shelljoin", 1, 1, join),
];

pub(in super::super) const TABLE: &[MethodRow] = &[
    row("shellescape", TEXT, 0, 0, |ruby, it| escape(ruby, &it.text()?)),
    row("shellsplit", TEXT, 0, 0, |ruby, it| split(ruby, &it.text()?)),
];

fn join(ruby: &mut Interpreter<'_>, it: &MethodInvocation<'_>) -> Ruby {
    let Object::Array(words) = it.argument(0) else { return unsupported() };
    let mut parts = Vec::new();
    for word in words.elements.borrow().iter() {
        let word = ruby.text_of(word)?;
        let Object::Text(escaped) = escape(ruby, &word)? else { return unsupported() };
        parts.push(escaped.content.borrow().clone());
    }
    Ok(Object::text(parts.join(" ")))
}

fn escape(ruby: &mut Interpreter<'_>, text: &str) -> Ruby {
    ruby.charge(text.len())?;
    if text.is_empty() {
        return Ok(Object::text("''"));
    }
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '\n' => out.push_str("'\n'"),
            // Versions handle null bytes differently.
            '\0' => return unsupported(),
            c if c.is_ascii_alphanumeric() || "_-.,:+/@".contains(c) => out.push(c),
            c => {
                out.push('\\');
                out.push(c);
            }
        }
    }
    Ok(Object::text(out))
}

fn is_blank(c: char) -> bool {
    matches!(c, ' ' | '\t'..='\r')
}

/// Splits a command line into words and removes quotes.
fn split(ruby: &mut Interpreter<'_>, text: &str) -> Ruby {
    ruby.charge(text.len().saturating_mul(8))?;
    if text.contains('\0') {
        return unsupported();
    }
    let mut words = Vec::new();
    let mut word = String::new();
    let mut rest = text.trim_start_matches(is_blank);
    while let Some(first) = rest.chars().next() {
        let unmatched = || raise_as("ArgumentError", "unmatched quote");
        let (part, after) = match first {
            '\'' => match rest[1..].split_once('\'') {
                Some((inside, after)) => (inside.to_owned(), after),
                None => return unmatched(),
            },
            '"' => match end_of_quoted(&rest[1..]) {
                Some(end) => (without_escapes(&rest[1..=end]), &rest[end + 2..]),
                None => return unmatched(),
            },
            '\\' => match rest[1..].chars().next() {
                Some('\n') => ("\\\n".to_owned(), &rest[2..]),
                Some(c) => (c.to_string(), &rest[1 + c.len_utf8()..]),
                None => ("\\".to_owned(), ""),
            },
            _ => {
                let end = rest.find(|c| is_blank(c) || matches!(c, '\\' | '\'' | '"')).unwrap_or(rest.len());
                (rest[..end].to_owned(), &rest[end..])
            }
        };
        word.push_str(&part);
        if after.is_empty() || after.starts_with(is_blank) {
            words.push(Object::text(std::mem::take(&mut word)));
        }
        rest = after.trim_start_matches(is_blank);
    }
    Ok(Object::array(words))
}

/// Returns the offset of the closing quote.
fn end_of_quoted(text: &str) -> Option<usize> {
    let mut is_escaped = false;
    for (index, c) in text.char_indices() {
        match c {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            '"' => return Some(index),
            _ => {}
        }
    }
    None
}

fn without_escapes(text: &str) -> String {
    let mut out = String::new();
    let mut letters = text.chars().peekable();
    while let Some(c) = letters.next() {
        match letters.peek() {
            Some('$' | '`' | '"' | '\\' | '\n') if c == '\\' => out.extend(letters.next()),
            _ => out.push(c),
        }
    }
    out
}
