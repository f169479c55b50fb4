//! What is known of facts, by itself and in files.

mod fact_sets;
mod files;
mod names;
