//! `workspace/willCreateFiles`, `workspace/didCreateFiles`, `workspace/willDeleteFiles`.

use std::path::Path;

use ide::{Cancellable, DeletedName, FilePath};
use lsp_types::{
    CreateFile, CreateFileOptions, CreateFilesParams, DeleteFilesParams, DocumentChange, Edit, MessageType,
    OptionalVersionedTextDocumentIdentifier, Range, TextDocumentEdit, TextDocumentIdentifier, TextEdit, Uri,
    WorkspaceEdit,
};
use tower_lsp::jsonrpc::Result;

use super::locations::LocationConverter;
use crate::convert;
use crate::{Server, Snapshot};

/// Maximum number of names in a warning.
const MAX_NAMES: usize = 5;

/// Handles `workspace/didCreateFiles`: fills new, empty manifests with the definition that their path
/// requires. Editors apply the response to `willCreateFiles` before the files exist.
pub(super) async fn did_create(server: &Server, params: CreateFilesParams) {
    for uri in params.files.into_iter().map(|it| it.uri) {
        let Some(path) = convert::file_path(&uri) else { continue };
        let is_empty = match server.documents.get(&path) {
            Some(document) => document.text.is_empty(),
            None => is_empty_file(&path),
        };
        if !is_empty {
            continue;
        }
        let request = move |snapshot: &Snapshot| {
            let text = snapshot.analysis.text_of_new_file(&path)?;
            Ok(text.map(|text| filled(snapshot, uri.clone(), text)))
        };
        if let Ok(Some(edit)) = server.ask_workspace("workspace/didCreateFiles", request).await {
            server.apply_edit(edit);
        }
    }
}

/// Handles `workspace/willCreateFiles`, for clients that do not send `didCreateFiles`: returns the text of new manifests. The
/// edit also creates the files, since it is applied before they exist.
pub(super) async fn will_create(server: &Server, params: CreateFilesParams) -> Result<Option<WorkspaceEdit>> {
    let files = params.files.into_iter().filter_map(|it| Some((convert::file_path(&it.uri)?, it.uri)));
    let files: Vec<(FilePath, Uri)> = files.filter(|(path, _)| !exists(path)).collect();
    let request = move |snapshot: &Snapshot| {
        let mut edit = WorkspaceEdit::default();
        for (path, uri) in &files {
            let Some(text) = snapshot.analysis.text_of_new_file(path)? else { continue };
            let filled = filled(snapshot, uri.clone(), text);
            if let Some(changes) = filled.changes {
                edit.changes.get_or_insert_default().extend(changes);
            }
            if let Some(changes) = filled.document_changes {
                let all = edit.document_changes.get_or_insert_default();
                all.extend(snapshot.features.creates_files.then(|| creation(uri.clone())));
                all.extend(changes);
            }
        }
        Ok((edit != WorkspaceEdit::default()).then_some(edit))
    };
    server.ask_workspace("workspace/willCreateFiles", request).await
}

fn exists(path: &FilePath) -> bool {
    std::fs::symlink_metadata(Path::new(&path.to_native())).is_ok()
}

fn creation(uri: Uri) -> DocumentChange {
    let options = CreateFileOptions { overwrite: Some(false), ignore_if_exists: Some(true) };
    DocumentChange::CreateFile(CreateFile { uri, options: Some(options), annotation_id: None })
}

fn is_empty_file(path: &FilePath) -> bool {
    std::fs::metadata(Path::new(&path.to_native())).is_ok_and(|it| it.is_file() && it.len() == 0)
}

/// Returns the edit that inserts text into an empty file.
fn filled(snapshot: &Snapshot, uri: Uri, text: String) -> WorkspaceEdit {
    let edit = TextEdit { range: Range::default(), new_text: text };
    if !snapshot.features.changes_documents {
        let changes = std::iter::once((uri, vec![edit])).collect();
        return WorkspaceEdit { changes: Some(changes), ..WorkspaceEdit::default() };
    }
    let text_document = OptionalVersionedTextDocumentIdentifier {
        version: None,
        text_document_identifier: TextDocumentIdentifier { uri },
    };
    let edits = vec![Edit::TextEdit(edit)];
    let change = DocumentChange::TextDocumentEdit(TextDocumentEdit { text_document, edits });
    WorkspaceEdit { document_changes: Some(vec![change]), ..WorkspaceEdit::default() }
}

/// Handles `workspace/willDeleteFiles`: warns if other files use what the deleted files define. Changes
/// nothing.
pub(super) async fn will_delete(server: &Server, params: DeleteFilesParams) -> Result<Option<WorkspaceEdit>> {
    let paths: Vec<FilePath> = params.files.iter().filter_map(|it| convert::file_path(&it.uri)).collect();
    let request = move |snapshot: &Snapshot| {
        let names = snapshot.analysis.names_of_deleted_files(&paths)?;
        warning(snapshot, &names)
    };
    if let Some(message) = server.ask_workspace("workspace/willDeleteFiles", request).await? {
        server.show(MessageType::Warning, message).await;
    }
    Ok(None)
}

/// Returns the warning about deleted names, with the first use of each; `None` if there are none.
fn warning(snapshot: &Snapshot, names: &[DeletedName]) -> Cancellable<Option<String>> {
    let mut locations = LocationConverter::new(snapshot);
    let mut parts = Vec::new();
    for DeletedName { kind, name, uses } in names.iter().take(MAX_NAMES) {
        let Some(first) = uses.first() else { continue };
        let line = locations.range(first.file, first.range)?.start.line + 1;
        let path = snapshot.analysis.shown_path(&snapshot.analysis.path(first.file));
        let more = match uses.len() - 1 {
            0 => String::new(),
            1 => " and 1 other location".to_owned(),
            count => format!(" and {count} other locations"),
        };
        parts.push(format!("{} `{name}` at {path}:{line}{more}", kind.label()));
    }
    if names.len() > MAX_NAMES {
        parts.push(format!("and {} more", names.len() - MAX_NAMES));
    }
    Ok((!parts.is_empty()).then(|| format!("deleted definitions are still used: {}", parts.join("; "))))
}
