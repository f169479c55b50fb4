//! Resource types and defined types, to declare resources of.

use std::sync::Arc;

use hir::{DefinitionKind, Name};
use plugins::built_in;
use project::{Db, DefinitionId, File, ResourceTypeTarget};

use super::item::{CompletionItem, CompletionKind, literal};
use super::{Request, environment};

/// What declares resources.
pub(super) enum ResourceTypeSource {
    Plugin(Arc<plugins::ResourceType>),
    Defined(DefinitionId),
}

/// The resource type of a name, in any case.
pub(super) fn find(db: &dyn Db, file: File, name: &str) -> Option<ResourceTypeSource> {
    Some(match project::resolve_resource_type(db, file, name)? {
        ResourceTypeTarget::BuiltIn(ty) => ResourceTypeSource::Plugin(ty.clone()),
        ResourceTypeTarget::Ruby { resource_type, .. } => ResourceTypeSource::Plugin(resource_type),
        ResourceTypeTarget::Defined(definition) => ResourceTypeSource::Defined(definition),
    })
}

/// Their names with where they come from, Puppet's own first.
pub(super) fn names(request: &Request<'_>) -> Vec<(Name, Name, bool)> {
    let own_module = environment::own_module(request.db, request.file);
    let built_in = built_in::resource_types().iter().filter(|it| !is_internal(&it.name));
    let mut names: Vec<(Name, Name, bool)> =
        built_in.map(|it| (it.name.clone(), Name::new_static("puppet"), true)).collect();
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

/// Which nobody declares.
fn is_internal(name: &str) -> bool {
    matches!(name, "component" | "whit")
}

/// Those that most manifests declare.
fn is_common(name: &str) -> bool {
    matches!(name, "file" | "package" | "service" | "exec" | "user" | "group" | "cron" | "notify")
}

/// The beginnings of declarations.
pub(super) fn declarations(request: &Request<'_>) -> Vec<CompletionItem> {
    let is_absolute = request.context.typed.starts_with("::");
    let is_followed = request.context.is_followed;
    let item = |(name, module, is_near): (Name, Name, bool)| {
        let written = if is_absolute { format!("::{name}") } else { name.to_string() };
        let snippet = (!is_followed).then(|| declaration(&written, is_near && module == "puppet"));
        CompletionItem::new(CompletionKind::ResourceType, name.to_string())
            .text(written.clone())
            .filter(written)
            .snippet(snippet)
            .detail(module.to_string())
            .tier(if is_common(&name) || is_near && module != "puppet" { 1 } else { 2 })
    };
    names(request).into_iter().map(item).collect()
}

/// A declaration with places to fill in. Only those of Puppet's own types know here what is most often set.
fn declaration(name: &str, is_built_in: bool) -> String {
    let ensure = is_built_in
        && built_in::resource_type(name)
            .is_some_and(|it| it.attributes.iter().any(|attribute| attribute.name == "ensure"));
    let name = literal(name);
    match ensure {
        true => format!("{name} {{ '${{1:title}}':\n  ensure => ${{2:present}},$0\n}}"),
        false => format!("{name} {{ '${{1:title}}':\n  $0\n}}"),
    }
}
