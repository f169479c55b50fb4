//! Start and end of typing: when withheld diagnostics are published.

use std::sync::Arc;
use std::time::Duration;

use ide::FilePath;
use syntax::{ColumnUnit, LineMap};

use super::documents::Documents;
use crate::clock::Clock;
use crate::documents::TypedEdit;
use crate::reads::Read;
use crate::typing::Typing;

/// Requests that editors send for the location of the cursor, and not for that of the mouse.
const CURSOR_METHODS: [&str; 5] = [
    "textDocument/completion",
    "textDocument/signatureHelp",
    "textDocument/documentHighlight",
    "textDocument/prepareRename",
    "textDocument/references",
];

/// State of typing. The methods that change it return the file whose withheld diagnostics are to be published.
pub(super) struct TypingState {
    /// Edits without a pause, whose incomplete statements are not reported yet.
    pub(super) current: Option<Arc<Typing>>,
    /// True after an edit, until [`TypingState::end_editing`]: diagnostics that a syntax error mutes stay.
    pub(super) keeps_muted: bool,
    clock: Clock,
}

impl TypingState {
    pub(super) fn new(clock: Clock) -> TypingState {
        TypingState { current: None, keeps_muted: false, clock }
    }

    pub(super) fn is_typing(&self) -> bool {
        self.current.is_some()
    }

    /// Returns the time to wait for a pause; `None` if nobody is typing.
    pub(super) fn time_left(&self) -> Option<Duration> {
        self.current.as_ref().and_then(|it| self.clock.until(it.deadline))
    }

    /// Records the edits of a new version of a document.
    pub(super) fn edit(&mut self, path: &FilePath, edits: Option<&[TypedEdit]>) -> Option<FilePath> {
        self.keeps_muted = true;
        let left = self.current.take_if(|it| it.path != *path);
        let before = self.current.take().map(Arc::unwrap_or_clone);
        let has_typed = before.is_some();
        self.current = Typing::after(before, path, edits, self.clock.now()).map(Arc::new);
        match left {
            Some(left) => Some(left.path.clone()),
            None => (has_typed && !self.is_typing()).then(|| path.clone()),
        }
    }

    /// Ends typing: the user has saved, or moved on to another file.
    pub(super) fn end(&mut self) -> Option<FilePath> {
        self.current.take().map(|it| it.path.clone())
    }

    /// Ends typing if the user has paused.
    pub(super) fn end_after_pause(&mut self) -> Option<FilePath> {
        let now = self.clock.now();
        self.current.take_if(|it| it.deadline <= now).map(|it| it.path.clone())
    }

    /// Ends editing: exactly what is found is published, even if a syntax error mutes what was found before.
    pub(super) fn end_editing(&mut self, documents: &Documents) -> Option<FilePath> {
        let keeps_muted = std::mem::take(&mut self.keeps_muted);
        let any = || documents.iter().next().filter(|_| keeps_muted).map(|(path, _)| path.clone());
        self.end().or_else(any)
    }

    /// Notes the location of the cursor in a request. Typing ends in another file; on another line of the
    /// same one, the statement is complete.
    pub(super) fn note_cursor(
        &mut self,
        read: &dyn Read,
        documents: &Documents,
        unit: ColumnUnit,
    ) -> Option<FilePath> {
        let (typing, (path, position)) = self.current.as_ref().zip(read.position())?;
        if !CURSOR_METHODS.contains(&read.method()) {
            return None;
        }
        if typing.path != *path {
            return self.end();
        }
        let cursor = documents.offset(path, position, unit)?;
        let is_same_line = |lines: &LineMap| lines.line(cursor) == lines.line(typing.cursor);
        let is_near = documents.get(path).is_some_and(|it| is_same_line(it.lines()));
        if cursor == typing.cursor || is_near {
            return None;
        }
        let path = path.clone();
        self.current = Some(Arc::new(typing.at(cursor)));
        Some(path)
    }
}

#[cfg(test)]
#[path = "typing_state_tests.rs"]
mod tests;
