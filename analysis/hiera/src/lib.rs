//! Hiera 5: its configuration, its data files with positions, and lookup. Pure: files and scopes come from the caller.

pub mod config;
pub mod data;
pub mod glob;
pub mod hocon;
pub mod interpolation;
pub mod json;
pub mod key;
pub mod lookup;
pub mod merge;
pub mod sources;
pub mod yaml;

pub use data::{Content, DataEntry, DataFinding, DataFindingKind, DataFormat, DataNode, HieraData};
