//! Name resolution across Puppet code, Ruby code and Puppet itself.

use std::sync::Arc;

use hir::{Name, fold_name};
use plugins::{DataType, RubyFunction, RubyResourceType, built_in};

use super::inputs::ENVIRONMENT_MODULE;
use crate::names::{find_in_file, main_definition, resolve_in_module};
use crate::plugin_files::{FunctionPaths, function_at, resource_type_in, resource_type_of};
use crate::{
    Contents, Db, DefinitionId, Environment, File, FileRole, ModuleTree, NameKind, plugin_files,
    resolve_in_file, ruby_file,
};

/// Target of a function name.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FunctionTarget {
    /// Written in Puppet.
    Puppet(DefinitionId),
    /// Written in Ruby: the function with this index in [`ruby_file`].
    Ruby { file: File, index: usize },
}

/// Target of a resource type name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ResourceTypeTarget {
    /// Built into Puppet.
    BuiltIn(&'static Arc<RubyResourceType>),
    /// Added by a module.
    Ruby {
        file: File,
        resource_type: Arc<RubyResourceType>,
    },
    Defined(DefinitionId),
}

/// File or folder that a module serves.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ModuleEntry {
    File(File),
    Folder,
}

impl ResourceTypeTarget {
    /// Returns the native resource type; `None` for a defined type.
    pub fn resource_type(&self) -> Option<&Arc<RubyResourceType>> {
        match self {
            ResourceTypeTarget::BuiltIn(resource_type) => Some(resource_type),
            ResourceTypeTarget::Ruby { resource_type, .. } => Some(resource_type),
            ResourceTypeTarget::Defined(_) => None,
        }
    }
}

/// Returns the Ruby function that [`resolve_function`] found; `None` if it was removed from its file since.
pub fn ruby_function(db: &dyn Db, file: File, index: usize) -> Option<&RubyFunction> {
    ruby_file(db, file).functions.get(index)
}

/// Resolves a function `name` (in any case, a leading `::` is allowed) in a file. Puppet's own functions take
/// precedence over all of these, but are not handled here.
///
/// A name is searched in the file, in the main manifest and the environment's own folders, in the file's
/// module, and then in the module of its first segment, or in all modules if it has only one segment. In each
/// of them, a 4.x function takes precedence over one in the Puppet language, and that over a 3.x one.
pub fn resolve_function(db: &dyn Db, file: File, name: &str) -> Option<FunctionTarget> {
    let name = name.strip_prefix("::").unwrap_or(name);
    let folded = fold_name(name);
    if let Some(found) = find_in_file(db, file, NameKind::Function, &folded) {
        return Some(FunctionTarget::Puppet(found));
    }
    let own_module = match file.role(db) {
        FileRole::Module { module, .. } if !name.contains(':') => Some(*module),
        _ => None,
    };
    file.environments(db).iter().find_map(|environment| {
        let first = || main_definition(db, *environment, NameKind::Function, &folded);
        first()
            .map(FunctionTarget::Puppet)
            .or_else(|| function_in_module(db, own_module?, &folded, &FunctionPaths::new(&folded)))
            .or_else(|| function_in_environment(db, *environment, folded.clone()))
            .or_else(|| old_function_by_exact_name(db, *environment, name, &folded))
    })
}

/// Resolves a function `name` (in any case, a leading `::` is allowed) in the modules of an environment and
/// in its own folders, independently of the calling file. Ignores the main manifest.
pub fn resolve_function_in_modules(
    db: &dyn Db,
    environment: Environment,
    name: &str,
) -> Option<FunctionTarget> {
    let name = name.strip_prefix("::").unwrap_or(name);
    let folded = fold_name(name);
    function_in_environment(db, environment, folded.clone())
        .or_else(|| old_function_by_exact_name(db, environment, name, &folded))
}

#[salsa::tracked(returns(copy))]
fn function_in_environment(db: &dyn Db, environment: Environment, name: Name) -> Option<FunctionTarget> {
    let modules = environment.modules(db);
    let paths = FunctionPaths::new(&name);
    match name.split_once("::") {
        Some((module, _)) => function_in_module(db, *modules.get(module)?, &name, &paths),
        None => {
            let of_environment = modules.get(ENVIRONMENT_MODULE);
            of_environment
                .into_iter()
                .chain(modules.values())
                .find_map(|module| function_in_module(db, *module, &name, &paths))
                .or_else(|| old_function(db, environment.shadowed(db).iter(), &paths, &name))
        }
    }
}

fn function_in_module(
    db: &dyn Db,
    module: ModuleTree,
    name: &Name,
    paths: &FunctionPaths,
) -> Option<FunctionTarget> {
    let ruby = |path: &str| {
        let (file, index) = function_at(db, module, path, name)?;
        Some(FunctionTarget::Ruby { file, index })
    };
    ruby(&paths.current)
        .or_else(|| resolve_in_module(db, module, NameKind::Function, name).map(FunctionTarget::Puppet))
        .or_else(|| ruby(&paths.old))
}

/// Resolves a 3.x function by its exact name: those are also found with uppercase letters.
fn old_function_by_exact_name(
    db: &dyn Db,
    environment: Environment,
    name: &str,
    folded: &Name,
) -> Option<FunctionTarget> {
    if *folded == name {
        return None;
    }
    let modules = environment.modules(db).values().chain(environment.shadowed(db).iter());
    old_function(db, modules, &FunctionPaths::new(name), name)
}

