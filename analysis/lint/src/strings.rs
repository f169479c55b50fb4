//! Helper functions of the checks for names and strings.

use crate::manifest::Manifest;
use crate::report::Edit;

/// Returns the edit that puts a bare word, a number or a double-quoted string in single quotes.
pub(crate) fn quoted(manifest: &Manifest, token: usize) -> [Edit; 1] {
    let range = manifest.tokens.get(token);
    [Edit::replace(range.start, range.end, format!("'{}'", manifest.tokens.value(token)))]
}

/// Returns a variable without the text between `[` and `]`.
pub(crate) fn without_accesses(value: &str) -> String {
    let mut result = String::new();
    let mut rest = value;
    while let Some(open) = rest.find('[') {
        // There is at least one character between the brackets.
        let Some(close) = rest[open + 1..].char_indices().skip(1).find(|(_, it)| *it == ']') else { break };
        result.push_str(&rest[..open]);
        rest = &rest[open + 1 + close.0 + 1..];
    }
    result.push_str(rest);
    result
}

/// Returns true if a variable is written as `::module::name`.
pub(crate) fn is_qualified_from_top(value: &str) -> bool {
    let Some(rest) = value.strip_prefix("::") else { return false };
    let module = rest.find(|it: char| !it.is_ascii_alphanumeric() && it != '_').unwrap_or(rest.len());
    module > 0 && !rest.starts_with(|it: char| it.is_ascii_uppercase()) && rest[module..].starts_with("::")
}

/// Returns true for a bare word or a string without interpolation.
pub(crate) fn is_word_or_string(manifest: &Manifest, token: usize) -> bool {
    use crate::token::TokenKind;
    matches!(manifest.tokens.kind(token), TokenKind::Name | TokenKind::DoubleQuoted | TokenKind::SingleQuoted)
}

/// Returns the edit that replaces a word, or the contents of a string, by `text`.
pub(crate) fn with_value(manifest: &Manifest, token: usize, text: &str) -> [Edit; 1] {
    let token = manifest.tokens.get(token);
    [Edit::replace(token.value_start, token.value_end, text)]
}
