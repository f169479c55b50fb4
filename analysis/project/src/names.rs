//! What a name means in an environment: Puppet's autoloader.

pub(crate) mod words;

use std::sync::Arc;

use hir::{DefinitionKey, DefinitionKind, Name, fold_name};
use rustc_hash::FxHashMap;

use crate::resolve::ENVIRONMENT_MODULE;
use crate::{Db, DefinitionId, Environment, File, ModuleTree, defined_names, signature};

/// What kind of thing a name is looked up as; each has names of its own.
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

/// The definition that `name` (in any case, `::` in front allowed) means in an environment.
///
/// The main manifest is always loaded, so its definitions come first; then the files of the module that the name says
/// are asked, the one that fits best first. No other file is touched.
pub fn resolve(db: &dyn Db, environment: Environment, kind: NameKind, name: &str) -> Option<DefinitionId> {
    resolve_folded(db, environment, kind, fold_name(name))
}

/// The definition that `name` means in a file: one of the file's own, or what it means in the file's environments.
pub fn resolve_in_file(db: &dyn Db, file: File, kind: NameKind, name: &str) -> Option<DefinitionId> {
    let name = fold_name(name);
    find_in_file(db, file, kind, &name).or_else(|| {
        file.environments(db)
            .iter()
            .find_map(|environment| resolve_folded(db, *environment, kind, name.clone()))
    })
}

/// So many parts of a name may be names within type sets.
const MAX_TYPE_SETS: usize = 100;

/// The type set, and the name in it, that a qualified name of a type means in a file.
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

/// The names of the types of a type set, as they are written; none for any other definition.
pub fn type_set_members(db: &dyn Db, definition: DefinitionId) -> Vec<Name> {
    let Some(signature) = signature(db, definition) else { return Vec::new() };
    let members = signature.aliased.map(|it| hir::type_set_members(&signature.types, it));
    members.into_iter().flatten().map(|(name, _)| name).collect()
}

/// The definition that `name` means in the modules of an environment, as if it had no main manifest.
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

/// The definition in the main manifest.
pub(crate) fn main_definition(
    db: &dyn Db,
    environment: Environment,
    kind: NameKind,
    name: &Name,
) -> Option<DefinitionId> {
    main_definitions(db, environment).get(&(kind.definition_kind(), name.clone())).copied()
}

/// The definition in the module, whose name `name` begins with.
pub(crate) fn resolve_in_module(
    db: &dyn Db,
    module: ModuleTree,
    kind: NameKind,
    name: &Name,
) -> Option<DefinitionId> {
    let files = module.files(db);
    let candidates = match module.name(db) == ENVIRONMENT_MODULE {
        true => candidate_paths_in_environment(kind, name),
        false => candidate_paths(kind, name),
    };
    candidates.iter().find_map(|path| find_in_file(db, *files.get(path.as_str())?, kind, name))
}

pub(crate) fn find_in_file(db: &dyn Db, file: File, kind: NameKind, name: &Name) -> Option<DefinitionId> {
    let kind = kind.definition_kind();
    let key = defined_names(db, file).first_of(kind, name)?;
    Some(DefinitionId::new(db, file, key.clone()))
}

/// The definitions of an environment's main manifest; of two with one name the first.
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

/// The files of a module that may define `name` (folded, qualified by the module), the most specific one first.
pub fn candidate_paths(kind: NameKind, name: &str) -> Vec<String> {
    let inner = name.split_once("::").map(|(_, inner)| inner.replace("::", "/"));
    match (kind, inner) {
        (NameKind::Class | NameKind::DefinedType, inner) => manifests_with(inner.as_deref()),
        // Functions and types that stand beside a class are there as soon as its file is loaded.
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

/// The manifests that may define a name, by its part behind the module: `a::b::c` may stand in a/manifests/b/c.pp, and
/// beside others in b.pp and init.pp.
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

/// The same for the folders of an environment itself, where the whole name leads to the file.
fn candidate_paths_in_environment(kind: NameKind, name: &str) -> Vec<String> {
    let path = name.replace("::", "/");
    match kind {
        NameKind::Function => vec![format!("functions/{path}.pp")],
        NameKind::TypeAlias => vec![format!("types/{path}.pp")],
        kind => candidate_paths(kind, name),
    }
}

/// The manifests and EPP templates of a module with their paths below its folder.
pub(crate) fn source_files(db: &dyn Db, module: ModuleTree) -> impl Iterator<Item = (&Name, File)> {
    let is_source = |path: &Name| path.ends_with(".pp") || path.ends_with(".epp");
    module.files(db).iter().filter(move |(path, _)| is_source(path)).map(|(path, file)| (path, *file))
}

/// Everything a module's files define, by path and in the order of each file.
#[salsa::tracked(returns(ref))]
pub fn module_definitions(db: &dyn Db, module: ModuleTree) -> Box<[(File, DefinitionKey)]> {
    let _span = tracing::info_span!("module_definitions").entered();
    let mut found = Vec::new();
    for (_, file) in source_files(db, module) {
        found.extend(defined_names(db, file).iter().map(|key| (file, key.clone())));
    }
    found.into()
}

/// All definitions of an environment by kind and name, the main manifest's first among those of one name.
pub type EnvironmentIndex = FxHashMap<(DefinitionKind, Name), Vec<(File, DefinitionKey)>>;

/// For questions about all names at once (completion, symbols, duplicates); a single name is [`resolve`]d without it.
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
