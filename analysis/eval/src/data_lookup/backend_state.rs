//! State that Hiera backend functions keep between calls.

use hir::Name;
use rustc_hash::FxHashMap;
use types::HashValue;

/// Backend function, and the module whose configuration names it.
pub(super) type CacheKey = (Name, Option<Name>);

/// State that contexts keep between calls.
#[derive(Default, Debug)]
pub(crate) struct LookupContexts {
    pub(super) caches: FxHashMap<CacheKey, HashValue>,
    pub(super) running: Vec<DataCall>,
}

/// Active call of a backend function.
#[derive(Debug)]
pub(super) struct DataCall {
    pub(super) key: CacheKey,
    /// Number of forks at the time of the call.
    pub(super) forks: u32,
    /// True if one of several branches ended with `not_found()`.
    pub(super) may_miss: bool,
}

impl LookupContexts {
    pub(super) fn begin(&mut self, function: Name, module: Option<Name>, forks: u32) {
        self.running.push(DataCall { key: (function, module), forks, may_miss: false });
    }

    /// Ends the innermost call. Returns true if it may have found nothing.
    pub(super) fn end(&mut self) -> bool {
        self.running.pop().is_some_and(|run| run.may_miss)
    }
}
