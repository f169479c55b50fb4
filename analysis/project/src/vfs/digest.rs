//! Digests of texts, which edits update without reading the whole text.

use std::hash::Hasher;

use rustc_hash::FxHasher;
use syntax::{TextRange, common_ends};

/// Hash of a text. Stable across runs of one build.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct TextDigest(pub u64);

impl TextDigest {
    pub fn of(text: &str) -> TextDigest {
        TextDigest(line_pairs(text, 0, text.len()))
    }

    /// Returns the digest of `new`, which results from replacing `range` of `old` with `inserted` bytes; `self`
    /// is that of `old`. The text is hashed on each keystroke, so this only looks at the lines of the edit.
    #[must_use]
    pub fn edited(self, old: &str, range: TextRange, new: &str, inserted: u32) -> TextDigest {
        let start = old[..range.start as usize].rfind('\n').map_or(0, |at| at + 1);
        let end = end_of_line(old, range.end as usize);
        let new_end = end - range.end as usize + (range.start + inserted) as usize;
        let unchanged = self.0.wrapping_sub(line_pairs(old, start, end));
        TextDigest(unchanged.wrapping_add(line_pairs(new, start, new_end)))
    }

    /// Returns the digest of `new`, given that of `old`. Only compares the parts that the texts have in common.
    pub(super) fn of_newer(self, old: &str, new: &str) -> TextDigest {
        let (mut start, same_at_end) = common_ends(old.as_bytes(), new.as_bytes());
        let mut end = old.len() - same_at_end;
        // The texts may share a part of a character.
        while !old.is_char_boundary(start) {
            start -= 1;
        }
        while !old.is_char_boundary(end) {
            end += 1;
        }
        let inserted = new.len() - (old.len() - end) - start;
        self.edited(old, TextRange::new(start as u32, end as u32), new, inserted as u32)
    }
}

fn end_of_line(text: &str, from: usize) -> usize {
    text[from..].find('\n').map_or(text.len(), |at| from + at + 1)
}

/// Returns the sum of the hashes of each line between two starts of lines, and of the line at `end`, each
/// combined with the hash of the line before it.
fn line_pairs(text: &str, start: usize, end: usize) -> u64 {
    fn hash(line: &str) -> u64 {
        let mut hasher = FxHasher::default();
        hasher.write(line.as_bytes());
        hasher.finish()
    }
    let mut before = match text[..start].strip_suffix('\n') {
        Some(lines) => hash(&text[lines.rfind('\n').map_or(0, |at| at + 1)..start]),
        None => 0,
    };
    let following = &text[end..end_of_line(text, end)];
    let lines = text[start..end].split_inclusive('\n').chain((!following.is_empty()).then_some(following));
    lines.fold(0, |sum: u64, line| {
        let mut pair = FxHasher::default();
        pair.write_u64(std::mem::replace(&mut before, hash(line)));
        pair.write_u64(before);
        sum.wrapping_add(pair.finish())
    })
}

#[cfg(test)]
#[path = "digest_tests.rs"]
mod tests;
