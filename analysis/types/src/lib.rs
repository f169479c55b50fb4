//! Puppet's values and type system: pure data. No files, no queries, no evaluation.

pub mod environment;
pub mod kind;
pub mod object;
pub mod regexp;
pub mod semver;
pub mod timespan;
pub mod timestamp;
pub mod ty;
pub mod uri;
pub mod value;
pub mod version_compare;

pub use environment::{NamedType, NoTypes, TypeEnvironment};
pub use kind::Kinds;
pub use ty::*;
pub use value::*;
