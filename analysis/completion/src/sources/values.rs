//! Values that match the expected type or attribute.

use eval::RecordedValue;
use hir::{NameUseKind, ReferenceKind};
use plugins::{ResourceAttributeKind, built_in};
use symbols::parameters;
use symbols::recorded_value::{self, Evaluated};
use types::{Type, TypeEnvironment, Value};

use super::classes::{self, ClassNotation};
use super::resource_types::{self, ResourceTypeSource};
use super::{
    attributes, bolt, fact_names, hiera_keys, references, resource_hashes, served_paths, type_names,
};
use crate::CompletionRequest;

use crate::context::position::{Expectation, ResourceAtCursor};
use crate::item::{CompletionItem, CompletionKind, quoted};

pub(crate) fn items(request: &CompletionRequest<'_>, expected: &Expectation) -> Vec<CompletionItem> {
    let in_quotes = request.context.in_quotes;
    if in_quotes && request.context.typed.starts_with("puppet:") {
        return served_paths::urls(request);
    }
    match expected {
        Expectation::Anything => Vec::new(),
        Expectation::Relationship if in_quotes => Vec::new(),
        Expectation::Relationship => references::items(request),
        Expectation::Attribute { resource, name } => of_attribute(request, resource, name),
        Expectation::Element(list) => match &**list {
            // An attribute that accepts references also accepts arrays of them.
            Expectation::Attribute { resource, name }
                if !matches!(attributes::source(request, resource), Some(ResourceTypeSource::Defined(_)))
                    || built_in::metaparameter(name).is_some() =>
            {
                of_attribute(request, resource, name)
            }
            list => typed(request, list, |ty, env| element(&ty, env)),
        },
        Expectation::Entry { hash, key } if key == "name" && is_lookup(hash) => {
            hiera_keys::looked_up(request)
        }
        Expectation::Entry { hash, key } if resource_hashes::resource(hash).is_some() => {
            resource_hashes::resource(hash).map_or_else(Vec::new, |it| of_attribute(request, &it, key))
        }
        Expectation::Entry { .. } => typed(request, expected, |ty, _| Some(ty)),
        Expectation::Key { hash, given } => keys(request, hash, given),
        Expectation::Default(_) => typed(request, expected, |ty, _| Some(ty)),
        Expectation::SameAs(node) => {
            let known = fact_names::values_of(node);
            let mut items: Vec<CompletionItem> = known.iter().map(|it| text_item(it, in_quotes, 0)).collect();
            items.extend(of_node(request, node));
            items
        }
        Expectation::AccessKey { variable, keys, node } => {
            let mut items = fact_names::keys(request, variable, keys);
            if items.is_empty() {
                items.extend(node.iter().flat_map(|node| keys_of_variable(request, node, keys)));
            }
            items
        }
        Expectation::TypeArgument { name } => of_type_argument(request, name),
        Expectation::Argument { function, index, earlier, receiver } => {
            let paths = fact_names::paths_in_argument(request, function, *index, earlier, receiver.as_ref());
            if let Some(items) = paths.filter(|it| !it.is_empty()) {
                return items;
            }
            if let (Some(node), "dig" | "get", Some(keys)) =
                (receiver, &**function, index.checked_sub(1).and_then(|count| earlier.get(..count)))
            {
                return keys_of_variable(request, node, keys);
            }
            let mut items = bolt::named_arguments(request, expected).unwrap_or_default();
            items.extend(of_argument(request, function, *index, earlier));
            items
        }
    }
}

/// Returns true for the options of `lookup({ ... })`.
fn is_lookup(expected: &Expectation) -> bool {
    matches!(expected, Expectation::Argument { function, index: 0, .. } if function == "lookup")
}

fn of_attribute(
    request: &CompletionRequest<'_>,
    resource: &ResourceAtCursor,
    name: &str,
) -> Vec<CompletionItem> {
    if built_in::RelationshipMetaparameter::from_name(name).is_some() {
        return if request.context.in_quotes { Vec::new() } else { references::items(request) };
    }
    if built_in::metaparameter(name).is_some() {
        let attribute = built_in::metaparameter(name).into_iter();
        return attribute.flat_map(|attribute| listed(request, "", attribute)).collect();
    }
    if let ("title", ResourceAtCursor::OfType(type_name)) = (name, resource) {
        // Only collectors query titles.
        return of_type_argument(request, type_name);
    }
    match attributes::source(request, resource) {
        Some(ResourceTypeSource::Plugin(ty)) => {
            let attribute = ty.attributes.iter().find(|it| it.name == name);
            let mut items: Vec<CompletionItem> =
                attribute.map(|it| listed(request, &ty.name, it)).unwrap_or_default();
            if name == "provider" {
                items.extend(providers(request, &ty.name));
            }
            if items.is_empty() {
                let expected = Expectation::Attribute { resource: resource.clone(), name: name.to_owned() };
                items.extend(typed(request, &expected, |ty, _| Some(ty)));
            }
            if ty.name == "file" && name == "source" {
                items.extend(served_paths::urls(request));
            }
            items
        }
        Some(ResourceTypeSource::Defined(_)) => {
            let expected = Expectation::Attribute { resource: resource.clone(), name: name.to_owned() };
            let mut items = typed(request, &expected, |ty, _| Some(ty));
            if name == "source" && items.is_empty() {
                items.extend(served_paths::urls(request));
            }
            items
        }
        None => Vec::new(),
    }
}

