//! Modules that a completion would use without a dependency in `metadata.json`.

use project::{Db, File, FileRole};
use rustc_hash::FxHashMap;

use crate::item::{CompletionItem, CompletionKind};

/// Marks the items from modules that the `metadata.json` of the file's module does not list.
pub(crate) fn mark_missing(db: &dyn Db, file: File, items: &mut [CompletionItem]) {
    let FileRole::Module { module: own, .. } = file.role(db) else { return };
    let Some(dependencies) = project::module_dependencies(db, *own) else { return };
    if !project::has_known_name(db, *own) {
        return;
    }
    let is_missing = |name: &str| {
        name != own.name(db)
            && name != "environment"
            && !dependencies.iter().any(|it| it == name)
            && project::module_named(db, file, name)
                .and_then(|it| project::metadata_file(db, it))
                .is_some_and(|it| project::module_metadata(db, it).name().is_some())
    };
    let mut known: FxHashMap<String, bool> = FxHashMap::default();
    for item in items {
        let is_defined = match item.kind {
            CompletionKind::Class => true,
            // Those of Puppet itself, and of modules that Puppet's packages contain, need no dependency.
            CompletionKind::Function => functions::built_in(&item.label).is_none(),
            CompletionKind::ResourceType => plugins::built_in::resource_type(&item.label).is_none(),
            _ => false,
        };
        let Some(module) = item.detail.as_ref().filter(|_| is_defined) else { continue };
        if *known.entry(module.clone()).or_insert_with(|| is_missing(module)) {
            item.missing_dependency = Some(module.clone());
        }
    }
}
