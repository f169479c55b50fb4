//! Fact sets of the main platforms, and parsing of fact files. Performs no I/O: callers read the files.

pub mod fact_types;
mod files;
mod layers;
mod legacy;
mod metadata;
mod platforms;

pub use files::{FactSet, ReadError, newest_of_each, node_name, read};
pub use legacy::{complete, of_node, with_legacy_facts, without_legacy_facts};
pub use metadata::{MissingPlatform, Supported, default_platforms, supported};
pub use platforms::{Platform, UnknownPlatform, platform, platforms};
