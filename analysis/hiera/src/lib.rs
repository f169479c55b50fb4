//! Hiera 5: its configuration, its data files with positions, and lookup. Pure: files and scopes come from the caller.

pub mod data;
pub mod hocon;
pub mod json;
pub mod yaml;

pub use data::{Content, Data, Entry, Format, Node, Problem, ProblemKind};
