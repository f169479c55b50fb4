//! Cells that detect changes to objects of another era, so that evaluated files can be reused.

use std::cell::{Cell, Ref, RefCell, RefMut};
use std::fmt;

thread_local! {
    /// Current era. Objects belong to the era in which they are created.
    static ERA: Cell<u64> = const { Cell::new(0) };
    /// Number of eras so far.
    static ERAS: Cell<u64> = const { Cell::new(0) };
    /// Number of changes to objects of other eras.
    static CHANGES: Cell<u64> = const { Cell::new(0) };
}

/// Era that ends when it is dropped; the outer one continues then.
pub(super) struct Era {
    outer: u64,
    changes_before: u64,
}

impl Era {
    /// Begins an era.
    pub(super) fn begin() -> Era {
        ERAS.set(ERAS.get() + 1);
        Era { outer: ERA.replace(ERAS.get()), changes_before: CHANGES.get() }
    }

    /// Returns true if this thread has not changed objects of other eras since the era began.
    pub(super) fn leaves_others_unchanged(&self) -> bool {
        CHANGES.get() == self.changes_before
    }
}

impl Drop for Era {
    fn drop(&mut self) {
        ERA.set(self.outer);
    }
}

/// `RefCell` that counts changes if it was created in another era.
pub(crate) struct WatchedCell<T> {
    value: RefCell<T>,
    era: u64,
}

impl<T> WatchedCell<T> {
    pub(super) fn new(value: T) -> WatchedCell<T> {
        WatchedCell { value: RefCell::new(value), era: ERA.get() }
    }

    pub(super) fn borrow(&self) -> Ref<'_, T> {
        self.value.borrow()
    }

    pub(super) fn borrow_mut(&self) -> RefMut<'_, T> {
        if self.era != ERA.get() {
            CHANGES.set(CHANGES.get() + 1);
        }
        self.value.borrow_mut()
    }

    pub(super) fn replace(&self, value: T) -> T {
        std::mem::replace(&mut self.borrow_mut(), value)
    }

    pub(super) fn set(&self, value: T) {
        self.replace(value);
    }
}

impl<T: Copy> WatchedCell<T> {
    pub(super) fn get(&self) -> T {
        *self.borrow()
    }
}

impl<T: Default> WatchedCell<T> {
    pub(super) fn take(&self) -> T {
        self.replace(T::default())
    }
}

impl<T: Default> Default for WatchedCell<T> {
    fn default() -> WatchedCell<T> {
        WatchedCell::new(T::default())
    }
}

impl<T: fmt::Debug> fmt::Debug for WatchedCell<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.value.fmt(f)
    }
}
