//! Resource types and defined types, for declarations.

use std::sync::Arc;

use hir::{DefinitionKind, Name};
use plugins::built_in;
use project::{Db, DefinitionId, File, ResourceTypeTarget};

use crate::context::FollowingCode;
use crate::item::{CompletionItem, CompletionKind, literal};
use crate::{CompletionRequest, environment, usage};

/// Definition of a resource type.
pub(crate) enum ResourceTypeSource {
    Plugin(Arc<plugins::RubyResourceType>),
    Defined(DefinitionId),
}

/// Returns the resource type of this name, in any letter case.
pub(crate) fn find(db: &dyn Db, file: File, name: &str) -> Option<ResourceTypeSource> {
    Some(match project::resolve_resource_type(db, file, name)? {
        ResourceTypeTarget::BuiltIn(ty) => ResourceTypeSource::Plugin(ty.clone()),
        ResourceTypeTarget::Ruby { resource_type, .. } => ResourceTypeSource::Plugin(resource_type),
        ResourceTypeTarget::Defined(definition) => ResourceTypeSource::Defined(definition),
    })
}

/// Returns the names of resource types with their origin, built-in ones first.
pub(crate) fn names(request: &CompletionRequest<'_>) -> Vec<(Name, Name, bool)> {
    let own_module = environment::own_module(request.db, request.file);
    let built_in = built_in::resource_types().iter().filter(|it| !is_internal(&it.name));
    let from = |name: &str| built_in::module_of_resource_type(name).unwrap_or("puppet");
    let mut names: Vec<(Name, Name, bool)> =
        built_in.map(|it| (it.name.clone(), Name::new_static(from(&it.name)), is_common(&it.name))).collect();
    for environment in request.file.environments(request.db).iter().copied() {
        for (name, file) in project::ruby_resource_types(request.db, environment) {
            if built_in::resource_type(name).is_none() {
                let module = environment::own_module(request.db, *file).unwrap_or_default();
                let is_near = own_module.as_ref() == Some(&module);
                names.push((name.clone(), module, is_near));
            }
        }
    }
    for defined in environment::definitions(request.db, request.file, DefinitionKind::DefinedType) {
        let module = Name::new(environment::module_of(&defined.name));
        let is_near = own_module.as_ref() == Some(&module);
        names.push((defined.name, module, is_near));
    }
    names
}

/// Returns true for types that manifests do not declare.
fn is_internal(name: &str) -> bool {
    matches!(name, "component" | "whit")
}

/// Returns true for the most frequently declared types.
fn is_common(name: &str) -> bool {
    matches!(name, "file" | "package" | "service" | "exec" | "user" | "group" | "cron" | "notify")
}

/// Returns snippets for declarations.
pub(crate) fn declarations(request: &CompletionRequest<'_>) -> Vec<CompletionItem> {
    let is_absolute = request.context.typed.starts_with("::");
    let is_followed = request.context.following != FollowingCode::Nothing;
    let usage = usage::usage(request);
    let own = request.own_name(DefinitionKind::DefinedType);
    let item = |(name, module, is_near): (Name, Name, bool)| {
        let uses = usage.and_then(|it| it.get(&name)).copied().unwrap_or(0);
        let written = if is_absolute { format!("::{name}") } else { name.to_string() };
        let snippet = (!is_followed).then(|| declaration(&written));
        CompletionItem::new(CompletionKind::ResourceType, name.to_string())
            .text(written.clone())
            .filter(written)
            .snippet(snippet)
            .detail(module.to_string())
            .tier(if is_near || uses > 0 { 1 } else { 2 })
            .weight(uses)
    };
    names(request).into_iter().filter(|(name, ..)| own.as_deref() != Some(&**name)).map(item).collect()
}

/// Returns the snippet of a declaration, including `ensure` for types that have it.
fn declaration(name: &str) -> String {
    let attributes = built_in::resource_type(name).map_or(&[][..], |it| &it.attributes);
    let has_ensure = attributes.iter().any(|it| it.name == "ensure");
    let ensure = if has_ensure { "ensure => $2," } else { "" };
    format!("{} {{ '$1':\n  {ensure}$0\n}}", literal(name))
}
