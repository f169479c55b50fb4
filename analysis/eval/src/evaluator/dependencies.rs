//! State that values may depend on besides the code that computes them.

use std::cell::Cell;

/// Record of what an evaluation has read.
#[derive(Default)]
pub(crate) struct Dependencies {
    /// True once the evaluation has read state that other definitions determine: matches, declarations,
    /// variables of other classes.
    reads_external_state: Cell<bool>,
    /// True while a tracked expression is evaluated that has read nothing but the platform so far.
    is_of_platform: bool,
}

impl Dependencies {
    pub(crate) fn note_external_state(&self) {
        self.reads_external_state.set(true);
    }

    pub(crate) fn reads_external_state(&self) -> bool {
        self.reads_external_state.get()
    }

    /// Runs a closure whose reads of external state do not count.
    pub(crate) fn uncounted<T>(&self, run: impl FnOnce() -> T) -> T {
        let before = self.reads_external_state.get();
        let result = run();
        self.reads_external_state.set(before);
        result
    }

    /// Begins a tracked expression.
    pub(crate) fn begin_platform_expression(&mut self, is_of_platform: bool) {
        self.is_of_platform = is_of_platform;
    }

    /// Ends a tracked expression. Returns true if it has read nothing but the platform.
    pub(crate) fn end_platform_expression(&mut self) -> bool {
        std::mem::take(&mut self.is_of_platform)
    }

    /// Records that the tracked expression has read something other than the platform.
    pub(crate) fn note_other_read(&mut self) {
        self.is_of_platform = false;
    }
}
