//! Start and end of typing: when withheld diagnostics are published.

use std::sync::Arc;

use ide::FilePath;
use lsp_types::Position;
use syntax::LineMap;

use super::{MainLoop, client_requests};
use crate::convert;
use crate::documents::Document;
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

impl MainLoop {
    /// Records the edits of a new version of a document.
    pub(super) fn typed(&mut self, path: &FilePath, document: &Document) {
        if self.typing.as_ref().is_some_and(|it| it.path != *path) {
            self.end_typing();
        }
        let before = self.typing.take().map(Arc::unwrap_or_clone);
        let has_typed = before.is_some();
        let typing = Typing::after(before, path, document.edits.as_deref(), self.clock.now());
        self.typing = typing.map(Arc::new);
        if has_typed && self.typing.is_none() {
            self.publish_withheld(path.clone());
        }
    }

    /// Publishes what is withheld: the user has saved, paused, or moved on to another file.
    pub(super) fn end_typing(&mut self) {
        if let Some(typing) = self.typing.take() {
            self.publish_withheld(typing.path.clone());
        }
    }

    /// Publishes exactly what is found, even if a syntax error mutes what was found before.
    pub(super) fn end_editing(&mut self) {
        let was_typing = self.typing.is_some();
        self.end_typing();
        if std::mem::take(&mut self.keeps_muted)
            && !was_typing
            && let Some(path) = self.documents.keys().next().cloned()
        {
            self.publish_withheld(path);
        }
    }

    pub(super) fn end_typing_after_pause(&mut self) {
        if self.typing.as_ref().is_some_and(|it| it.deadline <= self.clock.now()) {
            self.end_typing();
        }
    }

    /// Checks the file that was typed in again, and the other open ones.
    fn publish_withheld(&mut self, path: FilePath) {
        if !self.features.pulls_diagnostics {
            self.due.others = true;
            self.due.paths.push(path);
        } else if self.active_work > 0 || self.documents.values().any(|it| it.is_provisional()) {
            // Reports being computed may withhold something, too.
            self.state += 1;
            client_requests::refresh_diagnostics(&self.outbox);
        }
    }

    /// Notes the location of the cursor in a request. Publishes what is withheld if it has left the statement.
    pub(super) fn note_cursor(&mut self, read: &dyn Read) {
        let (Some(typing), Some((path, position))) = (&self.typing, read.position()) else { return };
        if !CURSOR_METHODS.contains(&read.method()) {
            return;
        }
        let path = path.clone();
        let path = &path;
        if typing.path != *path {
            return self.end_typing();
        }
        let Some(cursor) = self.offset(path, position) else { return };
        let is_same_line = |lines: &LineMap| lines.line(cursor) == lines.line(typing.cursor);
        let is_near = self.documents.get(path).is_some_and(|it| is_same_line(it.lines()));
        if cursor != typing.cursor && !is_near {
            self.typing = Some(Arc::new(typing.at(cursor)));
            self.publish_withheld(path.clone());
            self.flush();
        }
    }

    fn offset(&self, path: &FilePath, position: Position) -> Option<u32> {
        let document = self.documents.get(path)?;
        Some(convert::offset(&document.text, document.lines(), position, self.features.column_unit))
    }
}
