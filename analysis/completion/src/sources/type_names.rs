//! Data types, both built-in types and aliases of the environment, and resource types as references.

use hir::DefinitionKind;
use plugins::built_in;

use super::resource_types;
use crate::context::FollowingCode;
use crate::context::position::CursorPosition;
use crate::item::{CompletionItem, CompletionKind};
use crate::{CompletionRequest, environment, usage};

pub(crate) fn items(request: &CompletionRequest<'_>) -> Vec<CompletionItem> {
    let own_module = environment::own_module(request.db, request.file);
    let usage = usage::usage(request);
    let is_absolute = request.context.typed.starts_with("::");
    let is_followed = request.context.following == FollowingCode::Bracket;
    let is_plan = request.language == syntax::Language::Plan;
    let offered =
        built_in::data_types().iter().filter(|it| it.is_offered && (is_plan || it.name != "Target"));
    let built_in = offered.map(|it| {
        let snippet = (it.needs_parameters && !is_followed).then(|| format!("{}[$1]", it.name));
        CompletionItem::new(CompletionKind::Type, it.name).snippet(snippet).detail(it.parameters).tier(1)
    });
    let aliases = environment::definitions(request.db, request.file, DefinitionKind::TypeAlias);
    // Only the brackets of a type may contain the alias itself.
    let own = request
        .own_name(DefinitionKind::TypeAlias)
        .filter(|_| matches!(request.context.position, CursorPosition::Type));
    let aliases = aliases.into_iter().filter(|it| own.as_deref() != Some(&*it.name.to_ascii_lowercase()));
    let aliases = aliases.map(|alias| {
        let module = environment::module_of(&alias.key.name);
        let is_own = own_module.as_ref().is_some_and(|it| it == module);
        let uses = usage.and_then(|it| it.get(&alias.key.name)).copied().unwrap_or(0);
        let tier = if is_own || uses > 0 { 1 } else { 2 };
        let item = CompletionItem::new(CompletionKind::Type, alias.name.to_string());
        item.detail(module).tier(tier).weight(uses)
    });
    let environments = request.file.environments(request.db).iter().copied();
    let in_ruby = environments.flat_map(|it| project::ruby_data_types(request.db, it)).map(|(name, file)| {
        let name = hir::capitalized(name);
        let written = project::ruby_data_type(request.db, *file, &name).map(|(_, ty)| ty.name.to_string());
        let module = environment::own_module(request.db, *file).unwrap_or_default();
        CompletionItem::new(CompletionKind::Type, written.unwrap_or(name)).detail(module.to_string()).tier(2)
    });
    let bolt = if is_plan { built_in::bolt::types() } else { &[] };
    let bolt = bolt.iter().map(|it| it.name.to_string());
    let bolt_aliases = if is_plan { built_in::bolt::aliases() } else { &[] };
    let bolt = bolt.chain(bolt_aliases.iter().map(|it| it.name.to_string()));
    let bolt = bolt.map(|name| CompletionItem::new(CompletionKind::Type, name).detail("bolt").tier(1));
    let absolute = |item: CompletionItem| {
        if is_absolute {
            let name = format!("::{}", item.label);
            CompletionItem { snippet: None, ..item.text(name.clone()).filter(name) }
        } else {
            item
        }
    };
    built_in.chain(aliases).chain(in_ruby).chain(bolt).map(absolute).collect()
}

/// Types of parameters in published modules, the most frequent one first.
const FREQUENT_TYPES: &[&str] = &[
    "String",
    "Boolean",
    "Optional",
    "Integer",
    "Array",
    "Enum",
    "Hash",
    "Variant",
    "Stdlib::Absolutepath",
    "Pattern",
    "Stdlib::Host",
    "Stdlib::Port",
    "Stdlib::HTTPUrl",
    "Stdlib::Filemode",
    "Stdlib::Fqdn",
    "Sensitive",
    "Struct",
    "Float",
    "Numeric",
    "Any",
    "Data",
];

/// Returns the types for a position where nothing else is valid, the most frequent one first.
pub(crate) fn by_usage(request: &CompletionRequest<'_>) -> Vec<CompletionItem> {
    let weigh = |item: CompletionItem| {
        let rank = FREQUENT_TYPES.iter().position(|it| *it == item.label);
        let frequency = rank.map_or(0, |rank| (FREQUENT_TYPES.len() - rank) as u32);
        let tier = if rank.is_some() { 1 } else { item.tier };
        let weight = frequency + item.weight * USES_WEIGHT;
        item.tier(tier).weight(weight).once()
    };
    items(request).into_iter().map(weigh).collect()
}

/// Weight of a use in the same module, compared with a place in [`FREQUENT_TYPES`].
const USES_WEIGHT: u32 = 5;

/// Returns resource references: `File[...]`.
pub(crate) fn references(request: &CompletionRequest<'_>) -> Vec<CompletionItem> {
    let is_followed = matches!(request.context.following, FollowingCode::Bracket | FollowingCode::Brace);
    let class = (hir::Name::new_static("class"), hir::Name::new_static("puppet"), true);
    let names = std::iter::once(class).chain(resource_types::names(request));
    let item = |(name, module, is_near): (hir::Name, hir::Name, bool)| {
        let name = hir::capitalized(&name);
        let snippet = (!is_followed).then(|| format!("{name}['$1']"));
        CompletionItem::new(CompletionKind::ResourceType, name.clone())
            .text(name)
            .snippet(snippet)
            .detail(format!("reference, {module}"))
            .tier(if is_near { 3 } else { 4 })
    };
    names.map(item).collect()
}
