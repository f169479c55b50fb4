//! Fact sets, platform names and fact files.

mod fact_sets;
mod files;
mod names;
