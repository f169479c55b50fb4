//! Comments in Ruby code.

use syntax::TextRange;

use crate::guard::{LENGTH_LIMIT, is_hostile, on_stack_for};

/// Returns the ranges of the comments that begin with `#`, in source order, each without its line break. `None` for
/// code that is too large or that the parser cannot read quickly.
///
/// `#` also begins interpolations, and is an ordinary character in strings.
pub fn comments(text: &str) -> Option<Vec<TextRange>> {
    if text.len() > LENGTH_LIMIT || is_hostile(text) {
        return None;
    }
    on_stack_for(text.len(), || {
        let parsed = ruby_prism::parse(text.as_bytes());
        let ranges = parsed.comments().filter_map(|comment| {
            let location = comment.location();
            let (start, end) = (location.start() as usize, location.end() as usize);
            let written = text.get(start..end).filter(|it| it.starts_with('#'))?;
            Some(TextRange::new(start as u32, (start + written.trim_end().len()) as u32))
        });
        ranges.collect()
    })
}

#[cfg(test)]
#[path = "comments_tests.rs"]
mod tests;
