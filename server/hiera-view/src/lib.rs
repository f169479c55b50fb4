//! Hiera lookups as text and JSON.
//!
//! `lookup` has the value of a key and an explanation, `matrix` the values of a key on all nodes, and
//! `explain` all keys of a node; `moves` lists values that can be removed or moved. **All values go through
//! `lookup::Resolver`, which hides everything sensitive.**

pub mod explain;
pub mod lookup;
pub mod matrix;
pub mod moves;
