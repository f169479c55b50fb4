//! Parser and validator for Ruby's regular expressions. Puppet passes them to `Regexp.new`, which uses the
//! Onigmo library with its Ruby syntax, so the rules here are those of Ruby 3.1.

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

/// Description of the problem in a pattern, to be appended to "invalid regular expression: ".
pub type RegexFailure = String;

/// Parses `pattern`, the source between the slashes. Returns `None` if it is nested too deeply to decide.
///
/// # Errors
/// If Ruby does not accept the pattern.
pub fn parse(pattern: &str) -> Result<Option<Pattern>, RegexFailure> {
    let chars = unescape::unescape(pattern)?;
    let Some(parsed) = parser::parse(&chars)? else { return Ok(None) };
    meaning::check(&parsed)?;
    Ok(Some(parsed))
}

/// Checks if Ruby accepts `pattern`, the source between the slashes. A pattern that is nested too deeply to
/// decide is accepted.
pub fn check(pattern: &str) -> Result<(), RegexFailure> {
    parse(pattern).map(drop)
}

fn failure<T>(text: impl Into<String>) -> Result<T, RegexFailure> {
    Err(text.into())
}
