//! Names used in the code of a module, with their frequency. Such names are likely to be used again.

use hir::{Name, NameUseKind};
use project::{Db, File, FileRole, ModuleTree};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::{CompletionRequest, environment};

/// Returns the number of manifests in the file's module that use each class, type or function, by folded
/// name.
pub(crate) fn usage<'r>(request: &CompletionRequest<'r>) -> Option<&'r FxHashMap<Name, u32>> {
    match request.file.role(request.db) {
        FileRole::Module { module, .. } => Some(in_module(request.db, *module)),
        _ => None,
    }
}

/// Returns the names that the manifests of other modules use, by folded name.
pub(crate) fn between_modules(db: &dyn Db, modules: impl IntoIterator<Item = ModuleTree>) -> FxHashSet<Name> {
    let mut used = FxHashSet::default();
    for module in modules {
        let names = in_module(db, module).keys();
        used.extend(names.filter(|it| environment::module_of(it) != &**module.name(db)).cloned());
    }
    used
}

#[salsa::tracked(returns(ref))]
fn in_module(db: &dyn Db, module: ModuleTree) -> FxHashMap<Name, u32> {
    let mut counts = FxHashMap::default();
    let manifests = module.files(db).iter().filter(|(path, _)| path.starts_with("manifests/"));
    for (_, file) in manifests {
        for name in in_file(db, *file) {
            *counts.entry(name.clone()).or_insert(0) += 1;
        }
    }
    counts
}

/// Returns the distinct names in a file. Most edits do not change them.
#[salsa::tracked(returns(ref))]
fn in_file(db: &dyn Db, file: File) -> Box<[Name]> {
    let uses = project::name_uses(db, file);
    let names = uses.iter().filter(|it| {
        matches!(
            it.kind,
            NameUseKind::Class
                | NameUseKind::ResourceType
                | NameUseKind::Type
                | NameUseKind::ClassOrResourceType
                | NameUseKind::Function
        ) && it.access != hir::Access::Declaration
    });
    let mut names: Vec<Name> = names.map(|it| hir::fold_name(&it.name)).collect();
    names.sort_unstable();
    names.dedup();
    names.into()
}
