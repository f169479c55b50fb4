//! Hiera 5: configuration, data files with positions, and lookup. Performs no I/O: callers provide files and
//! scopes.

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
