//! Files that a user creates or deletes: the first text of a manifest, and the uses of deleted definitions.

use project::{Db, Environment, File, FileKind, NameKind};
use rustc_hash::FxHashSet;
use symbols::callees::Callee;
use symbols::references;
use symbols::symbol::Symbol;

use crate::{FilePath, Reference, ReferenceAccess, SymbolKind};

/// Maximum number of deleted files whose uses are searched.
const MAX_FILES: usize = 200;

/// A definition, template or served file that is used although its file is to be deleted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DeletedName {
    pub kind: SymbolKind,
    pub name: String,
    /// Uses in other files.
    pub uses: Vec<Reference>,
}

/// Returns the text for a new file at a path: the definition that the autoloader expects there, with a
/// comment. `None` if nothing is expected, or it is defined elsewhere.
pub(crate) fn new_text(db: &dyn Db, environments: &[Environment], path: &FilePath) -> Option<String> {
    let mut modules = Vec::new();
    for environment in environments.iter().copied() {
        let own = project::environment_tree(db, environment);
        let others = environment.modules(db).values().filter(|it| Some(**it) != own);
        modules.extend(others.filter_map(|it| Some((environment, *it, path.strip_prefix(it.root(db))?))));
    }
    let (environment, module, relative) = modules.into_iter().min_by_key(|(.., relative)| relative.len())?;
    let (folder, inner) = relative.strip_suffix(".pp")?.split_once('/')?;
    let is_part = |it: &str| {
        it.starts_with(|c: char| c.is_ascii_lowercase())
            && it.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_')
    };
    if !inner.split('/').all(is_part) || !module.name_is_certain(db) {
        return None;
    }
    let name = match inner {
        "init" if folder != "types" && folder != "functions" => module.name(db).to_string(),
        _ => format!("{}::{}", module.name(db), inner.replace('/', "::")),
    };
    let (kind, comment, code) = match folder {
        "manifests" => (NameKind::Class, "class", format!("class {name} {{\n}}\n")),
        "functions" => (NameKind::Function, "function", format!("function {name}() {{\n}}\n")),
        "plans" => (NameKind::Plan, "plan", format!("plan {name}() {{\n}}\n")),
        "types" => (NameKind::TypeAlias, "type", format!("type {} = Any\n", hir::capitalized(&name))),
        _ => return None,
    };
    let is_free = project::resolve(db, environment, kind, &name).is_none();
    is_free.then(|| format!("# @summary A short summary of the purpose of this {comment}\n{code}"))
}

/// Returns what the files define and other files use, in the order of the files.
pub(crate) fn deleted_names(db: &dyn Db, deleted: &[File]) -> Vec<DeletedName> {
    let gone: FxHashSet<File> = deleted.iter().copied().collect();
    let mut found = Vec::new();
    for file in deleted.iter().copied().take(MAX_FILES) {
        for (kind, name, symbol) in symbols_of(db, file) {
            let mut uses = references::references_to(db, file, &symbol, false);
            uses.retain(|it| it.access != ReferenceAccess::Declaration && !gone.contains(&it.file.0));
            if !uses.is_empty() {
                found.push(DeletedName { kind, name, uses });
            }
        }
    }
    found
}

/// Returns the symbols that a file defines and other files may use.
fn symbols_of(db: &dyn Db, file: File) -> Vec<(SymbolKind, String, Symbol)> {
    let path = || match file.role(db) {
        project::FileRole::Module { module, relative } => {
            let inner = relative.split_once('/').map_or(relative.as_str(), |(_, inner)| inner);
            format!("{}/{inner}", module.name(db))
        }
        _ => file.path(db).file_name().to_owned(),
    };
    match project::file_kind(db, file) {
        FileKind::Manifest => {
            let definitions = project::definitions(db, file).into_iter();
            let named = definitions.filter_map(|it| {
                let kind = SymbolKind::of_definition(it.key(db).kind)?;
                let is_used = kind != SymbolKind::Node;
                is_used.then(|| (kind, Callee::Puppet(it).name(db).to_string(), Symbol::Definition(it)))
            });
            named.collect()
        }
        FileKind::EppTemplate | FileKind::ErbTemplate => {
            vec![(SymbolKind::Template, path(), Symbol::Template(file))]
        }
        FileKind::Asset => vec![(SymbolKind::ServedFile, path(), Symbol::ServedFile(file))],
        _ => Vec::new(),
    }
}
