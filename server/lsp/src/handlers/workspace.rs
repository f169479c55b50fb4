//! `workspace/didChangeConfiguration`, `didChangeWatchedFiles`, `didChangeWorkspaceFolders`, and
//! `window/workDoneProgress/cancel`.

use lsp_types::{
    DidChangeConfigurationParams, DidChangeWatchedFilesParams, DidChangeWorkspaceFoldersParams,
    WorkDoneProgressCancelParams, WorkspaceFolder,
};

use crate::convert;
use crate::{Server, Write};

pub(super) async fn configuration(server: &Server, params: DidChangeConfigurationParams) {
    server.write(Write::ClientSettingsChanged(params.settings));
}

pub(super) async fn watched_files(server: &Server, params: DidChangeWatchedFilesParams) {
    let changes = params.changes.into_iter();
    let changes = changes.filter_map(|it| Some((convert::file_path(&it.uri)?, it.kind))).collect();
    server.write(Write::Watched(changes));
}

pub(super) async fn folders(server: &Server, params: DidChangeWorkspaceFoldersParams) {
    let paths = |folders: Vec<WorkspaceFolder>| {
        folders.iter().filter_map(|it| convert::file_path(&it.uri)).collect::<Vec<_>>()
    };
    server.write(Write::Folders { added: paths(params.event.added), removed: paths(params.event.removed) });
}

/// Handles `window/workDoneProgress/cancel`. Only compiles have a cancel button.
pub(super) async fn cancel_progress(server: &Server, _: WorkDoneProgressCancelParams) {
    server.cancel_compile();
}
