//! Links from paths in a file to the files they name: templates, files that modules serve, and the data files of `hiera.yaml`.

use hir::NameUseKind;
use project::{Db, File, FileKind};
use symbols::hiera_config;
use symbols::symbol::{self, Symbol};
use syntax::TextRange;

use crate::FileId;

/// A path in the source that resolves to a file.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct DocumentLink {
    pub range: TextRange,
    pub target: FileId,
}

/// Returns the paths in a file that name another file, by position.
pub(crate) fn document_links(db: &dyn Db, file: File) -> Vec<DocumentLink> {
    if project::file_kind(db, file) == FileKind::HieraConfiguration {
        let links = hiera_config::links(db, file).into_iter();
        return links.map(|(range, target)| DocumentLink { range, target: FileId(target) }).collect();
    }
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
