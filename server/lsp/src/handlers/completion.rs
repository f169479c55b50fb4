//! `textDocument/completion`, `completionItem/resolve`.

use ide::{Cancellable, CompletionKind};
use lsp_types::{
    Command, CompletionContext, CompletionItem, CompletionItemDefaults, CompletionItemKind,
    CompletionItemLabelDetails, CompletionItemTag, CompletionItemTextEdit, CompletionList, CompletionParams,
    CompletionTriggerKind, Documentation, EditRangeWithInsertReplace, InsertReplaceEdit, InsertTextFormat,
    Range, TextEdit, Uri,
};
use serde::{Deserialize, Serialize};
use syntax::TextRange;
use tower_lsp::jsonrpc::Result;

use super::add_dependency;
use super::hover::markup;
use crate::features::{ClientFeatures, TRIGGER_SUGGEST};
use crate::{RequestFile, Server, Snapshot};

/// Data of an item for `completionItem/resolve`.
#[derive(Clone, PartialEq, Deserialize, Serialize)]
struct ItemData {
    uri: Uri,
    kind: String,
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

/// Characters that accept a variable and are then typed. Only those that continue an expression: a new name
/// may precede any other.
const VARIABLE_COMMIT_CHARACTERS: [&str; 2] = ["[", "."];

pub(super) async fn completion(server: &Server, params: CompletionParams) -> Result<Option<CompletionList>> {
    let at = params.text_document_position_params;
    let is_triggered = |it: &CompletionContext| it.trigger_kind == CompletionTriggerKind::TriggerCharacter;
    let says_why = params.context.is_some();
    let trigger = params.context.filter(is_triggered);
    let trigger = trigger.and_then(|it| it.trigger_character?.chars().next());
    let request = move |snapshot: &Snapshot, file: &RequestFile, offset: u32| {
        if snapshot.features.completes_after_pauses && follows_delimiter(&file.text, offset) {
            return Ok(None);
        }
        // Without a context, the request may follow any trigger character.
        let before = file.text.get(..offset as usize).unwrap_or_default();
        let trigger = if says_why { trigger } else { before.chars().next_back() };
        if trigger.is_some_and(|it| !continues_name(&file.text, offset, it)) {
            return Ok(None);
        }
        answer(snapshot, file, offset)
    };
    Ok(server.ask_at("textDocument/completion", at, request).await?.flatten())
}

/// Returns false if a trigger character before the offset may be followed by a line break, which would accept
/// an item: `:` after a title, `[` before the elements of an array or the arguments of a type, `/` as an
/// operator.
fn continues_name(text: &str, offset: u32, trigger: char) -> bool {
    let before = text.get(..offset as usize).unwrap_or_default();
    let Some(before) = before.strip_suffix(trigger) else { return true };
    let line = before.rsplit('\n').next().unwrap_or(before);
    match trigger {
        ':' => before.ends_with(':'),
        '[' => {
            let variable =
                before.trim_end_matches(|it: char| it.is_ascii_alphanumeric() || "_:".contains(it));
            before.ends_with(']') || variable.ends_with('$') || variable.ends_with("${")
        }
        '/' => line.contains(['\'', '"']),
        _ => true,
    }
}

/// Returns true directly after a delimiter that a line break usually follows, where nothing has been typed that
/// could be completed.
fn follows_delimiter(text: &str, offset: u32) -> bool {
    let before = text.get(..offset as usize).unwrap_or_default();
    let line = before.rsplit('\n').next().unwrap_or(before);
    if line.ends_with('(') {
        let definitions = ["class ", "define ", "function ", "plan "];
        return definitions.iter().any(|it| line.trim_start().starts_with(it));
    }
    line.ends_with(['{', '}', ')', ',', ';']) || line.ends_with(':') && !line.ends_with("::")
}

fn answer(snapshot: &Snapshot, file: &RequestFile, offset: u32) -> Cancellable<Option<CompletionList>> {
    let Some(found) = snapshot.analysis.completions(file.id, offset)? else { return Ok(None) };
    let converter = file.converter(snapshot);
    let in_quotes = file.text[..found.range.start as usize].ends_with(['\'', '"']);
    let word = TextRange::new(found.range.start, word_end(&file.text, found.range.end, in_quotes));
    let (insert, replace) = (converter.range(found.range), converter.range(word));
    let list = ItemConverter { snapshot, file, insert, replace, in_quotes };
    let items = found.items.into_iter().enumerate();
    let items: Vec<CompletionItem> = items.map(|(index, item)| list.item(index, item)).collect();
    // Text after the position may be newer than the request, and decides what is inserted: the client asks again.
    let is_incomplete = found.is_incomplete || word.end > found.range.end;
    let mut list = CompletionList { is_incomplete, items, ..CompletionList::default() };
    move_to_defaults(&mut list, &snapshot.features);
    Ok(Some(list))
}

/// Returns the end of the word, or of the path in quotes, that continues at an offset.
fn word_end(text: &str, offset: u32, in_quotes: bool) -> u32 {
    let rest = text.get(offset as usize..).unwrap_or_default();
    let is_part = |it: char| it.is_ascii_alphanumeric() || it == '_' || (in_quotes && "./-".contains(it));
    let mut end = 0;
    loop {
        end = rest.len() - rest[end..].trim_start_matches(is_part).len();
        match rest[end..].strip_prefix("::") {
            Some(after) if after.starts_with(is_part) => end += 2,
            _ => return offset + end as u32,
        }
    }
}

/// Conversion of the items of a list.
struct ItemConverter<'c> {
    snapshot: &'c Snapshot,
    file: &'c RequestFile,
    /// Range of the word before the cursor, and of the whole word.
    insert: Range,
    replace: Range,
    in_quotes: bool,
}

