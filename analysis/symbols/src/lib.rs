//! Meaning, uses and descriptions of names: the basis shared by completion, refactoring and other editor
//! features.
//!
//! All name resolution goes through [`symbol`]. **Nothing here, or in the crates above, infers anything**:
//! `recorded_value` returns what the summary of the surrounding definition recorded for a node.
//!
//! * `navigation`, `references`, `type_hierarchy`: go to definition and its relatives. `search` first filters
//!   files by the words in their texts; only the remaining files are analyzed.
//! * `descriptions`: documentation of named things, the same for hover and completion.
//! * `callees`, `parameters`: signatures and parameters at calls.
//! * `erb`: names in ERB templates, as seen by the definitions that render them.
//! * `hiera_data`: values and locations of a key or parameter in data. **Sensitive and encrypted values are
//!   never shown.** Data without a visible configuration is shown, but not used otherwise.
//! * `puppetfile`, `metadata_json`, `hiera_config`: files that only name modules and data.
//! * `computed_names`: interpolated strings that name something, once evaluation knows them.

pub mod callees;
pub mod computed_names;
pub mod descriptions;
pub mod erb;
pub mod hiera_config;
pub mod hiera_data;
pub mod metadata_json;
pub mod navigation;
pub mod parameters;
pub mod puppetfile;
pub mod recorded_value;
pub mod references;
pub mod search;
pub mod symbol;
mod target;
pub mod type_hierarchy;

use project::File;

/// A manifest or template, valid for the lifetime of the host. Survives edits, deletion and re-creation of
/// the file.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct FileId(pub File);
