//! Formatting of manifests and templates.

mod cases;
mod edits;
mod layouts;
mod on_type;
mod style;
