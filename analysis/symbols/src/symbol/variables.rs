//! Resolution of variables outside their own scope.

use hir::{DefinitionKind, Name, NameUse, NameUseKind, ScopeId, VariableBinding};
use plugins::built_in;
use project::{Db, DefinitionId, File, FileRole, NameKind};

use super::Symbol;

/// Variables that Puppet sets in every catalog.
const TOP_SCOPE: &[&str] = &[
    "facts",
    "trusted",
    "server_facts",
    "environment",
    "servername",
    "serverip",
    "serverip6",
    "serverversion",
    "clientcert",
    "clientversion",
    "clientnoop",
    "agent_specified_environment",
];

/// Variables that Puppet sets in every scope of a class or defined type.
const IN_DEFINITIONS: &[&str] = &["title", "name", "module_name", "caller_module_name"];

/// Maximum length of a class's lineage, including itself.
const MAX_ANCESTORS: usize = 32;

/// Returns the variable or parameter with this name in the definition's own scope.
pub fn root_variable(db: &dyn Db, definition: DefinitionId, name: &str) -> Option<Symbol> {
    let body = project::body(db, definition);
    let found = body.slots.iter().find(|slot| slot.scope == ScopeId::ROOT && slot.name == name)?;
    Some(Symbol::Variable { definition, name: found.name.clone() })
}

/// Returns a class and its ancestors, nearest first. Stops at a cycle.
pub fn class_lineage(db: &dyn Db, class: DefinitionId) -> Vec<DefinitionId> {
    let mut lineage = vec![class];
    let mut current = class;
    while lineage.len() < MAX_ANCESTORS {
        let parent = project::signature(db, current).as_ref().and_then(|it| it.inherits.clone());
        let parent =
            parent.and_then(|name| project::resolve_in_file(db, current.file(db), NameKind::Class, &name));
        match parent {
            Some(parent) if !lineage.contains(&parent) => {
                lineage.push(parent);
                current = parent;
            }
            _ => break,
        }
    }
    lineage
}

/// Resolves an unqualified name that no scope of the definition sets.
pub(super) fn free(db: &dyn Db, definition: DefinitionId, name: &Name) -> Option<Symbol> {
    let kind = definition.key(db).kind;
    if kind == DefinitionKind::Class {
        let inherited = class_lineage(db, definition).into_iter().skip(1);
        if let Some(found) = inherited.filter_map(|class| root_variable(db, class, name)).next() {
            return Some(found);
        }
    }
    let is_resource = matches!(kind, DefinitionKind::Class | DefinitionKind::DefinedType);
    if is_resource && IN_DEFINITIONS.contains(&name.as_str()) {
        return Some(Symbol::BuiltInVariable(name.clone()));
    }
    let in_body =
        kind == DefinitionKind::DefinedType && built_in::metaparameters().iter().any(|it| it.name == *name);
    if in_body {
        return Some(Symbol::Metaparameter(name.clone()));
    }
    top_scope(db, definition.file(db), name)
}

/// Resolves `$scope::name`.
pub(super) fn qualified(db: &dyn Db, file: File, scope: &Name, name: &Name) -> Option<Symbol> {
    match scope.as_str() {
        "" => top_scope(db, file, name),
        "settings" => Some(Symbol::BuiltInVariable(format!("settings::{name}").into())),
        _ => {
            let class = project::resolve_in_file(db, file, NameKind::Class, scope)?;
            let lineage = class_lineage(db, class);
            let found = lineage.into_iter().find_map(|class| root_variable(db, class, name));
            let of_every_class = || {
                let is_one = IN_DEFINITIONS.contains(&name.as_str());
                is_one.then(|| Symbol::BuiltInVariable(name.clone()))
            };
            found.or_else(of_every_class)
        }
    }
}

/// Resolves a variable of the top scope: set by main manifests, then by Puppet and facts.
fn top_scope(db: &dyn Db, file: File, name: &Name) -> Option<Symbol> {
    let own = matches!(file.role(db), FileRole::Loose | FileRole::MainManifest).then_some(file);
    let manifests = file.environments(db).iter().flat_map(|it| it.main_manifests(db).iter().copied());
    let files: Vec<File> = own.into_iter().chain(manifests).collect();
    let mains = files.iter().filter_map(|file| super::owners::main_of(db, *file));
    if let Some(found) = mains.filter_map(|main| root_variable(db, main, name)).next() {
        return Some(found);
    }
    let nodes = files.iter().flat_map(|file| project::definitions(db, *file));
    let mut nodes = nodes.filter(|it| it.key(db).kind == DefinitionKind::Node);
    if let Some(found) = nodes.find_map(|node| root_variable(db, node, name)) {
        return Some(found);
    }
    if TOP_SCOPE.contains(&name.as_str()) || matches!(name.as_str(), "module_name" | "caller_module_name") {
        return Some(Symbol::BuiltInVariable(name.clone()));
    }
    let is_custom = || {
        let environments = file.environments(db).iter();
        environments
            .copied()
            .any(|it| project::custom_facts(db, it).iter().any(|(_, fact)| fact.name == *name))
    };
    (built_in::fact(name).is_some() || is_custom()).then(|| Symbol::Fact(name.clone()))
}

/// Returns the uses of a variable of the definition's own scope within the definition, in source order.
pub(crate) fn own_uses(db: &dyn Db, definition: DefinitionId, name: &str) -> Vec<NameUse> {
    let file = definition.file(db);
    let summary = project::item_summary(db, file);
    let Some(index) = summary.definitions.iter().position(|it| it.key == *definition.key(db)) else {
        return Vec::new();
    };
    let uses = project::name_uses(db, file);
    let own = uses.iter().filter(|it| {
        it.definition as usize == index
            && it.name == name
            && matches!(it.kind, NameUseKind::Variable(VariableBinding::Local { of_lambda: false, .. }))
    });
    own.cloned().collect()
}
