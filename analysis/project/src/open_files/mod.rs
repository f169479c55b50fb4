//! Files that are open in an editor: what is kept and taken apart so that an edit costs what it touches.

pub(crate) mod last_trees;
pub(crate) mod parts;
