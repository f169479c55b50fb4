//! The values of strings and heredocs: margins taken off, escapes resolved.

use super::*;

/// A piece of a string with interpolation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum StringPart {
    /// Text as it is after escapes.
    Text(String),
    /// `$name` or `${ expression }`.
    Expr(Expr),
    /// `${}` or an interpolation whose expression is missing.
    Missing,
}

/// What `@(TAG:syntax/escapes)` says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HeredocHeader {
    pub tag: String,
    /// Is the tag in double quotes?
    pub interpolates: bool,
    /// Empty when none is given.
    pub syntax: String,
    /// The escapes that are resolved; empty when there is no `/`.
    pub escapes: String,
}
