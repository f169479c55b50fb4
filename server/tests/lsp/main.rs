//! The language server over a pipe in this process. Every test waits for messages, none for time.

mod catalogs;
mod client;
mod diagnostics;
mod evaluation;
mod lifecycle;
mod navigation;
mod requests;
mod rules;
mod secrets;
mod session_files;
mod settings;
mod synchronization;
mod workspace;
