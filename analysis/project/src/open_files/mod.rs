//! Open files: trees and parts that make an edit cost only what it touches.

pub(crate) mod last_trees;
pub(crate) mod parts;
