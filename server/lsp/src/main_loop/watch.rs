//! File watching for clients that do not provide it.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use ide::FilePath;
use lsp_types::{FileChangeType, MessageType};
use notify::event::{ModifyKind, RenameMode};
use notify::{EventKind, RecommendedWatcher, RecursiveMode, Watcher};

use super::events::{Events, Write};
use crate::outbox::Outbox;

/// A watcher of folders; clones share it. Adding a folder takes a while, so this must not happen on the main
/// loop.
#[derive(Clone)]
pub(super) struct FolderWatcher {
    watcher: Arc<Mutex<RecommendedWatcher>>,
    outbox: Outbox,
}

impl FolderWatcher {
    /// Creates a watcher without folders that reports changes to the main loop. Returns `None` if the system
    /// does not support it.
    pub(super) fn start(events: Events, outbox: Outbox) -> Option<FolderWatcher> {
        let handle = move |event: notify::Result<notify::Event>| match event {
            Ok(event) => {
                let changes = changes(&event);
                if !changes.is_empty() {
                    events.write(Write::Watched(changes));
                }
            }
            Err(error) => tracing::warn!("error while watching files: {error}"),
        };
        match notify::recommended_watcher(handle) {
            Ok(watcher) => Some(FolderWatcher { watcher: Arc::new(Mutex::new(watcher)), outbox }),
            Err(error) => {
                outbox.log(MessageType::Warning, format!("cannot watch files: {error}"));
                None
            }
        }
    }

    /// Watches a folder recursively.
    pub(super) fn watch(&self, folder: &Path) {
        let mut watcher = self.watcher.lock().unwrap_or_else(PoisonError::into_inner);
        if let Err(error) = watcher.watch(folder, RecursiveMode::Recursive) {
            let message = format!("cannot watch {}: {error}", folder.display());
            self.outbox.log(MessageType::Warning, message);
        }
    }

    /// Stops watching a folder.
    pub(super) fn unwatch(&self, folder: &Path) {
        let mut watcher = self.watcher.lock().unwrap_or_else(PoisonError::into_inner);
        // The folder may no longer exist.
        let _ = watcher.unwatch(folder);
    }
}

/// Converts an event to changed paths.
fn changes(event: &notify::Event) -> Vec<(FilePath, FileChangeType)> {
    let kind = match event.kind {
        EventKind::Create(_) | EventKind::Modify(ModifyKind::Name(RenameMode::To)) => FileChangeType::Created,
        EventKind::Remove(_) | EventKind::Modify(ModifyKind::Name(RenameMode::From)) => {
            FileChangeType::Deleted
        }
        EventKind::Modify(ModifyKind::Name(RenameMode::Both)) => return moved(&event.paths),
        // Some systems do not distinguish the old name from the new one.
        EventKind::Modify(ModifyKind::Name(_)) => {
            return event.paths.iter().filter_map(|path| change(path, kind_by_existence(path))).collect();
        }
        EventKind::Modify(_) | EventKind::Any => FileChangeType::Changed,
        EventKind::Access(_) | EventKind::Other => return Vec::new(),
    };
    event.paths.iter().filter_map(|path| change(path, kind)).collect()
}

fn moved(paths: &[PathBuf]) -> Vec<(FilePath, FileChangeType)> {
    let kinds = [FileChangeType::Deleted, FileChangeType::Created];
    paths.iter().zip(kinds).filter_map(|(path, kind)| change(path, kind)).collect()
}

fn kind_by_existence(path: &Path) -> FileChangeType {
    if path.exists() { FileChangeType::Created } else { FileChangeType::Deleted }
}

fn change(path: &Path, kind: FileChangeType) -> Option<(FilePath, FileChangeType)> {
    Some((FilePath::from_native(path.to_str()?)?, kind))
}
