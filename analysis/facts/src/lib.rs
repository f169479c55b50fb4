//! Fact sets of the main platforms, and parsing of fact files. Performs no I/O: callers read the files.
//!
//! `data/platforms.txt` has a row for each release of an operating system, and `data/layers.yaml` the facts
//! that releases have in common (`layers`). Legacy facts are derived from structured ones by the table in
//! `plugins` (`legacy`). **Each fact has the type that `plugins` declares for it**; `fact_types` extends this
//! to facts without a value.
//!
//! `metadata` determines the platforms that a module supports, and `files` parses fact files: Facter's JSON
//! and YAML, external facts as text, facts stored by Puppet, and folders of facterdb. Facts that widely used
//! modules add are kept separately.

pub mod fact_types;
mod files;
mod groups;
mod layers;
mod legacy;
mod metadata;
mod platforms;

pub use files::{FactSet, ReadError, newest_of_each, node_name, read};
pub use groups::{PlatformGroup, covers, group_of_all_platforms, platform_groups};
pub use legacy::{complete, of_node, with_agent_facts, with_legacy_facts, without_legacy_facts};
pub use metadata::{MissingPlatform, Supported, default_platforms, supported};
pub use platforms::{Platform, UnknownPlatform, platform, platforms};
