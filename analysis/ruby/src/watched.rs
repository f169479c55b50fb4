//! Cells that detect changes to objects of an earlier era, so that evaluated files can be reused.

use std::cell::{Cell, Ref, RefCell, RefMut};
use std::fmt;

thread_local! {
    /// Current era. Objects belong to the era in which they are created.
    static ERA: Cell<u64> = const { Cell::new(0) };
    /// Number of changes to objects of earlier eras.
    static CHANGES: Cell<u64> = const { Cell::new(0) };
}

/// Begins an era. The returned number equals [`changes_of_earlier`] as long as this thread does not change
/// older objects.
pub(super) fn begin_era() -> u64 {
    ERA.set(ERA.get() + 1);
    changes_of_earlier()
}

/// Returns the number of changes that this thread has made to objects of earlier eras.
pub(super) fn changes_of_earlier() -> u64 {
    CHANGES.get()
}

/// `RefCell` that counts changes if it was created in an earlier era.
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
