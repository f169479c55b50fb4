//! Signs of security defects in names, strings, commands, and comments. The rules of the group `security` look for
//! them in code; nothing here knows Puppet's syntax.

pub mod algorithms;
pub mod commands;
pub mod comments;
pub mod encryption;
pub mod permissions;
pub mod repositories;
pub mod secrets;
pub mod urls;

/// Placeholder for an unknown part of a string, such as an interpolated expression.
pub const UNKNOWN_PART: char = '\u{1}';

/// Returns the words of a name in lower case, without a trailing number.
pub fn words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = vec![String::new()];
    let mut previous = ' ';
    for c in name.chars() {
        let starts_word =
            !c.is_ascii_alphanumeric() || c.is_ascii_uppercase() && previous.is_ascii_lowercase();
        if starts_word {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut().filter(|_| c.is_ascii_alphanumeric()) {
            word.push(c.to_ascii_lowercase());
        }
        previous = c;
    }
    if let Some(last) = words.last_mut() {
        last.truncate(last.trim_end_matches(|c: char| c.is_ascii_digit()).len());
    }
    words.retain(|word| !word.is_empty());
    words
}
