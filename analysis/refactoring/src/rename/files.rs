//! What changes in the code when files are moved.

use hir::fold_name;
use project::vfs::FilePath;
use project::{Db, File, FileKind, FilePlace, ModuleTree, NameKind};
use symbols::symbol::Symbol;
use symbols::{references, search};

use super::{Edits, definitions, names};
use crate::SourceChange;

/// The edits that keep names and paths right when files are moved: a manifest's definition takes the name that its new
/// path demands, and templates and served files are named by their new paths. What cannot be done safely is left out.
pub fn will_rename_files(db: &dyn Db, moved: &[(File, FilePath)]) -> SourceChange {
    let mut edits = Edits::default();
    for (file, to) in moved {
        let Some((module, relative)) = module_of(db, *file, to) else { continue };
        match project::file_kind(db, *file) {
            FileKind::Manifest => manifest(db, *file, module, &relative, &mut edits),
            FileKind::EppTemplate | FileKind::ErbTemplate | FileKind::Asset => {
                named_file(db, *file, module, &relative, &mut edits);
            }
            _ => {}
        }
    }
    edits.finish(Vec::new())
}

/// The innermost module that a path is in (an environment is one, too), and the path below its folder.
fn module_of(db: &dyn Db, file: File, path: &FilePath) -> Option<(ModuleTree, String)> {
    let modules = file.environments(db).iter().flat_map(|it| it.modules(db).values());
    let around = modules.filter_map(|module| Some((*module, path.strip_prefix(module.root(db))?)));
    let (module, relative) = around.min_by_key(|(_, relative)| relative.len())?;
    Some((module, relative.to_owned()))
}

fn manifest(db: &dyn Db, file: File, module: ModuleTree, relative: &str, edits: &mut Edits) {
    let FilePlace::Module { relative: old_relative, .. } = file.place(db) else { return };
    let definitions = project::definitions(db, file);
    let own = definitions.into_iter().find_map(|definition| {
        let kind = definitions::check_kind(db, definition).ok()?;
        let paths = project::candidate_paths(kind, &definition.key(db).name);
        (paths.first()? == old_relative.as_str()).then_some((definition, kind))
    });
    let Some((definition, kind)) = own else { return };
    let Some(name) = name_of_path(kind, module.name(db), relative) else { return };
    let is_valid = names::definition(definition.key(db).kind, &name).is_ok();
    let has_others = project::defined_names(db, file).len() > 1;
    let is_taken = project::resolve_in_file(db, file, kind, &name).is_some();
    if !is_valid || has_others || is_taken {
        return;
    }
    let old = project::signature(db, definition).as_ref().map(|it| it.name.to_string()).unwrap_or_default();
    definitions::edit_names(db, file, definition, &with_capitals_of(&old, &name), edits);
}

/// The name that Puppet looks for at a path.
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
    Some(if kind == NameKind::TypeAlias { names::capitalized(&name) } else { name })
}

/// A name whose parts are written as in the old one where they are the same: paths do not tell capitals.
fn with_capitals_of(old: &str, new: &str) -> String {
    let mut old = old.split("::");
    let parts = new.split("::").map(|part| match old.next() {
        Some(same) if same.eq_ignore_ascii_case(part) => same,
        _ => part,
    });
    parts.collect::<Vec<_>>().join("::")
}

/// Edits everything that names a template or served file.
fn named_file(db: &dyn Db, file: File, module: ModuleTree, relative: &str, edits: &mut Edits) {
    let FilePlace::Module { relative: old_relative, .. } = file.place(db) else { return };
    let below = |path: &str| {
        let (folder, rest) = path.split_once('/')?;
        matches!(folder, "templates" | "files").then(|| (folder.to_owned(), rest.to_owned()))
    };
    let (Some((old_folder, _)), Some((folder, path))) = (below(old_relative), below(relative)) else {
        return;
    };
    if folder != old_folder {
        return;
    }
    let symbol = match folder.as_str() {
        "templates" => Symbol::Template(file),
        _ => Symbol::ServedFile(file),
    };
    let name = format!("{}/{path}", module.name(db));
    for place in search::candidate_files(db, file, &symbol) {
        for it in references::uses_in(db, place, &symbol) {
            edits.add(db, place, it.range, name.clone());
        }
    }
}

#[cfg(test)]
#[path = "files_tests.rs"]
mod tests;
