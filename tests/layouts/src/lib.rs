//! Puppet sources in other layouts, and randomly generated programs. The parse result may depend on
//! layout only where Puppet's does; the cases in `conformance/cases/layout.md` list these
//! positions.

pub mod corpus;
mod layout;
mod programs;
mod random;
mod shape;
mod source;
pub mod survey;
pub mod survival;
pub mod verdicts;
mod writer;

pub use layout::Layout;
pub use programs::program;
pub use random::Random;
pub use shape::shape;
pub use source::Source;
