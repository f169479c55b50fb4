//! Does Ruby accept a regular expression? Puppet hands it to `Regexp.new`, that is to the Onigmo library with its Ruby
//! syntax, so the rules here are those of Ruby 3.1. What is too deep or too large to decide is accepted.

mod classes;
mod lexer;
mod meaning;
mod parser;
mod properties;
mod unescape;

#[cfg(test)]
mod tests;

/// What is wrong with a pattern, to be read behind "Ruby does not accept this regular expression:".
type Problem = String;

/// Is `pattern`, the text between the slashes, a regular expression for Ruby?
pub(crate) fn check(pattern: &str) -> Result<(), Problem> {
    let chars = unescape::unescape(pattern)?;
    let Some(parsed) = parser::parse(&chars)? else { return Ok(()) };
    meaning::check(&parsed)
}

fn problem<T>(text: impl Into<String>) -> Result<T, Problem> {
    Err(text.into())
}
