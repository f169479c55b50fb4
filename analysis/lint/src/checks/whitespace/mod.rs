//! Checks for whitespace, lines and columns.

pub(crate) mod arrow_alignment;
pub(crate) mod arrows;
pub(crate) mod braces;
pub(crate) mod brackets;
pub(crate) mod hash_arrow_alignment;
pub(crate) mod line_breaks;
pub(crate) mod line_length;
pub(crate) mod names;
pub(crate) mod spaces;
pub(crate) mod strict_indent;
