//! Rendering of untrusted text: nothing from a repository is interpreted as markup or a command, and no
//! secret is shown.

pub mod markdown;
pub mod secrets;
mod visible;

pub use visible::{
    Escaped, escaped_json, is_hidden, visible, visible_message, visible_source, visible_text,
    without_commands,
};
