//! `textDocument/didOpen`, `didChange`, `didSave`, `didClose`.

use lsp_types::{DidCloseTextDocumentParams, DidOpenTextDocumentParams, DidSaveTextDocumentParams, Uri};
use serde::Deserialize;

use crate::convert;
use crate::{ContentChange, Server, Write};

/// Languages of documents that are not manifests.
const OTHER_LANGUAGES: [&str; 6] = ["epp", "embedded_puppet", "puppetfile", "ruby", "yaml", "json"];

pub(super) async fn open(server: &Server, params: DidOpenTextDocumentParams) {
    let document = params.text_document;
    let Some(path) = path(&document.uri) else { return };
    // Without a file, its name does not show that it is no manifest.
    if path.is_opaque()
        && path.extension().is_none()
        && OTHER_LANGUAGES.contains(&document.language_id.as_str())
    {
        server.documents.ignore(path);
        return;
    }
    server.note_document_in_use(&document.uri);
    let (document, was_open) =
        server.documents.open(path.clone(), document.uri, document.version, document.text);
    server.write(Write::Open { path, document, was_open });
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ChangeParams {
    text_document: ChangedDocument,
    content_changes: Vec<ContentChange>,
}

#[derive(Deserialize)]
struct ChangedDocument {
    uri: Uri,
    /// Some clients send no version, or null.
    #[serde(default)]
    version: Option<i32>,
}

pub(super) async fn change(server: &Server, params: ChangeParams) {
    let Some(path) = path(&params.text_document.uri) else { return };
    if server.documents.is_ignored(&path) {
        return;
    }
    server.note_document_in_use(&params.text_document.uri);
    let version = params.text_document.version;
    let open = server.documents.get(&path);
    if let (Some(open), Some(version)) = (open, version)
        && version < open.version
    {
        let newest = open.version;
        tracing::error!("ignored version {version} of {path}: version {newest} is already open");
        return;
    }
    let version = version.unwrap_or_default();
    let document = server.documents.change(&path, version, params.content_changes, server.column_unit());
    server.write(Write::Change { path, document });
}

pub(super) async fn save(server: &Server, params: DidSaveTextDocumentParams) {
    let Some(path) = path(&params.text_document.uri) else { return };
    server.write(Write::Save { path });
}

pub(super) async fn close(server: &Server, params: DidCloseTextDocumentParams) {
    let Some(path) = path(&params.text_document.uri) else { return };
    if server.documents.stop_ignoring(&path) {
        return;
    }
    server.tokens.remove(&params.text_document.uri);
    server.documents.close(&path);
    server.write(Write::Close { path });
}

fn path(uri: &Uri) -> Option<ide::FilePath> {
    let path = convert::file_path(uri);
    if path.is_none() {
        tracing::warn!("{uri} is not a file URI");
    }
    path
}
