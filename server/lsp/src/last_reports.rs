//! What the last answer to `workspace/diagnostic` was.

use std::sync::{Mutex, PoisonError};

use lsp_types::Uri;
use rustc_hash::FxHashMap;

/// What the last answer was made of: while nothing changes, nothing is asked again.
#[derive(Default)]
pub(crate) struct LastReports {
    last: Mutex<(u64, FxHashMap<Uri, String>)>,
}

impl LastReports {
    /// Is what a client has what was reported last, of this state of things?
    pub(crate) fn are(&self, state: u64, known: &FxHashMap<Uri, String>) -> bool {
        let last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        last.0 == state && last.1 == *known
    }

    pub(crate) fn set(&self, state: u64, reports: FxHashMap<Uri, String>) {
        *self.last.lock().unwrap_or_else(PoisonError::into_inner) = (state, reports);
    }
}
