//! References to symbols.

use hir::{Access, NameUse, NameUseKind};
use project::{Db, File};
use syntax::TextRange;

use crate::symbol::{self, Symbol};
use crate::{FileId, navigation, search};

/// A reference to a symbol.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Reference {
    pub file: FileId,
    pub range: TextRange,
    pub access: ReferenceAccess,
}

/// Kind of a reference.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ReferenceAccess {
    /// Declares the symbol: the head of a definition, a parameter.
    Declaration,
    Read,
    Write,
    /// Mentioned in a comment.
    Documentation,
}

impl From<Access> for ReferenceAccess {
    fn from(access: Access) -> ReferenceAccess {
        match access {
            Access::Declaration => ReferenceAccess::Declaration,
            Access::Read | Access::Call => ReferenceAccess::Read,
            Access::Write => ReferenceAccess::Write,
            Access::Documentation => ReferenceAccess::Documentation,
        }
    }
}

/// Returns the references in all files to the symbol at an offset, by file and position; `None` if there is
/// no known symbol.
pub fn references(db: &dyn Db, file: File, offset: u32, with_declarations: bool) -> Option<Vec<Reference>> {
    let (symbol, _) = symbol::symbol_at(db, file, offset)?;
    Some(references_to(db, file, &symbol, with_declarations))
}

/// Returns the references to a symbol in the environments of `from` and of the symbol.
pub fn references_to(db: &dyn Db, from: File, symbol: &Symbol, with_declarations: bool) -> Vec<Reference> {
    let mut found = Vec::new();
    for file in search::candidate_files(db, from, symbol) {
        for it in uses_in(db, file, symbol) {
            found.push(Reference { file: FileId(file), range: it.range, access: it.access.into() });
        }
    }
    if with_declarations {
        // Declarations outside of Puppet code.
        for target in navigation::targets(db, from, symbol) {
            if !found.iter().any(|it| it.file == target.file && it.range == target.focus)
                && is_written_name(symbol)
            {
                let access = ReferenceAccess::Declaration;
                found.push(Reference { file: target.file, range: target.focus, access });
            }
        }
    } else {
        found.retain(|it| it.access != ReferenceAccess::Declaration);
    }
    found
}

/// Returns true if the symbol is declared by a name in a text, rather than by a file.
fn is_written_name(symbol: &Symbol) -> bool {
    !matches!(symbol, Symbol::Template(_) | Symbol::ServedFile(_) | Symbol::Task(_))
}

/// Returns the references in one file to the symbol at an offset, by position.
pub fn highlights(db: &dyn Db, file: File, offset: u32) -> Vec<Reference> {
    let Some(name_use) = symbol::name_use_at(db, file, offset) else { return Vec::new() };
    let found = match symbol::resolve(db, file, &name_use) {
        Some(symbol) => uses_in(db, file, &symbol),
        // Equal unknown names are treated as the same symbol.
        None => {
            let uses = project::name_uses(db, file);
            let same = uses.iter().filter(|it| it.kind == name_use.kind && it.name == name_use.name);
            same.cloned().collect()
        }
    };
    let reference =
        |it: &NameUse| Reference { file: FileId(file), range: it.range, access: it.access.into() };
    found.iter().map(reference).collect()
}

/// Returns the names in a file that refer to a symbol, by position.
pub fn uses_in(db: &dyn Db, file: File, symbol: &Symbol) -> Vec<NameUse> {
    let uses = project::name_uses(db, file);
    let named = uses.iter().filter(|it| may_name(db, it, symbol));
    named.filter(|it| symbol::resolve(db, file, it).as_ref() == Some(symbol)).cloned().collect()
}

/// Returns true if a name could refer to the symbol, by its text alone. This prefilter is cheaper than
/// resolving the name.
fn may_name(db: &dyn Db, name_use: &NameUse, symbol: &Symbol) -> bool {
    let name = &name_use.name;
    let is_key = name_use.kind == NameUseKind::HieraKey;
    match symbol {
        Symbol::Definition(definition) => *name == definition.key(db).name,
        Symbol::Variable { name: own, .. } => {
            name == own || is_key && name.rsplit("::").next() == Some(own.as_str())
        }
        Symbol::LambdaVariable { name: own, .. } => name == own,
        Symbol::BuiltInVariable(own) => own.rsplit("::").next() == Some(name.as_str()),
        Symbol::Fact(own)
        | Symbol::TrustedFact(own)
        | Symbol::ServerFact(own)
        | Symbol::Metaparameter(own)
        | Symbol::HieraKey(own)
        | Symbol::ServedFolder(own) => name == own,
        Symbol::BuiltInFunction(own) => name == *own,
        Symbol::BuiltInType(own) => own.eq_ignore_ascii_case(name),
        Symbol::SetType { name: own, .. } => {
            name.rsplit("::").next().is_some_and(|it| own.eq_ignore_ascii_case(it))
        }
        Symbol::RubyType { name: own, .. } => own.eq_ignore_ascii_case(name),
        Symbol::ResourceType { name: own, .. }
        | Symbol::Attribute { name: own, .. }
        | Symbol::Provider { name: own, .. }
        | Symbol::TaskParameter { name: own, .. } => name == own,
        Symbol::Resource { title, .. } => name == title,
        Symbol::RubyFunction { .. } => name_use.kind == NameUseKind::Function,
        Symbol::Template(_) => {
            matches!(name_use.kind, NameUseKind::EppTemplate | NameUseKind::ErbTemplate)
        }
        Symbol::ServedFile(_) => name_use.kind == NameUseKind::ServedFile,
        Symbol::Task(_) => name_use.kind == NameUseKind::Task,
    }
}
