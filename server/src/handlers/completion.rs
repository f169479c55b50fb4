//! `textDocument/completion`, `completionItem/resolve`.

use ide::{Cancellable, CompletionKind};
use lsp_types::{
    CompletionItem, CompletionItemKind, CompletionList, CompletionParams, Documentation, InsertTextFormat,
    Position, TextEdit, Uri,
};
use serde::{Deserialize, Serialize};
use tower_lsp::jsonrpc::Result;

use super::hover::markup;
use crate::lsp::{QuestionFile, Server, Snapshot};

/// What an item carries along, to be asked about again.
#[derive(Deserialize, Serialize)]
struct ItemData {
    uri: Uri,
    is_type: bool,
}

pub(super) async fn completion(server: &Server, params: CompletionParams) -> Result<Option<CompletionList>> {
    let params = params.text_document_position_params;
    let position = params.position;
    let question = move |snapshot: &Snapshot, file: &QuestionFile| answer(snapshot, file, position);
    Ok(server.ask("textDocument/completion", &params.text_document.uri, question).await?.flatten())
}

fn answer(
    snapshot: &Snapshot,
    file: &QuestionFile,
    position: Position,
) -> Cancellable<Option<CompletionList>> {
    let converter = file.converter(snapshot);
    let found = snapshot.analysis.completions(file.id, converter.offset(position))?;
    Ok(found.map(|found| {
        let range = converter.range(found.range);
        let items = found.items.into_iter().map(|found| {
            let is_type = found.kind == CompletionKind::Type;
            let kind = if is_type { CompletionItemKind::Class } else { CompletionItemKind::Function };
            let snippet = found.snippet.filter(|_| snapshot.features.takes_snippets);
            let format = snippet.is_some().then_some(InsertTextFormat::Snippet);
            let new_text = snippet.unwrap_or_else(|| found.label.clone());
            let data = serde_json::to_value(ItemData { uri: file.uri.clone(), is_type }).ok();
            CompletionItem {
                sort_text: Some(format!("{}{}", found.rank, found.label)),
                label: found.label,
                kind: Some(kind),
                insert_text_format: format,
                text_edit: Some(TextEdit { range, new_text }.into()),
                data,
                ..CompletionItem::default()
            }
        });
        CompletionList { items: items.collect(), ..CompletionList::default() }
    }))
}

pub(super) async fn resolve(server: &Server, mut item: CompletionItem) -> Result<CompletionItem> {
    let data = item.data.clone().and_then(|data| serde_json::from_value::<ItemData>(data).ok());
    let Some(ItemData { uri, is_type }) = data else { return Ok(item) };
    let kind = if is_type { CompletionKind::Type } else { CompletionKind::Function };
    let label = item.label.clone();
    let question = move |snapshot: &Snapshot, file: &QuestionFile| {
        let details = snapshot.analysis.completion_details(file.id, kind, &label)?;
        let lays_out = snapshot.features.documents_in_markdown;
        Ok(details.map(|details| (details.detail, details.documentation.map(|text| markup(text, lays_out)))))
    };
    let details = server.ask("completionItem/resolve", &uri, question).await?.flatten();
    if let Some((detail, documentation)) = details {
        item.detail = Some(detail);
        item.documentation = documentation.map(Documentation::MarkupContent);
    }
    Ok(item)
}
