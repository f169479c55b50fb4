//! A language server and command-line checker for the Puppet language: LSP over stdio, and the command line.
//!
//! The only crate that knows LSP or the terminal.

mod catalog;
pub mod cli;
pub mod config;
mod convert;
mod disk;
mod handlers;
mod installed;
pub mod lsp;
