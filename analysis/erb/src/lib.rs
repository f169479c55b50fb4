//! ERB templates: text with Ruby code in it.
//!
//! The code is evaluated over values as Ruby sees them ([`value`]): `undef` is `nil`, and every variable that can be seen
//! where the template is rendered is an instance variable. **What is not certain is not guessed**: code that is beyond
//! this evaluator, and every use of a value that is not known, makes the whole text unknown. A method is one row of a
//! table ([`methods`]); which other methods there are is recorded (`ruby_methods.txt`), so that one that Ruby does not have
//! is an error.

mod assignments;
mod blocks;
mod comparison;
mod key;
mod methods;
mod printing;
mod renderer;
mod value;
mod yaml;

pub use renderer::{Host, Renderer};
pub use value::{HostExit, Object, Stop};
