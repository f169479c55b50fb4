//! The checks, one file for a single check or a few related ones.

pub(crate) mod classes;
pub(crate) mod comments;
pub(crate) mod conditionals;
pub(crate) mod facts;
pub(crate) mod nodes;
pub(crate) mod parameters;
pub(crate) mod resources;
pub(crate) mod strings;
pub(crate) mod variables;
pub(crate) mod whitespace;
