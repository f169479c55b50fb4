//! Comparison of the catalogs of two revisions.
//!
//! `base` reads the earlier revision from Git without a checkout, `served` the files that modules serve to nodes,
//! `catalog_file` catalogs from files, which `catalog_json` writes, and `compare` compares two catalogs. `sharing` shares results
//! of equal nodes, `contents` searches catalogs, and `octocatalog` has the rules that ignore
//! differences, and the format of octocatalog-diff. **What is unknown is listed, and never reported as equal.**

pub mod base;
pub mod catalog_file;
pub mod catalog_json;
mod changes;
pub mod compare;
pub mod contents;
pub mod modules;
pub mod octocatalog;
pub mod served;
pub mod sharing;
