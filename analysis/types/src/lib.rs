//! Puppet's values and type system as pure data, without files, queries or evaluation.
//!
//! Contains values, types, and operations on them: parsing and displaying types, access (`[ ]`),
//! assignability, inference, narrowing, common types, the arguments that constructors take ([`constructor`]),
//! mismatch messages, and rich data. Names in types are resolved through [`TypeEnvironment`].
//!
//! * **An unknown is a value** ([`Value::Unknown`]): it has a type and an origin.
//! * **The content of a `Sensitive` is never printed or logged.**
//! * **Recursive aliases terminate**: depth and steps of each operation are bounded. Values have at most
//!   [`Value::MAX_DEPTH`] levels, counted on construction; shared parts count for each occurrence.
//! * `value::indistinguishable` decides whether a program can tell two values apart. **Everything cached,
//!   shared or reused is compared by that, never by `==`.**
//!
//! Puppet's results for declarations, instances, assignability and constructors are recorded in tables in
//! `tests/`.

pub mod access;
pub mod assign;
pub mod common;
pub mod constructor;
pub mod display;
pub mod environment;
mod factory;
pub mod infer;
pub mod iterate;
pub mod kind;
pub mod mismatch;
pub mod narrow;
pub mod object;
pub mod parse;
pub mod rich_data;
pub mod sizes;
pub mod text;
pub mod ty;
pub mod value;

pub use environment::{NamedType, NoTypes, TypeEnvironment};
pub use kind::Kinds;
pub use ty::*;
pub use value::indistinguishable::{CachedValue, Indistinguishable};
pub use value::*;
