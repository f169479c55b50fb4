//! Meaning, uses and descriptions of names: the basis shared by completion, refactoring and other editor
//! features.
//!
//! All name resolution goes through [`symbol`].

pub mod callees;
pub mod computed_names;
pub mod descriptions;
pub mod erb;
pub mod hiera_data;
pub mod metadata_json;
pub mod navigation;
pub mod parameters;
pub mod recorded_value;
pub mod references;
pub mod search;
pub mod symbol;
pub mod type_hierarchy;

use project::File;

/// A manifest or template, valid for the lifetime of the host. Survives edits, deletion and re-creation of
/// the file.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct FileId(pub File);
