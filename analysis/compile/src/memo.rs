//! Memoization within a compile.

use std::borrow::Borrow;
use std::cell::{Ref, RefCell};
use std::hash::Hash;

use rustc_hash::FxHashMap;

/// Map whose values are computed on first use.
pub(crate) struct Memo<K, V>(RefCell<FxHashMap<K, V>>);

impl<K, V> Default for Memo<K, V> {
    fn default() -> Memo<K, V> {
        Memo(RefCell::default())
    }
}

impl<K: Eq + Hash, V: Clone> Memo<K, V> {
    /// Returns the value of a key, computing it with `find` if necessary; `own` converts the key. `find` may
    /// itself use the memo.
    pub(crate) fn get_or<Q>(&self, key: &Q, own: impl FnOnce(&Q) -> K, find: impl FnOnce() -> V) -> V
    where
        K: Borrow<Q>,
        Q: Eq + Hash + ?Sized,
    {
        if let Some(known) = self.0.borrow().get(key) {
            return known.clone();
        }
        let found = find();
        self.0.borrow_mut().insert(own(key), found.clone());
        found
    }

    /// Returns the values computed so far.
    pub(crate) fn known(&self) -> Ref<'_, FxHashMap<K, V>> {
        self.0.borrow()
    }
}
