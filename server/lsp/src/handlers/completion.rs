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

/// What an item carries along, to be asked about again.
#[derive(Deserialize, Serialize)]
struct ItemData {
    uri: Uri,
    kind: String,
    label: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    owner: Option<String>,
}

/// The kinds by the name that items carry along, and as the protocol shows them.
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
        let items = items.map(|(place, item)| completion_item(snapshot, file, range, place, item));
        CompletionList { is_incomplete: found.is_cut, items: items.collect(), ..CompletionList::default() }
    }))
}

/// An item at its place in the list.
fn completion_item(
    snapshot: &Snapshot,
    file: &RequestFile,
    range: lsp_types::Range,
    place: usize,
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
        sort_text: Some(format!("{place:04}")),
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
    let question = move |snapshot: &Snapshot, file: &RequestFile| {
        let details = snapshot.analysis.completion_details(file.id, *kind, &label, owner.as_deref())?;
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
