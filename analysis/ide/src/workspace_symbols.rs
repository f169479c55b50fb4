//! Workspace symbols: fuzzy search for names in all files.

use nucleo_matcher::pattern::{AtomKind, CaseMatching, Normalization, Pattern};
use nucleo_matcher::{Config, Matcher, Utf32Str};
use project::{Db, DefinitionId, File, FileKind, FileRole};
use symbols::navigation;
use syntax::TextRange;

use crate::{FileId, SymbolKind};

/// A named item that other code can use.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct WorkspaceSymbol {
    /// Qualified name as written.
    pub name: String,
    pub kind: SymbolKind,
    /// Module of the item; outside of modules, the folder.
    pub container: String,
    pub file: FileId,
    /// Range of the name in the header.
    pub range: TextRange,
}

/// Maximum number of results in an editor; typing more letters narrows the search.
pub(crate) const MAX_SYMBOLS: usize = 1000;

struct Candidate {
    score: u32,
    name: String,
    kind: SymbolKind,
    file: File,
    location: SymbolLocation,
}

#[derive(Clone, Copy)]
enum SymbolLocation {
    Definition(DefinitionId),
    /// A range in a Ruby file.
    At(TextRange),
}

/// Returns the `limit` best matches, best first; shorter names come first among equal scores. An empty query
/// matches everything.
pub(crate) fn workspace_symbols(
    db: &dyn Db,
    files: impl Iterator<Item = File>,
    query: &str,
    limit: usize,
) -> Vec<WorkspaceSymbol> {
    // `$` and quotes are never part of a name.
    let query = query.trim_matches(|c: char| !c.is_alphanumeric() && c != '_' && c != ':');
    let pattern = Pattern::new(query, CaseMatching::Ignore, Normalization::Smart, AtomKind::Fuzzy);
    let mut matcher = Matcher::new(Config::DEFAULT);
    let mut buffer = Vec::new();
    let mut found: Vec<Candidate> = Vec::new();
    for file in files {
        for (name, kind, location) in named(db, file) {
            if let Some(score) = pattern.score(Utf32Str::new(&name, &mut buffer), &mut matcher) {
                found.push(Candidate { score, name, kind, file, location });
            }
        }
    }
    found.sort_by(|a, b| {
        let rank = |it: &Candidate| (std::cmp::Reverse(it.score), it.name.len());
        rank(a)
            .cmp(&rank(b))
            .then_with(|| a.name.cmp(&b.name))
            .then_with(|| a.file.path(db).cmp(b.file.path(db)))
    });
    found.truncate(limit);
    let symbols = found.into_iter().filter_map(|it| {
        let range = match it.location {
            SymbolLocation::Definition(definition) => navigation::definition_target(db, definition)?.focus,
            SymbolLocation::At(range) => range,
        };
        Some(WorkspaceSymbol {
            name: it.name,
            kind: it.kind,
            container: container(db, it.file),
            file: FileId(it.file),
            range,
        })
    });
    symbols.collect()
}

/// Returns the named items of a file.
fn named(db: &dyn Db, file: File) -> Vec<(String, SymbolKind, SymbolLocation)> {
    let kind = project::file_kind(db, file);
    if kind == FileKind::RubyPlugin {
        let ruby = project::ruby_file(db, file);
        let functions = ruby.functions.iter();
        let functions =
            functions.map(|it| (it.name.to_string(), SymbolKind::Function, SymbolLocation::At(it.range)));
        let types = ruby.resource_types.iter();
        let types =
            types.map(|it| (it.name.to_string(), SymbolKind::ResourceType, SymbolLocation::At(it.range)));
        let data = ruby.data_types.iter();
        let data = data.map(|it| (it.name.to_string(), SymbolKind::Type, SymbolLocation::At(it.range)));
        return functions.chain(types).chain(data).collect();
    }
    if !matches!(kind, FileKind::Manifest | FileKind::EppTemplate) {
        return Vec::new();
    }
    let definitions = project::item_summary(db, file).definitions.iter();
    let named = definitions.filter_map(|definition| {
        let kind = SymbolKind::of_definition(definition.key.kind)?;
        let name = if definition.name.is_empty() { &definition.key.name } else { &definition.name };
        let location = SymbolLocation::Definition(DefinitionId::new(db, file, definition.key.clone()));
        (!name.is_empty()).then(|| (name.to_string(), kind, location))
    });
    named.collect()
}

fn container(db: &dyn Db, file: File) -> String {
    match file.role(db) {
        FileRole::Module { module, .. } => module.name(db).to_string(),
        FileRole::Loose | FileRole::MainManifest => {
            file.path(db).parent().map(|it| it.file_name().to_owned()).unwrap_or_default()
        }
    }
}
