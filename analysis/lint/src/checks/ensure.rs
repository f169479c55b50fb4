//! The attribute `ensure` of resources.

use crate::manifest::{Manifest, ResourceSpan};
use crate::strings::is_word_or_string;

/// Returns the resources of a type whose `ensure` is a given word, each with the token of that word.
pub(crate) fn with_ensure<'m>(
    manifest: &'m Manifest,
    type_name: &str,
    word: &str,
) -> impl Iterator<Item = (&'m ResourceSpan, usize)> {
    manifest.resources().iter().filter_map(move |resource| {
        if manifest.tokens.value(resource.type_name) != type_name {
            return None;
        }
        let value = manifest.value_of(manifest.attribute_anywhere(resource, "ensure")?)?;
        (manifest.tokens.value(value) == word && is_word_or_string(manifest, value))
            .then_some((resource, value))
    })
}
