//! Time and memory profiles of a run, by `tracing` span.
//!
//! * [`profile`]: a trace for Chrome and Perfetto.
//! * [`memory`]: live memory by the span that allocated it; the program wraps its allocator in [`Counted`].
//! * [`WorkMeter`]: the work limit of a run.
//!
//! **All allocations of the program pass [`Counted`], which only tests a flag unless `stats --memory` is
//! running.** This is the only unsafe code in the program.

pub mod memory;
pub mod profile;
mod work;

pub use memory::Counted;
pub use work::WorkMeter;
