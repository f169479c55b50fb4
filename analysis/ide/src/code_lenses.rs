//! What stands above definitions: how often they are used.

use hir::{Access, NameUseKind};
use project::{Db, File};
use syntax::TextRange;

use crate::symbol::{self, Symbol};
use crate::{Reference, references};

/// A definition that can say how often it is used.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct CodeLens {
    /// The name in its head.
    pub range: TextRange,
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
    heads.map(|it| CodeLens { range: it.range }).collect()
}

/// Where the definition whose name begins at an offset is used; `None` where none does (any more).
pub(crate) fn uses(db: &dyn Db, file: File, offset: u32) -> Option<Vec<Reference>> {
    let (symbol, _) = symbol::symbol_at(db, file, offset)?;
    matches!(symbol, Symbol::Definition(_)).then(|| references::references_to(db, file, &symbol, false))
}