/// Returns the values of an attribute listed by a built-in type or a type written in Ruby.
fn listed(
    request: &CompletionRequest<'_>,
    type_name: &str,
    attribute: &plugins::ResourceAttribute,
) -> Vec<CompletionItem> {
    if attribute.kind == ResourceAttributeKind::ReadOnly {
        return Vec::new();
    }
    let in_quotes = request.context.in_quotes;
    let default = attribute.default.as_deref();
    let values = attributes::values_by_usage(type_name, attribute).into_iter().map(|value| (value, None));
    let aliases = attribute.value_aliases.iter().map(|(alias, meant)| (alias.as_str(), Some(meant)));
    let mut values: Vec<_> = values.chain(aliases).collect();
    // `installed` is the customary form of `present`; `true` and `false` are not that of other states.
    values.sort_by_key(|(value, meant)| match meant {
        Some(_) if !attributes::is_desired(value) => usize::MAX,
        _ => attributes::value_preference(value),
    });
    let count = values.len();
    let item = |(at, (value, meant)): (usize, (&str, Option<&smol_str::SmolStr>))| {
        // Their order does not depend on what is written nearby.
        let item = text_item(value, in_quotes, 0).once().weight((count - at) as u32);
        match meant {
            Some(meant) => item.detail(format!("as {meant}")),
            None if default == Some(value) => item.detail("default"),
            None => item,
        }
    };
    values.into_iter().enumerate().map(item).collect()
}

/// Returns the providers for a resource type in modules.
fn providers(request: &CompletionRequest<'_>, type_name: &str) -> Vec<CompletionItem> {
    let environments = request.file.environments(request.db).iter().copied();
    let all = environments.flat_map(|it| project::providers(request.db, it, type_name));
    let in_quotes = request.context.in_quotes;
    all.map(|(_, provider)| text_item(&provider.name, in_quotes, 1)).collect()
}

/// Creates an item for a string, without quotes if that is customary.
fn text_item(text: &str, in_quotes: bool, tier: u8) -> CompletionItem {
    let written = if is_bare_value(text) { text.to_owned() } else { quoted(text, in_quotes) };
    CompletionItem::new(CompletionKind::Value, text).text(written).tier(tier)
}

/// Returns true for values that are written without quotes.
pub(crate) fn is_bare_value(text: &str) -> bool {
    matches!(text, "true" | "false" | "undef" | "default") || is_plain_word(text)
}

/// Returns true for words that are usually written without quotes, such as the values of `ensure`.
fn is_plain_word(text: &str) -> bool {
    matches!(
        text,
        "present"
            | "absent"
            | "file"
            | "directory"
            | "link"
            | "running"
            | "stopped"
            | "installed"
            | "latest"
            | "purged"
            | "held"
            | "mounted"
            | "unmounted"
            | "manual"
            | "mask"
            | "delayed"
            | "disabled"
            | "on_failure"
    )
}

/// Returns the values that match the expected type.
fn typed(
    request: &CompletionRequest<'_>,
    expected: &Expectation,
    part: impl FnOnce(Type, &dyn TypeEnvironment) -> Option<Type>,
) -> Vec<CompletionItem> {
    with_type(request, expected, |ty, env| {
        let Some(ty) = part(ty, env) else { return Vec::new() };
        let mut values = Vec::new();
        alternatives(&ty, env, 0, &mut values);
        values.iter().filter_map(|value| value_item(request, value)).collect()
    })
    .unwrap_or_default()
}

/// Calls a function with the expected type.
fn with_type<T>(
    request: &CompletionRequest<'_>,
    expected: &Expectation,
    ask: impl FnOnce(Type, &dyn TypeEnvironment) -> T,
) -> Option<T> {
    let here = symbols::recorded_value::definition_around(request.db, request.file, request.root)?;
    compile::with_world(request.db, here, |world| Some(ask(type_of(request, expected, world)?, world)))?
}

