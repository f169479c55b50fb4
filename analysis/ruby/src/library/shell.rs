//! `Shellwords`: splitting and escaping of command lines.

use scalars::shell_words;

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
    shell_words::escape(text).map_or_else(unsupported, |escaped| Ok(Object::text(escaped)))
}

/// Splits a command line into words and removes quotes.
fn split(ruby: &mut Interpreter<'_>, text: &str) -> Ruby {
    ruby.charge(text.len().saturating_mul(8))?;
    if text.contains('\0') {
        return unsupported();
    }
    match shell_words::split(text) {
        Some(words) => Ok(Object::array(words.into_iter().map(Object::text).collect())),
        None => raise_as("ArgumentError", "unmatched quote"),
    }
}
