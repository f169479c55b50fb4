//! Names of attributes that a resource accepts and does not set yet.

use plugins::{ResourceAttribute, ResourceAttributeKind, built_in};
use project::{DefinitionId, NameKind};
use symbols::parameters::{self, ParameterText};

use super::resource_types::{self, ResourceTypeSource};
use crate::CompletionRequest;
use crate::context::ResourceAtCursor;
use crate::item::{CompletionItem, CompletionKind, literal};

pub(crate) fn items(
    request: &CompletionRequest<'_>,
    resource: &ResourceAtCursor,
    given: &[String],
) -> Vec<CompletionItem> {
    let rest = Rest::of(request);
    let mut items = Vec::new();
    match source(request, resource) {
        Some(ResourceTypeSource::Plugin(ty)) => {
            let settable = ty.attributes.iter().filter(|it| it.kind != ResourceAttributeKind::ReadOnly);
            items.extend(settable.map(|attribute| of_type(attribute, &ty.name, rest)));
        }
        Some(ResourceTypeSource::Defined(definition)) => {
            let owner = owner(resource);
            let parameters = parameters::parameters(request.db, definition);
            items.extend(parameters.iter().map(|parameter| of_definition(parameter, &owner, rest)));
        }
        None => {}
    }
    items.extend(built_in::metaparameters().iter().map(|it| of_metaparameter(it, rest)));
    items.push(
        CompletionItem::new(CompletionKind::Attribute, "*")
            .snippet(rest.snippet("*", "attributes"))
            .detail("attributes from a hash")
            .tier(7),
    );
    items.retain(|item| !given.contains(&item.label));
    items
}

/// Returns the attributes that a collector may query.
pub(crate) fn query_items(
    request: &CompletionRequest<'_>,
    resource: &ResourceAtCursor,
) -> Vec<CompletionItem> {
    let mut items = items(request, resource, &["*".to_owned()]);
    let title = CompletionItem::new(CompletionKind::Attribute, "title").tier(0);
    items.push(title);
    for item in &mut items {
        item.snippet = None;
        if item.label == "tag" {
            item.tier = 0;
        }
    }
    items
}

/// Returns the definition of a resource's type.
pub(crate) fn source(
    request: &CompletionRequest<'_>,
    resource: &ResourceAtCursor,
) -> Option<ResourceTypeSource> {
    match resource {
        ResourceAtCursor::OfType(name) => resource_types::find(request.db, request.file, name)
            .or_else(|| resource_types::find(request.db, request.file, &within_definition(request, name)?)),
        ResourceAtCursor::Class(name) => class(request, name).map(ResourceTypeSource::Defined),
    }
}

/// Returns the qualified name of a definition inside of the current class, given its name without that of the
/// class.
fn within_definition(request: &CompletionRequest<'_>, name: &str) -> Option<String> {
    let around = &request.definition()?.key(request.db).name;
    Some(format!("{around}::{name}"))
}

fn class(request: &CompletionRequest<'_>, name: &str) -> Option<DefinitionId> {
    project::resolve_in_file(request.db, request.file, NameKind::Class, name)
}

/// Returns the owner by which the details of an attribute are resolved.
fn owner(resource: &ResourceAtCursor) -> String {
    match resource {
        ResourceAtCursor::OfType(name) => name.clone(),
        ResourceAtCursor::Class(name) => format!("class {name}"),
    }
}

/// Text after the name.
#[derive(Clone, Copy)]
struct Rest {
    has_arrow: bool,
    ends_line: bool,
}

impl Rest {
    fn of(request: &CompletionRequest<'_>) -> Rest {
        let text = project::text(request.db, request.file).unwrap_or_default();
        let rest = text.get(request.offset as usize..).unwrap_or_default();
        // The rest of the word around the cursor.
        let rest = rest.trim_start_matches(|it: char| it.is_ascii_alphanumeric() || it == '_');
        let line = rest.lines().next().unwrap_or_default().trim();
        Rest { has_arrow: line.starts_with("=>") || line.starts_with("+>"), ends_line: line.is_empty() }
    }

    /// Returns a snippet of the name with an arrow and a placeholder for the value; `value` is its default
    /// text.
    fn snippet(self, name: &str, value: &str) -> Option<String> {
        if self.has_arrow {
            return None;
        }
        let comma = if self.ends_line { "," } else { "" };
        Some(format!("{name} => {value}{comma}", value = placeholder(value)))
    }
}

fn placeholder(value: &str) -> String {
    if value.starts_with("${") { value.to_owned() } else { format!("${{1:{}}}", literal(value)) }
}

fn of_type(attribute: &ResourceAttribute, owner: &str, rest: Rest) -> CompletionItem {
    let value = match attribute.values.as_slice() {
        [] => attribute.default.as_deref().unwrap_or("value").to_owned(),
        values if attribute.values_are_closed && values.len() > 1 => choices(values.iter().map(|it| &**it)),
        [first, ..] => first.to_string(),
    };
    let detail = match attribute.kind {
        ResourceAttributeKind::Property => "property",
        ResourceAttributeKind::Parameter | ResourceAttributeKind::ReadOnly => "parameter",
    };
    let tier = match &*attribute.name {
        _ if attribute.is_required => 0,
        "ensure" => 1,
        // Usually determined by the title.
        "provider" => 4,
        _ if attribute.is_name_variable => 3,
        _ => 2,
    };
    CompletionItem::new(CompletionKind::Attribute, attribute.name.to_string())
        .snippet(rest.snippet(&attribute.name, &value))
        .detail(detail)
        .owner(owner)
        .tier(tier)
}

/// Returns a snippet placeholder with a choice of values.
fn choices<'v>(values: impl Iterator<Item = &'v str>) -> String {
    let escape = |value: &str| literal(value).replace(',', "\\,").replace('|', "\\|");
    let values: Vec<String> = values.map(escape).collect();
    format!("${{1|{}|}}", values.join(","))
}

fn of_definition(parameter: &ParameterText, owner: &str, rest: Rest) -> CompletionItem {
    let type_text = &parameter.type_text;
    let value = match parameter.default.as_deref() {
        _ if type_text == "Boolean" => "${1|true,false|}",
        Some(default) if default.len() < 30 => default,
        _ if type_text.is_empty() || type_text.len() > 30 => "value",
        _ => type_text,
    };
    let mut detail = type_text.clone();
    if let Some(default) = parameter.default.as_ref().filter(|it| it.len() < 30) {
        detail.push_str(&format!(" = {default}"));
    }
    CompletionItem::new(CompletionKind::Attribute, parameter.name.to_string())
        .snippet(rest.snippet(&parameter.name, value))
        .detail(detail.trim_start())
        .owner(owner)
        .tier(if parameter.is_required() { 0 } else { 2 })
}

fn of_metaparameter(attribute: &ResourceAttribute, rest: Rest) -> CompletionItem {
    let value = match built_in::RelationshipMetaparameter::from_name(&attribute.name) {
        Some(_) => "${1:Type}['${2:title}']",
        None => attribute.values.first().map_or("value", |it| it),
    };
    CompletionItem::new(CompletionKind::Metaparameter, attribute.name.to_string())
        .snippet(rest.snippet(&attribute.name, value))
        .detail("metaparameter")
        .tier(5)
}
