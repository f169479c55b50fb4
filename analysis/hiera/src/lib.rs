//! Hiera 5: configuration, data files with positions, and lookup. Performs no I/O: callers provide files and
//! scopes.
//!
//! * `data`: reads YAML, JSON and HOCON like Ruby, with the position of each key and value, and recovers
//!   after errors. Aliases and references expand to a limited number of values.
//! * `config`: parses `hiera.yaml` (also versions 3 and 4) and reports what Puppet rejects.
//! * `lookup`: walks layers, levels and paths, merges and converts, and explains the result. Files, variables
//!   and functions are provided by `LookupHost`.
//! * `yaml/write`: writes YAML like Psych, for code that calls `to_yaml`.
//!
//! **An unknown variable makes a level unknown, and with it the value.** Encrypted values are never
//! decrypted. Plain scalars have Psych's interpretation, for example `yes`, `0o17` or `12:30:45`; see
//! `docs/decisions/yaml.md`.

pub mod config;
pub mod data;
pub mod glob;
pub mod hocon;
pub mod interpolation;
pub mod json;
pub mod key;
pub mod lookup;
pub mod lookup_options;
pub mod merge;
pub mod sources;
pub mod yaml;

pub use data::{Content, DataEntry, DataFinding, DataFindingKind, DataFormat, DataNode, HieraData};
