//! The salsa database.

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
