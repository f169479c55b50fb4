//! Roles and nodes that lead to a file, as far as names show it, nearest first. An editor compiles these for
//! a file, however many others exist.

use std::sync::Arc;

use hir::{Access, Body, DefinitionKind, Expr, Name, NameUseKind};
use project::{Db, DefinitionId, Environment, File, FileKind, FileRole};
use rustc_hash::{FxHashMap, FxHashSet};

use super::users::module_of_role;
use crate::checked_facts::named_facts;
use crate::node_checks::{node_host, node_names};

/// Maximum number of roles, and of nodes, that are compiled for a file.
const MAX_NEARBY: usize = 16;

/// Classes of roles, and names of nodes.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Nearby {
    pub roles: Vec<DefinitionId>,
    pub nodes: Vec<Name>,
}

/// Returns the roles and nodes that lead to a file through names of classes, defined types, functions, types
/// and templates; those in the file itself come first. Those that include classes by computed names come
/// last.
#[salsa::tracked(returns(ref))]
pub fn nearby_of_file(db: &dyn Db, environment: Environment, file: File) -> Nearby {
    let _span = tracing::info_span!("nearby_of_file").entered();
    let users = users_by_name(db, environment);
    let mut search = NearbySearch { db, environment, nearby: Nearby::default() };
    let mut seen = FxHashSet::default();
    let mut level: Vec<DefinitionId> = project::definitions(db, file);
    let mut names: Vec<Name> = template_name(db, file).into_iter().collect();
    while !(search.is_full() || level.is_empty() && names.is_empty()) {
        level.retain(|definition| seen.insert(*definition));
        for definition in &level {
            search.add(*definition);
            names.push(definition.key(db).name.clone());
        }
        let next = names.drain(..).filter_map(|name| users.get(&name)).flatten();
        level = next.map(|(file, index)| project::definitions(db, *file)[*index as usize]).collect();
    }
    for definition in definitions_with_computed_names(db, environment).iter() {
        if !search.is_full() && seen.insert(*definition) {
            search.add(*definition);
        }
    }
    search.nearby
}

struct NearbySearch<'db> {
    db: &'db dyn Db,
    environment: Environment,
    nearby: Nearby,
}

impl NearbySearch<'_> {
    fn is_full(&self) -> bool {
        self.nearby.roles.len() >= MAX_NEARBY && self.nearby.nodes.len() >= MAX_NEARBY
    }

    /// Adds a definition if it is a role or concerns nodes.
    fn add(&mut self, definition: DefinitionId) {
        let key = definition.key(self.db);
        let is_main = || *definition.file(self.db).role(self.db) == FileRole::MainManifest;
        match key.kind {
            DefinitionKind::Class
                if module_of_role(&key.name).is_some() && self.nearby.roles.len() < MAX_NEARBY =>
            {
                self.nearby.roles.push(definition);
            }
            DefinitionKind::Node => {
                let summary = project::item_summary(self.db, definition.file(self.db));
                let hosts = summary.definitions.iter().filter(|it| it.key == *key).flat_map(|it| &it.hosts);
                self.add_nodes(hosts.filter_map(node_host).filter_map(|host| host.node));
            }
            DefinitionKind::Main if is_main() => {
                let named = named_facts(self.db, self.environment);
                let of_facts = named.iter().filter_map(|set| set.node_name.clone());
                self.add_nodes(of_facts.chain(node_names(self.db, self.environment)));
            }
            _ => {}
        }
    }

    fn add_nodes(&mut self, nodes: impl Iterator<Item = Name>) {
        for node in nodes {
            if self.nearby.nodes.len() < MAX_NEARBY && !self.nearby.nodes.contains(&node) {
                self.nearby.nodes.push(node);
            }
        }
    }
}

/// Returns the name by which manifests refer to a template.
fn template_name(db: &dyn Db, file: File) -> Option<Name> {
    let FileRole::Module { module, relative } = file.role(db) else { return None };
    let path = relative.strip_prefix("templates/")?;
    Some(Name::from(format!("{}/{path}", module.name(db))))
}

type Users = FxHashMap<Name, Vec<(File, u32)>>;

/// Returns the definitions of an environment, each by its index in its file, keyed by the names that they
/// use.
#[salsa::tracked(returns(ref))]
fn users_by_name(db: &dyn Db, environment: Environment) -> Users {
    let _span = tracing::info_span!("users_by_name").entered();
    let mut users = Users::default();
    let of_modules = environment.modules(db).values().flat_map(|module| module.files(db).values());
    for file in of_modules.chain(environment.main_manifests(db).iter()) {
        for (definition, name) in used_names(db, *file).iter() {
            users.entry(name.clone()).or_default().push((*file, *definition));
        }
    }
    users
}

/// Returns the distinct names that the definitions of a manifest or template evaluate, with the indices of
/// these definitions.
#[salsa::tracked(returns(clone))]
fn used_names(db: &dyn Db, file: File) -> Arc<[(u32, Name)]> {
    if !matches!(project::file_kind(db, file), FileKind::Manifest | FileKind::EppTemplate) {
        return Arc::default();
    }
    let uses = project::name_uses(db, file);
    let uses = uses.iter().filter(|it| !matches!(it.access, Access::Declaration | Access::Documentation));
    let is_evaluated = |kind: &NameUseKind| {
        matches!(
            kind,
            NameUseKind::Class
                | NameUseKind::DefinedType
                | NameUseKind::ResourceType
                | NameUseKind::Type
                | NameUseKind::Function
                | NameUseKind::EppTemplate
        )
    };
    let mut names: Vec<_> =
        uses.filter(|it| is_evaluated(&it.kind)).map(|it| (it.definition, it.name.clone())).collect();
    names.sort_unstable();
    names.dedup();
    names.into()
}

/// Returns the roles, nodes and main programs that include classes by computed names.
#[salsa::tracked(returns(clone))]
fn definitions_with_computed_names(db: &dyn Db, environment: Environment) -> Arc<[DefinitionId]> {
    let roles = environment.modules(db).iter().filter(|(name, _)| module_of_role(name).is_some());
    let of_roles = roles.flat_map(|(_, module)| super::module_classes::classes_of_module(db, *module));
    let of_nodes = environment.main_manifests(db).iter().flat_map(|file| project::definitions(db, *file));
    of_nodes.chain(of_roles).filter(|it| includes_computed(&project::body(db, *it))).collect()
}

/// Returns true if a body includes classes by computed names.
fn includes_computed(body: &Body) -> bool {
    let includes = |name: &str| matches!(name, "include" | "contain" | "require" | "hiera_include");
    let is_written = |expr: &Expr| matches!(expr, Expr::Name(_) | Expr::String(_) | Expr::TypeReference(_));
    body.exprs.iter().any(|(_, expr)| match expr {
        Expr::Call { functor, arguments, .. } => match &body[*functor] {
            Expr::Name(name) if name == "hiera_include" => true,
            Expr::Name(name) if includes(name) => !arguments.iter().all(|it| is_written(&body[*it])),
            _ => false,
        },
        Expr::MethodCall { receiver, name, .. } => includes(name) && !is_written(&body[*receiver]),
        _ => false,
    })
}
