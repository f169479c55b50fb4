//! `textDocument/documentSymbol`.

use ide::{Cancellable, DocumentSymbolKind};
use lsp_types::{
    BaseSymbolInformation, DocumentSymbol, DocumentSymbolParams, DocumentSymbolResponse, Location,
    SymbolInformation, SymbolKind,
};
use tower_lsp::jsonrpc::Result;

use super::locations::symbol_kind;
use crate::convert::PositionConverter;
use crate::{RequestFile, Server, Snapshot};

pub(super) async fn document_symbols(
    server: &Server,
    params: DocumentSymbolParams,
) -> Result<Option<DocumentSymbolResponse>> {
    server.ask("textDocument/documentSymbol", &params.text_document.uri, answer).await
}

fn answer(snapshot: &Snapshot, file: &RequestFile) -> Cancellable<DocumentSymbolResponse> {
    let symbols = snapshot.analysis.document_symbols(file.id)?;
    let converter = file.converter(snapshot);
    if snapshot.features.shows_symbol_trees {
        return Ok(symbols.into_iter().map(|it| tree(it, &converter)).collect::<Vec<_>>().into());
    }
    let mut list = Vec::new();
    for symbol in symbols {
        flatten(symbol, None, file, &converter, &mut list);
    }
    Ok(list.into())
}

#[expect(deprecated, reason = "required by the struct")]
fn tree(symbol: ide::DocumentSymbol, converter: &PositionConverter<'_>) -> DocumentSymbol {
    DocumentSymbol {
        range: converter.range(symbol.range),
        selection_range: converter.range(symbol.selection),
        name: symbol.name,
        detail: symbol.detail,
        kind: kind(symbol.kind),
        tags: None,
        deprecated: None,
        children: (!symbol.children.is_empty())
            .then(|| symbol.children.into_iter().map(|it| tree(it, converter)).collect()),
    }
}

#[expect(deprecated, reason = "required by the struct")]
fn flatten(
    symbol: ide::DocumentSymbol,
    container_name: Option<&str>,
    file: &RequestFile,
    converter: &PositionConverter<'_>,
    list: &mut Vec<SymbolInformation>,
) {
    let location = Location { uri: file.uri.clone(), range: converter.range(symbol.range) };
    let base_symbol_information = BaseSymbolInformation {
        name: symbol.name.clone(),
        kind: kind(symbol.kind),
        tags: None,
        container_name: container_name.map(str::to_owned),
    };
    list.push(SymbolInformation { deprecated: None, location, base_symbol_information });
    for child in symbol.children {
        flatten(child, Some(&symbol.name), file, converter, list);
    }
}

fn kind(kind: DocumentSymbolKind) -> SymbolKind {
    match kind {
        DocumentSymbolKind::Named(kind) => symbol_kind(kind),
        DocumentSymbolKind::ResourceDefaults | DocumentSymbolKind::ResourceOverride => SymbolKind::Object,
        DocumentSymbolKind::Collector => SymbolKind::Array,
        DocumentSymbolKind::Key => SymbolKind::Key,
        DocumentSymbolKind::Item => SymbolKind::Object,
        DocumentSymbolKind::Module => SymbolKind::Module,
    }
}
