//! Code changes for moved files.

use hir::{DefinitionKind, Name, NameUseKind, fold_name};
use project::vfs::FilePath;
use project::{Db, File, FileKind, FileRole, ModuleTree, NameKind};
use symbols::symbol::{self, Symbol};
use symbols::{FileId, references, search};
use syntax::TextRange;

use super::edits::Edits;
use super::{data_folders, definitions, names, specs};
use crate::SourceChange;

/// Returns the edits that keep names and paths consistent when files are moved: the definition in a manifest
/// takes the name that its new path requires, references to templates and served files use their new paths,
/// and all definitions of a moved module get the module's new name. `moves` are the paths that the user
/// moves, `moved` the files in them. Nothing is changed if one of the names cannot be.
pub fn will_rename_files(
    db: &dyn Db,
    moves: &[(FilePath, FilePath)],
    moved: &[(File, FilePath)],
) -> SourceChange {
    let mut edits = Edits::default();
    let mut tests = Vec::new();
    for (file, to) in moved {
        let location = match module_of(db, *file, to) {
            Some((module, relative)) => {
                NewLocation { module: module.name(db).clone(), relative, is_new: false }
            }
            None => match new_module(db, *file, to) {
                Some(location) => location,
                None => continue,
            },
        };
        match project::file_kind(db, *file) {
            FileKind::Manifest if location.is_new => {
                definitions_of_module(db, *file, &location.module, &mut edits)
            }
            FileKind::Manifest => match manifest(db, *file, &location, &mut edits) {
                Ok(moved_tests) => tests.extend(moved_tests),
                Err(Unsafe) => return SourceChange::default(),
            },
            FileKind::RubyPlugin if defines_moved_names(db, *file, &location) => {
                return SourceChange::default();
            }
            FileKind::EppTemplate | FileKind::ErbTemplate | FileKind::Asset => {
                named_file(db, *file, &location, &mut edits);
            }
            FileKind::TaskMetadata => task(db, *file, &location, &mut edits),
            FileKind::ModuleMetadata if location.is_new => {
                name_in_metadata(db, *file, &location.module, &mut edits)
            }
            _ => {}
        }
    }
    for (from, to) in moves {
        served_folder(db, moved, from, to, &mut edits);
        if !data_folders::edit(db, moved, from, to, &mut edits) {
            return SourceChange::default();
        }
    }
    // If a spec file is moved as well, the path chosen by the user wins.
    tests.retain(|(test, _)| !moved.iter().any(|(file, _)| *file == test.0));
    edits.finish(tests)
}

/// A definition whose name must change, but cannot.
struct Unsafe;

/// Returns true if a Ruby file of a moved module defines functions or types with the name of the module, which
/// are not renamed.
fn defines_moved_names(db: &dyn Db, file: File, location: &NewLocation) -> bool {
    let FileRole::Module { module, relative } = file.role(db) else { return false };
    let is_kept = !location.is_new && module.name(db) == &location.module && *relative == location.relative;
    let is_own =
        |name: &str| name.split_once("::").is_some_and(|(own, _)| own.eq_ignore_ascii_case(module.name(db)));
    let ruby = project::ruby_file(db, file);
    let mut names = ruby.functions.iter().map(|it| &it.name).chain(ruby.data_types.iter().map(|it| &it.name));
    !is_kept && names.any(|it| is_own(it))
}

/// New location of a file.
struct NewLocation {
    module: Name,
    /// Path below the module's root folder.
    relative: String,
    /// True if the whole module is renamed.
    is_new: bool,
}

/// Returns the innermost module that contains a path, and the path below its root folder. An environment is a
/// module too, but files below its module folders are not part of it.
fn module_of(db: &dyn Db, file: File, path: &FilePath) -> Option<(ModuleTree, String)> {
    let modules = file.environments(db).iter().flat_map(|it| it.modules(db).values());
    let around = modules.filter_map(|module| Some((*module, path.strip_prefix(module.root(db))?)));
    let (module, relative) = around.min_by_key(|(_, relative)| relative.len())?;
    let is_own = |environment: &project::Environment| {
        project::environment_tree(db, *environment) == Some(module) && name_of_folder(relative).is_none()
    };
    (!file.environments(db).iter().any(is_own)).then(|| (module, relative.to_owned()))
}

/// Returns the folder below an environment that Puppet or Bolt loads files from; `None` for other folders.
fn name_of_folder(relative: &str) -> Option<&str> {
    let folder = relative.split('/').next()?;
    matches!(folder, "manifests" | "functions" | "types" | "plans" | "templates" | "files").then_some(folder)
}

