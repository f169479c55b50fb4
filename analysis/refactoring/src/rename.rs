//! New names for things: every place that names them changes, or nothing does and the reason is told.

mod definitions;
mod files;
mod names;
mod set_types;
mod specs;
mod variables;

use std::collections::BTreeMap;
use std::fmt;

use hir::{DefinitionKind, NameUseKind};
use project::vfs::FilePath;
use project::{Db, File};
use symbols::FileId;
use symbols::symbol::{self, Symbol};
use syntax::TextRange;

use crate::{SourceChange, SourceEdit};

pub use files::will_rename_files;

/// Why something is not renamed: a sentence for the user, without a full stop.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct RenameRefusal(pub String);

/// What can be renamed at a place.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct RenameTarget {
    /// The word that stands there.
    pub range: TextRange,
    /// The name to begin with: of a definition the whole one, with its namespace.
    pub name: String,
}

impl fmt::Display for RenameRefusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for RenameRefusal {}

fn refuse<T>(reason: impl Into<String>) -> Result<T, RenameRefusal> {
    Err(RenameRefusal(reason.into()))
}

/// The edits collected so far.
#[derive(Default)]
struct Edits {
    by_file: BTreeMap<FilePath, (File, Vec<SourceEdit>)>,
}

impl Edits {
    fn add(&mut self, db: &dyn Db, file: File, range: TextRange, text: String) {
        let path = file.path(db).clone();
        self.by_file.entry(path).or_insert((file, Vec::new())).1.push(SourceEdit { range, text });
    }

    fn finish(self, moves: Vec<(FileId, FilePath)>) -> SourceChange {
        let edits = self.by_file.into_values().map(|(file, mut edits)| {
            edits.sort();
            edits.dedup();
            (FileId(file), edits)
        });
        SourceChange { edits: edits.collect(), moves, creates: Vec::new() }
    }
}

/// What can be renamed at an offset.
///
/// # Errors
/// Why it cannot.
pub fn prepare(db: &dyn Db, file: File, offset: u32) -> Result<RenameTarget, RenameRefusal> {
    let (symbol, range) = named(db, file, offset)?;
    let name = match &symbol {
        Symbol::Definition(definition) => {
            definitions::check_kind(db, *definition)?;
            let signature = project::signature(db, *definition);
            signature.as_ref().map(|it| it.name.to_string()).unwrap_or_default()
        }
        Symbol::Variable { name, .. } | Symbol::LambdaVariable { name, .. } => name.to_string(),
        Symbol::SetType { name, .. } => name.to_string(),
        other => return refuse(why_not(other)),
    };
    Ok(RenameTarget { range, name })
}

/// Gives the thing at an offset another name. `roots` are the folders whose files may be changed; all, when there are
/// none.
///
/// # Errors
/// Why it cannot be done.
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
        other => return refuse(why_not(other)),
    };
    check_places(db, roots, &change)?;
    Ok(change)
}

fn named(db: &dyn Db, file: File, offset: u32) -> Result<(Symbol, TextRange), RenameRefusal> {
    let Some(name_use) = symbol::name_use_at(db, file, offset) else {
        return refuse("there is no name here that can be changed");
    };
    // A key of Hiera is the name of a class and of a parameter: the latter is what the cursor can change.
    let range = match name_use.kind {
        NameUseKind::HieraKey => {
            let own = name_use.name.rsplit("::").next().map_or(0, str::len) as u32;
            TextRange::new(name_use.range.end - own, name_use.range.end)
        }
        _ => name_use.range,
    };
    match symbol::resolve(db, file, &name_use) {
        // So is the last part of the name of a type in a set.
        Some(symbol @ Symbol::SetType { .. }) => Ok((symbol, set_types::own_part(db, file, range))),
        Some(symbol) => Ok((symbol, range)),
        None => refuse(format!("nothing is known of `{}`", name_use.name)),
    }
}

/// Why a thing of this kind has no other name.
fn why_not(symbol: &Symbol) -> String {
    match symbol {
        Symbol::BuiltInVariable(name) => format!("`${name}` is set by Puppet"),
        Symbol::Fact(_) | Symbol::TrustedFact(_) | Symbol::ServerFact(_) => {
            "the name of a fact is not up to Puppet code".to_owned()
        }
        Symbol::BuiltInFunction(name) | Symbol::BuiltInType(name) => {
            format!("`{name}` is a part of Puppet")
        }
        Symbol::ResourceType { name, file: None } => format!("`{name}` is a part of Puppet"),
        Symbol::Attribute { name, file: None, .. } | Symbol::Metaparameter(name) => {
            format!("`{name}` is a part of Puppet")
        }
        Symbol::RubyFunction { .. }
        | Symbol::RubyType { .. }
        | Symbol::ResourceType { .. }
        | Symbol::Attribute { .. }
        | Symbol::Provider { .. } => "what is written in Ruby is not renamed".to_owned(),
        Symbol::Resource { .. } => "a title is a value: other systems may know the resource by it".to_owned(),
        Symbol::Template(_) | Symbol::ServedFile(_) | Symbol::ServedFolder(_) | Symbol::Task(_) => {
            "this is the path of a file: rename the file".to_owned()
        }
        Symbol::TaskParameter { name, .. } => {
            format!("the program that the task is reads `{name}`, too")
        }
        Symbol::HieraKey(name) => format!("`{name}` is no parameter of a class that is known"),
        Symbol::Definition(_)
        | Symbol::Variable { .. }
        | Symbol::LambdaVariable { .. }
        | Symbol::SetType { .. } => "this has no name that could be changed".to_owned(),
    }
}

/// Only files of the workspace are changed.
fn check_places(db: &dyn Db, roots: &[FilePath], change: &SourceChange) -> Result<(), RenameRefusal> {
    for (file, _) in &change.edits {
        let path = file.0.path(db);
        let is_inside = roots.is_empty() || path.is_opaque() || roots.iter().any(|it| path.starts_with(it));
        // Open files lie wherever the user wants.
        if !is_inside && !file.0.is_open(db) {
            return refuse(format!("{} is not in the workspace", path.to_native()));
        }
    }
    Ok(())
}

/// What a definition of this kind is called in a sentence.
fn kind_words(kind: DefinitionKind) -> &'static str {
    match kind {
        DefinitionKind::Class => "class",
        DefinitionKind::DefinedType => "defined type",
        DefinitionKind::Function => "function",
        DefinitionKind::Plan => "plan",
        DefinitionKind::TypeAlias => "type alias",
        DefinitionKind::Main
        | DefinitionKind::Node
        | DefinitionKind::TypeMapping
        | DefinitionKind::TypeDefinition => "definition",
    }
}
