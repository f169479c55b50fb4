//! Reasons why a name does not resolve, and their certainty.

use hir::{Access, Name, NameUseKind, fold_name};

use super::inputs::ENVIRONMENT_MODULE;
use crate::names::{candidate_paths, source_files};
use crate::resolve::closed_folder;
use crate::vfs::layout::submodule_paths;
use crate::{
    Db, Environment, File, FileKind, FileRole, MetadataRequirement, ModuleTree, NameKind, defined_names,
    file_kind, installed_name, metadata_file, module_metadata, parse_once, puppetfile_of,
};

/// Reason why a name does not resolve. Meaningless for a name that does resolve.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Absence {
    /// The module of this name does not exist, and with it none of its names.
    ModuleMissing(Name),
    /// Everything that could define the name is known, and nothing does.
    NameMissing,
    /// Code that is not known may define the name.
    Uncertain,
}

/// Returns why `name` does not resolve in a file. `kind` is the namespace of the lookup
/// ([`NameKind::DefinedType`] for all kinds of resource types).
pub fn absence(db: &dyn Db, file: File, kind: NameKind, name: &str) -> Absence {
    let name = fold_name(name);
    let is_global = !name.contains("::")
        && matches!(kind, NameKind::Function | NameKind::DefinedType | NameKind::TypeAlias);
    let all: Vec<Absence> = file
        .environments(db)
        .iter()
        .map(|environment| {
            if is_global {
                absence_of_global_name(db, file, *environment, kind, &name)
            } else {
                absence_in_module(db, *environment, kind, &name)
            }
        })
        .collect();
    let weights = if is_global {
        [Absence::NameMissing, Absence::Uncertain]
    } else {
        [Absence::Uncertain, Absence::NameMissing]
    };
    let heaviest = weights.into_iter().find(|it| all.contains(it));
    heaviest.or_else(|| all.first().cloned()).unwrap_or(Absence::Uncertain)
}

/// Returns why `name` does not resolve in an environment, independently of the calling file. For names that
/// any module may define, the absence is certain only if no module lacks one of its dependencies.
pub fn absence_in_environment(db: &dyn Db, environment: Environment, kind: NameKind, name: &str) -> Absence {
    let name = fold_name(name);
    let is_global = !name.contains("::")
        && matches!(kind, NameKind::Function | NameKind::DefinedType | NameKind::TypeAlias);
    if !is_global {
        return absence_in_module(db, environment, kind, &name);
    }
    let of_its_name = environment.modules(db).get(name.as_str());
    let is_certain = of_its_name.is_none_or(|module| is_certain(db, *module, kind, &name));
    if is_certain && !name.is_empty() && has_all_dependencies(db, environment) {
        Absence::NameMissing
    } else {
        Absence::Uncertain
    }
}

/// Returns true if the dependencies of all modules of the environment are present.
#[salsa::tracked(returns(copy))]
fn has_all_dependencies(db: &dyn Db, environment: Environment) -> bool {
    let modules = environment.modules(db);
    let is_there = |name: &Name| modules.contains_key(name) || is_delivered_with_puppet(name);
    !environment.lacks_modules(db)
        && modules.iter().all(|(name, module)| {
            name == ENVIRONMENT_MODULE
                || module_dependencies(db, *module).as_ref().is_some_and(|names| names.iter().all(is_there))
        })
}

/// Returns the absence of a name that any module may define.
fn absence_of_global_name(
    db: &dyn Db,
    file: File,
    environment: Environment,
    kind: NameKind,
    name: &Name,
) -> Absence {
    let of_its_name = environment.modules(db).get(name.as_str());
    let is_certain = of_its_name.is_none_or(|module| is_certain(db, *module, kind, name));
    if is_certain && !name.is_empty() && knows_all_modules(db, environment, file) {
        Absence::NameMissing
    } else {
        Absence::Uncertain
    }
}

