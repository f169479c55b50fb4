//! Workspace symbols: fuzzy search for names in all files.

use hir::Name;
use nucleo_matcher::pattern::{AtomKind, CaseMatching, Normalization, Pattern};
use nucleo_matcher::{Config, Matcher, Utf32Str};
use project::{Db, DefinitionId, Environment, File, FileKind, FileRole};
use rustc_hash::FxHashSet;
use symbols::navigation;
use syntax::TextRange;

use crate::{FileId, SymbolKind};

/// A named item that other code can use.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct WorkspaceSymbol {
    /// Qualified name as written.
    pub name: String,
    pub kind: SymbolKind,
    /// Module of the item; outside of modules, the folder. For a Hiera key, the path of the data file.
    pub container: String,
    pub file: FileId,
    /// Range of the name in the header.
    pub range: TextRange,
}

/// Maximum number of results in an editor; typing more letters narrows the search.
pub(crate) const MAX_SYMBOLS: usize = 1000;
/// Maximum number of Hiera keys among them.
const MAX_KEYS: usize = 200;
/// Maximum number of data files that are listed for a Hiera key, in lookup order.
const MAX_FILES_OF_KEY: usize = 5;

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
    /// A range in a Ruby or data file.
    At(TextRange),
}

/// Returns the `limit` best matches, best first; shorter names come first among equal scores. An empty query
/// matches everything except for the Hiera keys of `environments`.
pub(crate) fn workspace_symbols(
    db: &dyn Db,
    files: impl Iterator<Item = File>,
    environments: &[Environment],
    query: &str,
    limit: usize,
) -> Vec<WorkspaceSymbol> {
    // `$` and quotes are never part of a name.
    let query = query.trim_matches(|c: char| !c.is_alphanumeric() && c != '_' && c != ':');
    let pattern = Pattern::new(query, CaseMatching::Ignore, Normalization::Smart, AtomKind::Fuzzy);
    let mut matcher = Matcher::new(Config::DEFAULT);
    let mut buffer = Vec::new();
    let mut score_of = |name: &str| pattern.score(Utf32Str::new(name, &mut buffer), &mut matcher);
    let mut found: Vec<Candidate> = Vec::new();
    for file in files {
        for (name, kind, location) in named(db, file) {
            if let Some(score) = score_of(&name) {
                found.push(Candidate { score, name, kind, file, location });
            }
        }
    }
    if !query.is_empty() {
        found.extend(hiera_keys(db, environments, score_of));
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
            container: container(db, it.file, it.kind),
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

/// Returns the best matches among the keys that have data.
fn hiera_keys(
    db: &dyn Db,
    environments: &[Environment],
    mut score_of: impl FnMut(&str) -> Option<u32>,
) -> Vec<Candidate> {
    let mut matches: Vec<(u32, Name, Environment)> = Vec::new();
    for environment in environments {
        let keys = project::keys_with_data(db, *environment);
        let own = keys.iter().filter(|name| *name != "lookup_options");
        matches.extend(own.filter_map(|name| Some((score_of(name)?, name.clone(), *environment))));
    }
    matches.sort_by(|(a_score, a, _), (b_score, b, _)| {
        b_score.cmp(a_score).then_with(|| a.len().cmp(&b.len())).then_with(|| a.cmp(b))
    });
    let mut seen = FxHashSet::default();
    let locations = matches.into_iter().flat_map(|(score, name, environment)| {
        let in_hierarchy = project::locations_of_key(db, environment, &name).into_iter();
        let mut locations: Vec<_> = in_hierarchy.map(|(source, key)| (source.file, key)).collect();
        locations.extend(project::locations_of_key_without_configuration(db, environment, &name));
        // Several levels may read a file, and several environments a module.
        locations.retain(|(file, key)| seen.insert((*file, key.key_range)));
        locations.truncate(MAX_FILES_OF_KEY);
        locations.into_iter().map(move |(file, key)| Candidate {
            score,
            name: name.to_string(),
            kind: SymbolKind::HieraKey,
            file,
            location: SymbolLocation::At(key.key_range),
        })
    });
    locations.take(MAX_KEYS).collect()
}

fn container(db: &dyn Db, file: File, kind: SymbolKind) -> String {
    match file.role(db) {
        FileRole::Module { relative, .. } if kind == SymbolKind::HieraKey => relative.to_string(),
        FileRole::Module { module, .. } => module.name(db).to_string(),
        FileRole::Loose | FileRole::MainManifest => {
            file.path(db).parent().map(|it| it.file_name().to_owned()).unwrap_or_default()
        }
    }
}
