#![doc = include_str!("page.md")]

use hir::{Access, DefinitionKind, NameUseKind};
use project::{FileRole, FunctionTarget, ModuleTree, NameKind, ResourceTypeTarget};

use super::reach::{Reach, reach};
use crate::context::RuleContext;

pub(super) fn check(context: &mut RuleContext<'_>) {
    let db = context.db;
    let FileRole::Module { module, relative } = context.file.role(db) else { return };
    let (own, relative) = (*module, relative.clone());
    // Examples and tests have other dependencies.
    if !["manifests/", "functions/", "types/", "templates/", "plans/"]
        .iter()
        .any(|it| relative.starts_with(it))
    {
        return;
    }
    let Some(dependencies) = project::module_dependencies(db, own) else { return };
    if !project::has_known_name(db, own) || own.files(db).get("metadata.json").is_none() {
        return;
    }
    for at in 0..context.uses.len() {
        let it = &context.uses[at];
        if it.access == Access::Documentation {
            continue;
        }
        let Some(target) = module_of(context, &it.kind, &it.name, it.access) else { continue };
        let name = target.name(db);
        if target == own || name == own.name(db) || dependencies.contains(name) || name == "environment" {
            continue;
        }
        let (name, range) = (name.clone(), it.range);
        // Code that tests for the definition works without it.
        if reach(context, range) == Reach::Asked {
            continue;
        }
        context.note_undeclared_module(name, range);
    }
}

/// Returns the module that defines a used name.
fn module_of(
    context: &RuleContext<'_>,
    kind: &NameUseKind,
    name: &str,
    access: Access,
) -> Option<ModuleTree> {
    let (db, file) = (context.db, context.file);
    let target = match kind {
        NameUseKind::Class if access != Access::Declaration || name.contains("::") => {
            project::resolve_in_file(db, file, NameKind::Class, name)?.file(db)
        }
        NameUseKind::ResourceType => match project::resolve_resource_type(db, file, name)? {
            ResourceTypeTarget::BuiltIn(_) => return None,
            // These are also part of Puppet's own packages.
            ResourceTypeTarget::Ruby { .. } if plugins::built_in::resource_type(name).is_some() => {
                return None;
            }
            ResourceTypeTarget::Ruby { file, .. } => file,
            ResourceTypeTarget::Defined(definition) => definition.file(db),
        },
        NameUseKind::Function => {
            if functions::built_in(name).is_some() {
                return None;
            }
            match project::resolve_function(db, file, name)? {
                FunctionTarget::Puppet(definition) => definition.file(db),
                FunctionTarget::Ruby { file, .. } => file,
            }
        }
        NameUseKind::Type if name.contains("::") => {
            let alias = project::resolve_in_file(db, file, NameKind::TypeAlias, name)?;
            debug_assert_eq!(alias.key(db).kind, DefinitionKind::TypeAlias);
            alias.file(db)
        }
        _ => return None,
    };
    match target.role(db) {
        FileRole::Module { module, .. } => Some(*module),
        FileRole::Loose | FileRole::MainManifest => None,
    }
}
