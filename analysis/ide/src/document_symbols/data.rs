//! Outline of files without Puppet code: Hiera data and configurations, `metadata.json`, and `Puppetfile`.

use hiera::data::{Content, DataEntry, DataNode, is_encrypted};
use output::secrets::masked_source;
use output::visible;
use plugins::puppetfile::PuppetfileModule;
use project::{Db, File, FileKind};
use symbols::hiera_data;
use syntax::TextRange;

use super::document_symbol::{DocumentSymbol, DocumentSymbolKind};
use crate::SymbolKind;

/// Maximum nesting depth of the outline.
const MAX_DEPTH: usize = 6;
/// Maximum length of a value, in characters.
const MAX_VALUE_LENGTH: usize = 60;
/// Keys whose value names the list item that contains them.
const NAME_KEYS: [&str; 2] = ["name", "operatingsystem"];

/// Returns the outline of a file; `None` for files of other kinds.
pub(crate) fn data_symbols(db: &dyn Db, file: File) -> Option<Vec<DocumentSymbol>> {
    match project::file_kind(db, file) {
        FileKind::Puppetfile => Some(modules(db, file)),
        FileKind::Data
        | FileKind::HieraConfiguration
        | FileKind::ModuleMetadata
        | FileKind::TaskMetadata
        | FileKind::Fixtures => {
            let data = project::hiera_data(db, file);
            let is_data = project::is_hiera_data(db, file);
            let symbols = data.entries().iter().map(|entry| {
                let key = entry.key.value.as_str().unwrap_or_default();
                let is_secret = is_data && is_secret(db, file, key);
                entry_symbol(entry, is_secret, if is_data { KeyKind::Hiera } else { KeyKind::Other }, 0)
            });
            Some(symbols.collect())
        }
        _ => None,
    }
}

/// Kind of the keys at one level.
#[derive(Clone, Copy)]
enum KeyKind {
    Hiera,
    Other,
}

fn is_secret(db: &dyn Db, file: File, key: &str) -> bool {
    let environment = file.environments(db).first().copied();
    environment.is_some_and(|it| hiera_data::is_secret(db, it, key))
}

fn modules(db: &dyn Db, file: File) -> Vec<DocumentSymbol> {
    let modules = project::puppetfile_of(db, file).modules.iter();
    let symbol = |module: &PuppetfileModule| {
        let revisions = ["tag", "ref", "branch", "commit", "revision"];
        let option = revisions.iter().find_map(|name| module.option(name));
        let version = module.version.as_ref().map(|it| it.text.to_string());
        let detail = version.or_else(|| option.map(|it| it.value.text.to_string()));
        symbol(&module.name, detail, DocumentSymbolKind::Module, module.range, module.name_range)
    };
    modules.map(symbol).collect()
}

fn entry_symbol(entry: &DataEntry, is_secret: bool, kind: KeyKind, depth: usize) -> DocumentSymbol {
    let name = match &entry.key.content {
        Content::Scalar { text, .. } => text.to_string(),
        _ => String::new(),
    };
    let kind = match kind {
        KeyKind::Hiera => DocumentSymbolKind::Named(SymbolKind::HieraKey),
        KeyKind::Other => DocumentSymbolKind::Key,
    };
    let detail = scalar(&entry.value).filter(|_| !is_secret);
    let range = entry.key.range.cover(entry.value.range);
    let symbol = symbol(&name, detail, kind, range, entry.key.range);
    DocumentSymbol { children: children(&entry.value, is_secret, depth + 1), ..symbol }
}

fn children(node: &DataNode, is_secret: bool, depth: usize) -> Vec<DocumentSymbol> {
    if depth >= MAX_DEPTH {
        return Vec::new();
    }
    let entries = node.entries().iter().map(|it| entry_symbol(it, is_secret, KeyKind::Other, depth));
    let items = node.elements().iter().filter(|it| !it.entries().is_empty());
    entries.chain(items.map(|it| item_symbol(it, is_secret, depth))).collect()
}

/// Returns the symbol for a list item, named by its first key that names it.
fn item_symbol(node: &DataNode, is_secret: bool, depth: usize) -> DocumentSymbol {
    let named = NAME_KEYS.iter().find_map(|key| node.entry(key));
    let named = named.or_else(|| node.entries().first());
    let name = named.and_then(|it| scalar(&it.value)).filter(|_| !is_secret).unwrap_or_default();
    let selection = named.map_or(node.range, |it| it.value.range);
    let others = node.entries().iter().filter(|it| Some(it.key.range) != named.map(|it| it.key.range));
    let detail = others.filter_map(|it| line(&it.value)).next().filter(|_| !is_secret);
    let symbol = symbol(&name, detail, DocumentSymbolKind::Item, node.range, selection);
    DocumentSymbol { children: children(node, is_secret, depth + 1), ..symbol }
}

/// Returns a scalar, or a list of scalars, in one line.
fn line(node: &DataNode) -> Option<String> {
    let elements = node.elements();
    if elements.is_empty() {
        return scalar(node);
    }
    let texts: Option<Vec<String>> = elements.iter().map(scalar).collect();
    Some(shortened(&texts?.join(", ")))
}

/// Returns a scalar in one line; `None` for other nodes, and for encrypted ones.
fn scalar(node: &DataNode) -> Option<String> {
    match &node.content {
        Content::Scalar { text, .. } if !text.is_empty() && !is_encrypted(text) => {
            Some(shortened(&text.split_whitespace().collect::<Vec<_>>().join(" ")))
        }
        _ => None,
    }
}

fn shortened(text: &str) -> String {
    match text.char_indices().nth(MAX_VALUE_LENGTH) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

fn symbol(
    name: &str,
    detail: Option<String>,
    kind: DocumentSymbolKind,
    range: TextRange,
    selection: TextRange,
) -> DocumentSymbol {
    let name = visible(&name.split_whitespace().collect::<Vec<_>>().join(" ")).to_string();
    let name = if name.is_empty() { "(unnamed)".to_owned() } else { name };
    let detail = detail.filter(|it| !it.is_empty()).map(|it| masked_source(&it));
    let selection = if range.contains_range(selection) { selection } else { range };
    DocumentSymbol { name, detail, kind, range, selection, children: Vec::new() }
}
