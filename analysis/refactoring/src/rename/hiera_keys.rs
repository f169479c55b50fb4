//! Rename of Hiera keys that do not set class parameters: in data files, in `lookup()` calls, and in
//! interpolations.

use hir::{Name, NameUseKind};
use project::{Db, File, NameKind};
use symbols::symbol::{self, Symbol};
use symbols::{references, search};

use super::edits::{Edits, RenameRefusal, refuse};
use crate::SourceChange;

/// Renames a key wherever data sets it and code or data refers to it.
///
/// # Errors
/// Returns a [`RenameRefusal`] if the new key is invalid or in use.
pub(super) fn rename(
    db: &dyn Db,
    from: File,
    key: &Name,
    new_key: &str,
) -> Result<SourceChange, RenameRefusal> {
    let is_valid = |it: char| it.is_ascii_alphanumeric() || matches!(it, '_' | '-' | ':');
    if new_key.is_empty()
        || !new_key.chars().all(is_valid)
        || new_key.starts_with(['-', ':'])
        || new_key.ends_with(':')
    {
        return refuse(format!("`{new_key}` is not a valid key"));
    }
    if new_key == "lookup_options" {
        return refuse("`lookup_options` is reserved for Hiera");
    }
    let mut edits = Edits::default();
    if key == new_key {
        return Ok(edits.finish(Vec::new()));
    }
    if let Some((class, parameter)) = new_key.rsplit_once("::")
        && let Some(class) = project::resolve_in_file(db, from, NameKind::Class, class)
        && symbol::parameter_of(db, class, parameter).is_some()
    {
        return refuse(format!("`{new_key}` sets a parameter of class `{}`", class.key(db).name));
    }
    let new_symbol = Symbol::HieraKey(new_key.into());
    let mut others = search::candidate_files(db, from, &new_symbol).into_iter();
    if others.any(|file| !references::uses_in(db, file, &new_symbol).is_empty()) {
        return refuse(format!("`{new_key}` is already used"));
    }
    let symbol = Symbol::HieraKey(key.clone());
    for file in search::candidate_files(db, from, &symbol) {
        let Some(text) = project::text(db, file) else { continue };
        for it in references::uses_in(db, file, &symbol) {
            // Escapes in a quoted key would be lost.
            if it.kind != NameUseKind::HieraKey || text.get(it.range.as_range()) != Some(key.as_str()) {
                return refuse(format!("`{key}` is written differently in `{}`", file.path(db).to_native()));
            }
            edits.add(db, file, it.range, new_key.to_owned());
        }
    }
    Ok(edits.finish(Vec::new()))
}
