//! `textDocument/prepareCallHierarchy`, `callHierarchy/incomingCalls`, `callHierarchy/outgoingCalls`.

use ide::{Cancellable, HierarchyEntry};
use lsp_types::{
    CallHierarchyIncomingCall, CallHierarchyIncomingCallsParams, CallHierarchyItem,
    CallHierarchyOutgoingCall, CallHierarchyOutgoingCallsParams, CallHierarchyPrepareParams, SymbolKind,
};
use tower_lsp::jsonrpc::Result;

use super::locations::{LocationConverter, symbol_kind};
use crate::{RequestFile, Server, Snapshot};

pub(super) async fn prepare(
    server: &Server,
    params: CallHierarchyPrepareParams,
) -> Result<Option<Vec<CallHierarchyItem>>> {
    let at = params.text_document_position_params;
    let request = |snapshot: &Snapshot, file: &RequestFile, offset: u32| {
        let Some(found) = snapshot.analysis.prepare_call_hierarchy(file.id, offset)? else { return Ok(None) };
        item(&mut LocationConverter::new(snapshot), found).map(|it| it.map(|it| vec![it]))
    };
    Ok(server.ask_at("textDocument/prepareCallHierarchy", at, request).await?.flatten())
}

pub(super) async fn incoming(
    server: &Server,
    params: CallHierarchyIncomingCallsParams,
) -> Result<Option<Vec<CallHierarchyIncomingCall>>> {
    let position = params.item.selection_range.start;
    let request = move |snapshot: &Snapshot, file: &RequestFile| {
        let offset = file.converter(snapshot).offset(position);
        let mut location_converter = LocationConverter::new(snapshot);
        let mut calls = Vec::new();
        for call in snapshot.analysis.incoming_calls(file.id, offset)? {
            let caller = call.item.target.file;
            let mut from_ranges = Vec::new();
            for range in call.ranges {
                from_ranges.push(location_converter.range(caller, range)?);
            }
            let Some(from) = item(&mut location_converter, call.item)? else { continue };
            calls.push(CallHierarchyIncomingCall { from, from_ranges });
        }
        Ok(calls)
    };
    server.ask("callHierarchy/incomingCalls", &params.item.uri, request).await
}

pub(super) async fn outgoing(
    server: &Server,
    params: CallHierarchyOutgoingCallsParams,
) -> Result<Option<Vec<CallHierarchyOutgoingCall>>> {
    let position = params.item.selection_range.start;
    let request = move |snapshot: &Snapshot, file: &RequestFile| {
        let converter = file.converter(snapshot);
        let mut location_converter = LocationConverter::new(snapshot);
        let mut calls = Vec::new();
        for call in snapshot.analysis.outgoing_calls(file.id, converter.offset(position))? {
            let from_ranges = call.ranges.iter().map(|range| converter.range(*range)).collect();
            let Some(to) = item(&mut location_converter, call.item)? else { continue };
            calls.push(CallHierarchyOutgoingCall { to, from_ranges });
        }
        Ok(calls)
    };
    server.ask("callHierarchy/outgoingCalls", &params.item.uri, request).await
}

pub(super) fn item(
    location_converter: &mut LocationConverter<'_>,
    found: HierarchyEntry,
) -> Cancellable<Option<CallHierarchyItem>> {
    let target = &found.target;
    let Some(uri) = location_converter.uri(target.file) else { return Ok(None) };
    Ok(Some(CallHierarchyItem {
        // A caller outside of definitions is a whole file.
        kind: found.kind.map_or(SymbolKind::File, symbol_kind),
        tags: None,
        detail: None,
        uri,
        range: location_converter.range(target.file, target.full)?,
        selection_range: location_converter.range(target.file, target.focus)?,
        data: None,
        name: found.name,
    }))
}
