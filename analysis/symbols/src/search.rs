//! Text search for the files that may refer to a symbol.

use std::collections::HashSet;

use hir::{DefinitionKind, Name};
use project::{Db, File, FileKind, FileRole};
use regex::bytes::{Regex, RegexBuilder};

use crate::symbol::Symbol;

/// Words that a text must contain to refer to a symbol, ignoring case.
#[derive(Debug)]
struct SearchWords {
    all: Vec<Regex>,
    /// Words of which a text must contain at least one, unless it is an ERB template.
    one_of: Option<Regex>,
}

/// Returns the files that may refer to a symbol, by path: those in the environments of `from` that contain
/// its words.
pub fn candidate_files(db: &dyn Db, from: File, symbol: &Symbol) -> Vec<File> {
    if let Symbol::LambdaVariable { file, .. } = symbol {
        return vec![*file];
    }
    let (own, words) = words_of(db, symbol);
    let words = SearchWords::new(&words, &owner_words(db, symbol));
    let home = own.unwrap_or(from);
    let mut environments = home.environments(db).to_vec();
    environments.extend(from.environments(db).iter().filter(|it| !home.environments(db).contains(it)));
    let mut seen = HashSet::new();
    let mut files: Vec<File> = Vec::new();
    let of_environments = environments.into_iter().flat_map(|it| project_files(db, it));
    // Few files have the words, so only these are sorted.
    for file in of_environments.chain([from]).chain(own) {
        if seen.insert(file) && (Some(file) == own || words.are_in(db, file)) {
            files.push(file);
        }
    }
    files.sort_by(|a, b| a.path(db).cmp(b.path(db)));
    files
}

/// Returns the files of an environment that contain code, templates or data.
fn project_files(db: &dyn Db, environment: project::Environment) -> Vec<File> {
    let mut files: Vec<File> = environment.main_manifests(db).to_vec();
    for module in environment.modules(db).values() {
        files.extend(module.files(db).values().copied().filter(|file| holds_names(db, *file)));
    }
    files
}

/// Returns the tests that contain a name, literally or in the form of a matcher, ignoring case.
pub fn spec_files(db: &dyn Db, from: File, name: &str) -> Vec<File> {
    let names = [regex::escape(name), name.replace("::", "__")].join("|");
    let Ok(names) = RegexBuilder::new(&names).case_insensitive(true).unicode(false).build() else {
        return Vec::new();
    };
    let trees = from.environments(db).iter().flat_map(|it| it.modules(db).values());
    let files = trees.flat_map(|tree| tree.files(db).values().copied());
    let files = files.filter(|file| project::file_kind(db, *file) == FileKind::Spec);
    let has_name = |file: &File| file.contents(db).text().is_some_and(|it| names.is_match(it.as_bytes()));
    let mut found: Vec<File> = files.filter(has_name).collect();
    found.sort_by(|a, b| a.path(db).cmp(b.path(db)));
    found.dedup();
    found
}

/// Returns true if a file can contain Puppet names.
fn holds_names(db: &dyn Db, file: File) -> bool {
    use FileKind::*;
    matches!(project::file_kind(db, file), Manifest | EppTemplate | ErbTemplate | Data | HieraConfiguration)
}

/// Returns the file that defines a symbol, if it is certain to refer to it, and the words that other files
/// must contain.
fn words_of(db: &dyn Db, symbol: &Symbol) -> (Option<File>, Vec<Name>) {
    match symbol {
        Symbol::Definition(definition) => (Some(definition.file(db)), vec![definition.key(db).name.clone()]),
        Symbol::Variable { definition, name } => (Some(definition.file(db)), vec![name.clone()]),
        Symbol::LambdaVariable { file, name, .. } => (Some(*file), vec![name.clone()]),
        Symbol::BuiltInVariable(name) => {
            let last = name.rsplit("::").next().unwrap_or_default();
            (None, vec![last.into()])
        }
        Symbol::Fact(path) | Symbol::TrustedFact(path) | Symbol::ServerFact(path) => {
            let parts = path.split('.').filter(|part| part.bytes().any(|b| b.is_ascii_alphabetic()));
            (None, parts.map(Name::from).collect())
        }
        Symbol::BuiltInFunction(name) => (None, vec![Name::from(*name)]),
        Symbol::RubyFunction { file, index } => {
            let name = project::ruby_function(db, *file, *index).map(|it| it.name.clone());
            (None, name.into_iter().collect())
        }
        Symbol::BuiltInType(name) => (None, vec![Name::from(*name)]),
        Symbol::SetType { set, name } => (Some(set.file(db)), vec![name.clone()]),
        Symbol::RubyType { name, .. } | Symbol::ResourceType { name, .. } => (None, vec![name.clone()]),
        Symbol::Attribute { resource_type, name, .. } | Symbol::Provider { resource_type, name } => {
            (None, vec![name.clone(), resource_type.clone()])
        }
        Symbol::Metaparameter(name) | Symbol::HieraKey(name) | Symbol::TaskParameter { name, .. } => {
            (None, vec![name.clone()])
        }
        Symbol::Resource { resource_type, title } => (None, vec![title.clone(), resource_type.clone()]),
        Symbol::Template(file) | Symbol::ServedFile(file) => {
            (None, vec![Name::from(file.path(db).file_name())])
        }
        Symbol::ServedFolder(path) => (None, vec![path.clone()]),
        Symbol::Task(file) => {
            let name = file.path(db).file_name().strip_suffix(".json").unwrap_or_default();
            (None, if name == "init" { Vec::new() } else { vec![Name::from(name)] })
        }
    }
}

/// Returns the names that must accompany a variable outside of its definition: its class, or a class that
/// inherits that. Only templates use a variable without them.
fn owner_words(db: &dyn Db, symbol: &Symbol) -> Vec<Name> {
    let Symbol::Variable { definition, .. } = symbol else { return Vec::new() };
    let key = definition.key(db);
    match (key.kind, definition.file(db).role(db)) {
        (DefinitionKind::Main, FileRole::Module { relative, .. }) => {
            let path = relative.strip_prefix("templates/").unwrap_or(relative);
            vec![path.into()]
        }
        // Variables of the top scope and of nodes are visible everywhere.
        (DefinitionKind::Main | DefinitionKind::Node, _) => Vec::new(),
        (DefinitionKind::Class, _) => {
            let subclasses = crate::type_hierarchy::all_subclasses(db, *definition);
            subclasses.into_iter().chain([*definition]).map(|it| it.key(db).name.clone()).collect()
        }
        _ => vec![key.name.clone()],
    }
}

impl SearchWords {
    fn new(all: &[Name], owners: &[Name]) -> SearchWords {
        let regex =
            |pattern: &str| RegexBuilder::new(pattern).case_insensitive(true).unicode(false).build().ok();
        let owners: Vec<String> = owners.iter().map(|it| regex::escape(it)).collect();
        SearchWords {
            all: all.iter().filter_map(|word| regex(&regex::escape(word))).collect(),
            one_of: (!owners.is_empty()).then(|| regex(&owners.join("|"))).flatten(),
        }
    }

    fn are_in(&self, db: &dyn Db, file: File) -> bool {
        let Some(text) = file.contents(db).text() else { return false };
        let text = text.as_bytes();
        let names_owner = || {
            let is_erb = file.path(db).extension() == Some("erb");
            is_erb || self.one_of.as_ref().is_none_or(|it| it.is_match(text))
        };
        self.all.iter().all(|word| word.is_match(text)) && names_owner()
    }
}
