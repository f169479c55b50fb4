//! Catalogs as people see them, in a terminal and in an editor.

pub(crate) mod graph;
mod layout;
pub(crate) mod text;
pub(crate) mod values;
