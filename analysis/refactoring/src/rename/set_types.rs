//! The types of type sets.

use hir::{DefinitionKind, Name};
use project::{Db, DefinitionId, File};
use symbols::symbol::Symbol;
use symbols::{references, search};
use syntax::TextRange;

use super::{Edits, RenameRefusal, names, refuse};
use crate::SourceChange;

/// Renames a type of a set, with everything that names it.
///
/// # Errors
/// Why it cannot be done.
pub(super) fn rename(
    db: &dyn Db,
    from: File,
    set: DefinitionId,
    old_name: &Name,
    new_name: &str,
) -> Result<SourceChange, RenameRefusal> {
    let new_name = names::definition(DefinitionKind::TypeAlias, new_name)?;
    if new_name.contains("::") {
        return refuse("a type cannot leave its type set");
    }
    let mut edits = Edits::default();
    if old_name == new_name {
        return Ok(edits.finish(Vec::new()));
    }
    let members = project::type_set_members(db, set);
    if members.iter().any(|it| it != old_name && it.eq_ignore_ascii_case(new_name)) {
        return refuse(format!("the type set has a type `{new_name}` already"));
    }
    let symbol = Symbol::SetType { set, name: old_name.clone() };
    for file in search::candidate_files(db, from, &symbol) {
        for it in references::uses_in(db, file, &symbol) {
            edits.add(db, file, own_part(db, file, it.range), new_name.to_owned());
        }
    }
    Ok(edits.finish(Vec::new()))
}

/// Renames a type set in the names of its types.
pub(super) fn edit_set_name(db: &dyn Db, from: File, set: DefinitionId, new_name: &str, edits: &mut Edits) {
    for name in project::type_set_members(db, set) {
        let symbol = Symbol::SetType { set, name };
        for file in search::candidate_files(db, from, &symbol) {
            for it in references::uses_in(db, file, &symbol) {
                // Inside of the set they are written without its name.
                if let Some(end) =
                    own_part(db, file, it.range).start.checked_sub(2).filter(|end| *end > it.range.start)
                {
                    edits.add(db, file, TextRange::new(it.range.start, end), new_name.to_owned());
                }
            }
        }
    }
}

/// The part of a name behind the last `::`.
pub(super) fn own_part(db: &dyn Db, file: File, range: TextRange) -> TextRange {
    let text = project::text(db, file);
    let written = text.as_deref().and_then(|text| text.get(range.as_range())).unwrap_or_default();
    let own = written.rsplit("::").next().map_or(0, str::len) as u32;
    TextRange::new(range.end - own, range.end)
}
