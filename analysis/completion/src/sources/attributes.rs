//! Names of attributes that a resource accepts and does not set yet.

use plugins::{ResourceAttribute, ResourceAttributeKind, built_in};
use project::{DefinitionId, NameKind};
use symbols::parameters::{self, ParameterText};

use super::resource_types::{self, ResourceTypeSource};

use crate::context::position::ResourceAtCursor;
use crate::item::{CompletionItem, CompletionKind};
use crate::{CompletionRequest, attribute_usage};

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
    let type_name = match resource {
        ResourceAtCursor::OfType(name) => name.as_str(),
        ResourceAtCursor::Class(_) => "class",
    };
    items.extend(built_in::metaparameters().iter().map(|it| of_metaparameter(it, type_name, rest)));
    items.push(
        CompletionItem::new(CompletionKind::Attribute, "*")
            .snippet(rest.snippet("*"))
            .detail("attributes from a hash")
            .tier(7),
    );
    items.retain(|item| !given.contains(&item.label));
    if items.iter().any(|it| it.weight > 0) {
        // Frequent attributes first, whatever is written nearby.
        for item in &mut items {
            item.is_repeated = false;
        }
    }
    items.sort_by_key(|it| std::cmp::Reverse(it.weight));
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

/// Text after the name of an attribute or a key.
#[derive(Clone, Copy)]
pub(crate) struct Rest {
    has_arrow: bool,
    ends_line: bool,
}

impl Rest {
    pub(crate) fn of(request: &CompletionRequest<'_>) -> Rest {
        let text = project::text(request.db, request.file).unwrap_or_default();
        let rest = text.get(request.offset as usize..).unwrap_or_default();
        // The rest of the word around the cursor.
        let rest = rest.trim_start_matches(|it: char| it.is_ascii_alphanumeric() || it == '_');
        let line = rest.lines().next().unwrap_or_default().trim();
        Rest { has_arrow: line.starts_with("=>") || line.starts_with("+>"), ends_line: line.is_empty() }
    }

    /// Returns a snippet of the name with an arrow and `value`, a tab stop.
    pub(crate) fn snippet(self, name: &str) -> Option<String> {
        if self.has_arrow {
            return None;
        }
        let comma = if self.ends_line { "," } else { "" };
        Some(format!("{name} => {VALUE_STOP}{comma}"))
    }
}

/// Tab stop for a value. It has no text, so that a quote typed there surrounds nothing. It is no choice either: VS Code
/// formats nothing that is typed in a choice, so the comma after it would be doubled.
const VALUE_STOP: &str = "$1";

fn of_type(attribute: &ResourceAttribute, owner: &str, rest: Rest) -> CompletionItem {
    let detail = match attribute.kind {
        ResourceAttributeKind::Property => "property",
        ResourceAttributeKind::Parameter | ResourceAttributeKind::ReadOnly => "parameter",
    };
    let manifests = attribute_usage::manifests(owner, &attribute.name);
    let tier = match &*attribute.name {
        _ if attribute.is_required => 0,
        "ensure" => 1,
        _ if manifests > 0 => 2,
        // Usually determined by the title.
        "provider" => 5,
        _ if attribute.is_name_variable => 4,
        _ => 3,
    };
    CompletionItem::new(CompletionKind::Attribute, attribute.name.to_string())
        .snippet(rest.snippet(&attribute.name))
        .lists_values(attribute.values_are_closed && !attribute.values.is_empty())
        .detail(detail)
        .owner(owner)
        .tier(tier)
        .weight(manifests)
}

/// States that resources usually have, in this order.
const DESIRED_STATES: &[&str] =
    &["running", "file", "directory", "link", "mounted", "installed", "present", "latest"];

/// Returns the rank of a value by its effect: desired states come first, those that remove or stop something last.
pub(crate) fn value_preference(value: &str) -> usize {
    let desired = DESIRED_STATES.iter().position(|it| *it == value);
    desired.unwrap_or(DESIRED_STATES.len() + usize::from(is_destructive(value)))
}

pub(crate) fn is_desired(value: &str) -> bool {
    DESIRED_STATES.contains(&value)
}

/// Returns true for states without the resource, or in which it does not work.
pub(crate) fn is_destructive(value: &str) -> bool {
    matches!(value, "absent" | "stopped" | "purged" | "unmounted" | "disabled" | "mask" | "held" | "hold")
}

/// Returns the values that an attribute lists, desired states first, then the most frequent one.
pub(crate) fn values_by_usage<'a>(type_name: &str, attribute: &'a ResourceAttribute) -> Vec<&'a str> {
    let mut values: Vec<&str> = attribute.written_values().map(|it| it.as_str()).collect();
    values.sort_by_key(|value| {
        let manifests = attribute_usage::manifests_with_value(type_name, &attribute.name, value);
        (value_preference(value), std::cmp::Reverse(manifests))
    });
    values
}

fn of_definition(parameter: &ParameterText, owner: &str, rest: Rest) -> CompletionItem {
    let type_text = &parameter.type_text;
    let mut detail = type_text.clone();
    if let Some(default) = parameter.default.as_ref().filter(|it| it.len() < 30) {
        detail.push_str(&format!(" = {default}"));
    }
    CompletionItem::new(CompletionKind::Attribute, parameter.name.to_string())
        .snippet(rest.snippet(&parameter.name))
        .lists_values(type_text == "Boolean" || type_text.starts_with("Enum["))
        .detail(detail.trim_start())
        .owner(owner)
        .tier(if parameter.is_required() { 0 } else { 2 })
        .weight(attribute_usage::manifests(owner, &parameter.name))
}

fn of_metaparameter(attribute: &ResourceAttribute, type_name: &str, rest: Rest) -> CompletionItem {
    let manifests = attribute_usage::manifests(type_name, &attribute.name);
    CompletionItem::new(CompletionKind::Metaparameter, attribute.name.to_string())
        .snippet(rest.snippet(&attribute.name))
        .detail("metaparameter")
        .tier(if manifests > 0 && built_in::resource_type(type_name).is_some() { 2 } else { 6 })
        .weight(manifests)
}
