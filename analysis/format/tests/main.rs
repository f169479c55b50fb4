//! What becomes of manifests.

mod cases;
mod edits;
mod layouts;
mod style;
