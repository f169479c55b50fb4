//! What may be a name of what.

use hir::DefinitionKind;

use super::{RenameRefusal, refuse};

/// Words that the language keeps for itself.
const KEYWORDS: &[&str] = &[
    "and", "attr", "case", "class", "default", "define", "else", "elsif", "false", "function", "if",
    "import", "in", "inherits", "node", "or", "private", "true", "type", "undef", "unless",
];

/// Variables that are set already, everywhere.
const SET_BY_PUPPET: &[&str] = &["facts", "trusted", "server_facts"];

/// The name of a variable, `$` in front allowed, as it is to be written.
///
/// # Errors
/// Why it is none.
pub(super) fn variable(text: &str) -> Result<&str, RenameRefusal> {
    let name = text.trim();
    let name = name.strip_prefix('$').unwrap_or(name);
    let is_name =
        name.bytes().next().is_some_and(|b| b.is_ascii_lowercase() || b == b'_') && name.bytes().all(is_word);
    if !is_name {
        return refuse(format!("`{name}` is no name of a variable: it takes small letters, digits and `_`"));
    }
    if SET_BY_PUPPET.contains(&name) {
        return refuse(format!("`${name}` is set by Puppet"));
    }
    Ok(name)
}

/// The name of a definition, `::` in front allowed.
///
/// # Errors
/// Why it is none.
pub(super) fn definition(kind: DefinitionKind, text: &str) -> Result<&str, RenameRefusal> {
    let name = text.trim();
    let name = name.strip_prefix("::").unwrap_or(name);
    let is_type = kind == DefinitionKind::TypeAlias;
    let is_segment = |segment: &str| {
        let begins = |b: u8| if is_type { b.is_ascii_uppercase() } else { b.is_ascii_lowercase() };
        segment.bytes().next().is_some_and(begins)
            && segment.bytes().all(|b| is_word(b) && (is_type || !b.is_ascii_uppercase()))
    };
    if name.is_empty() || !name.split("::").all(is_segment) {
        let letters = if is_type { "capital" } else { "small" };
        let what = super::kind_words(kind);
        return refuse(format!("`{name}` is no name of a {what}: each part begins with a {letters} letter"));
    }
    let is_taken_word = KEYWORDS.contains(&name)
        || matches!(kind, DefinitionKind::Class | DefinitionKind::DefinedType)
            && matches!(name, "main" | "settings");
    if is_taken_word {
        return refuse(format!("`{name}` is a word of the language"));
    }
    Ok(name)
}

pub(super) fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}
