//! `puppet-analyzer/syntaxTree`: the syntax tree of a file as text. A protocol extension.

use lsp_types::TextDocumentIdentifier;
use serde::Deserialize;
use tower_lsp::jsonrpc::Result;

use crate::Server;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SyntaxTreeParams {
    text_document: TextDocumentIdentifier,
}

pub(super) async fn syntax_tree(server: &Server, params: SyntaxTreeParams) -> Result<Option<String>> {
    let uri = &params.text_document.uri;
    server
        .ask("puppet-analyzer/syntaxTree", uri, |snapshot, file| {
            Ok(snapshot.analysis.parse(file.id)?.syntax().dump())
        })
        .await
}
