//! Rendering of untrusted text: nothing from a repository is interpreted as markup or a command, and no
//! secret is shown.
//!
//! **This crate alone decides how names, paths, titles, messages and source lines from a repository are
//! displayed** in terminals, logs, GitHub, Markdown and editors.
//!
//! * `visible`: escapes control characters (`\n`, `\u{1b}`) in single lines, texts, messages, source lines
//!   with positions, and JSON.
//! * `markdown`: code that its content cannot end, plain text, and documentation without active content
//!   (`inert`).
//! * `secrets`: names of secrets (`SecretKeys`), and masking of their values, of encrypted values, and of
//!   strings in `Sensitive(...)`. In reports that leave the machine, `ide::SecretValues` masks these
//!   values in messages too.
//!
//! Output goes through one function per medium: `cli::terminal` (`print_text`, `print_json`),
//! `lsp::connection::visible` and `lsp::handlers::hover::markup`. Line breaks are escaped where a string is
//! inserted.

pub mod markdown;
pub mod secrets;
mod visible;

pub use visible::{
    Escaped, escaped_json, is_hidden, visible, visible_message, visible_source, visible_text,
    without_commands,
};
