//! Names defined in the environments of a file.

use std::sync::Arc;

use hir::{DefinitionKey, DefinitionKind, Name};
use project::{Db, Environment, File};

/// Definition with its name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct NamedDefinition {
    /// Name as written.
    pub(crate) name: Name,
    pub(crate) file: File,
    pub(crate) key: DefinitionKey,
}

/// Returns the definitions of one kind that a file can refer to: its own, followed by those of its
/// environments.
pub(crate) fn definitions(db: &dyn Db, file: File, kind: DefinitionKind) -> Vec<NamedDefinition> {
    let own = project::item_summary(db, file).definitions.iter().filter(|it| it.key.kind == kind);
    let mut found: Vec<NamedDefinition> =
        own.map(|it| NamedDefinition { name: it.name.clone(), file, key: it.key.clone() }).collect();
    for environment in file.environments(db).iter().copied() {
        let all = of_environment(db, environment);
        found.extend(all.iter().filter(|it| it.key.kind == kind && it.file != file).cloned());
    }
    found
}

/// Returns the named definitions of an environment, by kind and name.
#[salsa::tracked(returns(clone))]
fn of_environment(db: &dyn Db, environment: Environment) -> Arc<[NamedDefinition]> {
    let index = project::environment_index(db, environment);
    let mut found = Vec::with_capacity(index.len());
    for ((kind, name), positions) in index.iter() {
        let Some((file, key)) = positions.first() else { continue };
        // Only type names have uppercase letters.
        let name = match kind {
            DefinitionKind::TypeAlias => written_name(db, *file, key).unwrap_or_else(|| name.clone()),
            _ => name.clone(),
        };
        if *kind == DefinitionKind::TypeAlias {
            let set = project::DefinitionId::new(db, *file, key.clone());
            for member in project::type_set_members(db, set) {
                let name = format!("{name}::{member}").into();
                found.push(NamedDefinition { name, file: *file, key: key.clone() });
            }
        }
        found.push(NamedDefinition { name, file: *file, key: key.clone() });
    }
    found.sort_by(|a, b| (a.key.kind, &a.name).cmp(&(b.key.kind, &b.name)));
    found.into()
}

fn written_name(db: &dyn Db, file: File, key: &DefinitionKey) -> Option<Name> {
    let definition = project::DefinitionId::new(db, file, key.clone());
    Some(project::signature(db, definition).as_ref()?.name.clone())
}

/// Returns the name of the module that contains the file.
pub(crate) fn own_module(db: &dyn Db, file: File) -> Option<Name> {
    match file.role(db) {
        project::FileRole::Module { module, .. } => Some(module.name(db).clone()),
        _ => None,
    }
}

/// Returns the module in a qualified name.
pub(crate) fn module_of(name: &str) -> &str {
    name.split("::").next().unwrap_or(name)
}
