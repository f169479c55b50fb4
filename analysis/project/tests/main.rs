//! Projects: what their files are, what names mean, and what an edit asks again.

mod increments;
mod layout;
mod names;
mod resolve;
mod ruby_plugins;