fn type_of(
    request: &CompletionRequest<'_>,
    expected: &Expectation,
    env: &dyn TypeEnvironment,
) -> Option<Type> {
    match expected {
        Expectation::Attribute { resource, name } => match attributes::source(request, resource)? {
            ResourceTypeSource::Defined(definition) => {
                let all = parameters::parameters(request.db, definition);
                let parameter = all.iter().find(|it| *it.name == **name)?;
                types::parse::parse_type(&parameter.type_text, env).ok()
            }
            ResourceTypeSource::Plugin(ty) => {
                let attribute = ty.attributes.iter().find(|it| it.name == name)?;
                types::parse::parse_type(attribute.type_text.as_deref()?, env).ok()
            }
        },
        Expectation::Element(list) => element(&type_of(request, list, env)?, env),
        Expectation::Entry { hash, key } => match bolt::type_text(request, hash, key) {
            Some(text) => types::parse::parse_type(&text, env).ok(),
            None => entry(&type_of(request, hash, env)?, key, env),
        },
        Expectation::Default(parameter) => {
            let parameter = <syntax::ast::Parameter as syntax::AstNode>::cast(parameter.clone())?;
            let ty = parameter.type_expr()?;
            types::parse::parse_type(syntax::AstNode::syntax(&ty).text(), env).ok()
        }
        Expectation::Argument { function, index, .. } => {
            let callee = symbols::callees::find(request.db, request.file, function)?;
            let signatures = callee.signatures(request.db);
            let of = |it: &symbols::callees::CallSignature| {
                let parameter = &it.parameters[it.parameter_at(*index)?];
                parameter.ty.clone().or_else(|| types::parse::parse_type(&parameter.type_text, env).ok())
            };
            Some(types::common::union(signatures.iter().filter_map(of), env))
        }
        _ => None,
    }
}

fn value_item(request: &CompletionRequest<'_>, value: &Value) -> Option<CompletionItem> {
    let in_quotes = request.context.in_quotes;
    Some(match value {
        Value::String(text) => text_item(text, in_quotes, u8::from(attributes::is_destructive(text))),
        _ if in_quotes => return None,
        Value::Boolean(value) => text_item(if *value { "true" } else { "false" }, false, 0),
        Value::Undef => text_item("undef", false, 2),
        Value::Default => text_item("default", false, 1),
        _ => return None,
    })
}

/// Collects the values that a type enumerates.
pub(super) fn alternatives(ty: &Type, env: &dyn TypeEnvironment, depth: usize, found: &mut Vec<Value>) {
    if depth > 10 || found.len() > 500 {
        return;
    }
    match ty {
        Type::Enum(texts) => found.extend(texts.values.iter().map(|text| Value::String(text.clone()))),
        Type::LiteralString(text) => found.push(Value::String(text.clone())),
        Type::Boolean(None) => found.extend([Value::Boolean(true), Value::Boolean(false)]),
        Type::Boolean(Some(value)) => found.push(Value::Boolean(*value)),
        Type::Default => found.push(Value::Default),
        Type::Undef => found.push(Value::Undef),
        Type::Optional(Some(ty)) => {
            alternatives(ty, env, depth + 1, found);
            if !found.is_empty() {
                found.push(Value::Undef);
            }
        }
        Type::NotUndef(Some(ty)) => alternatives(ty, env, depth + 1, found),
        Type::Variant(types) => types.iter().for_each(|ty| alternatives(ty, env, depth + 1, found)),
        Type::Alias(name) => {
            if let Some(named) = env.named_type(name) {
                alternatives(&named.ty, env, depth + 1, found);
            }
        }
        _ => {}
    }
}

/// Resolves aliases and wrapper types, and returns the first result of `get` that is not `None`.
pub(super) fn find<T>(
    ty: &Type,
    env: &dyn TypeEnvironment,
    depth: usize,
    ask: &dyn Fn(&Type) -> Option<T>,
) -> Option<T> {
    if depth > 10 {
        return None;
    }
    if let Some(found) = ask(ty) {
        return Some(found);
    }
    match ty {
        Type::Optional(Some(ty)) | Type::NotUndef(Some(ty)) => find(ty, env, depth + 1, ask),
        Type::Variant(types) => types.iter().find_map(|ty| find(ty, env, depth + 1, ask)),
        Type::Alias(name) => find(&env.named_type(name)?.ty, env, depth + 1, ask),
        _ => None,
    }
}

pub(super) fn element(ty: &Type, env: &dyn TypeEnvironment) -> Option<Type> {
    find(ty, env, 0, &|ty| match ty {
        Type::Array(array) => Some(array.element.clone()),
        _ => None,
    })
}

