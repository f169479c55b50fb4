//! What Puppet adds to Ruby: for its functions, resource types and facts.
//!
//! What types and facts are made of is written in Ruby (`resource_types.rb`, `facts.rb`) and evaluated as the rest is.

pub(super) mod asked;
pub(super) mod compiler;
pub(super) mod facts;
pub(super) mod functions;
mod plain_attributes;
mod requires;
pub(super) mod resource_types;
pub(super) mod resources;
