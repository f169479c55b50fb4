//! Uses of classes: resource-like declarations with parameters, and the classes of nodes in addition to their
//! roles.

use std::collections::BTreeSet;
use std::sync::Arc;

use hir::{AttributeOperation, Body, DefinitionKind, Expr, Name, NameUseKind, ReferenceKind};
use project::{Db, Environment, File, FileKind};
use rustc_hash::{FxHashMap, FxHashSet};

use super::other_resources::{self, ChangedType};

/// Returns the classes of an environment that some code gives parameters.
#[salsa::tracked(returns(ref))]
pub(crate) fn get_parameters(db: &dyn Db, environment: Environment) -> FxHashSet<Name> {
    let of_modules = environment.modules(db).values().flat_map(|module| module.files(db).values());
    let files = of_modules.chain(environment.main_manifests(db).iter());
    files.flat_map(|file| get_parameters_in(db, *file).to_vec()).collect()
}

#[salsa::tracked(returns(clone))]
fn get_parameters_in(db: &dyn Db, file: File) -> Arc<[Name]> {
    if project::file_kind(db, file) != FileKind::Manifest || !may_give_parameters(db, file) {
        return Arc::default();
    }
    let mut names = Vec::new();
    for definition in project::definitions(db, file) {
        let own_name = &definition.key(db).name;
        names.extend(given_classes(&project::body(db, definition)).filter(|it| it != own_name));
    }
    names.sort_unstable();
    names.dedup();
    names.into()
}

/// Returns true if a text contains `class {`.
fn may_give_parameters(db: &dyn Db, file: File) -> bool {
    let Some(text) = project::text(db, file) else { return false };
    text.match_indices("class").any(|(at, word)| text[at + word.len()..].trim_start().starts_with('{'))
}

/// Returns the classes that a body gives parameters.
fn given_classes(body: &Body) -> impl Iterator<Item = Name> {
    let bodies = body.exprs.iter().filter_map(|(_, expr)| match expr {
        Expr::Resource { type_expr, bodies, .. } => {
            matches!(&body[*type_expr], Expr::Name(name) if ReferenceKind::is_class(name)).then_some(bodies)
        }
        _ => None,
    });
    let given = bodies.flat_map(|bodies| bodies.iter()).filter(|it| {
        let is_metaparameter =
            |name: &Name| plugins::built_in::metaparameter(name).is_some() || name.is_empty();
        it.operations.iter().any(|operation| match operation {
            AttributeOperation::Set { name, .. } => !is_metaparameter(name),
            AttributeOperation::Splat(_) => true,
        })
    });
    given.filter_map(|it| match &body[it.title] {
        Expr::String(name) | Expr::Name(name) => Some(hir::fold_name(name)),
        _ => None,
    })
}

/// Returns the types of the resources that a manifest may change, or the placeholder for any type, as far as its
/// text shows.
#[salsa::tracked(returns(clone))]
fn changed_types(db: &dyn Db, file: File) -> Arc<[Name]> {
    if project::file_kind(db, file) != FileKind::Manifest {
        return Arc::default();
    }
    let Some(text) = project::text(db, file) else { return Arc::default() };
    let found: BTreeSet<ChangedType<'_>> = other_resources::changed_types(&text).collect();
    let name = |it: ChangedType<'_>| match it {
        ChangedType::Named(name) => type_name_of(name),
        ChangedType::Unknown => Name::new(ANYTHING),
    };
    found.into_iter().map(name).collect()
}

/// Returns the name of the type that a reference names, or the placeholder for any type.
fn type_name_of(reference: &str) -> Name {
    match hir::fold_name(reference) {
        name if name == "resource" => Name::new(ANYTHING),
        name => name,
    }
}

/// Returns the attributes that defaults and collectors of an environment set, by resource type.
#[salsa::tracked(returns(ref))]
pub(crate) fn attributes_of_all(db: &dyn Db, environment: Environment) -> FxHashMap<Name, FxHashSet<Name>> {
    let of_modules = environment.modules(db).values().flat_map(|module| module.files(db).values());
    let files = of_modules.chain(environment.main_manifests(db).iter());
    let mut found: FxHashMap<Name, FxHashSet<Name>> = FxHashMap::default();
    for (type_name, attribute) in files.flat_map(|file| attributes_of_all_in(db, *file).to_vec()) {
        found.entry(type_name).or_default().insert(attribute);
    }
    found
}

