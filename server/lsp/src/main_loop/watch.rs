//! Watching files where the client does not.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use ide::FilePath;
use lsp_types::{FileChangeType, MessageType};
use notify::event::{ModifyKind, RenameMode};
use notify::{EventKind, RecommendedWatcher, RecursiveMode, Watcher};

use super::{Events, Write};
use crate::outbox::Outbox;

/// What watches folders; a clone is the same watcher. Folders take a while to watch: not for the main loop.
#[derive(Clone)]
pub(super) struct FolderWatcher {
    watcher: Arc<Mutex<RecommendedWatcher>>,
    outbox: Outbox,
}

impl FolderWatcher {
    /// A watcher of no folder, that tells the main loop what changes. `None` where the system has no such thing.
    pub(super) fn start(events: Events, outbox: Outbox) -> Option<FolderWatcher> {
        let handle = move |event: notify::Result<notify::Event>| match event {
            Ok(event) => {
                let changes = changes(&event);
                if !changes.is_empty() {
                    events.write(Write::Watched(changes));
                }
            }
            Err(error) => tracing::warn!("while watching files: {error}"),
        };
        match notify::recommended_watcher(handle) {
            Ok(watcher) => Some(FolderWatcher { watcher: Arc::new(Mutex::new(watcher)), outbox }),
            Err(error) => {
                outbox.log(MessageType::Warning, format!("changes of files are not noticed: {error}"));
                None
            }
        }
    }

    /// Watches a folder and all below it.
    pub(super) fn watch(&self, folder: &Path) {
        let mut watcher = self.watcher.lock().unwrap_or_else(PoisonError::into_inner);
        if let Err(error) = watcher.watch(folder, RecursiveMode::Recursive) {
            let message = format!("changes in {} are not noticed: {error}", folder.display());
            self.outbox.log(MessageType::Warning, message);
        }
    }

    /// Does not watch a folder any more.
    pub(super) fn forget(&self, folder: &Path) {
        let mut watcher = self.watcher.lock().unwrap_or_else(PoisonError::into_inner);
        // It may be gone.
        let _ = watcher.unwatch(folder);
    }
}

/// What an event says of which files.
fn changes(event: &notify::Event) -> Vec<(FilePath, FileChangeType)> {
    let kind = match event.kind {
        EventKind::Create(_) | EventKind::Modify(ModifyKind::Name(RenameMode::To)) => FileChangeType::Created,
        EventKind::Remove(_) | EventKind::Modify(ModifyKind::Name(RenameMode::From)) => {
            FileChangeType::Deleted
        }
        EventKind::Modify(ModifyKind::Name(RenameMode::Both)) => return moved(&event.paths),
        // Some systems do not tell which of the two names it is.
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
