//! Names anywhere in the workspace, found by a few of their letters.

use nucleo_matcher::pattern::{AtomKind, CaseMatching, Normalization, Pattern};
use nucleo_matcher::{Config, Matcher, Utf32Str};
use project::{Db, DefinitionId, File, FileKind, FileRole};
use symbols::navigation;
use syntax::TextRange;

use crate::{FileId, SymbolKind};

/// Something with a name that others can use.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct WorkspaceSymbol {
    /// As it is written, with its namespace.
    pub name: String,
    pub kind: SymbolKind,
    /// The module it is in; for what is in none, its folder.
    pub container: String,
    pub file: FileId,
    /// Its name in its head.
    pub range: TextRange,
}

/// So many are shown in an editor at most: nobody reads more, and typing on finds the others.
pub(crate) const MAX_COUNT: usize = 1000;

struct Candidate {
    score: u32,
    name: String,
    kind: SymbolKind,
    file: File,
    place: SymbolPlace,
}

#[derive(Clone, Copy)]
enum SymbolPlace {
    Definition(DefinitionId),
    /// In a Ruby file.
    At(TextRange),
}

/// The `most` that fit the letters best, best first; of those that fit alike the shorter ones. Without letters everything.
pub(crate) fn workspace_symbols(
    db: &dyn Db,
    files: impl Iterator<Item = File>,
    query: &str,
    most: usize,
) -> Vec<WorkspaceSymbol> {
    // `$` and quotes are not part of any name.
    let query = query.trim_matches(|c: char| !c.is_alphanumeric() && c != '_' && c != ':');
    let pattern = Pattern::new(query, CaseMatching::Ignore, Normalization::Smart, AtomKind::Fuzzy);
    let mut matcher = Matcher::new(Config::DEFAULT);
    let mut buffer = Vec::new();
    let mut found: Vec<Candidate> = Vec::new();
    for file in files {
        for (name, kind, place) in named(db, file) {
            if let Some(score) = pattern.score(Utf32Str::new(&name, &mut buffer), &mut matcher) {
                found.push(Candidate { score, name, kind, file, place });
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
    found.truncate(most);
    let symbols = found.into_iter().filter_map(|it| {
        let range = match it.place {
            SymbolPlace::Definition(definition) => navigation::definition_target(db, definition)?.focus,
            SymbolPlace::At(range) => range,
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

/// Everything in a file that has a name.
fn named(db: &dyn Db, file: File) -> Vec<(String, SymbolKind, SymbolPlace)> {
    let kind = project::file_kind(db, file);
    if kind == FileKind::RubyPlugin {
        let ruby = project::ruby_file(db, file);
        let functions = ruby.functions.iter();
        let functions =
            functions.map(|it| (it.name.to_string(), SymbolKind::Function, SymbolPlace::At(it.range)));
        let types = ruby.resource_types.iter();
        let types =
            types.map(|it| (it.name.to_string(), SymbolKind::ResourceType, SymbolPlace::At(it.range)));
        let data = ruby.data_types.iter();
        let data = data.map(|it| (it.name.to_string(), SymbolKind::Type, SymbolPlace::At(it.range)));
        return functions.chain(types).chain(data).collect();
    }
    if !matches!(kind, FileKind::Manifest | FileKind::EppTemplate) {
        return Vec::new();
    }
    let definitions = project::item_summary(db, file).definitions.iter();
    let named = definitions.filter_map(|definition| {
        let kind = SymbolKind::of_definition(definition.key.kind)?;
        let name = if definition.name.is_empty() { &definition.key.name } else { &definition.name };
        let place = SymbolPlace::Definition(DefinitionId::new(db, file, definition.key.clone()));
        (!name.is_empty()).then(|| (name.to_string(), kind, place))
    });
    named.collect()
}

fn container(db: &dyn Db, file: File) -> String {
    match file.place(db) {
        FileRole::Module { module, .. } => module.name(db).to_string(),
        FileRole::Loose | FileRole::MainManifest => {
            file.path(db).parent().map(|it| it.file_name().to_owned()).unwrap_or_default()
        }
    }
}
