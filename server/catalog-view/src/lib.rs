//! Rendering of catalogs as text for terminals and as graphs for editors.
//!
//! **All values go through `values`, which hides everything sensitive.** `text` prints resources. `nodes` selects the
//! resources of a graph and their relationships; `dot` and `outline` print them, and `graph` draws an SVG whose nodes and
//! arrows `layout` positions. `open` groups the reasons why a result is inconclusive.

pub mod dot;
pub mod graph;
mod layout;
pub mod nodes;
pub mod open;
pub mod outline;
pub mod references;
pub mod text;
pub mod values;

#[cfg(test)]
mod test_resource;
