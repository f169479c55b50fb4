//! Name resolution in an environment: Puppet's autoloader.

pub mod mentions;
pub mod template_mentions;
pub(crate) mod words;

use std::sync::Arc;

use hir::{DefinitionKey, DefinitionKind, Name, fold_name};
use rustc_hash::FxHashMap;

use super::inputs::ENVIRONMENT_MODULE;
use crate::{Db, DefinitionId, Environment, File, ModuleTree, defined_names, signature};

/// Namespace of a lookup.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum NameKind {
    Class,
    DefinedType,
    Function,
    TypeAlias,
    Plan,
}

impl NameKind {
    fn definition_kind(self) -> DefinitionKind {
        match self {
            NameKind::Class => DefinitionKind::Class,
            NameKind::DefinedType => DefinitionKind::DefinedType,
            NameKind::Function => DefinitionKind::Function,
            NameKind::TypeAlias => DefinitionKind::TypeAlias,
            NameKind::Plan => DefinitionKind::Plan,
        }
    }
}

/// Resolves `name` (in any case, a leading `::` is allowed) in an environment.
///
/// The main manifest is always loaded, so its definitions come first; then come the candidate files of the
/// module that the name begins with, the most specific one first. No other file is touched.
pub fn resolve(db: &dyn Db, environment: Environment, kind: NameKind, name: &str) -> Option<DefinitionId> {
    resolve_folded(db, environment, kind, fold_name(name))
}

/// Resolves `name` in a file: to one of the file's own definitions, or in the file's environments.
pub fn resolve_in_file(db: &dyn Db, file: File, kind: NameKind, name: &str) -> Option<DefinitionId> {
    let name = fold_name(name);
    find_in_file(db, file, kind, &name).or_else(|| {
        file.environments(db)
            .iter()
            .find_map(|environment| resolve_folded(db, *environment, kind, name.clone()))
    })
}

/// Maximum number of enclosing namespaces of a name that are tried as type sets.
const MAX_TYPE_SETS: usize = 100;

/// Resolves a qualified type name in a file to a type set and the name of its member.
pub fn type_set_member(db: &dyn Db, file: File, name: &str) -> Option<(DefinitionId, Name)> {
    let name = fold_name(name);
    let mut outer = name.as_str();
    for _ in 0..MAX_TYPE_SETS {
        let (set, _) = outer.rsplit_once("::")?;
        if let Some(definition) = resolve_in_file(db, file, NameKind::TypeAlias, set) {
            let inner = &name[set.len() + 2..];
            let mut members = type_set_members(db, definition).into_iter();
            return members.find(|it| it.eq_ignore_ascii_case(inner)).map(|it| (definition, it));
        }
        outer = set;
    }
    None
}

/// Returns the names of the types of a type set, as written; empty for any other definition.
pub fn type_set_members(db: &dyn Db, definition: DefinitionId) -> Vec<Name> {
    let Some(signature) = signature(db, definition) else { return Vec::new() };
    let members = signature.aliased.map(|it| hir::type_set_members(&signature.types, it));
    members.into_iter().flatten().map(|(name, _)| name).collect()
}

/// Resolves `name` in the modules of an environment, ignoring its main manifest.
pub fn resolve_in_modules(
    db: &dyn Db,
    environment: Environment,
    kind: NameKind,
    name: &str,
) -> Option<DefinitionId> {
    resolve_in_modules_of(db, environment, kind, &fold_name(name))
}

fn resolve_in_modules_of(
    db: &dyn Db,
    environment: Environment,
    kind: NameKind,
    name: &Name,
) -> Option<DefinitionId> {
    let modules = environment.modules(db);
    let module = name.split("::").next().unwrap_or_default();
    // The functions and types of the environment itself have plain names, or begin with `environment::`.
    let of_environment = (module == name && matches!(kind, NameKind::Function | NameKind::TypeAlias))
        .then(|| modules.get(ENVIRONMENT_MODULE))
        .flatten();
    let in_environment = of_environment.and_then(|it| resolve_in_module(db, *it, kind, name));
    in_environment.or_else(|| resolve_in_module(db, *modules.get(module)?, kind, name))
}

