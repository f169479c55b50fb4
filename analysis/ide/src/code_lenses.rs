//! What stands above definitions: how often they are used.

use hir::{Access, NameUseKind};
use project::{Db, File};
use symbols::symbol::{self, Symbol};
use symbols::{hiera_data, references};
use syntax::TextRange;

use crate::{NavigationTarget, Reference, ReferenceAccess};

/// A definition that can say how often it is used.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct CodeLens {
    /// The name in its head.
    pub range: TextRange,
    pub kind: CodeLensKind,
}

/// What a lens counts.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum CodeLensKind {
    /// The places that name the definition.
    Uses,
    /// The places in Hiera's data that give a class its parameters.
    Data,
}

/// The definitions of a file, by position. What is to be shown comes from [`uses`], one by one.
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
    lenses
}

/// The places in Hiera's data that give the class whose name begins at an offset its parameters; `None` where none does.
pub(crate) fn data(db: &dyn Db, file: File, offset: u32) -> Option<Vec<Reference>> {
    let Symbol::Definition(class) = symbol::symbol_at(db, file, offset)?.0 else { return None };
    let places = hiera_data::places_of_class(db, file, class).into_iter();
    let written =
        |it: NavigationTarget| Reference { file: it.file, range: it.focus, access: ReferenceAccess::Write };
    Some(places.map(written).collect())
}

/// Where the definition whose name begins at an offset is used; `None` where none does (any more).
pub(crate) fn uses(db: &dyn Db, file: File, offset: u32) -> Option<Vec<Reference>> {
    let (symbol, _) = symbol::symbol_at(db, file, offset)?;
    matches!(symbol, Symbol::Definition(_)).then(|| references::references_to(db, file, &symbol, false))
}
