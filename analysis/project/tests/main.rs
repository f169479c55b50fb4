//! Tests of projects: roles of files, name resolution, and incremental recomputation.

mod increments;
mod layout;
mod names;
mod resolve;
mod ruby_plugins;
