//! Range of an edit in the old and the new text.

use crate::lexer::Suspect;
use crate::{Severity, TextEdit, TextFinding, TextRange};
use std::sync::Arc;

/// Replaced range and its replacement.
pub(super) struct Change {
    pub(super) old: TextRange,
    pub(super) new: TextRange,
}

impl Change {
    /// Returns the smallest change that turns `old` into `new`; `None` if they are equal. Does not compare them if
    /// `edit` is the one between them.
    pub(super) fn between(edit: Option<&TextEdit>, old: &Arc<str>, new: &Arc<str>) -> Option<Change> {
        let (start, end) = TextEdit::common_ends(edit, old, new);
        if start == old.len() && start == new.len() {
            return None;
        }
        let range = |length: usize| TextRange::new(start as u32, (length - end) as u32);
        Some(Change { old: range(old.len()), new: range(new.len()) })
    }

    /// Maps an offset after the change to the new text.
    pub(super) fn moved(&self, offset: u32) -> u32 {
        offset - self.old.end + self.new.end
    }

    /// Returns the warnings outside of the reparsed range `again`, mapped to the new text. There are no
    /// errors outside of it.
    pub(super) fn moved_errors(&self, old: &[TextFinding], again: TextRange) -> Vec<TextFinding> {
        let stays = |range: TextRange| range.start < again.start;
        let moved = |range: TextRange| {
            if range.start >= again.end {
                TextRange::new(self.moved(range.start), self.moved(range.end))
            } else {
                range
            }
        };
        let outside = old.iter().filter(|error| error.severity() != Severity::Error);
        let outside = outside.filter(|error| stays(error.range) || error.range.start >= again.end);
        let errors = outside.map(|error| {
            if stays(error.range) {
                error.clone()
            } else {
                let mut error = error.clone();
                error.range = moved(error.range);
                error.related.iter_mut().for_each(|(range, _)| *range = moved(*range));
                error
            }
        });
        errors.collect()
    }

    /// Returns the suspects outside of the reparsed range `again`, mapped to the new text.
    pub(super) fn moved_suspects(&self, old: &[Suspect], again: TextRange) -> Vec<Suspect> {
        let before = old.iter().filter(|it| it.offset() < again.start).copied();
        let following = old.iter().filter(|it| it.offset() >= again.end);
        before.chain(following.map(|it| it.at(self.moved(it.offset())))).collect()
    }
}
