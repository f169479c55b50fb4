//! Puppet's Ruby API for functions, resource types and facts.
//!
//! The models of types and facts are Ruby files (`resource_types.rb`, `facts.rb`), evaluated like any other
//! code.

pub(super) mod compiler;
pub(super) mod evaluator;
pub(super) mod facts;
pub(super) mod functions;
mod plain_attributes;
mod requires;
pub(super) mod resource_types;
pub(super) mod resources;
