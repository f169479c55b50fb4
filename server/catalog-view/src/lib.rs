//! Rendering of catalogs as text for terminals and as graphs for editors.

pub mod graph;
mod layout;
pub mod text;
pub mod values;