impl ItemConverter<'_> {
    /// Converts an item; its position in the list determines the sort order.
    fn item(&self, index: usize, item: ide::CompletionItem) -> CompletionItem {
        let features = &self.snapshot.features;
        let known = KINDS.iter().find(|(kind, ..)| *kind == item.kind);
        let (kind, shown) = known.map_or(("", CompletionItemKind::Text), |(_, name, shown)| (name, *shown));
        let has_commas = features.formats_on_type && features.takes_snippets;
        let snippet = if has_commas { item.snippet } else { item.snippet_without_commas() };
        let is_name = matches!(item.kind, CompletionKind::Attribute | CompletionKind::Metaparameter);
        let text = snippet.as_deref().filter(|_| is_name).and_then(text_before_stop);
        let text = text.map_or(item.text, str::to_owned);
        let snippet = snippet.filter(|_| features.takes_snippets);
        let format = snippet.is_some().then_some(InsertTextFormat::Snippet);
        let data = ItemData { uri: self.file.uri.clone(), kind: kind.to_owned(), owner: item.owner };
        let (label_details, detail) = if features.shows_label_details {
            (Some(CompletionItemLabelDetails { detail: None, description: item.detail }), None)
        } else {
            (None, item.detail)
        };
        let takes_tags = features.marks_deprecated_completions;
        let is_committed = matches!(item.kind, CompletionKind::Variable | CompletionKind::Fact)
            && item.label.starts_with('$')
            && !self.in_quotes
            && features.takes_commit_characters;
        let commit = || VARIABLE_COMMIT_CHARACTERS.map(str::to_owned).to_vec();
        let add = item.missing_dependency.map(|module| add_dependency::command(&self.file.uri, &module));
        let lists_values = item.lists_values && snippet.is_some() && features.lists_values;
        let command = add.or_else(|| lists_values.then(list_values));
        CompletionItem {
            sort_text: Some(format!("{index:04}")),
            filter_text: (item.filter != item.label).then_some(item.filter),
            label: item.label,
            kind: Some(shown),
            label_details,
            detail,
            tags: (item.is_deprecated && takes_tags).then(|| vec![CompletionItemTag::Deprecated]),
            insert_text_format: format,
            text_edit: Some(self.edit(snippet.unwrap_or(text))),
            commit_characters: is_committed.then(commit),
            command,
            data: serde_json::to_value(data).ok(),
            ..CompletionItem::default()
        }
    }

    fn edit(&self, new_text: String) -> CompletionItemTextEdit {
        if self.snapshot.features.takes_replacing_completions {
            InsertReplaceEdit { new_text, insert: self.insert, replace: self.replace }.into()
        } else {
            TextEdit { range: self.insert, new_text }.into()
        }
    }
}

/// Returns the text of a snippet whose only tab stop is at its end, which needs no support for snippets.
fn text_before_stop(snippet: &str) -> Option<&str> {
    snippet.strip_suffix("$1").filter(|it| !it.contains(['$', '\\', '}', '\n']))
}

/// Returns the command that lists the values of an attribute after its name was inserted.
fn list_values() -> Command {
    let title = "Show Values".to_owned();
    Command { title, command: TRIGGER_SUGGEST.to_owned(), ..Command::default() }
}

/// Moves what most items have in common to the list, if the client supports that.
fn move_to_defaults(list: &mut CompletionList, features: &ClientFeatures) {
    let Some(first) = list.items.first() else { return };
    let supported = features.completion_defaults;
    let mut defaults = CompletionItemDefaults::default();
    if supported.edit_range {
        defaults.edit_range = first.text_edit.as_ref().map(|edit| match edit {
            CompletionItemTextEdit::TextEdit(edit) => edit.range.into(),
            CompletionItemTextEdit::InsertReplaceEdit(InsertReplaceEdit { insert, replace, .. }) => {
                EditRangeWithInsertReplace { insert: *insert, replace: *replace }.into()
            }
        });
    }
    let snippets = list.items.iter().filter(|it| it.insert_text_format.is_some()).count();
    if supported.insert_text_format && snippets * 2 > list.items.len() {
        defaults.insert_text_format = Some(InsertTextFormat::Snippet);
    }
    if supported.data {
        defaults.data = first.data.clone();
    }
    for item in &mut list.items {
        if defaults.edit_range.is_some() {
            let text = match item.text_edit.take() {
                Some(CompletionItemTextEdit::TextEdit(edit)) => edit.new_text,
                Some(CompletionItemTextEdit::InsertReplaceEdit(edit)) => edit.new_text,
                None => continue,
            };
            item.text_edit_text = (text != item.label).then_some(text);
        }
        if defaults.insert_text_format.is_some() {
            item.insert_text_format = match item.insert_text_format {
                Some(_) => None,
                None => Some(InsertTextFormat::PlainText),
            };
        }
        if item.data == defaults.data {
            item.data = None;
        }
    }
    if defaults != CompletionItemDefaults::default() {
        list.item_defaults = Some(defaults);
    }
}

pub(super) async fn resolve(server: &Server, mut item: CompletionItem) -> Result<CompletionItem> {
    let data = item.data.clone().and_then(|data| serde_json::from_value::<ItemData>(data).ok());
    let Some(ItemData { uri, kind, owner }) = data else { return Ok(item) };
    let label = item.label.clone();
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
