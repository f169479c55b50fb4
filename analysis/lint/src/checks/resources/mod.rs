//! Checks for resources and references to them.

pub(crate) mod anchor_resource;
pub(crate) mod check_unsafe_interpolations;
pub(crate) mod duplicate_params;
pub(crate) mod ensure_first_param;
pub(crate) mod ensure_not_symlink_target;
pub(crate) mod exec_idempotency;
pub(crate) mod file_ensure;
pub(crate) mod file_mode;
pub(crate) mod package_ensure;
pub(crate) mod references;
pub(crate) mod trailing_comma;
pub(crate) mod unquoted_file_mode;
pub(crate) mod unquoted_resource_title;

use crate::manifest::{Manifest, ResourceSpan};
use crate::strings::is_word_or_string;

/// Returns the resources of a type whose `ensure` is a given word, each with the token of that word.
fn with_ensure<'m>(
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
