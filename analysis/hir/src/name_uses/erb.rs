//! Puppet names in an ERB template: variables of the scope that renders it, and functions.

use syntax::TextRange;

use super::{Access, NameUse, NameUseKind, VariableBinding};
use crate::fold_name;

/// Calls on `scope` that take a variable name.
const VARIABLE_READERS: &[&str] = &[
    "scope[",
    "scope.lookupvar(",
    "scope.lookupvar ",
    "scope.include?(",
    "scope.to_hash[",
    "has_variable?(",
    "has_variable? ",
];

/// Returns the names used by the Ruby code in an ERB template (`@name`, `scope['a::b']`, `scope.function_x`)
/// by position. The surrounding text is ignored.
pub fn erb_name_uses(text: &str) -> Vec<NameUse> {
    let mut uses = Vec::new();
    in_code(text, |code, start| ruby(code, start, &mut uses));
    uses.sort_by_key(|it| it.range.start);
    uses
}

/// Returns the plain and qualified variables in the code of an EPP template: their offsets and names without
/// `$`.
pub(super) fn epp_variables(text: &str) -> Vec<(u32, String)> {
    let mut found = Vec::new();
    in_code(text, |code, start| {
        for (at, _) in code.match_indices('$') {
            let name = &code[at + 1..];
            let length = name.bytes().take_while(|b| is_word(*b) || *b == b':').count();
            let name = name[..length].trim_end_matches(':');
            found.push((start + at as u32 + 1, name.to_owned()));
        }
    });
    found
}

/// Calls `visit` with each piece of code between `<%` and `%>` and its offset.
fn in_code(text: &str, mut visit: impl FnMut(&str, u32)) {
    let mut at = 0;
    while let Some(open) = text[at..].find("<%") {
        let code_start = at + open + 2;
        let length = text[code_start..].find("%>").unwrap_or(text.len() - code_start);
        let code = &text[code_start..code_start + length];
        if !code.starts_with('#') && !code.starts_with('%') {
            visit(code, code_start as u32);
        }
        at = code_start + length;
    }
}

fn ruby(code: &str, start: u32, uses: &mut Vec<NameUse>) {
    let bytes = code.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        match bytes[at] {
            b'@' if !preceded_by_word(bytes, at) && bytes.get(at + 1).is_some_and(|b| is_word(*b)) => {
                let length = word_length(&bytes[at + 1..]);
                let name = &code[at + 1..at + 1 + length];
                add(uses, start, at + 1, name, NameUseKind::ErbVariable, Access::Read);
                at += 1 + length;
            }
            b's' | b'h' if !preceded_by_word(bytes, at) => at += scope_call(code, at, start, uses).max(1),
            _ => at += 1,
        }
    }
}

/// Records the name in `scope.…` or `has_variable?` at an offset. Returns the consumed length, or 0 for
/// anything else.
fn scope_call(code: &str, at: usize, start: u32, uses: &mut Vec<NameUse>) -> usize {
    let rest = &code[at..];
    if let Some(reader) = VARIABLE_READERS.iter().find(|it| rest.starts_with(**it)) {
        if let Some((offset, name)) = quoted(rest, reader.len()) {
            variable(uses, start, at + offset, name);
        }
        return reader.len();
    }
    if let Some(following) = rest.strip_prefix("scope.function_") {
        let length = word_length(following.as_bytes());
        let offset = rest.len() - following.len();
        add(uses, start, at + offset, &following[..length], NameUseKind::Function, Access::Call);
        return offset + length;
    }
    for prefix in ["scope.call_function(", "scope.call_function "] {
        if rest.starts_with(prefix) {
            if let Some((offset, name)) = quoted(rest, prefix.len()) {
                add(uses, start, at + offset, &fold_name(name), NameUseKind::Function, Access::Call);
            }
            return prefix.len();
        }
    }
    0
}

/// Returns the quoted text at `from`, or the name of a symbol, with its offset.
fn quoted(text: &str, from: usize) -> Option<(usize, &str)> {
    let following = text[from..].trim_start_matches([' ', '(']);
    let begin = text.len() - following.len() + 1;
    match following.chars().next()? {
        quote @ ('\'' | '"') => {
            let inner = &following[1..];
            let inner = &inner[..inner.find(quote)?];
            inner.bytes().all(|b| is_word(b) || b == b':').then_some((begin, inner))
        }
        ':' => {
            let length = word_length(&following.as_bytes()[1..]);
            Some((begin, &following[1..1 + length]))
        }
        _ => None,
    }
}

fn variable(uses: &mut Vec<NameUse>, start: u32, at: usize, text: &str) {
    let Some((scope, name)) = text.rsplit_once("::") else {
        return add(uses, start, at, text, NameUseKind::ErbVariable, Access::Read);
    };
    let lead = if scope.starts_with("::") { 2 } else { 0 };
    let scope = fold_name(scope);
    add(uses, start, at + lead, &scope, NameUseKind::Class, Access::Read);
    let kind = NameUseKind::Variable(VariableBinding::Qualified { scope });
    add(uses, start, at + text.len() - name.len(), name, kind, Access::Read);
}

fn add(uses: &mut Vec<NameUse>, start: u32, at: usize, name: &str, kind: NameUseKind, access: Access) {
    if !name.is_empty() {
        let range = TextRange::new(start + at as u32, start + (at + name.len()) as u32);
        uses.push(NameUse { range, kind, name: name.into(), access, definition: 0 });
    }
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

fn word_length(bytes: &[u8]) -> usize {
    bytes.iter().take_while(|b| is_word(**b)).count()
}

fn preceded_by_word(bytes: &[u8], at: usize) -> bool {
    at > 0 && (is_word(bytes[at - 1]) || bytes[at - 1] == b'@')
}
