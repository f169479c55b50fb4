//! Evaluator for Ruby code with unknown values and without side effects.
//!
//! The code is evaluated over Ruby objects ([`value`]): Puppet's `undef` is `nil`. **Nothing is guessed**:
//! unsupported code and unknown values make the result unknown, with a reason ([`StopReason`]). Each method
//! is one row of a table ([`methods`], [`library`]); the names of all other methods are recorded
//! (`ruby_methods.txt`), so that calling a method that does not exist in Ruby is an error. **There are no
//! side effects**: all access to the environment goes through [`Host`], which the caller implements; nothing
//! here opens files, starts processes or uses the network. Steps, depth and sizes are bounded.

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
