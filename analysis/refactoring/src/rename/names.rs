//! Validation of new names.

use hir::DefinitionKind;

use super::edits::{RenameRefusal, refuse};

/// Reserved words of the language.
const KEYWORDS: &[&str] = &[
    "and", "attr", "case", "class", "default", "define", "else", "elsif", "false", "function", "if",
    "import", "in", "inherits", "node", "or", "private", "true", "type", "undef", "unless",
];

/// Variables that Puppet sets in every scope.
const SET_BY_PUPPET: &[&str] = &["facts", "trusted", "server_facts"];

/// Validates a variable name and strips the optional leading `$`.
///
/// # Errors
/// Returns a [`RenameRefusal`] if it is not a valid variable name.
pub(super) fn variable(text: &str) -> Result<&str, RenameRefusal> {
    let name = text.trim();
    let name = name.strip_prefix('$').unwrap_or(name);
    let is_name =
        name.bytes().next().is_some_and(|b| b.is_ascii_lowercase() || b == b'_') && name.bytes().all(is_word);
    if !is_name {
        return refuse(format!("invalid variable name `{name}`; expected lowercase letters, digits and `_`"));
    }
    if SET_BY_PUPPET.contains(&name) {
        return refuse(format!("`${name}` is set by Puppet"));
    }
    Ok(name)
}

/// Validates the name of a definition and strips the optional leading `::`.
///
/// # Errors
/// Returns a [`RenameRefusal`] if it is not a valid name for this kind of definition.
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
        let letter = if is_type { "an uppercase" } else { "a lowercase" };
        let what = kind_label(kind);
        return refuse(format!("invalid {what} name `{name}`; each segment must start with {letter} letter"));
    }
    let is_taken_word = KEYWORDS.contains(&name)
        || matches!(kind, DefinitionKind::Class | DefinitionKind::DefinedType)
            && matches!(name, "main" | "settings");
    if is_taken_word {
        return refuse(format!("`{name}` is a reserved word"));
    }
    Ok(name)
}

pub(super) fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// Returns the human-readable name of a definition kind.
pub(super) fn kind_label(kind: DefinitionKind) -> &'static str {
    match kind {
        DefinitionKind::Class => "class",
        DefinitionKind::DefinedType => "defined type",
        DefinitionKind::Function => "function",
        DefinitionKind::Plan => "plan",
        DefinitionKind::TypeAlias => "type alias",
        DefinitionKind::Main
        | DefinitionKind::Node
        | DefinitionKind::TypeMapping
        | DefinitionKind::TypeDefinition => "definition",
    }
}
