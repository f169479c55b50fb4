//! What Puppet adds to Ruby for its functions.

pub(super) mod compiler;
pub(super) mod functions;
mod requires;