pub(super) fn entry(ty: &Type, key: &str, env: &dyn TypeEnvironment) -> Option<Type> {
    find(ty, env, 0, &|ty| match ty {
        Type::Struct(members) => members.iter().find(|it| *it.name == *key).map(|it| it.value.clone()),
        Type::Hash(hash) => Some(hash.value.clone()),
        _ => None,
    })
}

/// Returns the keys of a hash that its type declares, or the parameters of a template.
fn keys(request: &CompletionRequest<'_>, hash: &Expectation, given: &[String]) -> Vec<CompletionItem> {
    if let Some(items) = template_parameters(request, hash, given)
        .or_else(|| bolt::keys(request, hash, given))
        .or_else(|| resource_hashes::keys(request, hash, given))
    {
        return items;
    }
    let members = with_type(request, hash, |ty, env| {
        find(&ty, env, 0, &|ty| match ty {
            Type::Struct(members) => Some(
                members
                    .iter()
                    .map(|it| {
                        (
                            it.name.to_string(),
                            types::display::type_text(&it.value, env),
                            it.key == types::StructKey::Optional,
                        )
                    })
                    .collect::<Vec<_>>(),
            ),
            _ => None,
        })
    });
    let members = members.flatten().unwrap_or_default().into_iter();
    let left = members.filter(|(name, ..)| !given.contains(name));
    left.map(|(name, ty, is_optional)| key_item(request, &name, &ty, !is_optional)).collect()
}

/// Returns the keys of the hash in a variable, after accesses with other keys.
fn keys_of_variable(
    request: &CompletionRequest<'_>,
    node: &syntax::SyntaxNode,
    keys: &[String],
) -> Vec<CompletionItem> {
    let Some(evaluated) = Evaluated::around(request.db, request.file, node) else { return Vec::new() };
    let found = compile::with_world(request.db, evaluated.definition, |world| {
        let mut members: Vec<(String, String)> = Vec::new();
        match evaluated.value(node)? {
            RecordedValue::Values(values) => {
                for value in &values {
                    known_members(value, keys, world, &mut members);
                }
            }
            RecordedValue::Type(ty) => {
                let inner = keys.iter().try_fold(ty, |ty, key| entry(&ty, key, world))?;
                struct_members(&inner, world, 0, &mut members);
            }
        }
        members.sort();
        members.dedup_by(|a, b| a.0 == b.0);
        Some(members)
    });
    let in_quotes = request.context.in_quotes;
    let members = found.flatten().unwrap_or_default().into_iter();
    let item = |(name, ty): (String, String)| {
        CompletionItem::new(CompletionKind::Key, name.clone())
            .text(quoted(&name, in_quotes))
            .detail(ty)
            .tier(0)
    };
    members.map(item).collect()
}

/// Collects the keys of a known hash, after accesses with other keys, with the types of their values.
fn known_members(
    value: &Value,
    keys: &[String],
    env: &dyn TypeEnvironment,
    found: &mut Vec<(String, String)>,
) {
    match (value, keys) {
        (Value::Hash(hash), [key, rest @ ..]) => {
            if let Some(inner) = hash.get(&Value::String(key.as_str().into())) {
                known_members(inner, rest, env, found);
            }
        }
        (Value::Hash(hash), []) => {
            for (key, value) in hash.iter() {
                if let Value::String(name) = key {
                    let ty = types::infer::infer(value, env);
                    found.push((name.to_string(), types::display::type_text(&ty, env)));
                }
            }
        }
        (Value::Unknown(unknown), _) => {
            let inner = keys.iter().try_fold(unknown.ty.clone(), |ty, key| entry(&ty, key, env));
            inner.iter().for_each(|ty| struct_members(ty, env, 0, found));
        }
        _ => {}
    }
}

/// Collects the members of all structs that a type may be, with their types.
fn struct_members(ty: &Type, env: &dyn TypeEnvironment, depth: usize, found: &mut Vec<(String, String)>) {
    if depth > 10 || found.len() > 500 {
        return;
    }
    match ty {
        Type::Struct(members) => {
            found.extend(
                members.iter().map(|it| (it.name.to_string(), types::display::type_text(&it.value, env))),
            );
        }
        Type::Optional(Some(ty)) | Type::NotUndef(Some(ty)) => struct_members(ty, env, depth + 1, found),
        Type::Variant(types) => types.iter().for_each(|ty| struct_members(ty, env, depth + 1, found)),
        Type::Alias(name) => {
            if let Some(named) = env.named_type(name) {
                struct_members(&named.ty, env, depth + 1, found);
            }
        }
        _ => {}
    }
}

