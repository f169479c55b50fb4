//! Bodies, uses of names and summaries of texts.

mod bodies;
mod name_uses;
mod summaries;
