//! What was worked out once in a compile.

use std::borrow::Borrow;
use std::cell::{Ref, RefCell};
use std::hash::Hash;

use rustc_hash::FxHashMap;

/// Values by key, each worked out when it is first asked for.
pub(crate) struct Memo<K, V>(RefCell<FxHashMap<K, V>>);

impl<K, V> Default for Memo<K, V> {
    fn default() -> Memo<K, V> {
        Memo(RefCell::default())
    }
}

impl<K: Eq + Hash, V: Clone> Memo<K, V> {
    /// The value of a key, which `own` makes one to keep. `find` may itself ask for others.
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

    /// What is known by now.
    pub(crate) fn known(&self) -> Ref<'_, FxHashMap<K, V>> {
        self.0.borrow()
    }
}