#[salsa::tracked(returns(clone))]
fn attributes_of_all_in(db: &dyn Db, file: File) -> Arc<[(Name, Name)]> {
    if changed_types(db, file).is_empty() {
        return Arc::default();
    }
    let mut found = Vec::new();
    for definition in project::definitions(db, file) {
        let body = project::body(db, definition);
        for (_, expr) in body.exprs.iter() {
            let (Expr::ResourceDefaults { type_expr, operations, .. }
            | Expr::Collect { type_expr, operations, .. }) = expr
            else {
                continue;
            };
            let Expr::TypeReference(type_name) = &body[*type_expr] else { continue };
            let attributes = operations.iter().filter_map(|operation| match operation {
                AttributeOperation::Set { name, .. } => Some(name.clone()),
                AttributeOperation::Splat(_) => None,
            });
            found.extend(attributes.map(|name| (hir::fold_name(type_name), name)));
        }
    }
    found.sort_unstable();
    found.dedup();
    found.into()
}

/// Returns true if code of an environment may set one of the attributes of a resource of a type outside of its
/// declaration: by a default, a collector, or an override.
pub fn may_be_set_elsewhere(
    db: &dyn Db,
    environment: Environment,
    type_name: &Name,
    attributes: &[&str],
) -> bool {
    let set = attributes_set_elsewhere(db, environment, type_name.clone());
    set.contains(ANYTHING) || attributes.iter().any(|name| set.contains(*name))
}

/// Placeholder for a type or an attribute whose name is computed.
const ANYTHING: &str = "*";

/// Returns the attributes of a resource type that defaults, collectors, and overrides of an environment set. Files
/// that change no resources of this type are not parsed.
#[salsa::tracked(returns(ref))]
fn attributes_set_elsewhere(db: &dyn Db, environment: Environment, type_name: Name) -> FxHashSet<Name> {
    let is_of_type = |it: &Name| *it == type_name || it == ANYTHING;
    let of_modules = environment.modules(db).values().flat_map(|module| module.files(db).values());
    let files = of_modules.chain(environment.main_manifests(db).iter());
    let files = files.filter(|file| changed_types(db, **file).iter().any(is_of_type));
    let mut found = FxHashSet::default();
    for file in files {
        let set = attributes_set_elsewhere_in(db, *file);
        found.extend(set.iter().filter(|(of, _)| is_of_type(of)).map(|(_, attribute)| attribute.clone()));
    }
    found
}

#[salsa::tracked(returns(clone))]
fn attributes_set_elsewhere_in(db: &dyn Db, file: File) -> Arc<[(Name, Name)]> {
    if changed_types(db, file).is_empty() {
        return Arc::default();
    }
    let mut found = Vec::new();
    for definition in project::definitions(db, file) {
        let body = project::body(db, definition);
        for (_, expr) in body.exprs.iter() {
            let (type_expr, operations) = match expr {
                Expr::ResourceDefaults { type_expr, operations, .. }
                | Expr::Collect { type_expr, operations, .. } => (*type_expr, operations),
                Expr::ResourceOverride { reference, operations, .. } => match &body[*reference] {
                    Expr::Access { lhs, .. } => (*lhs, operations),
                    _ => (*reference, operations),
                },
                _ => continue,
            };
            let type_name = match &body[type_expr] {
                Expr::TypeReference(name) => type_name_of(name),
                _ => Name::new(ANYTHING),
            };
            found.extend(operations.iter().map(|operation| match operation {
                AttributeOperation::Set { name, .. } => (type_name.clone(), name.clone()),
                AttributeOperation::Splat(_) => (type_name.clone(), Name::new(ANYTHING)),
            }));
        }
    }
    found.sort_unstable();
    found.dedup();
    found.into()
}

/// Returns the module of a role, by its name.
pub(crate) fn module_of_role(class: &str) -> Option<&str> {
    class.split("::").next().filter(|it| matches!(*it, "role" | "roles"))
}

/// Returns true if nodes with roles get nothing but roles from the main manifest. Otherwise, they may have
/// resources that belong to no role.
#[salsa::tracked(returns(copy))]
pub(crate) fn nodes_have_only_roles(db: &dyn Db, environment: Environment) -> bool {
    environment.main_manifests(db).iter().all(|file| {
        let uses = project::name_uses(db, *file);
        project::definitions(db, *file).into_iter().enumerate().all(|(index, definition)| {
            let of_it = uses.iter().filter(|it| it.definition as usize == index);
            let mut classes = of_it.filter(|it| it.kind == NameUseKind::Class).map(|it| &it.name);
            // Code outside of node definitions applies to all nodes.
            let has_role = definition.key(db).kind == DefinitionKind::Main
                || classes.clone().any(|it| module_of_role(it).is_some());
            !has_role || classes.all(|it| module_of_role(it).is_some())
        })
    })
}
