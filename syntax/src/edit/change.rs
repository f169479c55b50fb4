//! What an edit changed.

use crate::lexer::Suspect;
use crate::{Severity, TextFinding, TextRange, common_ends};

/// What an edit replaced, and by what.
pub(super) struct Change {
    pub(super) old: TextRange,
    pub(super) new: TextRange,
}

impl Change {
    /// The smallest change that makes the one text the other; `None` where they are the same.
    pub(super) fn between(old: &str, new: &str) -> Option<Change> {
        let (old, new) = (old.as_bytes(), new.as_bytes());
        let (start, end) = common_ends(old, new);
        if start == old.len() && start == new.len() {
            return None;
        }
        let range = |length: usize| TextRange::new(start as u32, (length - end) as u32);
        Some(Change { old: range(old.len()), new: range(new.len()) })
    }

    /// Where an offset behind the change is in the new text.
    pub(super) fn moved(&self, offset: u32) -> u32 {
        offset - self.old.end + self.new.end
    }

    /// The warnings outside of what is read `again`, where they are in the new text.
    pub(super) fn moved_errors(&self, old: &[TextFinding], again: TextRange) -> Vec<TextFinding> {
        let stays = |range: TextRange| range.start < again.start;
        let moved = |range: TextRange| match range.start >= again.end {
            true => TextRange::new(self.moved(range.start), self.moved(range.end)),
            false => range,
        };
        let outside = old.iter().filter(|error| error.severity() != Severity::Error);
        let outside = outside.filter(|error| stays(error.range) || error.range.start >= again.end);
        let errors = outside.map(|error| match stays(error.range) {
            true => error.clone(),
            false => {
                let mut error = error.clone();
                error.range = moved(error.range);
                error.related.iter_mut().for_each(|(range, _)| *range = moved(*range));
                error
            }
        });
        errors.collect()
    }

    /// The same for what may have lost its end.
    pub(super) fn moved_suspects(&self, old: &[Suspect], again: TextRange) -> Vec<Suspect> {
        let before = old.iter().filter(|it| it.offset() < again.start).copied();
        let behind = old.iter().filter(|it| it.offset() >= again.end);
        before.chain(behind.map(|it| it.at(self.moved(it.offset())))).collect()
    }
}
