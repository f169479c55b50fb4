//! Result of the last `workspace/diagnostic` request.

use std::sync::{Mutex, PoisonError};

use lsp_types::Uri;
use rustc_hash::FxHashMap;

/// State and result ids of the last response; if nothing has changed, no diagnostics are recomputed.
#[derive(Default)]
pub(crate) struct LastReports {
    last: Mutex<(u64, FxHashMap<Uri, String>)>,
}

impl LastReports {
    /// Returns whether the reports known to the client are the last ones, for this state of the workspace.
    pub(crate) fn matches(&self, state: u64, known: &FxHashMap<Uri, String>) -> bool {
        let last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        last.0 == state && last.1 == *known
    }

    pub(crate) fn set(&self, state: u64, reports: FxHashMap<Uri, String>) {
        *self.last.lock().unwrap_or_else(PoisonError::into_inner) = (state, reports);
    }
}
