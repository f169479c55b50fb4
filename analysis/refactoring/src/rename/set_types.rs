//! Rename of types in type sets.

use hir::{DefinitionKind, Name};
use project::{Db, DefinitionId, File};
use symbols::symbol::Symbol;
use symbols::{references, search};
use syntax::TextRange;

use super::edits::{Edits, RenameRefusal, refuse};
use super::names;
use crate::SourceChange;

/// Renames a type of a type set and all references to it.
///
/// # Errors
/// Returns a [`RenameRefusal`] if the new name is invalid or taken.
pub(super) fn rename(
    db: &dyn Db,
    from: File,
    set: DefinitionId,
    old_name: &Name,
    new_name: &str,
) -> Result<SourceChange, RenameRefusal> {
    let new_name = names::definition(DefinitionKind::TypeAlias, new_name)?;
    if new_name.contains("::") {
        return refuse("a type cannot be moved out of its type set");
    }
    let mut edits = Edits::default();
    if old_name == new_name {
        return Ok(edits.finish(Vec::new()));
    }
    let members = project::type_set_members(db, set);
    if members.iter().any(|it| it != old_name && it.eq_ignore_ascii_case(new_name)) {
        return refuse(format!("the type set already has a type `{new_name}`"));
    }
    let symbol = Symbol::SetType { set, name: old_name.clone() };
    for file in search::candidate_files(db, from, &symbol) {
        for it in references::uses_in(db, file, &symbol) {
            edits.add(db, file, last_segment(db, file, it.range), new_name.to_owned());
        }
    }
    Ok(edits.finish(Vec::new()))
}

/// Renames a type set in the qualified names of its types.
pub(super) fn edit_set_name(db: &dyn Db, from: File, set: DefinitionId, new_name: &str, edits: &mut Edits) {
    for name in project::type_set_members(db, set) {
        let symbol = Symbol::SetType { set, name };
        for file in search::candidate_files(db, from, &symbol) {
            for it in references::uses_in(db, file, &symbol) {
                // Inside the type set, its types are written without the name of the set.
                if let Some(end) =
                    last_segment(db, file, it.range).start.checked_sub(2).filter(|end| *end > it.range.start)
                {
                    edits.add(db, file, TextRange::new(it.range.start, end), new_name.to_owned());
                }
            }
        }
    }
}

/// Returns the range of the last segment of a qualified name.
pub(super) fn last_segment(db: &dyn Db, file: File, range: TextRange) -> TextRange {
    let text = project::text(db, file);
    let written = text.as_deref().and_then(|text| text.get(range.as_range())).unwrap_or_default();
    let own = written.rsplit("::").next().map_or(0, str::len) as u32;
    TextRange::new(range.end - own, range.end)
}
