//! Catalogs as people see them, in a terminal and in an editor.

pub mod graph;
mod layout;
pub mod text;
pub mod values;