pub(crate) fn key_item(
    request: &CompletionRequest<'_>,
    name: &str,
    ty: &str,
    is_required: bool,
) -> CompletionItem {
    let in_quotes = request.context.in_quotes;
    let written = quoted(name, in_quotes);
    let rest = attributes::Rest::of(request);
    let snippet = if in_quotes { None } else { rest.snippet(&crate::item::literal(&written)) };
    CompletionItem::new(CompletionKind::Key, name)
        .text(written)
        .snippet(snippet)
        .detail(ty)
        .tier(if is_required { 0 } else { 1 })
}

/// Returns the parameters of the template in `epp('module/name.epp', { ... })`.
fn template_parameters(
    request: &CompletionRequest<'_>,
    hash: &Expectation,
    given: &[String],
) -> Option<Vec<CompletionItem>> {
    let Expectation::Argument { function, index: 1, earlier, .. } = hash else { return None };
    if hir::kind_of_argument(function, 0) != Some(NameUseKind::EppTemplate) {
        return None;
    }
    let template = project::template_file(request.db, request.file, earlier.first()?)?;
    let definition = project::DefinitionId::new(request.db, template, hir::DefinitionKey::main());
    let all = parameters::parameters(request.db, definition);
    let left = all.iter().filter(|it| !given.iter().any(|name| *name == *it.name));
    Some(left.map(|it| key_item(request, &it.name, &it.type_text, it.is_required())).collect())
}

/// Returns the values for a comparison with an expression.
fn of_node(request: &CompletionRequest<'_>, node: &syntax::SyntaxNode) -> Vec<CompletionItem> {
    let Some(evaluated) = Evaluated::around(request.db, request.file, node) else { return Vec::new() };
    let values = compile::with_world(request.db, evaluated.definition, |world| {
        let recorded = evaluated.value(node)?;
        let mut values = Vec::new();
        alternatives(&recorded_value::type_of(&recorded, world), world, 0, &mut values);
        Some(values)
    });
    let values = values.flatten().unwrap_or_default();
    values.iter().filter_map(|value| value_item(request, value)).collect()
}

/// Returns the arguments for the brackets after a type.
fn of_type_argument(request: &CompletionRequest<'_>, name: &str) -> Vec<CompletionItem> {
    if ReferenceKind::is_class(name) {
        return classes::items(request, ClassNotation::Quoted);
    }
    let is_resource_type = resource_types::find(request.db, request.file, name).is_some();
    if is_resource_type || built_in::data_type(name).is_none() {
        return references::titles(request, name);
    }
    if request.context.in_quotes { Vec::new() } else { type_names::by_usage(request) }
}

fn of_argument(
    request: &CompletionRequest<'_>,
    function: &str,
    index: usize,
    earlier: &[String],
) -> Vec<CompletionItem> {
    match hir::kind_of_argument(function, index) {
        Some(NameUseKind::Class) => classes::items(request, ClassNotation::Name),
        Some(NameUseKind::ErbTemplate) => served_paths::templates(request, &["erb"]),
        Some(NameUseKind::EppTemplate) => served_paths::templates(request, &["epp"]),
        Some(NameUseKind::ServedFile) => served_paths::files(request),
        Some(NameUseKind::HieraKey) => hiera_keys::looked_up(request),
        Some(NameUseKind::Task) => bolt::tasks(request),
        Some(NameUseKind::Plan) => bolt::plans(request),
        Some(NameUseKind::ResourceType) => {
            let names = resource_types::names(request).into_iter();
            let item = |(name, module, is_near): (hir::Name, hir::Name, bool)| {
                CompletionItem::new(CompletionKind::ResourceType, name.to_string())
                    .text(quoted(&name, request.context.in_quotes))
                    .detail(module.to_string())
                    .tier(if is_near { 0 } else { 1 })
            };
            names.map(item).collect()
        }
        Some(NameUseKind::ClassOrResourceType) => {
            let names = resource_types::names(request).into_iter();
            let names = names.map(|(name, ..)| {
                CompletionItem::new(CompletionKind::ResourceType, name.to_string())
                    .text(quoted(&name, request.context.in_quotes))
                    .tier(2)
            });
            names.chain(classes::items(request, ClassNotation::Quoted)).collect()
        }
        _ if function == "realize" && !request.context.in_quotes => references::items(request),
        _ => {
            let (function, earlier) = (function.to_owned(), earlier.to_vec());
            let expected = Expectation::Argument { function, index, earlier, receiver: None };
            typed(request, &expected, |ty, _| Some(ty))
        }
    }
}