/// Returns the absence of a name that only the module of its first segment may define.
fn absence_in_module(db: &dyn Db, environment: Environment, kind: NameKind, name: &Name) -> Absence {
    let module = name.split("::").next().unwrap_or_default();
    match environment.modules(db).get(module) {
        _ if module.is_empty() => Absence::Uncertain,
        Some(tree) if is_certain(db, *tree, kind, name) => Absence::NameMissing,
        Some(_) => Absence::Uncertain,
        None if module == ENVIRONMENT_MODULE && environment.root(db).is_some() => Absence::NameMissing,
        None if environment.lacks_modules(db) => Absence::Uncertain,
        None => Absence::ModuleMissing(module.into()),
    }
}

/// Returns true if the module is certain not to define the name, given that resolving it found nothing there.
fn is_certain(db: &dyn Db, module: ModuleTree, kind: NameKind, name: &Name) -> bool {
    if !has_known_name(db, module) {
        return false;
    }
    let files = module.files(db);
    let mut candidates = candidate_paths(kind, name);
    let in_ruby = ["functions", "parser/functions", "type", "datatypes"];
    let of_ruby = in_ruby.map(|folder| format!("lib/puppet/{folder}/{}.rb", name.replace("::", "/")));
    if candidates.iter().chain(&of_ruby).any(|path| closed_folder(db, module, path).is_some()) {
        return false;
    }
    if kind == NameKind::TypeAlias {
        // A type set defines names below its own.
        let mut inner = name.as_str();
        while let Some((outer, _)) = inner.rsplit_once("::") {
            candidates.extend(candidate_paths(kind, outer));
            inner = outer;
        }
        candidates.push("types/init_typeset.pp".to_owned());
    }
    candidates.iter().filter_map(|path| Some((path, files.get(path.as_str())?))).all(|(path, file)| {
        let is_set = path.starts_with("types/") && defines_something(db, *file);
        is_sound(db, *file) && !is_set
    })
}

fn defines_something(db: &dyn Db, file: File) -> bool {
    !defined_names(db, file).is_empty()
}

/// Returns true if all definitions of a manifest are known.
#[salsa::tracked(returns(copy))]
fn is_sound(db: &dyn Db, file: File) -> bool {
    let is_read = file.contents(db).has_text() && !file.is_large(db);
    is_read && file_kind(db, file) == FileKind::Manifest && parse_once(db, file).errors().is_empty()
}

