//! `textDocument/completion`, `completionItem/resolve`.

use ide::{Cancellable, CompletionKind};
use lsp_types::{
    CompletionItem, CompletionItemKind, CompletionItemLabelDetails, CompletionItemTag, CompletionList,
    CompletionParams, Documentation, InsertTextFormat, TextEdit, Uri,
};
use serde::{Deserialize, Serialize};
use tower_lsp::jsonrpc::Result;

use super::hover::markup;
use crate::{RequestFile, Server, Snapshot};

/// Data of an item for `completionItem/resolve`.
#[derive(Deserialize, Serialize)]
struct ItemData {
    uri: Uri,
    kind: String,
    label: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    owner: Option<String>,
}

/// Completion kinds with their name in [`ItemData`] and their LSP kind.
const KINDS: &[(CompletionKind, &str, CompletionItemKind)] = &[
    (CompletionKind::Function, "function", CompletionItemKind::Function),
    (CompletionKind::Type, "type", CompletionItemKind::TypeParameter),
    (CompletionKind::Variable, "variable", CompletionItemKind::Variable),
    (CompletionKind::Fact, "fact", CompletionItemKind::Constant),
    (CompletionKind::Class, "class", CompletionItemKind::Class),
    (CompletionKind::ResourceType, "resource-type", CompletionItemKind::Struct),
    (CompletionKind::Attribute, "attribute", CompletionItemKind::Field),
    (CompletionKind::Metaparameter, "metaparameter", CompletionItemKind::Property),
    (CompletionKind::Value, "value", CompletionItemKind::EnumMember),
    (CompletionKind::Resource, "resource", CompletionItemKind::Reference),
    (CompletionKind::Template, "template", CompletionItemKind::File),
    (CompletionKind::ServedFile, "file", CompletionItemKind::File),
    (CompletionKind::Keyword, "keyword", CompletionItemKind::Keyword),
    (CompletionKind::Construct, "construct", CompletionItemKind::Snippet),
    (CompletionKind::LintCheck, "check", CompletionItemKind::Event),
    (CompletionKind::DocumentationTag, "tag", CompletionItemKind::Keyword),
    (CompletionKind::DefinitionName, "name", CompletionItemKind::Class),
    (CompletionKind::Key, "key", CompletionItemKind::Field),
    (CompletionKind::Module, "module", CompletionItemKind::Module),
];

pub(super) async fn completion(server: &Server, params: CompletionParams) -> Result<Option<CompletionList>> {
    let at = params.text_document_position_params;
    Ok(server.ask_at("textDocument/completion", at, answer).await?.flatten())
}

fn answer(snapshot: &Snapshot, file: &RequestFile, offset: u32) -> Cancellable<Option<CompletionList>> {
    let converter = file.converter(snapshot);
    let found = snapshot.analysis.completions(file.id, offset)?;
    Ok(found.map(|found| {
        let range = converter.range(found.range);
        let items = found.items.into_iter().enumerate();
        let items = items.map(|(index, item)| completion_item(snapshot, file, range, index, item));
        CompletionList {
            is_incomplete: found.is_incomplete,
            items: items.collect(),
            ..CompletionList::default()
        }
    }))
}

/// Converts an item; its position in the list determines the sort order.
fn completion_item(
    snapshot: &Snapshot,
    file: &RequestFile,
    range: lsp_types::Range,
    index: usize,
    item: ide::CompletionItem,
) -> CompletionItem {
    let features = &snapshot.features;
    let known = KINDS.iter().find(|(kind, ..)| *kind == item.kind);
    let (kind, shown) = known.map_or(("", CompletionItemKind::Text), |(_, name, shown)| (name, *shown));
    let snippet = item.snippet.filter(|_| features.takes_snippets);
    let format = snippet.is_some().then_some(InsertTextFormat::Snippet);
    let label = item.label.clone();
    let data = ItemData { uri: file.uri.clone(), kind: kind.to_owned(), label, owner: item.owner };
    let (label_details, detail) = match features.shows_label_details {
        true => (Some(CompletionItemLabelDetails { detail: None, description: item.detail }), None),
        false => (None, item.detail),
    };
    let takes_tags = features.marks_deprecated_completions;
    CompletionItem {
        sort_text: Some(format!("{index:04}")),
        filter_text: (item.filter != item.label).then_some(item.filter),
        label: item.label,
        kind: Some(shown),
        label_details,
        detail,
        tags: (item.is_deprecated && takes_tags).then(|| vec![CompletionItemTag::Deprecated]),
        insert_text_format: format,
        text_edit: Some(TextEdit { range, new_text: snippet.unwrap_or(item.text) }.into()),
        data: serde_json::to_value(data).ok(),
        ..CompletionItem::default()
    }
}

pub(super) async fn resolve(server: &Server, mut item: CompletionItem) -> Result<CompletionItem> {
    let data = item.data.clone().and_then(|data| serde_json::from_value::<ItemData>(data).ok());
    let Some(ItemData { uri, kind, label, owner }) = data else { return Ok(item) };
    let Some((kind, ..)) = KINDS.iter().find(|(_, name, _)| *name == kind) else { return Ok(item) };
    let request = move |snapshot: &Snapshot, file: &RequestFile| {
        let details = snapshot.analysis.completion_details(file.id, *kind, &label, owner.as_deref())?;
        let renders_markdown = snapshot.features.documents_in_markdown;
        Ok(details.map(|details| {
            (details.detail, details.documentation.map(|text| markup(text, renders_markdown)))
        }))
    };
    let details = server.ask("completionItem/resolve", &uri, request).await?.flatten();
    if let Some((detail, documentation)) = details {
        item.detail = Some(detail);
        item.documentation = documentation.map(Documentation::MarkupContent);
    }
    Ok(item)
}
