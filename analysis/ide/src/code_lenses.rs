//! Code lenses: reference counts above definitions.

use hir::{Access, NameUseKind};
use project::{Db, File};
use symbols::symbol::{self, Symbol};
use symbols::{hiera_data, references};
use syntax::TextRange;

use crate::{NavigationTarget, Reference, ReferenceAccess};

/// A lens on a definition. Its count is resolved later, by `uses` or `data`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct CodeLens {
    /// Range of the definition's name.
    pub range: TextRange,
    pub kind: CodeLensKind,
}

/// Subject of a lens.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum CodeLensKind {
    /// References to the definition.
    Uses,
    /// Hiera keys that set parameters of the class.
    Data,
}

/// Returns the lenses of a file, by position. [`uses`] and [`data`] resolve their counts one by one.
pub(crate) fn code_lenses(db: &dyn Db, file: File) -> Vec<CodeLens> {
    let uses = project::name_uses(db, file);
    let heads = uses.iter().filter(|it| {
        it.access == Access::Declaration
            && matches!(
                it.kind,
                NameUseKind::Class
                    | NameUseKind::DefinedType
                    | NameUseKind::Function
                    | NameUseKind::Plan
                    | NameUseKind::Type
            )
    });
    let mut lenses = Vec::new();
    for head in heads {
        lenses.push(CodeLens { range: head.range, kind: CodeLensKind::Uses });
        if head.kind == NameUseKind::Class && hiera_data::has_data_of_class(db, file, &head.name) {
            lenses.push(CodeLens { range: head.range, kind: CodeLensKind::Data });
        }
    }
    lenses.dedup();
    lenses
}

/// Returns the Hiera keys that set parameters of the class named at `offset`; `None` if no class is named
/// there.
pub(crate) fn data(db: &dyn Db, file: File, offset: u32) -> Option<Vec<Reference>> {
    let Symbol::Definition(class) = symbol::symbol_at(db, file, offset)?.0 else { return None };
    let locations = hiera_data::data_locations_of_class(db, file, class).into_iter();
    let written =
        |it: NavigationTarget| Reference { file: it.file, range: it.focus, access: ReferenceAccess::Write };
    Some(locations.map(written).collect())
}

/// Returns the references to the definition named at `offset`; `None` if no definition is named there (any
/// more).
pub(crate) fn uses(db: &dyn Db, file: File, offset: u32) -> Option<Vec<Reference>> {
    let (symbol, _) = symbol::symbol_at(db, file, offset)?;
    matches!(symbol, Symbol::Definition(_)).then(|| references::references_to(db, file, &symbol, false))
}
