//! Bodies, name uses and summaries.

mod bodies;
mod name_uses;
mod summaries;
