//! Symbols of a document.

use crate::SymbolKind;
use syntax::TextRange;

/// An entry of the outline.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DocumentSymbol {
    /// Never empty, and on a single line.
    pub name: String,
    /// Additional information: a type, `inherits x`, `virtual`.
    pub detail: Option<String>,
    pub kind: DocumentSymbolKind,
    /// Range of the whole construct.
    pub range: TextRange,
    /// Range of the name, inside `range`.
    pub selection: TextRange,
    pub children: Vec<DocumentSymbol>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum DocumentSymbolKind {
    /// A definition; a parameter of a definition or template (lambda parameters are not part of the outline);
    /// a variable that other code can read (of a class, a node or the top scope); or a resource.
    Named(SymbolKind),
    ResourceDefaults,
    ResourceOverride,
    Collector,
    /// A key of a configuration, or a nested key of data.
    Key,
    /// A list item of data that is a hash.
    Item,
    /// A module of a `Puppetfile`.
    Module,
}