/// Returns true if Puppet is certain to know the module by the name it has here: because of its location, or
/// because its own definitions use that name.
#[salsa::tracked(returns(copy))]
pub fn has_known_name(db: &dyn Db, module: ModuleTree) -> bool {
    if module.name_is_certain(db) || module.name(db) == ENVIRONMENT_MODULE {
        return true;
    }
    let name = module.name(db);
    let is_own = |definition: &str| {
        definition.strip_prefix(name.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
    };
    source_files(db, module)
        .filter(|(path, _)| path.starts_with("manifests/"))
        .find_map(|(_, file)| Some(is_own(&defined_names(db, file).first()?.name)))
        .unwrap_or(false)
}

/// Returns true if all modules are present that code in this file may call without naming them.
fn knows_all_modules(db: &dyn Db, environment: Environment, file: File) -> bool {
    if environment.lacks_modules(db) {
        return false;
    }
    let own_module = match file.role(db) {
        FileRole::Module { module, .. } => Some(*module),
        FileRole::Loose | FileRole::MainManifest => None,
    };
    let modules = environment.modules(db);
    let is_there = |name: &Name| modules.contains_key(name) || is_delivered_with_puppet(name);
    if !expected_modules(db, environment).iter().all(is_there) {
        return false;
    }
    let of_module = own_module.and_then(|module| Some((module, module_dependencies(db, module).as_ref()?)));
    match of_module {
        Some((module, names)) => names.iter().all(is_there) && !uses_missing_modules(db, environment, module),
        // Nothing declares which other modules should exist.
        None => modules.keys().nth(1).is_some(),
    }
}

/// Returns true if the code of a module names modules that are missing. Its metadata is then incomplete, and
/// every module's code sees the functions and types of all modules.
#[salsa::tracked(returns(copy))]
fn uses_missing_modules(db: &dyn Db, environment: Environment, module: ModuleTree) -> bool {
    let modules = environment.modules(db);
    let is_there = |name: &Name| modules.contains_key(name) || is_delivered_with_puppet(name);
    source_files(db, module)
        .filter(|(path, _)| path.starts_with("manifests/"))
        .any(|(_, file)| !named_modules(db, file).iter().all(is_there))
}

/// Sets the LRU capacity, in files, of the queries of this module.
pub(crate) fn set_lru_capacities(db: &mut dyn Db, files: usize) {
    named_modules::set_lru_capacity(db, files);
}

/// Returns the sorted names of the modules whose classes, types and functions a file refers to.
#[salsa::tracked(returns(ref), lru = 0)]
fn named_modules(db: &dyn Db, file: File) -> Box<[Name]> {
    let uses = crate::name_uses(db, file);
    let mut names: Vec<Name> = uses
        .iter()
        .filter(|it| matches!(it.access, Access::Read | Access::Call))
        .filter(|it| match it.kind {
            NameUseKind::Class => true,
            NameUseKind::ResourceType | NameUseKind::Function | NameUseKind::Type => it.name.contains("::"),
            _ => false,
        })
        .filter_map(|it| Some(Name::new(it.name.split("::").next()?)))
        .filter(|it| !it.is_empty() && it != ENVIRONMENT_MODULE)
        .collect();
    names.sort_unstable();
    names.dedup();
    names.into()
}

/// Returns true for modules that the Puppet packages ship.
fn is_delivered_with_puppet(module: &str) -> bool {
    module.ends_with("_core")
}

/// Returns the names of the modules that a module depends on; `None` without readable metadata.
#[salsa::tracked(returns(ref))]
pub fn module_dependencies(db: &dyn Db, module: ModuleTree) -> Option<Box<[Name]>> {
    let metadata = module_metadata(db, metadata_file(db, module)?);
    metadata.data.hash().ok()?;
    Some(metadata.dependencies().iter().map(MetadataRequirement::module).collect())
}

/// Returns the modules that a `Puppetfile` installs in an environment, and its Git submodules.
#[salsa::tracked(returns(ref))]
pub fn expected_modules(db: &dyn Db, environment: Environment) -> Box<[Name]> {
    let installed = puppetfile(db, environment).into_iter().flat_map(|file| puppetfile_modules(db, file));
    installed.chain(submodules(db, environment)).cloned().collect()
}

/// Returns the modules that `.gitmodules` lists; each is present once the submodules have been fetched.
#[salsa::tracked(returns(ref))]
pub fn submodules(db: &dyn Db, environment: Environment) -> Box<[Name]> {
    let own = crate::hiera::environment_tree(db, environment);
    let file = own.and_then(|tree| tree.files(db).get(".gitmodules").copied());
    let Some(text) = file.and_then(|file| file.contents(db).text()) else { return Box::default() };
    submodule_paths(&text).filter_map(|path| path.rsplit('/').next()).map(Name::new).collect()
}

/// Returns the `Puppetfile` of an environment.
pub fn puppetfile(db: &dyn Db, environment: Environment) -> Option<File> {
    let own = crate::hiera::environment_tree(db, environment)?;
    own.files(db).get("Puppetfile").copied()
}

/// Returns the names of the modules that the tests of a module need, as listed in its `.fixtures.yml`.
#[salsa::tracked(returns(ref))]
pub fn fixture_modules(db: &dyn Db, module: ModuleTree) -> Box<[Name]> {
    let files = module.files(db);
    let file = [".fixtures.yml", ".fixtures.yaml"].into_iter().find_map(|name| files.get(name));
    let Some(text) = file.and_then(|file| file.contents(db).text()) else { return Box::default() };
    let data = hiera::data::read(hiera::DataFormat::Yaml, &text);
    let Some(fixtures) = data.entry("fixtures") else { return Box::default() };
    let lists = ["repositories", "forge_modules", "symlinks"].into_iter();
    let entries = lists.filter_map(|list| fixtures.value.entry(list)).flat_map(|it| it.value.entries());
    entries.filter_map(|entry| Some(entry.key.value.as_str()?.into())).collect()
}

/// Returns the names of the modules in a `Puppetfile` (`mod 'author-name'`).
#[salsa::tracked(returns(ref))]
pub fn puppetfile_modules(db: &dyn Db, file: File) -> Box<[Name]> {
    puppetfile_of(db, file).modules.iter().map(installed_name).collect()
}
