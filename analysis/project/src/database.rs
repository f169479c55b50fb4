//! The database: where salsa keeps inputs and results.

/// All inputs and all remembered results. A clone is a handle to the same data; a write waits until all clones that
/// other threads hold are gone (and cancels their queries).
#[salsa::db]
#[derive(Clone, Default)]
pub struct ProjectDatabase {
    storage: salsa::Storage<Self>,
}

#[salsa::db]
impl salsa::Database for ProjectDatabase {}

impl ProjectDatabase {
    /// A database that reports what salsa does; tests count executed queries with it.
    pub fn with_event_callback(callback: impl Fn(salsa::Event) + Send + Sync + 'static) -> ProjectDatabase {
        ProjectDatabase { storage: salsa::Storage::new(Some(Box::new(callback))) }
    }
}
