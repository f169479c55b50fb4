//! `textDocument/prepareCallHierarchy`, `callHierarchy/incomingCalls`, `callHierarchy/outgoingCalls`.

use ide::{Cancellable, HierarchyItem};
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
    let question = |snapshot: &Snapshot, file: &RequestFile, offset: u32| {
        let Some(found) = snapshot.analysis.prepare_call_hierarchy(file.id, offset)? else { return Ok(None) };
        item(&mut LocationConverter::new(snapshot), found).map(|it| it.map(|it| vec![it]))
    };
    Ok(server.ask_at("textDocument/prepareCallHierarchy", at, question).await?.flatten())
}

pub(super) async fn incoming(
    server: &Server,
    params: CallHierarchyIncomingCallsParams,
) -> Result<Option<Vec<CallHierarchyIncomingCall>>> {
    let position = params.item.selection_range.start;
    let question = move |snapshot: &Snapshot, file: &RequestFile| {
        let offset = file.converter(snapshot).offset(position);
        let mut places = LocationConverter::new(snapshot);
        let mut calls = Vec::new();
        for call in snapshot.analysis.incoming_calls(file.id, offset)? {
            let caller = call.item.target.file;
            let mut from_ranges = Vec::new();
            for range in call.ranges {
                from_ranges.push(places.range(caller, range)?);
            }
            let Some(from) = item(&mut places, call.item)? else { continue };
            calls.push(CallHierarchyIncomingCall { from, from_ranges });
        }
        Ok(calls)
    };
    server.ask("callHierarchy/incomingCalls", &params.item.uri, question).await
}

pub(super) async fn outgoing(
    server: &Server,
    params: CallHierarchyOutgoingCallsParams,
) -> Result<Option<Vec<CallHierarchyOutgoingCall>>> {
    let position = params.item.selection_range.start;
    let question = move |snapshot: &Snapshot, file: &RequestFile| {
        let converter = file.converter(snapshot);
        let mut places = LocationConverter::new(snapshot);
        let mut calls = Vec::new();
        for call in snapshot.analysis.outgoing_calls(file.id, converter.offset(position))? {
            let from_ranges = call.ranges.iter().map(|range| converter.range(*range)).collect();
            let Some(to) = item(&mut places, call.item)? else { continue };
            calls.push(CallHierarchyOutgoingCall { to, from_ranges });
        }
        Ok(calls)
    };
    server.ask("callHierarchy/outgoingCalls", &params.item.uri, question).await
}

pub(super) fn item(
    places: &mut LocationConverter<'_>,
    found: HierarchyItem,
) -> Cancellable<Option<CallHierarchyItem>> {
    let target = &found.target;
    let Some(uri) = places.uri(target.file) else { return Ok(None) };
    Ok(Some(CallHierarchyItem {
        // What calls and is no definition is a whole file.
        kind: ide::SymbolKind::of_definition(found.kind).map_or(SymbolKind::File, symbol_kind),
        tags: None,
        detail: None,
        uri,
        range: places.range(target.file, target.full)?,
        selection_range: places.range(target.file, target.focus)?,
        data: None,
        name: found.name,
    }))
}
