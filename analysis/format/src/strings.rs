//! Conversion of double-quoted strings to single quotes.

/// Returns true if a double-quoted string has the same value in single quotes. `source` includes its quotes.
pub(crate) fn may_be_single_quoted(source: &str) -> bool {
    let inner = source.strip_prefix('"').and_then(|it| it.strip_suffix('"'));
    inner.is_some_and(|inner| {
        !inner.contains(['\'', '\n', '\r', '\t'])
            && !inner.ends_with('\\')
            && inner.split('\\').skip(1).all(|rest| !rest.starts_with(is_escape) && !rest.is_empty())
    })
}

/// Returns true for characters that form an escape after a `\` in double quotes.
fn is_escape(character: char) -> bool {
    matches!(character, '\\' | '$' | '"' | '\'' | 'n' | 'r' | 't' | 's' | 'u')
}
