//! Puppet texts in other layouts, and programs made at random: what the parser makes of a text must depend on its layout
//! only where Puppet depends on it. The cases in `conformance/cases/layout.md` list these places.

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
