//! Comparison of the catalogs of two revisions. Renders nothing.
//!
//! `base` reads the earlier revision from Git without a checkout, `served` the files that modules serve to nodes, and
//! `compare` compares two catalogs. **What is unknown is listed, and never reported as equal.**

pub mod base;
pub mod compare;
pub mod modules;
pub mod served;
