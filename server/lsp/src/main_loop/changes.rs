//! Changes for the next revision of the database.

use std::sync::Arc;

use ide::{ChangeBatch, DiskState, FilePath, InstalledFolder, Settings};
use syntax::TextEdit;

use super::events::PendingDiagnostics;

/// Changes for the next revision, and the diagnostics that they may affect.
#[derive(Default)]
pub(super) struct PendingChanges {
    batch: ChangeBatch,
    /// True if results depend on the changes.
    has_changes: bool,
    affected: PendingDiagnostics,
}

/// A set of changes to apply.
pub(super) enum NextRevision {
    /// Diagnostics do not depend on these changes.
    Unnoticed(ChangeBatch),
    Changed {
        batch: ChangeBatch,
        affected: PendingDiagnostics,
    },
}

impl PendingChanges {
    /// Returns the pending changes, if any.
    pub(super) fn take(&mut self) -> Option<NextRevision> {
        if std::mem::take(&mut self.has_changes) {
            let batch = std::mem::take(&mut self.batch);
            return Some(NextRevision::Changed { batch, affected: std::mem::take(&mut self.affected) });
        }
        // Only hover and go to definition depend on these files.
        let is_installed = self.batch.installed.is_some();
        is_installed.then(|| NextRevision::Unnoticed(std::mem::take(&mut self.batch)))
    }

    /// Adds files that a scan has read. The diagnostics that depend on them follow when it has ended.
    pub(super) fn add_scanned(&mut self, files: &mut Vec<(FilePath, DiskState)>) {
        if !files.is_empty() {
            self.batch.disk.append(files);
            self.has_changes = true;
        }
    }

    /// Adds files that have changed on disk.
    pub(super) fn add_disk(&mut self, files: impl IntoIterator<Item = (FilePath, DiskState)>) {
        self.batch.disk.extend(files);
        self.affect_everything();
    }

    /// Removes a closed file that is not part of a folder.
    pub(super) fn remove_closed(&mut self, path: FilePath) {
        self.batch.disk.push((path, DiskState::Missing));
    }

    /// Sets the text of an open file; `None` if it was closed.
    pub(super) fn set_buffer(&mut self, path: FilePath, text: Option<Arc<str>>) {
        self.batch.buffers.retain(|(other, _)| *other != path);
        self.batch.edits.retain(|(other, _)| *other != path);
        self.batch.buffers.push((path.clone(), text));
        self.has_changes = true;
        self.affected.paths.push(path);
    }

    /// Sets the text of an open file after an edit.
    pub(super) fn edit_buffer(&mut self, path: FilePath, text: Arc<str>, edit: Option<Arc<TextEdit>>) {
        self.set_buffer(path.clone(), Some(text));
        self.batch.edits.extend(edit.map(|edit| (path, edit)));
    }

    pub(super) fn set_settings(&mut self, settings: Settings) {
        self.batch.settings = Some(settings);
        self.affect_everything();
    }

    /// Sets the workspace folders, as native paths.
    pub(super) fn set_roots(&mut self, roots: Vec<String>) {
        self.batch.roots = Some(roots);
        self.affect_everything();
    }

    /// Sets the module folders that exist but may not be read.
    pub(super) fn set_unread_folders(&mut self, folders: Vec<FilePath>) {
        self.batch.unread_folders = Some(folders);
        self.affect_everything();
    }

    pub(super) fn set_installed(&mut self, folders: Vec<InstalledFolder>) {
        self.batch.installed = Some(folders);
    }

    fn affect_everything(&mut self) {
        self.has_changes = true;
        self.affected.everything = true;
    }
}

#[cfg(test)]
#[path = "changes_tests.rs"]
mod tests;
