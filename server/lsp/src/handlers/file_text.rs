//! `puppet-analyzer/fileText`: the text as the server has it. Not part of the protocol: for tests and for reports of
//! editors whose text differs.

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
