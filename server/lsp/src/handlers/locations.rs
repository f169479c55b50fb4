//! Conversion of locations in other files.

use ide::{Cancellable, FileId, NavigationTarget};
use lsp_types::{Definition, DefinitionResponse, Location, LocationLink, Position, Range, SymbolKind, Uri};
use rustc_hash::FxHashMap;
use syntax::TextRange;

use crate::{RequestFile, Snapshot};

/// Returns the LSP kind of a symbol.
pub(super) fn symbol_kind(kind: ide::SymbolKind) -> SymbolKind {
    match kind {
        ide::SymbolKind::Class | ide::SymbolKind::Provider => SymbolKind::Class,
        ide::SymbolKind::DefinedType | ide::SymbolKind::ResourceType => SymbolKind::Struct,
        ide::SymbolKind::Function | ide::SymbolKind::Plan | ide::SymbolKind::Task => SymbolKind::Function,
        ide::SymbolKind::Type => SymbolKind::Interface,
        ide::SymbolKind::Node => SymbolKind::Module,
        ide::SymbolKind::Variable => SymbolKind::Variable,
        ide::SymbolKind::Parameter | ide::SymbolKind::Attribute | ide::SymbolKind::Metaparameter => {
            SymbolKind::Property
        }
        ide::SymbolKind::Fact | ide::SymbolKind::TrustedFact | ide::SymbolKind::ServerFact => {
            SymbolKind::Constant
        }
        ide::SymbolKind::Resource => SymbolKind::Object,
        ide::SymbolKind::Template | ide::SymbolKind::ServedFile => SymbolKind::File,
        ide::SymbolKind::HieraKey => SymbolKind::Key,
    }
}

/// Converts locations in many files, caching the files.
pub(super) struct LocationConverter<'s> {
    snapshot: &'s Snapshot,
    files: FxHashMap<FileId, Option<RequestFile>>,
}

impl<'s> LocationConverter<'s> {
    pub(super) fn new(snapshot: &'s Snapshot) -> LocationConverter<'s> {
        LocationConverter { snapshot, files: FxHashMap::default() }
    }

    /// Returns the URI of a file: the client's if it is open, otherwise derived from the path; `None` if the
    /// path has no URI.
    pub(super) fn uri(&self, file: FileId) -> Option<Uri> {
        self.snapshot.uri(&self.snapshot.analysis.path(file))
    }

    /// Converts a range of a file. A file without text gets an empty range at its start.
    pub(super) fn range(&mut self, file: FileId, range: TextRange) -> Cancellable<Range> {
        if !self.files.contains_key(&file) {
            let found = self.snapshot.target_file(file)?;
            self.files.insert(file, found);
        }
        let found = self.files.get(&file).and_then(Option::as_ref);
        let start = Position { line: 0, character: 0 };
        Ok(found.map_or(Range { start, end: start }, |it| it.converter(self.snapshot).range(range)))
    }

    pub(super) fn location(&mut self, file: FileId, range: TextRange) -> Cancellable<Option<Location>> {
        let Some(uri) = self.uri(file) else { return Ok(None) };
        Ok(Some(Location { uri, range: self.range(file, range)? }))
    }

    /// Converts targets to links from `origin`, or to plain locations for clients that do not support links.
    pub(super) fn targets(
        &mut self,
        origin: Range,
        targets: &[NavigationTarget],
        as_links: bool,
    ) -> Cancellable<DefinitionResponse> {
        if !as_links {
            let mut locations = Vec::new();
            for target in targets {
                locations.extend(self.location(target.file, target.focus)?);
            }
            return Ok(DefinitionResponse::Definition(Definition::LocationList(locations)));
        }
        let mut links = Vec::new();
        for target in targets {
            let Some(target_uri) = self.uri(target.file) else { continue };
            links.push(LocationLink {
                origin_selection_range: Some(origin),
                target_uri,
                target_range: self.range(target.file, target.full)?,
                target_selection_range: self.range(target.file, target.focus)?,
            });
        }
        Ok(DefinitionResponse::DefinitionLinkList(links))
    }
}
