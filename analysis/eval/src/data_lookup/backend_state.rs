//! State that Hiera backend functions keep between calls.

use std::collections::BTreeMap;
use std::sync::Arc;

use hir::Name;
use rustc_hash::FxHashMap;
use smol_str::SmolStr;
use types::object::ObjectValue;
use types::{HashValue, IteratorValue, Value};

/// Backend function, and the module whose configuration names it.
pub(super) type CacheKey = (Name, Option<Name>);

/// Data of a run.
#[derive(Default, Debug)]
pub(crate) struct DataState {
    pub(super) contexts: LookupContexts,
    /// Values of undecided keys in the data of all nodes, which nodes may override.
    pub(crate) undecided: BTreeMap<SmolStr, Value>,
}

/// State that contexts keep between calls.
#[derive(Default, Debug)]
pub(super) struct LookupContexts {
    caches: FxHashMap<CacheKey, ContextCache>,
    /// Caches of contexts that code creates outside of a backend function.
    own_caches: Vec<(Arc<ObjectValue>, ContextCache)>,
    pub(super) running: Vec<DataCall>,
}

/// Values that a context keeps.
#[derive(Default, Debug)]
struct ContextCache {
    entries: HashValue,
    /// Iterators over the entries. Puppet's see entries that are added later.
    iterators: Vec<Arc<IteratorValue>>,
    /// Results of `cached_file_data()`, by path.
    files: FxHashMap<Box<str>, Value>,
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
    /// Returns the entries in the cache of a context.
    pub(super) fn cache(&self, context: &Arc<ObjectValue>) -> Option<&HashValue> {
        self.known(context).map(|cache| &cache.entries)
    }

    /// Adds entries to the cache of a context. What its iterators yield from now on is unknown.
    pub(super) fn add(&mut self, context: &Arc<ObjectValue>, entries: &[(Value, Value)]) {
        let cache = self.known_or_new(context);
        cache.entries.extend(entries.iter().cloned());
        cache.iterators.drain(..).for_each(|it| it.taken.mark_unknown());
    }

    /// Notes an iterator over the entries in the cache of a context.
    pub(super) fn note_iterator(&mut self, context: &Arc<ObjectValue>, iterator: Arc<IteratorValue>) {
        self.known_or_new(context).iterators.push(iterator);
    }

    /// Returns the result for a file, if the context has one.
    pub(super) fn file_data(&self, context: &Arc<ObjectValue>, path: &str) -> Option<&Value> {
        self.known(context)?.files.get(path)
    }

    pub(super) fn keep_file_data(&mut self, context: &Arc<ObjectValue>, path: Box<str>, value: Value) {
        self.known_or_new(context).files.insert(path, value);
    }

    /// Returns the cache of a context: that of the running backend function, otherwise its own.
    fn known(&self, context: &Arc<ObjectValue>) -> Option<&ContextCache> {
        match self.running.last() {
            Some(run) => self.caches.get(&run.key),
            None => self.own_caches.iter().find(|(it, _)| Arc::ptr_eq(it, context)).map(|(_, cache)| cache),
        }
    }

    fn known_or_new(&mut self, context: &Arc<ObjectValue>) -> &mut ContextCache {
        if let Some(run) = self.running.last() {
            return self.caches.entry(run.key.clone()).or_default();
        }
        let known = self.own_caches.iter().position(|(it, _)| Arc::ptr_eq(it, context));
        let index = known.unwrap_or(self.own_caches.len());
        if known.is_none() {
            self.own_caches.push((context.clone(), ContextCache::default()));
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
