//! Sources of completion items, one file each.

pub(crate) mod attributes;
pub(crate) mod bolt;
pub(crate) mod classes;
pub(crate) mod comments;
pub(crate) mod constructs;
pub(crate) mod data_files;
pub(crate) mod erb;
pub(crate) mod fact_names;
pub(crate) mod functions;
pub(crate) mod hiera_keys;
mod json_cursor;
pub(crate) mod metadata_json;
pub(crate) mod qualified_variables;
pub(crate) mod references;
pub(crate) mod resource_hashes;
pub(crate) mod resource_types;
pub(crate) mod served_paths;
pub(crate) mod type_names;
pub(crate) mod values;
pub(crate) mod variables;
