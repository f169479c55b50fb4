//! Everything that names a thing.

use hir::{Access, NameUse, NameUseKind};
use project::{Db, File};
use syntax::TextRange;

use crate::symbol::{self, Symbol};
use crate::{FileId, navigation, search};

/// A place that names what was asked about.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Reference {
    pub file: FileId,
    pub range: TextRange,
    pub access: ReferenceAccess,
}

/// What a place does with what it names.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ReferenceAccess {
    /// Here it is made: a head of a definition, a parameter.
    Declaration,
    Read,
    Write,
    /// A comment speaks of it.
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

/// The places in all files that name the thing at an offset, by file and position; `None` where nothing known stands.
pub fn references(db: &dyn Db, file: File, offset: u32, with_declarations: bool) -> Option<Vec<Reference>> {
    let (symbol, _) = symbol::symbol_at(db, file, offset)?;
    Some(references_to(db, file, &symbol, with_declarations))
}

/// The places that name a symbol, as far as the environments of `from` and of the symbol reach.
pub fn references_to(db: &dyn Db, from: File, symbol: &Symbol, with_declarations: bool) -> Vec<Reference> {
    let mut found = Vec::new();
    for file in search::candidate_files(db, from, symbol) {
        for it in uses_in(db, file, symbol) {
            found.push(Reference { file: FileId(file), range: it.range, access: it.access.into() });
        }
    }
    if with_declarations {
        // What is made elsewhere than in Puppet code.
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

/// Is the place where the symbol is made a name in a text, and not a file?
fn is_written_name(symbol: &Symbol) -> bool {
    !matches!(symbol, Symbol::Template(_) | Symbol::ServedFile(_) | Symbol::Task(_))
}

/// The places of one file that name the thing at an offset, by position.
pub fn highlights(db: &dyn Db, file: File, offset: u32) -> Vec<Reference> {
    let Some(name_use) = symbol::name_use_at(db, file, offset) else { return Vec::new() };
    let found = match symbol::resolve(db, file, &name_use) {
        Some(symbol) => uses_in(db, file, &symbol),
        // What nothing is known of is still the same thing where it has the same name.
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

/// The names of a file that mean a symbol, by position.
pub fn uses_in(db: &dyn Db, file: File, symbol: &Symbol) -> Vec<NameUse> {
    let uses = project::name_uses(db, file);
    let named = uses.iter().filter(|it| may_name(db, it, symbol));
    named.filter(|it| symbol::resolve(db, file, it).as_ref() == Some(symbol)).cloned().collect()
}

/// Could a name mean the symbol, by its text alone? Resolving costs more than asking this first.
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
