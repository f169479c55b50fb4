//! `workspace/symbol`.

use ide::Cancellable;
use lsp_types::{BaseSymbolInformation, SymbolInformation, WorkspaceSymbolParams};
use tower_lsp::jsonrpc::Result;

use super::locations::{LocationConverter, symbol_kind};
use crate::{Server, Snapshot};

pub(super) async fn workspace_symbols(
    server: &Server,
    params: WorkspaceSymbolParams,
) -> Result<Option<Vec<SymbolInformation>>> {
    let query = params.query;
    let request = move |snapshot: &Snapshot| answer(snapshot, &query);
    server.ask_workspace("workspace/symbol", request).await.map(Some)
}

fn answer(snapshot: &Snapshot, query: &str) -> Cancellable<Vec<SymbolInformation>> {
    let mut location_converter = LocationConverter::new(snapshot);
    let mut symbols = Vec::new();
    for found in snapshot.analysis.workspace_symbols(query)? {
        let Some(location) = location_converter.location(found.file, found.range)? else { continue };
        symbols.push(SymbolInformation {
            #[expect(deprecated, reason = "required by the struct")]
            deprecated: None,
            location,
            base_symbol_information: BaseSymbolInformation {
                name: found.name,
                kind: symbol_kind(found.kind),
                tags: None,
                container_name: Some(found.container),
            },
        });
    }
    Ok(symbols)
}
