//! How words of a repository are shown: nothing of them is read as something else, and no secret gets out.

pub mod markdown;
pub mod secrets;
mod visible;

pub use visible::{
    Escaped, escaped_json, is_hidden, visible, visible_message, visible_source, visible_text,
    without_commands,
};
