//! Log of what a compile reads. Where only an element of a variable was needed, it has the path to the element.

use std::cell::{Cell, RefCell};
use std::hash::Hash;
use std::sync::Arc;

use eval::VariableRead;
use rustc_hash::FxHashSet;
use types::Value;

/// Entry of a [`ReadLog`].
pub(crate) trait LoggedRead: Clone + Eq + Hash {
    /// Returns the path of keys in the variable that was read; `None` for other reads.
    fn path(&mut self) -> Option<&mut Vec<Value>>;
}

#[derive(Debug)]
pub(crate) struct ReadLog<R> {
    reads: RefCell<Vec<R>>,
    /// Index of the read that returned the value of the last expression.
    latest: Cell<Option<usize>>,
}

impl<R> Default for ReadLog<R> {
    fn default() -> ReadLog<R> {
        ReadLog { reads: RefCell::default(), latest: Cell::default() }
    }
}

impl<R: LoggedRead> ReadLog<R> {
    pub(crate) fn record(&self, mut read: R) {
        let mut reads = self.reads.borrow_mut();
        self.latest.set(read.path().is_some().then_some(reads.len()));
        reads.push(read);
    }

    /// Begins the evaluation of a collection of which only an element is needed.
    pub(crate) fn begin_element(&self) {
        self.latest.set(None);
    }

    /// Returns the read that was the value of the collection.
    pub(crate) fn collection_read(&self) -> Option<VariableRead> {
        self.latest.get().map(VariableRead)
    }

    /// Extends a read to the element at a key; `None` if more than an element may be needed.
    pub(crate) fn note_element(&self, element: Option<(VariableRead, &Value)>) {
        self.latest.set(None);
        let Some((VariableRead(index), key)) = element else { return };
        if let Some(path) = self.reads.borrow_mut().get_mut(index).and_then(R::path) {
            path.push(key.clone());
            self.latest.set(Some(index));
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.reads.borrow().len()
    }

    /// Removes the reads after the first `len` ones.
    pub(crate) fn truncate(&self, len: usize) {
        self.latest.set(None);
        self.reads.borrow_mut().truncate(len);
    }

    /// Returns the distinct reads in the order of their first occurrence.
    pub(crate) fn into_reads(self) -> Arc<[R]> {
        let mut seen = FxHashSet::default();
        let mut reads = self.reads.into_inner();
        reads.retain(|read| seen.insert(read.clone()));
        reads.into()
    }
}
