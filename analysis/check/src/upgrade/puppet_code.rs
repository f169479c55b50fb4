//! Puppet code in the strings of tests, such as manifests that acceptance tests apply.

use syntax::TextRange;

/// Read of a fact in Puppet code.
pub(super) struct FactInCode<'t> {
    pub(super) name: &'t str,
    pub(super) range: TextRange,
    /// True for `facts['x']`, whose quotes are possible where it is written.
    pub(super) has_quotes: bool,
}

/// Finds `$facts['x']` and `$::x`, which are not valid in Ruby itself, outside of comments. Ranges begin after the `$`.
pub(super) fn facts_in_code(text: &str) -> impl Iterator<Item = FactInCode<'_>> {
    let is_comment = |at: usize| {
        let line = text[..at].rfind('\n').map_or(0, |it| it + 1);
        text[line..at].trim_start().starts_with('#')
    };
    text.match_indices('$')
        .filter(move |(at, _)| !is_comment(*at))
        .filter_map(|(at, _)| fact_at(text, at + 1))
}

fn fact_at(text: &str, after_sigil: usize) -> Option<FactInCode<'_>> {
    let start = after_sigil + usize::from(text[after_sigil..].starts_with('{'));
    let rest = &text[start..];
    let is_name = |it: char| it.is_ascii_lowercase() || it.is_ascii_digit() || it == '_';
    let found = |name, end: usize, has_quotes| {
        let range = TextRange::new(u32::try_from(start).ok()?, u32::try_from(start + end).ok()?);
        Some(FactInCode { name, range, has_quotes })
    };
    if let Some(key) = rest.strip_prefix("facts['") {
        let (name, _) = key.split_once("']").filter(|(name, _)| name.chars().all(is_name))?;
        return found(name, "facts['".len() + name.len() + "']".len(), true);
    }
    let variable = rest.strip_prefix("::")?;
    let name = &variable[..variable.find(|it| !is_name(it)).unwrap_or(variable.len())];
    let is_qualified = variable[name.len()..].starts_with("::");
    (!is_qualified).then(|| found(name, "::".len() + name.len(), false))?
}
