//! SCIP index of a workspace, for code search and review tools: each file with the names in it.

use std::collections::BTreeMap;

use ide::{Analysis, Cancelled, FileId, FilePath, Occurrence, ReferenceAccess, SymbolKind, SymbolName};
use protobuf::Message;
use scip::types::descriptor::Suffix;
use scip::types::symbol_information::Kind;
use scip::types::{
    Descriptor, Index, Metadata, Package, PositionEncoding, Signature, Symbol, SymbolInformation, SymbolRole,
    TextEncoding, ToolInfo,
};
use syntax::{ColumnUnit, LineMap};

pub use scip::types::Document;

const SCHEME: &str = "puppet-analyzer";

/// Serializes the index of a folder.
///
/// # Errors
/// Fails if the index is larger than the format allows.
pub fn to_bytes(root: &FilePath, documents: Vec<Document>) -> anyhow::Result<Vec<u8>> {
    let index = Index { metadata: Some(metadata(root)).into(), documents, ..Index::default() };
    Ok(index.write_to_bytes()?)
}

fn metadata(root: &FilePath) -> Metadata {
    let tool = ToolInfo {
        name: SCHEME.to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        ..ToolInfo::default()
    };
    Metadata {
        tool_info: Some(tool).into(),
        project_root: root.to_uri(),
        text_document_encoding: TextEncoding::UTF8.into(),
        ..Metadata::default()
    }
}

/// Returns a file with its occurrences; `None` if it has none.
pub fn document(analysis: &Analysis, file: FileId, root: &FilePath) -> Result<Option<Document>, Cancelled> {
    let path = analysis.path(file);
    let Some(relative_path) = path.strip_prefix(root) else { return Ok(None) };
    let found = analysis.occurrences(file)?;
    if found.is_empty() {
        return Ok(None);
    }
    // Files served by a module may have any contents; only their path is a symbol.
    let text = analysis.text(file)?.unwrap_or_default();
    let lines = LineMap::new(&text);
    let line_column = |offset: u32| lines.line_column(&text, offset, ColumnUnit::Utf8);
    let mut occurrences = Vec::new();
    let mut symbols: BTreeMap<String, SymbolInformation> = BTreeMap::new();
    for it in found {
        let symbol = scip::symbol::format_symbol(symbol(&it.symbol));
        let (start, end) = (line_column(it.range.start), line_column(it.range.end));
        let mut numbers = vec![start.line as i32, start.column as i32];
        if end.line != start.line {
            numbers.push(end.line as i32);
        }
        numbers.push(end.column as i32);
        occurrences.push(scip::types::Occurrence {
            range: numbers,
            symbol: symbol.clone(),
            symbol_roles: roles(&it),
            ..scip::types::Occurrence::default()
        });
        if it.definition.is_some() {
            symbols.entry(symbol.clone()).or_insert_with(|| information(&it, symbol));
        }
    }
    Ok(Some(Document {
        language: language(&path).to_owned(),
        relative_path: relative_path.to_owned(),
        occurrences,
        symbols: symbols.into_values().collect(),
        position_encoding: PositionEncoding::UTF8CodeUnitOffsetFromLineStart.into(),
        ..Document::default()
    }))
}

fn roles(occurrence: &Occurrence) -> i32 {
    let access = match occurrence.access {
        ReferenceAccess::Read => SymbolRole::ReadAccess as i32,
        ReferenceAccess::Write => SymbolRole::WriteAccess as i32,
        ReferenceAccess::Declaration | ReferenceAccess::Documentation => 0,
    };
    let definition = if occurrence.definition.is_some() { SymbolRole::Definition as i32 } else { 0 };
    access | definition
}

fn language(path: &FilePath) -> &'static str {
    match path.extension() {
        Some("rb") => "Ruby",
        Some("yaml" | "yml") => "YAML",
        Some("json") => "JSON",
        Some("pp" | "epp") => "Puppet",
        _ => "",
    }
}

fn information(occurrence: &Occurrence, symbol: String) -> SymbolInformation {
    let details = occurrence.definition.clone().unwrap_or_default();
    let (display_name, kind) = match &occurrence.symbol {
        SymbolName::Local { name, .. } => (name, Kind::Variable),
        SymbolName::Global { name, kind, .. } => (name, information_kind(*kind)),
    };
    let signature = details.signature.map(|text| Signature {
        language: "Puppet".to_owned(),
        text,
        ..Signature::default()
    });
    SymbolInformation {
        symbol,
        documentation: details.documentation.into_iter().collect(),
        kind: kind.into(),
        display_name: display_name.clone(),
        signature_documentation: signature.into(),
        ..SymbolInformation::default()
    }
}