fn old_function<'db>(
    db: &'db dyn Db,
    mut modules: impl Iterator<Item = &'db ModuleTree>,
    paths: &FunctionPaths,
    name: &str,
) -> Option<FunctionTarget> {
    let (file, index) = modules.find_map(|module| function_at(db, *module, &paths.old, name))?;
    Some(FunctionTarget::Ruby { file, index })
}

/// Resolves a resource type `name` (in any case, a leading `::` is allowed) in a file: to one of Puppet's
/// own, else to one that a module adds, else to a defined type.
pub fn resolve_resource_type(db: &dyn Db, file: File, name: &str) -> Option<ResourceTypeTarget> {
    let name = fold_name(name);
    resolve_native_type(db, file.environments(db), &name)
        .or_else(|| resolve_in_file(db, file, NameKind::DefinedType, &name).map(ResourceTypeTarget::Defined))
}

/// Resolves a resource type `name` (in any case, a leading `::` is allowed) in some environments, ignoring
/// defined types.
pub fn resolve_native_type(
    db: &dyn Db,
    environments: &[Environment],
    name: &str,
) -> Option<ResourceTypeTarget> {
    let name = fold_name(name);
    if name.contains(':') {
        return None;
    }
    if built_in::is_core_resource_type(&name)
        && let Some(found) = built_in::resource_type(&name)
    {
        return Some(ResourceTypeTarget::BuiltIn(found));
    }
    let in_ruby = environments.iter().find_map(|it| ruby_resource_type(db, *it, name.clone()));
    if let Some(file) = in_ruby
        && let Some(resource_type) = resource_type_in(db, file, &name)
    {
        return Some(ResourceTypeTarget::Ruby { file, resource_type });
    }
    built_in::resource_type(&name).map(ResourceTypeTarget::BuiltIn)
}

/// Returns true if [`resolve_native_type`] would find a type. Reads no files.
pub fn native_type_exists(db: &dyn Db, environments: &[Environment], name: &str) -> bool {
    let name = fold_name(name);
    !name.contains(':')
        && (built_in::resource_type(&name).is_some()
            || environments.iter().any(|it| ruby_resource_type(db, *it, name.clone()).is_some()))
}

#[salsa::tracked(returns(copy))]
fn ruby_resource_type(db: &dyn Db, environment: Environment, name: Name) -> Option<File> {
    resource_type_of(db, environment, &name)
}

/// Resolves the name of a Ruby data type in a file; returns its file and definition. It takes precedence over
/// a type alias of the same name.
pub fn ruby_data_type<'db>(db: &'db dyn Db, file: File, name: &str) -> Option<(File, &'db DataType)> {
    let name = fold_name(name);
    let environments = file.environments(db).iter();
    let (file, index) = environments.copied().find_map(|it| data_type_in(db, it, name.clone()))?;
    Some((file, ruby_file(db, file).data_types.get(index)?))
}

#[salsa::tracked(returns(copy))]
fn data_type_in(db: &dyn Db, environment: Environment, name: Name) -> Option<(File, usize)> {
    let modules = environment.modules(db);
    match name.split_once("::") {
        Some((module, _)) => plugin_files::data_type(db, *modules.get(module)?, &name),
        None => modules.values().find_map(|module| plugin_files::data_type(db, *module, &name)),
    }
}

/// Returns the module that a file's code knows by a name (in lower case).
pub fn module_named(db: &dyn Db, file: File, name: &str) -> Option<ModuleTree> {
    file.environments(db).iter().find_map(|it| it.modules(db).get(name).copied())
}

/// Returns the template that `module/path` names, as in `epp('module/path')` and `template('module/path')`.
pub fn template_file(db: &dyn Db, file: File, name: &str) -> Option<File> {
    let (module, path) = name.split_once('/')?;
    let module = module_named(db, file, module)?;
    module.files(db).get(format!("templates/{path}").as_str()).copied()
}

/// Returns the outermost unreadable folder around a path in a module; its contents are unknown.
pub fn closed_folder(db: &dyn Db, module: ModuleTree, relative: &str) -> Option<File> {
    let files = module.files(db);
    let folders = relative.match_indices('/').map(|(end, _)| &relative[..end]);
    let mut closed = folders.filter_map(|folder| files.get(folder).copied());
    closed.find(|it| matches!(it.contents(db), Contents::Unreadable(_)))
}

/// Returns the file or folder that `module/path` names, as in `puppet:///modules/module/path` and
/// `file('module/path')`.
pub fn served_file(db: &dyn Db, file: File, name: &str) -> Option<ModuleEntry> {
    let name = name.trim_end_matches('/');
    let (module, path) = name.split_once('/').unwrap_or((name, ""));
    let files = module_named(db, file, module)?.files(db);
    let path = Name::from(format!("files/{path}"));
    if let Some(found) = files.get(&path) {
        return Some(ModuleEntry::File(*found));
    }
    let folder = Name::from(format!("{}/", path.trim_end_matches('/')));
    let first = files.range(folder.clone()..).next();
    first.filter(|(path, _)| path.starts_with(folder.as_str())).map(|_| ModuleEntry::Folder)
}
