//! The checks, a file for one or a few of a kind.

pub(crate) mod classes;
pub(crate) mod comments;
pub(crate) mod conditionals;
pub(crate) mod documentation;
pub(crate) mod facts;
pub(crate) mod nodes;
pub(crate) mod parameters;
pub(crate) mod resources;
pub(crate) mod strings;
pub(crate) mod variables;
pub(crate) mod whitespace;
