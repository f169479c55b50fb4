//! The salsa database.

use crate::names::{mentions, template_mentions};
use crate::{Db, absence, queries};

/// Storage of all inputs and memoized results. A clone is a handle to the same data; a write cancels the
/// queries of clones on other threads and waits until those clones are dropped.
#[salsa::db]
#[derive(Clone, Default)]
pub struct ProjectDatabase {
    storage: salsa::Storage<Self>,
}

#[salsa::db]
impl salsa::Database for ProjectDatabase {}

impl ProjectDatabase {
    /// Creates a database that reports salsa's events. Tests use it to count executed queries.
    pub fn with_event_callback(callback: impl Fn(salsa::Event) + Send + Sync + 'static) -> ProjectDatabase {
        ProjectDatabase { storage: salsa::Storage::new(Some(Box::new(callback))) }
    }
}

/// Sets the LRU capacity, in files, of the queries that results about an environment do not need. The next
/// [`salsa::Database::trigger_lru_eviction`] evicts what exceeds it.
pub fn set_lru_capacities(db: &mut dyn Db, files: usize) {
    mentions::set_lru_capacities(db, files);
    template_mentions::set_lru_capacities(db, files);
    queries::set_lru_capacities(db, files);
    absence::set_lru_capacities(db, files);
}
