//! State that Hiera backend functions keep between calls.

use std::sync::Arc;

use hir::Name;
use rustc_hash::FxHashMap;
use types::HashValue;
use types::object::ObjectValue;

/// Backend function, and the module whose configuration names it.
pub(super) type CacheKey = (Name, Option<Name>);

/// State that contexts keep between calls.
#[derive(Default, Debug)]
pub(crate) struct LookupContexts {
    caches: FxHashMap<CacheKey, HashValue>,
    /// Caches of contexts that code creates outside of a backend function.
    own_caches: Vec<(Arc<ObjectValue>, HashValue)>,
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
    /// Returns the cache of a context: that of the running backend function, otherwise its own.
    pub(super) fn cache(&self, context: &Arc<ObjectValue>) -> Option<&HashValue> {
        match self.running.last() {
            Some(run) => self.caches.get(&run.key),
            None => self.own_caches.iter().find(|(it, _)| Arc::ptr_eq(it, context)).map(|(_, cache)| cache),
        }
    }

    /// Like [`LookupContexts::cache`], but adds a missing cache.
    pub(super) fn cache_mut(&mut self, context: &Arc<ObjectValue>) -> &mut HashValue {
        if let Some(run) = self.running.last() {
            return self.caches.entry(run.key.clone()).or_default();
        }
        let known = self.own_caches.iter().position(|(it, _)| Arc::ptr_eq(it, context));
        let index = known.unwrap_or(self.own_caches.len());
        if known.is_none() {
            self.own_caches.push((context.clone(), HashValue::default()));
        }
        &mut self.own_caches[index].1
    }

    pub(super) fn begin(&mut self, function: Name, module: Option<Name>, forks: u32) {
        self.running.push(DataCall { key: (function, module), forks, may_miss: false });
    }

    /// Ends the innermost call. Returns true if it may have found nothing.
    pub(super) fn end(&mut self) -> bool {
        self.running.pop().is_some_and(|run| run.may_miss)
    }
}
