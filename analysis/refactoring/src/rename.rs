//! Rename: changes all references to a symbol, or refuses with a reason.

mod data_folders;
mod definitions;
mod edits;
mod files;
mod hiera_keys;
mod names;
mod set_types;
mod specs;
mod variables;

use hir::NameUseKind;
use project::vfs::FilePath;
use project::{Db, File};
use symbols::symbol::{self, Symbol};
use syntax::TextRange;

use self::edits::refuse;
use crate::SourceChange;

pub use edits::RenameRefusal;
pub use files::will_rename_files;
pub(crate) use variables::is_unread_by_templates;

/// A symbol that can be renamed.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct RenameTarget {
    /// Range of the name at the cursor.
    pub range: TextRange,
    /// Current name, used as the placeholder; fully qualified for definitions.
    pub name: String,
}

/// Returns the symbol at an offset that can be renamed.
///
/// # Errors
/// Returns a [`RenameRefusal`] if nothing at the offset can be renamed.
pub fn prepare(db: &dyn Db, file: File, offset: u32) -> Result<RenameTarget, RenameRefusal> {
    let (symbol, range) = named(db, file, offset)?;
    let name = match &symbol {
        Symbol::Definition(definition) => {
            definitions::check_kind(db, *definition)?;
            let signature = project::signature(db, *definition);
            signature.as_ref().map(|it| it.name.to_string()).unwrap_or_default()
        }
        Symbol::Variable { name, .. } | Symbol::LambdaVariable { name, .. } => name.to_string(),
        Symbol::SetType { name, .. } | Symbol::HieraKey(name) => name.to_string(),
        other => return refuse(refusal_reason(other)),
    };
    Ok(RenameTarget { range, name })
}

/// Renames the symbol at an offset. `roots` are the folders whose files may be changed; if empty, all files
/// may be.
///
/// # Errors
/// Returns a [`RenameRefusal`] if the symbol cannot be renamed, or not to `new_name`.
pub fn rename(
    db: &dyn Db,
    roots: &[FilePath],
    file: File,
    offset: u32,
    new_name: &str,
) -> Result<SourceChange, RenameRefusal> {
    let (symbol, _) = named(db, file, offset)?;
    let change = match &symbol {
        Symbol::Definition(definition) => definitions::rename(db, file, *definition, new_name)?,
        Symbol::Variable { .. } | Symbol::LambdaVariable { .. } => {
            variables::rename(db, file, &symbol, new_name)?
        }
        Symbol::SetType { set, name } => set_types::rename(db, file, *set, name, new_name)?,
        Symbol::HieraKey(key) => hiera_keys::rename(db, file, key, new_name)?,
        other => return refuse(refusal_reason(other)),
    };
    check_locations(db, roots, &change)?;
    Ok(change)
}

fn named(db: &dyn Db, file: File, offset: u32) -> Result<(Symbol, TextRange), RenameRefusal> {
    let Some(name_use) = symbol::name_use_at(db, file, offset) else {
        return refuse("no symbol to rename at this position");
    };
    // A Hiera key consists of a class name and a parameter name; only the latter is renamed at the cursor.
    let range = match name_use.kind {
        NameUseKind::HieraKey
            if !matches!(symbol::resolve(db, file, &name_use), Some(Symbol::HieraKey(_))) =>
        {
            let own = name_use.name.rsplit("::").next().map_or(0, str::len) as u32;
            TextRange::new(name_use.range.end - own, name_use.range.end)
        }
        _ => name_use.range,
    };
    match symbol::resolve(db, file, &name_use) {
        // Only the last segment of the name of a type in a type set is renamed.
        Some(symbol @ Symbol::SetType { .. }) => Ok((symbol, set_types::last_segment(db, file, range))),
        Some(symbol) => Ok((symbol, range)),
        None => refuse(format!("cannot resolve `{}`", name_use.name)),
    }
}

/// Returns the reason why a symbol of this kind cannot be renamed.
fn refusal_reason(symbol: &Symbol) -> String {
    match symbol {
        Symbol::BuiltInVariable(name) => format!("`${name}` is set by Puppet"),
        Symbol::Fact(_) | Symbol::TrustedFact(_) | Symbol::ServerFact(_) => {
            "facts cannot be renamed".to_owned()
        }
        Symbol::BuiltInFunction(name) | Symbol::BuiltInType(name) => {
            format!("`{name}` is built into Puppet")
        }
        Symbol::ResourceType { name, file: None } => format!("`{name}` is built into Puppet"),
        Symbol::Attribute { name, file: None, .. } | Symbol::Metaparameter(name) => {
            format!("`{name}` is built into Puppet")
        }
        Symbol::RubyFunction { .. }
        | Symbol::RubyType { .. }
        | Symbol::ResourceType { .. }
        | Symbol::Attribute { .. }
        | Symbol::Provider { .. } => "symbols defined in Ruby cannot be renamed".to_owned(),
        Symbol::Resource { .. } => "resource titles cannot be renamed".to_owned(),
        Symbol::Template(_) | Symbol::ServedFile(_) | Symbol::ServedFolder(_) | Symbol::Task(_) => {
            "paths cannot be renamed; rename the file instead".to_owned()
        }
        Symbol::TaskParameter { name, .. } => {
            format!("the executable of the task also reads `{name}`")
        }
        Symbol::Definition(_)
        | Symbol::HieraKey(_)
        | Symbol::Variable { .. }
        | Symbol::LambdaVariable { .. }
        | Symbol::SetType { .. } => "this definition has no name".to_owned(),
    }
}

/// Refuses changes to files outside of the workspace.
fn check_locations(db: &dyn Db, roots: &[FilePath], change: &SourceChange) -> Result<(), RenameRefusal> {
    for (file, _) in &change.edits {
        let path = file.0.path(db);
        let is_inside = roots.is_empty() || path.is_opaque() || roots.iter().any(|it| path.starts_with(it));
        // Open files may be anywhere.
        if !is_inside && !file.0.is_open_in_editor(db) {
            return refuse(format!("`{}` is not in the workspace", path.to_native()));
        }
    }
    Ok(())
}