fn information_kind(kind: SymbolKind) -> Kind {
    match kind {
        SymbolKind::Class => Kind::Class,
        SymbolKind::DefinedType | SymbolKind::ResourceType => Kind::Struct,
        SymbolKind::Function | SymbolKind::Plan | SymbolKind::Task => Kind::Function,
        SymbolKind::Type => Kind::TypeAlias,
        SymbolKind::Node => Kind::Module,
        SymbolKind::Variable => Kind::Variable,
        SymbolKind::Parameter => Kind::Parameter,
        SymbolKind::Fact | SymbolKind::TrustedFact | SymbolKind::ServerFact => Kind::Constant,
        SymbolKind::Attribute | SymbolKind::Metaparameter => Kind::Attribute,
        SymbolKind::Provider => Kind::Class,
        SymbolKind::Resource => Kind::Object,
        SymbolKind::Template | SymbolKind::ServedFile => Kind::File,
        SymbolKind::HieraKey => Kind::Key,
    }
}

/// Converts a symbol name to the grammar of the format.
fn symbol(name: &SymbolName) -> Symbol {
    let (module, owner, kind, name) = match name {
        SymbolName::Local { id, .. } => {
            let descriptors = vec![descriptor(id, Suffix::Local)];
            return Symbol { scheme: "local".to_owned(), descriptors, ..Symbol::default() };
        }
        SymbolName::Global { module, owner, kind, name } => (module, owner, *kind, name),
    };
    let package = Package {
        manager: "puppet".to_owned(),
        name: module.clone().unwrap_or_default(),
        ..Package::default()
    };
    let mut descriptors = Vec::new();
    match owner {
        Some((owner_kind, owner)) => {
            descriptors.push(descriptor(namespace(*owner_kind), Suffix::Namespace));
            // Owners are types in this format, unless they can be called.
            let suffix = match suffix(*owner_kind) {
                Suffix::Method => Suffix::Method,
                _ => Suffix::Type,
            };
            descriptors.push(descriptor(owner, suffix));
        }
        None => descriptors.push(descriptor(namespace(kind), Suffix::Namespace)),
    }
    descriptors.push(descriptor(name, suffix(kind)));
    Symbol { scheme: SCHEME.to_owned(), package: Some(package).into(), descriptors, ..Symbol::default() }
}

fn descriptor(name: &str, suffix: Suffix) -> Descriptor {
    Descriptor { name: name.to_owned(), suffix: suffix.into(), ..Descriptor::default() }
}

fn suffix(kind: SymbolKind) -> Suffix {
    match kind {
        SymbolKind::Class
        | SymbolKind::DefinedType
        | SymbolKind::Type
        | SymbolKind::Node
        | SymbolKind::ResourceType
        | SymbolKind::Template => Suffix::Type,
        SymbolKind::Function | SymbolKind::Plan | SymbolKind::Task => Suffix::Method,
        SymbolKind::Variable
        | SymbolKind::Parameter
        | SymbolKind::Fact
        | SymbolKind::TrustedFact
        | SymbolKind::ServerFact
        | SymbolKind::Attribute
        | SymbolKind::Metaparameter
        | SymbolKind::Provider
        | SymbolKind::Resource
        | SymbolKind::ServedFile
        | SymbolKind::HieraKey => Suffix::Term,
    }
}

/// Returns the namespace of a kind. Names are only unique per kind.
fn namespace(kind: SymbolKind) -> &'static str {
    match kind {
        SymbolKind::Class => "class",
        SymbolKind::DefinedType => "defined_type",
        SymbolKind::Function => "function",
        SymbolKind::Plan => "plan",
        SymbolKind::Type => "type",
        SymbolKind::Node => "node",
        // Parameters are referenced like variables.
        SymbolKind::Variable | SymbolKind::Parameter => "variable",
        SymbolKind::Fact => "fact",
        SymbolKind::TrustedFact => "trusted_fact",
        SymbolKind::ServerFact => "server_fact",
        SymbolKind::ResourceType => "resource_type",
        SymbolKind::Attribute => "attribute",
        SymbolKind::Metaparameter => "metaparameter",
        SymbolKind::Provider => "provider",
        SymbolKind::Resource => "resource",
        SymbolKind::Template => "template",
        SymbolKind::ServedFile => "file",
        SymbolKind::HieraKey => "hiera_key",
        SymbolKind::Task => "task",
    }
}

#[cfg(test)]
mod tests;
