//! Open files with the versions that the next revision contains.

use std::sync::Arc;

use ide::FilePath;
use lsp_types::Position;
use rustc_hash::FxHashMap;
use syntax::ColumnUnit;

use crate::convert;
use crate::documents::{Document, OpenDocuments};

/// A document with its path.
pub(super) type NamedDocument = (FilePath, Arc<Document>);

/// Open files as of the next revision.
pub(super) struct Documents {
    by_path: FxHashMap<FilePath, Arc<Document>>,
    /// Open files as seen by all threads; some may have newer versions.
    pub(super) open: OpenDocuments,
}

impl Documents {
    pub(super) fn new(open: OpenDocuments) -> Documents {
        Documents { by_path: FxHashMap::default(), open }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.by_path.is_empty()
    }

    pub(super) fn get(&self, path: &FilePath) -> Option<&Arc<Document>> {
        self.by_path.get(path)
    }

    /// Returns all documents, in no particular order.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&FilePath, &Arc<Document>)> {
        self.by_path.iter()
    }

    /// Returns all documents, by path.
    pub(super) fn sorted(&self) -> Vec<NamedDocument> {
        let mut documents: Vec<_> = self.iter().map(|(path, it)| (path.clone(), it.clone())).collect();
        documents.sort_by(|(a, _), (b, _)| a.cmp(b));
        documents
    }

    /// Sets the version of a file. Returns the version before.
    pub(super) fn insert(&mut self, path: FilePath, document: Arc<Document>) -> Option<Arc<Document>> {
        self.by_path.insert(path, document)
    }

    pub(super) fn remove(&mut self, path: &FilePath) -> Option<Arc<Document>> {
        self.by_path.remove(path)
    }

    /// Returns the offset of a position in an open file.
    pub(super) fn offset(&self, path: &FilePath, position: Position, unit: ColumnUnit) -> Option<u32> {
        self.get(path).map(|it| convert::offset(&it.text, it.lines(), position, unit))
    }
}

/// Returns true if the only change of a document since `then` continues the word at a position.
pub(super) fn continues_word(then: &Document, now: &Document, position: Position, unit: ColumnUnit) -> bool {
    let offset = convert::offset(&then.text, then.lines(), position, unit);
    let Some((before, after)) = then.text.split_at_checked(offset as usize) else { return false };
    let typed = now.text.strip_prefix(before).and_then(|it| it.strip_suffix(after));
    typed.is_some_and(|it| it.chars().all(|it| it.is_alphanumeric() || "_:/.-".contains(it)))
}

#[cfg(test)]
#[path = "documents_tests.rs"]
mod tests;
