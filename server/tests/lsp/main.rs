//! Tests of the language server over a pipe in the same process. All tests wait for messages, never for time.

mod catalogs;
mod client;
mod commands;
mod completion;
mod diagnostics;
mod environments;
mod evaluation;
mod file_operations;
mod lifecycle;
mod navigation;
mod requests;
mod rules;
mod secrets;
mod session_files;
mod settings;
mod synchronization;
mod typing;
mod upgrade;
mod workspace;
