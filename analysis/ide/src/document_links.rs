//! The paths in a file that can be opened.

use hir::NameUseKind;
use project::{Db, File};
use symbols::symbol::{self, Symbol};
use syntax::TextRange;

use crate::FileId;

/// A path that leads to a file.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct DocumentLink {
    pub range: TextRange,
    pub target: FileId,
}

/// The paths of templates and served files in a file, by position.
pub(crate) fn document_links(db: &dyn Db, file: File) -> Vec<DocumentLink> {
    let uses = project::name_uses(db, file);
    let paths = uses.iter().filter(|it| {
        matches!(it.kind, NameUseKind::EppTemplate | NameUseKind::ErbTemplate | NameUseKind::ServedFile)
    });
    let links = paths.filter_map(|it| match symbol::resolve(db, file, it)? {
        Symbol::Template(target) | Symbol::ServedFile(target) => {
            Some(DocumentLink { range: it.range, target: FileId(target) })
        }
        _ => None,
    });
    links.collect()
}
