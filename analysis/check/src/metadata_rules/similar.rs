//! Comparison of names, for suggestions.

/// Returns true if the names differ in one or two characters.
pub(crate) fn is_similar(name: &str, known: &str) -> bool {
    let (name, known) = (name.to_ascii_lowercase().replace(['-', '_'], ""), known.replace(['-', '_'], ""));
    let (name, known) = (name.as_bytes(), known.as_bytes());
    let (start, end) = syntax::common_ends(name, known);
    match (&name[start..name.len() - end], &known[start..known.len() - end]) {
        ([a, b], [c, d]) if (a, b) == (d, c) => true,
        (name, other) => name.len().max(other.len()) <= if known.len() > 4 { 2 } else { 1 },
    }
}
