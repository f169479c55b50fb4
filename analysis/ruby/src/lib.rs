//! Ruby code, evaluated with unknowns and without effects.
//!
//! The code is evaluated over values as Ruby sees them ([`value`]): `undef` is `nil`. **What is not certain is not guessed**:
//! code that is beyond this evaluator, and what depends on a value that is not known, makes the outcome unknown, with the
//! reason ([`StopReason`]). A method is one row of a table ([`methods`], [`library`]); which other methods there are is
//! recorded (`ruby_methods.txt`), so that one that Ruby does not have is an error. **There are no effects**: what code asks of
//! the world goes through [`Host`], which the program brings along, and nothing here opens, runs or sends anything. Steps,
//! depth and sizes are bounded.

mod assignments;
mod blocks;
mod calls;
mod classes;
mod comparison;
mod defined;
mod exceptions;
mod host;
mod interpreter;
mod key;
mod library;
mod methods;
mod printing;
mod puppet;
mod tables;
mod value;
mod watched;
mod yaml;

pub use exceptions::RubyError;
pub use host::{Host, HostFact, HostFile, RequiredFile};
pub use interpreter::StopReason;
pub use puppet::facts::{FactFile, FactOutcome};
pub use puppet::functions::{FunctionCall, FunctionOutcome};
pub use puppet::resource_types::{GivenResource, ResourceOutcome, ResourceRefusal};
pub use tables::{PreparedType, call_function, facts_of_files, prepare_type, render};
pub use value::{HostExit, Object, Stop};
