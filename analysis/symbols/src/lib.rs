//! What written names mean, where they are used, and what is said of them: what completion, refactoring and the other answers
//! for editors have in common.
//!
//! [`symbol`] says what a written name means; all others ask it.

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

/// A manifest or template, for as long as its host lives. Survives edits, removal and return of the file.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct FileId(pub File);