#[salsa::tracked(returns(copy))]
fn resolve_folded(db: &dyn Db, environment: Environment, kind: NameKind, name: Name) -> Option<DefinitionId> {
    main_definition(db, environment, kind, &name)
        .or_else(|| resolve_in_modules_of(db, environment, kind, &name))
}

/// Resolves a name in the main manifest.
pub(crate) fn main_definition(
    db: &dyn Db,
    environment: Environment,
    kind: NameKind,
    name: &Name,
) -> Option<DefinitionId> {
    main_definitions(db, environment).get(&(kind.definition_kind(), name.clone())).copied()
}

/// Resolves a name in the module that it begins with.
pub(crate) fn resolve_in_module(
    db: &dyn Db,
    module: ModuleTree,
    kind: NameKind,
    name: &Name,
) -> Option<DefinitionId> {
    let files = module.files(db);
    let candidates = if module.name(db) == ENVIRONMENT_MODULE {
        candidate_paths_in_environment(kind, name)
    } else {
        candidate_paths(kind, name)
    };
    candidates.iter().find_map(|path| find_in_file(db, *files.get(path.as_str())?, kind, name))
}

pub(crate) fn find_in_file(db: &dyn Db, file: File, kind: NameKind, name: &Name) -> Option<DefinitionId> {
    let kind = kind.definition_kind();
    let key = defined_names(db, file).first_of(kind, name)?;
    Some(DefinitionId::new(db, file, key.clone()))
}

/// Returns the definitions of an environment's main manifest; the first of duplicates wins.
#[salsa::tracked(returns(ref))]
fn main_definitions(
    db: &dyn Db,
    environment: Environment,
) -> FxHashMap<(DefinitionKind, Name), DefinitionId> {
    let mut found = FxHashMap::default();
    for file in environment.main_manifests(db).iter().copied() {
        for key in defined_names(db, file).iter() {
            let name = (key.kind, key.name.clone());
            found.entry(name).or_insert_with(|| DefinitionId::new(db, file, key.clone()));
        }
    }
    found
}

/// Returns the files of a module that may define `name` (folded, qualified by the module), the most specific
/// one first.
pub fn candidate_paths(kind: NameKind, name: &str) -> Vec<String> {
    let inner = name.split_once("::").map(|(_, inner)| inner.replace("::", "/"));
    match (kind, inner) {
        (NameKind::Class | NameKind::DefinedType, inner) => manifests_with(inner.as_deref()),
        // Functions and types next to a class exist as soon as its file is loaded.
        (NameKind::Function, Some(inner)) => {
            std::iter::once(format!("functions/{inner}.pp")).chain(manifests_with(Some(&inner))).collect()
        }
        (NameKind::TypeAlias, Some(inner)) => {
            std::iter::once(format!("types/{inner}.pp")).chain(manifests_with(Some(&inner))).collect()
        }
        (NameKind::Plan, Some(inner)) => vec![format!("plans/{inner}.pp")],
        (NameKind::Plan, None) => vec!["plans/init.pp".to_owned()],
        (NameKind::TypeAlias, None) => vec!["types/init_typeset.pp".to_owned()],
        (NameKind::Function, None) => Vec::new(),
    }
}

/// Returns the manifests that may define a name, given its part after the module: `a::b::c` may be in
/// `a/manifests/b/c.pp`, or among others in `b.pp` and `init.pp`.
fn manifests_with(inner: Option<&str>) -> Vec<String> {
    let mut paths = Vec::new();
    let mut rest = inner;
    while let Some(path) = rest {
        paths.push(format!("manifests/{path}.pp"));
        rest = path.rsplit_once('/').map(|(outer, _)| outer);
    }
    paths.push("manifests/init.pp".to_owned());
    paths.dedup();
    paths
}

