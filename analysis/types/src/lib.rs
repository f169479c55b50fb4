//! Puppet's values and type system as pure data, without files, queries or evaluation.

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
