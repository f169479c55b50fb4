//! `textDocument/definition`, `declaration`, `typeDefinition`, `implementation`.

use ide::{Analysis, Cancellable, FileId, Navigation};
use lsp_types::{
    DeclarationParams, DefinitionParams, DefinitionResponse, ImplementationParams,
    TextDocumentPositionParams, TypeDefinitionParams,
};
use tower_lsp::jsonrpc::Result;

use super::locations::LocationConverter;
use crate::{RequestFile, Server, Snapshot};

type DefinitionAnswer = Result<Option<DefinitionResponse>>;
type NavigationRequest = fn(&Analysis, FileId, u32) -> Cancellable<Option<Navigation>>;

pub(super) async fn definition(server: &Server, params: DefinitionParams) -> DefinitionAnswer {
    let params = params.text_document_position_params;
    ask(server, "textDocument/definition", params, Analysis::definition).await
}

/// In Puppet, declarations are the same as definitions.
pub(super) async fn declaration(server: &Server, params: DeclarationParams) -> DefinitionAnswer {
    let params = params.text_document_position_params;
    ask(server, "textDocument/declaration", params, Analysis::definition).await
}

pub(super) async fn type_definition(server: &Server, params: TypeDefinitionParams) -> DefinitionAnswer {
    let params = params.text_document_position_params;
    ask(server, "textDocument/typeDefinition", params, Analysis::type_definition).await
}

pub(super) async fn implementation(server: &Server, params: ImplementationParams) -> DefinitionAnswer {
    let params = params.text_document_position_params;
    ask(server, "textDocument/implementation", params, Analysis::implementation).await
}

async fn ask(
    server: &Server,
    method: &'static str,
    at: TextDocumentPositionParams,
    request: NavigationRequest,
) -> DefinitionAnswer {
    let request = move |snapshot: &Snapshot, file: &RequestFile, offset: u32| {
        let Some(found) = request(&snapshot.analysis, file.id, offset)? else { return Ok(None) };
        let origin = file.converter(snapshot).range(found.origin);
        LocationConverter::new(snapshot)
            .targets(origin, &found.targets, snapshot.features.follows_links)
            .map(Some)
    };
    Ok(server.ask_at(method, at, request).await?.flatten())
}
