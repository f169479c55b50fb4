//! `textDocument/prepareTypeHierarchy`, `typeHierarchy/supertypes`, `typeHierarchy/subtypes`.

use ide::{Analysis, Cancellable, FileId, HierarchyEntry};
use lsp_types::{
    CallHierarchyItem, TypeHierarchyItem, TypeHierarchyPrepareParams, TypeHierarchySubtypesParams,
    TypeHierarchySupertypesParams, Uri,
};
use tower_lsp::jsonrpc::Result;

use super::call_hierarchy;
use super::locations::LocationConverter;
use crate::{RequestFile, Server, Snapshot};

type HierarchyAnswer = Result<Option<Vec<TypeHierarchyItem>>>;
type HierarchyRequest = fn(&Analysis, FileId, u32) -> Cancellable<Vec<HierarchyEntry>>;

pub(super) async fn prepare(server: &Server, params: TypeHierarchyPrepareParams) -> HierarchyAnswer {
    let params = params.text_document_position_params;
    let request: HierarchyRequest =
        |analysis, file, offset| Ok(analysis.prepare_type_hierarchy(file, offset)?.into_iter().collect());
    let method = "textDocument/prepareTypeHierarchy";
    let found = ask(server, method, &params.text_document.uri, params.position, request).await?;
    Ok(found.filter(|it| !it.is_empty()))
}

pub(super) async fn supertypes(server: &Server, params: TypeHierarchySupertypesParams) -> HierarchyAnswer {
    let (uri, position) = (params.item.uri, params.item.selection_range.start);
    ask(server, "typeHierarchy/supertypes", &uri, position, Analysis::supertypes).await
}

pub(super) async fn subtypes(server: &Server, params: TypeHierarchySubtypesParams) -> HierarchyAnswer {
    let (uri, position) = (params.item.uri, params.item.selection_range.start);
    ask(server, "typeHierarchy/subtypes", &uri, position, Analysis::subtypes).await
}

async fn ask(
    server: &Server,
    method: &'static str,
    uri: &Uri,
    position: lsp_types::Position,
    request: HierarchyRequest,
) -> HierarchyAnswer {
    let request = move |snapshot: &Snapshot, file: &RequestFile| {
        let offset = file.converter(snapshot).offset(position);
        let mut location_converter = LocationConverter::new(snapshot);
        let mut items = Vec::new();
        for found in request(&snapshot.analysis, file.id, offset)? {
            items.extend(item(&mut location_converter, found)?);
        }
        Ok(items)
    };
    server.ask(method, uri, request).await
}

/// Converts to the type hierarchy item of the protocol, which has the same fields as the call hierarchy item.
fn item(
    location_converter: &mut LocationConverter<'_>,
    found: HierarchyEntry,
) -> Cancellable<Option<TypeHierarchyItem>> {
    let item = call_hierarchy::item(location_converter, found)?;
    Ok(item.map(|CallHierarchyItem { name, kind, tags, detail, uri, range, selection_range, data }| {
        TypeHierarchyItem { name, kind, tags, detail, uri, range, selection_range, data }
    }))
}
