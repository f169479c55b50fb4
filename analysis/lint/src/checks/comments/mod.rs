//! The signs of comments.

pub(crate) mod slash_comments;
pub(crate) mod star_comments;
