//! `puppet-analyzer/fileText`: the server's view of a document. A protocol extension for tests and for bug
//! reports of editors that are out of sync.

use lsp_types::TextDocumentIdentifier;
use serde::Deserialize;
use tower_lsp::jsonrpc::Result;

use crate::Server;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct FileTextParams {
    text_document: TextDocumentIdentifier,
}

pub(super) async fn file_text(server: &Server, params: FileTextParams) -> Result<Option<String>> {
    server
        .ask("puppet-analyzer/fileText", &params.text_document.uri, |_, file| Ok(file.text.to_string()))
        .await
}
