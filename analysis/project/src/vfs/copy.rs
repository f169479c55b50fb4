//! Copies of a virtual file system with other settings.

use super::{ChangeBatch, DiskState, FilePath, TextDigest, Vfs};

impl Vfs {
    /// Returns the changes that lead from an empty file system to this one, except for the settings and the
    /// installed Puppet. Texts are shared.
    pub fn all_changes(&self) -> ChangeBatch {
        let disk = self.entries.iter().filter(|(_, entry)| entry.disk != DiskState::Missing);
        let open = self.entries.iter().filter(|(_, entry)| entry.buffer.is_some());
        ChangeBatch {
            roots: Some(self.roots.iter().map(FilePath::as_str).map(str::to_owned).collect()),
            disk: disk.map(|(path, entry)| (path.clone(), entry.disk.clone())).collect(),
            unread_folders: Some(self.unread_folders.iter().cloned().collect()),
            buffers: open.map(|(path, entry)| (path.clone(), entry.buffer.clone())).collect(),
            ..ChangeBatch::default()
        }
    }

    /// Returns the texts that are not analyzed.
    pub fn skipped(&self) -> impl Iterator<Item = TextDigest> {
        self.skipped.iter().copied()
    }
}