/// Returns the new module that the moved root folder of a module becomes.
fn new_module(db: &dyn Db, file: File, to: &FilePath) -> Option<NewLocation> {
    let FileRole::Module { module, relative } = file.role(db) else { return None };
    let root = to.as_str().strip_suffix(relative.as_str())?.strip_suffix('/')?;
    let name = root.rsplit('/').next()?;
    let is_name = name.bytes().next().is_some_and(|b| b.is_ascii_lowercase())
        && name.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_');
    let is_free = project::module_named(db, file, name).is_none();
    let is_environment =
        file.environments(db).iter().any(|it| project::environment_tree(db, *it) == Some(*module));
    (is_name && is_free && !is_environment && *module.name(db) != name).then(|| NewLocation {
        module: name.into(),
        relative: relative.to_string(),
        is_new: true,
    })
}

/// Renames all definitions in a file of a renamed module.
fn definitions_of_module(db: &dyn Db, file: File, new_module: &str, edits: &mut Edits) {
    let FileRole::Module { module, .. } = file.role(db) else { return };
    for definition in project::definitions(db, file) {
        if definitions::check_kind(db, definition).is_err() {
            continue;
        }
        let signature = project::signature(db, definition);
        let old = signature.as_ref().map(|it| it.name.to_string()).unwrap_or_default();
        let (own, rest) = old.split_once("::").map_or((old.as_str(), None), |(own, rest)| (own, Some(rest)));
        if !own.eq_ignore_ascii_case(module.name(db)) {
            continue;
        }
        let is_type = definition.key(db).kind == DefinitionKind::TypeAlias;
        let own = if is_type { hir::capitalized(new_module) } else { new_module.to_owned() };
        let name = rest.map_or_else(|| own.clone(), |rest| format!("{own}::{rest}"));
        definitions::edit_names(db, file, definition, &name, edits);
        specs::edit(db, file, definition, &name, edits);
    }
}

/// Renames the definition that a manifest is named after, and returns the moves of its tests.
fn manifest(
    db: &dyn Db,
    file: File,
    location: &NewLocation,
    edits: &mut Edits,
) -> Result<Vec<(FileId, FilePath)>, Unsafe> {
    let FileRole::Module { relative: old_relative, .. } = file.role(db) else { return Ok(Vec::new()) };
    let definitions = project::definitions(db, file);
    let own = definitions.into_iter().find_map(|definition| {
        let kind = definitions::check_kind(db, definition).ok()?;
        let paths = project::candidate_paths(kind, &definition.key(db).name);
        (paths.first()? == old_relative.as_str()).then_some((definition, kind))
    });
    let Some((definition, kind)) = own else { return Ok(Vec::new()) };
    let Some(name) = name_of_path(kind, &location.module, &location.relative) else { return Ok(Vec::new()) };
    let old = project::signature(db, definition).as_ref().map(|it| it.name.to_string()).unwrap_or_default();
    let name = with_capitals_of(&old, &name);
    if name == old {
        return Ok(Vec::new());
    }
    let is_valid = names::definition(definition.key(db).kind, &name).is_ok();
    let has_others = project::defined_names(db, file).len() > 1;
    let is_taken = project::resolve_in_file(db, file, kind, &name).is_some();
    if !is_valid || has_others || is_taken {
        return Err(Unsafe);
    }
    definitions::edit_names(db, file, definition, &name, edits);
    Ok(specs::edit(db, file, definition, &name, edits))
}

/// Returns the name of the definition that the autoloader expects at a path.
fn name_of_path(kind: NameKind, module: &str, relative: &str) -> Option<String> {
    let folder = match kind {
        NameKind::Class | NameKind::DefinedType => "manifests/",
        NameKind::Function => "functions/",
        NameKind::TypeAlias => "types/",
        NameKind::Plan => "plans/",
    };
    let path = relative.strip_prefix(folder)?.strip_suffix(".pp")?;
    let name = match path {
        "init" if matches!(kind, NameKind::Class | NameKind::DefinedType | NameKind::Plan) => {
            module.to_owned()
        }
        _ => fold_name(&format!("{module}::{}", path.replace('/', "::"))).to_string(),
    };
    Some(if kind == NameKind::TypeAlias { hir::capitalized(&name) } else { name })
}

/// Returns the new name with the capitalization of equal segments in the old one, because paths do not
/// preserve it.
fn with_capitals_of(old: &str, new: &str) -> String {
    let mut old = old.split("::");
    let parts = new.split("::").map(|part| match old.next() {
        Some(same) if same.eq_ignore_ascii_case(part) => same,
        _ => part,
    });
    parts.collect::<Vec<_>>().join("::")
}

/// Adds the edits for all references to a template or served file.
fn named_file(db: &dyn Db, file: File, location: &NewLocation, edits: &mut Edits) {
    let FileRole::Module { module, relative: old_relative } = file.role(db) else { return };
    let (Some((old_folder, _)), Some((folder, path))) =
        (below_folder(old_relative), below_folder(&location.relative))
    else {
        return;
    };
    if folder != old_folder {
        return;
    }
    let symbol = match folder {
        "templates" => Symbol::Template(file),
        _ => Symbol::ServedFile(file),
    };
    let name = format!("{}/{path}", location.module);
    let own_module = if location.is_new { &location.module } else { module.name(db) };
    for user in search::candidate_files(db, file, &symbol) {
        for it in references::uses_in(db, user, &symbol) {
            add_path(db, user, it.range, &name, own_module, edits);
        }
    }
}

