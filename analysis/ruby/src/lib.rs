//! Evaluator for Ruby code with unknown values and without side effects.
//!
//! The code is evaluated over Ruby objects (`value`): Puppet's `undef` is `nil`. **Nothing is guessed**:
//! unsupported code and unknown values make the result unknown, with a reason ([`StopReason`]). Each method
//! is one row of a table (`methods`, `library`); the names of all other methods are recorded
//! (`ruby_methods.txt`), so that calling a method that does not exist in Ruby is an error. **There are no
//! side effects**: all access to the environment goes through [`Host`], which the caller implements; nothing
//! here opens files, starts processes or uses the network. Steps, depth and sizes are bounded.
//!
//! Templates ([`render`]): every variable that is visible where a template is rendered is an instance variable
//! in its code.
//!
//! Definitions (`declarations`): plug-in files are evaluated in the abstract, by the same evaluator. Unknown
//! values do not stop it, and all branches of an unknown condition are evaluated; Puppet's methods (`newtype`,
//! `create_function`, `Facter.add`) record what they define. The path of a file promises a name: if the file does
//! not define it visibly, the definition exists and is incomplete. **A signature that is not incomplete is
//! complete.**
//!
//! Resource types and facts (`puppet`): the classes of Puppet and Facter are written in Ruby
//! (`puppet/resource_types.rb`, `puppet/facts.rb`, `puppet/pathname.rb`) and evaluated before a module's
//! file. Features of providers are read from their files, up to the first part that is not supported. **A
//! value counts as rejected only if the type's own code raises an error whatever the provider, the platform,
//! the machine and the other attributes are**. A type's file is evaluated once for many resources
//! (`PreparedType`); `watched` detects changes to what the file created, and discards it then. Most resources
//! require no evaluation: if the given attributes are only compared with lists and patterns,
//! `puppet/plain_attributes` decides, and otherwise defers to the evaluator. A fact that a file may add
//! depending on the machine is unknown, never absent.

mod assignments;
mod blocks;
mod calls;
mod classes;
mod comparison;
mod declarations;
mod defined;
mod exceptions;
mod given;
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

pub use declarations::{read_declarations, read_declarations_with};
pub use exceptions::RubyError;
pub use host::{
    ChangedCollection, Host, HostCalls, HostFact, HostFile, HostFiles, HostSystem, HostVariables,
    RequiredFile, TemplateMethod,
};
pub use interpreter::StopReason;
pub use puppet::facts::{FactFile, FactOutcome};
pub use puppet::functions::{FunctionCall, FunctionOutcome};
pub use puppet::resource_types::{GivenResource, ResourceOutcome, ResourceRefusal};
pub use tables::{
    PreparedFunctions, PreparedType, call_function, facts_of_files, prepare_functions, prepare_type, render,
};
pub use value::{HostExit, Object, Stop};
