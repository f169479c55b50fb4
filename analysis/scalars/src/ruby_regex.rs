//! Ruby's regular expressions: their structure, and whether Ruby accepts them. Puppet hands them to `Regexp.new`, that is
//! to the Onigmo library with its Ruby syntax, so the rules here are those of Ruby 3.1.

mod classes;
mod lexer;
mod meaning;
mod parser;
mod properties;
mod unescape;

#[cfg(test)]
mod tests;

pub use classes::{CharacterClass, ClassItem, Set, SetKind};
pub use parser::{Anchor, GroupOptions, NodeId, Pattern, RegexNode, SetRange};

/// What is wrong with a pattern, to be read behind "Ruby does not accept this regular expression:".
pub type RegexFailure = String;

/// The structure of `pattern`, the text between the slashes; `None` if it is too deep to say.
///
/// # Errors
/// Ruby does not accept the pattern.
pub fn parse(pattern: &str) -> Result<Option<Pattern>, RegexFailure> {
    let chars = unescape::unescape(pattern)?;
    let Some(parsed) = parser::parse(&chars)? else { return Ok(None) };
    meaning::check(&parsed)?;
    Ok(Some(parsed))
}

/// Is `pattern`, the text between the slashes, a regular expression for Ruby? What is too deep to decide is accepted.
pub fn check(pattern: &str) -> Result<(), RegexFailure> {
    parse(pattern).map(drop)
}

fn failure<T>(text: impl Into<String>) -> Result<T, RegexFailure> {
    Err(text.into())
}
