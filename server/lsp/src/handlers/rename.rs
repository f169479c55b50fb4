//! `textDocument/prepareRename`, `textDocument/rename`, `workspace/willRenameFiles`.

use ide::{Cancellable, SourceChange};
use lsp_types::{
    CreateFile, CreateFileOptions, DocumentChange, Edit, OptionalVersionedTextDocumentIdentifier,
    PrepareRenameParams, PrepareRenamePlaceholder, PrepareRenameResult, Range, RenameFile, RenameFilesParams,
    RenameParams, TextDocumentEdit, TextDocumentIdentifier, TextEdit, WorkspaceEdit,
};
use tower_lsp::jsonrpc::{Error, ErrorCode, Result};

use super::locations::LocationConverter;
use crate::convert;
use crate::{RequestFile, Server, Snapshot};

pub(super) async fn prepare(
    server: &Server,
    params: PrepareRenameParams,
) -> Result<Option<PrepareRenameResult>> {
    let at = params.text_document_position_params;
    let request = |snapshot: &Snapshot, file: &RequestFile, offset: u32| {
        let converter = file.converter(snapshot);
        let answer = snapshot.analysis.prepare_rename(file.id, offset)?;
        Ok(answer.map(|target| {
            let range = converter.range(target.range);
            PrepareRenamePlaceholder { range, placeholder: target.name }.into()
        }))
    };
    let answer = server.ask_at("textDocument/prepareRename", at, request).await?;
    answer.transpose().map_err(refused)
}

pub(super) async fn rename(server: &Server, params: RenameParams) -> Result<Option<WorkspaceEdit>> {
    let (at, new_name) = (params.text_document_position_params, params.new_name);
    let request =
        move |snapshot: &Snapshot, file: &RequestFile, offset: u32| answer(snapshot, file, offset, &new_name);
    server.ask_at("textDocument/rename", at, request).await?.transpose().map_err(refused)
}

fn answer(
    snapshot: &Snapshot,
    file: &RequestFile,
    offset: u32,
    new_name: &str,
) -> Cancellable<std::result::Result<WorkspaceEdit, ide::RenameRefusal>> {
    match snapshot.analysis.rename(file.id, offset, new_name)? {
        Ok(change) => workspace_edit(snapshot, change).map(Ok),
        Err(refusal) => Ok(Err(refusal)),
    }
}

fn refused(refusal: ide::RenameRefusal) -> Error {
    request_failed(refusal.0)
}

/// Returns the error `RequestFailed`, whose message clients show to the user.
pub(super) fn request_failed(message: String) -> Error {
    Error { code: ErrorCode::ServerError(REQUEST_FAILED), message: message.into(), data: None }
}

/// Error code `RequestFailed` of the protocol.
const REQUEST_FAILED: i64 = -32803;

pub(super) async fn will_rename_files(
    server: &Server,
    params: RenameFilesParams,
) -> Result<Option<WorkspaceEdit>> {
    let moves = params
        .files
        .iter()
        .filter_map(|it| Some((convert::file_path(&it.old_uri)?, convert::file_path(&it.new_uri)?)));
    let moves: Vec<_> = moves.collect();
    let request = move |snapshot: &Snapshot| {
        let change = snapshot.analysis.will_rename_files(&moves)?;
        if change.edits.is_empty() {
            return Ok(None);
        }
        workspace_edit(snapshot, change).map(Some)
    };
    server.ask_workspace("workspace/willRenameFiles", request).await
}

/// Converts a change to the form that the client supports: with versions and file operations if possible.
pub(super) fn workspace_edit(snapshot: &Snapshot, change: SourceChange) -> Cancellable<WorkspaceEdit> {
    let mut location_converter = LocationConverter::new(snapshot);
    let mut documents = Vec::new();
    for (file, edits) in change.edits {
        let Some(uri) = location_converter.uri(file) else { continue };
        let mut converted = Vec::new();
        for edit in edits {
            converted
                .push(TextEdit { range: location_converter.range(file, edit.range)?, new_text: edit.text });
        }
        documents.push((uri, snapshot.version(&snapshot.analysis.path(file))?, converted));
    }
    if !snapshot.features.changes_documents {
        let changes = documents.into_iter().map(|(uri, _, edits)| (uri, edits)).collect();
        return Ok(WorkspaceEdit { changes: Some(changes), ..WorkspaceEdit::default() });
    }
    let mut changes: Vec<DocumentChange> = Vec::new();
    for (uri, version, edits) in documents {
        let text_document = OptionalVersionedTextDocumentIdentifier {
            version,
            text_document_identifier: TextDocumentIdentifier { uri },
        };
        let edits = edits.into_iter().map(Edit::TextEdit).collect();
        changes.push(DocumentChange::TextDocumentEdit(TextDocumentEdit { text_document, edits }));
    }
    for (path, text) in change.creates {
        let Some(uri) = convert::uri(&path) else { continue };
        if !snapshot.features.creates_files {
            continue;
        }
        let options = CreateFileOptions { overwrite: Some(false), ignore_if_exists: Some(true) };
        changes.push(DocumentChange::CreateFile(CreateFile {
            uri: uri.clone(),
            options: Some(options),
            annotation_id: None,
        }));
        let text_document = OptionalVersionedTextDocumentIdentifier {
            version: None,
            text_document_identifier: TextDocumentIdentifier { uri },
        };
        let edits = vec![Edit::TextEdit(TextEdit { range: Range::default(), new_text: text })];
        changes.push(DocumentChange::TextDocumentEdit(TextDocumentEdit { text_document, edits }));
    }
    for (file, path) in change.moves {
        let (Some(old_uri), Some(new_uri)) = (location_converter.uri(file), convert::uri(&path)) else {
            continue;
        };
        if snapshot.features.renames_files {
            changes.push(DocumentChange::RenameFile(RenameFile {
                old_uri,
                new_uri,
                options: None,
                annotation_id: None,
            }));
        }
    }
    Ok(WorkspaceEdit { document_changes: Some(changes), ..WorkspaceEdit::default() })
}
