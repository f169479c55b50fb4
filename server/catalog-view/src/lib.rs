//! Rendering of catalogs as text for terminals and as graphs for editors.
//!
//! **All values go through `values`, which hides everything sensitive.** `text` prints resources, `graph`
//! draws an SVG whose nodes and arrows `layout` positions.

pub mod graph;
mod layout;
pub mod text;
pub mod values;
