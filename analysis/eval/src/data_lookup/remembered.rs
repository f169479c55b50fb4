//! What functions that give data to Hiera remember from one call to the next.

use hir::Name;
use rustc_hash::FxHashMap;
use types::HashValue;

/// The function whose data are looked up, and the module whose configuration names it.
pub(super) type CacheKey = (Name, Option<Name>);

/// What contexts remember from one call to the next.
#[derive(Default, Debug)]
pub(crate) struct LookupContexts {
    pub(super) caches: FxHashMap<CacheKey, HashValue>,
    pub(super) running: Vec<DataCall>,
}

/// A function that is giving data.
#[derive(Debug)]
pub(super) struct DataCall {
    pub(super) key: CacheKey,
    /// How many forks there were when it was called.
    pub(super) forks: u32,
    /// Did one of several ways end with `not_found()`?
    pub(super) may_miss: bool,
}

impl LookupContexts {
    pub(super) fn begin(&mut self, function: Name, module: Option<Name>, forks: u32) {
        self.running.push(DataCall { key: (function, module), forks, may_miss: false });
    }

    /// Ends the innermost function; may it have found nothing?
    pub(super) fn end(&mut self) -> bool {
        self.running.pop().is_some_and(|run| run.may_miss)
    }
}
