//! What is on disk: paths, environments, autoloading; the inputs and the index queries.
