//! Search of texts for code that changes resources declared elsewhere: defaults, overrides, and collectors with
//! attributes. Most manifests have none, and need not be parsed to find that out.

/// Words before a value that is tested or compared: `case $facts['os']['family'] {`.
const TESTS: &[&str] = &["case", "if", "elsif", "unless", "and", "or", "in"];

/// Type of resources that code changes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum ChangedType<'t> {
    /// Name as written.
    Named(&'t str),
    /// A type that is computed, or that is not found without a parser.
    Unknown,
}

/// Returns the types of the resources that a manifest may change by resource defaults, overrides, and collectors
/// with attributes. May return others too.
pub(super) fn changed_types(text: &str) -> impl Iterator<Item = ChangedType<'_>> {
    text.match_indices('{').filter_map(|(at, _)| {
        let target = text[..at].trim_end();
        // A comment may separate the target from its attributes.
        let is_after_comment = text[target.len()..at].contains('\n')
            && target.rsplit('\n').next().is_some_and(|line| line.contains('#'));
        if is_after_comment {
            return Some(ChangedType::Unknown);
        }
        let is_collector = target.ends_with("|>") || target.ends_with("|>>");
        if is_collector { Some(type_of_collector(target)) } else { type_of_target(target) }
    })
}

/// Returns the type of the collector at the end of a text.
fn type_of_collector(text: &str) -> ChangedType<'_> {
    let before = text.rsplit_once("<|").map(|(before, _)| before.trim_end_matches('<').trim_end());
    before.and_then(type_of_target).unwrap_or(ChangedType::Unknown)
}

/// Returns the type of the target of an override or of resource defaults at the end of a text.
fn type_of_target(text: &str) -> Option<ChangedType<'_>> {
    let mut rest = text;
    while let Some(inner) = rest.strip_suffix(']') {
        match before_bracket(inner) {
            Some(before) => rest = before.trim_end(),
            None => return Some(ChangedType::Unknown),
        }
    }
    let has_keys = rest.len() < text.len();
    let before = rest.trim_end_matches(|it: char| it.is_ascii_alphanumeric() || matches!(it, '_' | ':'));
    let name = rest[before.len()..].trim_start_matches(':');
    let is_computed = match name.chars().next() {
        Some(first) if first.is_ascii_uppercase() => return Some(ChangedType::Named(name)),
        Some(_) => has_keys && before.strip_suffix('$').is_some_and(|before| !ends_with_test(before)),
        // The keys of a call or of an expression in parentheses.
        None => has_keys,
    };
    is_computed.then_some(ChangedType::Unknown)
}

/// Returns true if a text ends with an operator, or with a word before a value.
fn ends_with_test(text: &str) -> bool {
    let text = text.trim_end();
    let word = text.rsplit(|it: char| !it.is_ascii_alphanumeric() && it != '_').next().unwrap_or_default();
    TESTS.contains(&word) || text.ends_with(['=', '~', '!', '<', '>', '+', '-', '*', '/', '%', '('])
}

/// Returns the text before the `[` that the end of `inner` belongs to.
fn before_bracket(inner: &str) -> Option<&str> {
    let mut depth = 0;
    let mut quote = None;
    for (at, it) in inner.bytes().enumerate().rev() {
        match (quote, it) {
            (Some(open), _) => {
                if it == open && !inner[..at].ends_with('\\') {
                    quote = None;
                }
            }
            (None, b'\'' | b'"') => quote = Some(it),
            (None, b']') => depth += 1,
            (None, b'[') if depth > 0 => depth -= 1,
            (None, b'[') => return Some(&inner[..at]),
            (None, _) => {}
        }
    }
    None
}

#[cfg(test)]
#[path = "other_resources_tests.rs"]
mod tests;
