//! `textDocument/prepareTypeHierarchy`, `typeHierarchy/supertypes`, `typeHierarchy/subtypes`.

use ide::{Analysis, Cancellable, FileId, HierarchyItem};
use lsp_types::{
    CallHierarchyItem, TypeHierarchyItem, TypeHierarchyPrepareParams, TypeHierarchySubtypesParams,
    TypeHierarchySupertypesParams, Uri,
};
use tower_lsp::jsonrpc::Result;

use super::call_hierarchy;
use super::locations::LocationConverter;
use crate::{RequestFile, Server, Snapshot};

type HierarchyAnswer = Result<Option<Vec<TypeHierarchyItem>>>;
type HierarchyQuestion = fn(&Analysis, FileId, u32) -> Cancellable<Vec<HierarchyItem>>;

pub(super) async fn prepare(server: &Server, params: TypeHierarchyPrepareParams) -> HierarchyAnswer {
    let params = params.text_document_position_params;
    let question: HierarchyQuestion =
        |analysis, file, offset| Ok(analysis.prepare_type_hierarchy(file, offset)?.into_iter().collect());
    let method = "textDocument/prepareTypeHierarchy";
    let found = ask(server, method, &params.text_document.uri, params.position, question).await?;
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
    question: HierarchyQuestion,
) -> HierarchyAnswer {
    let question = move |snapshot: &Snapshot, file: &RequestFile| {
        let offset = file.converter(snapshot).offset(position);
        let mut places = LocationConverter::new(snapshot);
        let mut items = Vec::new();
        for found in question(&snapshot.analysis, file.id, offset)? {
            items.extend(item(&mut places, found)?);
        }
        Ok(items)
    };
    server.ask(method, uri, question).await
}

/// The protocol has two names for the same item.
fn item(places: &mut LocationConverter<'_>, found: HierarchyItem) -> Cancellable<Option<TypeHierarchyItem>> {
    let item = call_hierarchy::item(places, found)?;
    Ok(item.map(|CallHierarchyItem { name, kind, tags, detail, uri, range, selection_range, data }| {
        TypeHierarchyItem { name, kind, tags, detail, uri, range, selection_range, data }
    }))
}