/// Adds the edits for all references to a task.
fn task(db: &dyn Db, file: File, location: &NewLocation, edits: &mut Edits) {
    let task = location.relative.strip_prefix("tasks/").and_then(|it| it.strip_suffix(".json"));
    let name = match task {
        Some("init") => location.module.to_string(),
        Some(task) if !task.contains('/') => format!("{}::{task}", location.module),
        _ => return,
    };
    let symbol = Symbol::Task(file);
    for user in search::candidate_files(db, file, &symbol) {
        for it in references::uses_in(db, user, &symbol) {
            edits.add(db, user, it.range, name.clone());
        }
    }
}

/// Adds the edit for the name of a module in its metadata. The author stays.
fn name_in_metadata(db: &dyn Db, file: File, new_module: &str, edits: &mut Edits) {
    let FileRole::Module { module, .. } = file.role(db) else { return };
    let Some(name) = project::module_metadata(db, file).name() else { return };
    let old = module.name(db).as_str();
    let is_in_quotes = u32::try_from(name.text.len() + 2) == Ok(name.range.end - name.range.start);
    if name.text.rsplit(['-', '/']).next() == Some(old) && is_in_quotes {
        let end = name.range.end - 1;
        let range = TextRange { start: end - old.len() as u32, end };
        edits.add(db, file, range, new_module.to_owned());
    }
}

/// Adds the edit for a reference to a path. `${module_name}` stays if the path still begins with the name of the
/// module that contains the reference, which is `own_module` after the change.
fn add_path(db: &dyn Db, user: File, range: TextRange, path: &str, own_module: &str, edits: &mut Edits) {
    let text = project::text(db, user).unwrap_or_default();
    let old = text.get(range.as_range()).unwrap_or_default();
    let variable = ["${module_name}", "$module_name"].into_iter().find(|it| old.starts_with(it));
    let rest = path.strip_prefix(own_module).filter(|it| it.starts_with('/'));
    let new = match (variable, rest) {
        (Some(variable), Some(rest)) => format!("{variable}{rest}"),
        _ => path.to_owned(),
    };
    if new != old {
        edits.add(db, user, range, new);
    }
}

/// Splits off `templates` or `files` from the path below it.
fn below_folder(relative: &str) -> Option<(&str, &str)> {
    relative.split_once('/').filter(|(folder, _)| matches!(*folder, "templates" | "files"))
}

/// Adds the edits for references to a served folder (the source of a whole directory) that is moved itself or
/// is in a moved module.
fn served_folder(db: &dyn Db, moved: &[(File, FilePath)], from: &FilePath, to: &FilePath, edits: &mut Edits) {
    let inside = moved.iter().find(|(file, _)| file.path(db) != from && file.path(db).starts_with(from));
    let Some((file, new_path)) = inside else { return };
    let FileRole::Module { module, .. } = file.role(db) else { return };
    let Some((old, new)) = served_names(db, *file, *module, from, to, new_path) else { return };
    let symbol = Symbol::ServedFolder(old.as_str().into());
    let is_renamed = from == module.root(db);
    let own_module =
        if is_renamed { new.split('/').next().unwrap_or_default() } else { module.name(db).as_str() };
    for user in search::candidate_files(db, *file, &symbol) {
        for it in project::name_uses(db, user).iter().filter(|it| it.kind == NameUseKind::ServedFile) {
            let is_folder = matches!(symbol::resolve(db, user, it), Some(Symbol::ServedFolder(_)));
            let Some(rest) = it.name.strip_prefix(old.as_str()).filter(|_| is_folder) else { continue };
            if rest.is_empty() || rest.starts_with('/') {
                let path = format!("{new}{rest}");
                add_path(db, user, it.range, &path, own_module, edits);
            }
        }
    }
}

/// Returns the old and the new `puppet:///modules` path of a moved folder; `None` if it is not served.
fn served_names(
    db: &dyn Db,
    file: File,
    module: ModuleTree,
    from: &FilePath,
    to: &FilePath,
    new_path: &FilePath,
) -> Option<(String, String)> {
    if from == module.root(db) {
        return Some((module.name(db).to_string(), new_module(db, file, new_path)?.module.to_string()));
    }
    let (new_module, _) = module_of(db, file, new_path)?;
    let below = |path: &FilePath, module: ModuleTree| {
        let (folder, rest) = below_folder(path.strip_prefix(module.root(db))?)?;
        (folder == "files").then(|| format!("{}/{rest}", module.name(db)))
    };
    Some((below(from, module)?, below(to, new_module)?))
}

#[cfg(test)]
#[path = "files_tests.rs"]
mod tests;
