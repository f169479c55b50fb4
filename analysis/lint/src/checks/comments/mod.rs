//! Checks for comments: their markers, and what they document.

pub(crate) mod documentation;
pub(crate) mod parameter_documentation;
pub(crate) mod slash_comments;
pub(crate) mod star_comments;
