//! Time and memory profiles of a run, by `tracing` span.
//!
//! * [`profile`]: a trace for Chrome and Perfetto.
//! * [`memory`]: live memory by the span that allocated it; the program wraps its allocator in [`Counted`].

pub mod memory;
pub mod profile;

pub use memory::Counted;
