//! Where the time and the memory of a run go, by the spans (`tracing`) that the program is marked with.
//!
//! * [`profile`]: a trace of the time, as Chrome and Perfetto show it.
//! * [`memory`]: how much of what was allocated in a span is still there; the program runs its allocator through [`Counted`].

pub mod memory;
pub mod profile;

pub use memory::Counted;