/// Returns the candidate files in the folders of an environment itself, where the whole name is the path.
fn candidate_paths_in_environment(kind: NameKind, name: &str) -> Vec<String> {
    let path = name.replace("::", "/");
    match kind {
        NameKind::Function => vec![format!("functions/{path}.pp")],
        NameKind::TypeAlias => vec![format!("types/{path}.pp")],
        kind => candidate_paths(kind, name),
    }
}

/// Returns the manifests and EPP templates of a module with their relative paths.
pub(crate) fn source_files(db: &dyn Db, module: ModuleTree) -> impl Iterator<Item = (&Name, File)> {
    let is_source = |path: &Name| path.ends_with(".pp") || path.ends_with(".epp");
    module.files(db).iter().filter(move |(path, _)| is_source(path)).map(|(path, file)| (path, *file))
}

/// Returns all definitions in a module's files, by path and in source order.
#[salsa::tracked(returns(ref))]
pub fn module_definitions(db: &dyn Db, module: ModuleTree) -> Box<[(File, DefinitionKey)]> {
    let _span = tracing::info_span!("module_definitions").entered();
    let mut found = Vec::new();
    for (_, file) in source_files(db, module) {
        found.extend(defined_names(db, file).iter().map(|key| (file, key.clone())));
    }
    found.into()
}

/// All definitions of an environment by kind and name; those of the main manifest come first.
pub type EnvironmentIndex = FxHashMap<(DefinitionKind, Name), Vec<(File, DefinitionKey)>>;

/// Returns the index for queries over all names (completion, symbols, duplicates). [`resolve`] does not need
/// it for a single name.
#[salsa::tracked(returns(clone))]
pub fn environment_index(db: &dyn Db, environment: Environment) -> Arc<EnvironmentIndex> {
    let mut index = EnvironmentIndex::default();
    let mut add = |file: File, key: &DefinitionKey| {
        index.entry((key.kind, key.name.clone())).or_default().push((file, key.clone()));
    };
    for file in environment.main_manifests(db).iter().copied() {
        defined_names(db, file).iter().for_each(|key| add(file, key));
    }
    for module in environment.modules(db).values().copied() {
        module_definitions(db, module).iter().for_each(|(file, key)| add(*file, key));
    }
    Arc::new(index)
}

/// Returns the definitions of that name in the manifests of modules, wherever they are, by path. Files that
/// `accepts` refuses are not read.
///
/// Puppet accepts every name in `init.pp` that begins with the name of the module: `a_helper` in module `a`.
pub fn definitions_in_manifests(
    db: &dyn Db,
    environment: Environment,
    kind: DefinitionKind,
    name: &str,
    accepts: impl Fn(File) -> bool,
) -> Vec<DefinitionId> {
    let name = hir::fold_name(name);
    let first = name.split("::").next().unwrap_or_default();
    let prefixes = (1..=first.len()).rev().filter_map(|end| first.get(..end));
    let modules = environment.modules(db);
    let in_file = |file: File| {
        let mut definitions = crate::item_summary(db, file).definitions.iter();
        let found = definitions.find(|it| it.key.kind == kind && hir::fold_name(&it.key.name) == name)?;
        Some(DefinitionId::new(db, file, found.key.clone()))
    };
    let mut found = Vec::new();
    for prefix in prefixes {
        let Some(module) = modules.get(prefix) else { continue };
        let is_manifest = |path: &str| {
            if prefix == first && name.contains("::") {
                path.starts_with("manifests/") && path.ends_with(".pp")
            } else {
                path == "manifests/init.pp"
            }
        };
        let files = module.files(db).iter().filter(|(path, _)| is_manifest(path)).map(|(_, file)| *file);
        found.extend(files.filter(|it| accepts(*it)).filter_map(in_file));
    }
    found
}
