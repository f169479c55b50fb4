//! Catalog as JSON, in the format of Puppet's own catalogs.

use std::collections::BTreeSet;

use catalog_view::values::{parameters, reference};
use eval::{CatalogResource, CatalogResourceKind};
use ide::{Analysis, Compiled, EnvironmentId};
use serde_json::{Map, Value as Json, json};
use types::NoTypes;

use compile::CompileRequest;

/// Renders a catalog. Unknown values are `{"__ptype": "Unknown", "type": ...}`; resources that may be absent
/// have `possible`; `exported` lists the resources that are only exported to other nodes, `open` what could
/// not be checked. Only `chosen` resources are rendered, unless it is empty.
///
/// # Errors
/// Fails if the analysis was canceled.
pub fn render(
    analysis: &Analysis,
    environment: EnvironmentId,
    request: &CompileRequest,
    compiled: &Compiled,
    chosen: &BTreeSet<usize>,
) -> anyhow::Result<Json> {
    let is_shown = |index: &usize| chosen.is_empty() || chosen.contains(index);
    let catalog = compiled.catalog();
    let shown = |resource| shown_resource(analysis, environment, compiled, resource);
    let resources = catalog.resources.iter().enumerate().filter(|(index, _)| is_shown(index));
    let resources = resources.map(|(_, it)| shown(it)).collect::<anyhow::Result<Vec<_>>>()?;
    let exported = catalog.exported.iter().filter(|_| chosen.is_empty());
    let exported = exported.map(shown).collect::<anyhow::Result<Vec<_>>>()?;
    let edges: Vec<Json> = catalog
        .edges
        .iter()
        .filter(|(from, to)| is_shown(from) && is_shown(to))
        .map(|(from, to)| {
            let (source, target) = (&catalog.resources[*from], &catalog.resources[*to]);
            json!({ "source": reference(source), "target": reference(target) })
        })
        .collect();
    let classes: Vec<&str> = catalog.classes.iter().map(|class| class.as_str()).collect();
    Ok(json!({
        "tags": tags(&catalog.classes, catalog.resources.iter().any(|it| it.kind() == CatalogResourceKind::Node)),
        "name": request.node_name.as_str(),
        "version": 1,
        "code_id": null,
        "catalog_uuid": null,
        "catalog_format": 2,
        "environment": request.environment_name.as_str(),
        "resources": resources,
        "edges": edges,
        "classes": classes,
        "exported": exported,
        "open": compiled.inconclusive_reasons(),
    }))
}

fn shown_resource(
    analysis: &Analysis,
    environment: EnvironmentId,
    compiled: &Compiled,
    resource: &CatalogResource,
) -> anyhow::Result<Json> {
    let mut shown = Map::new();
    shown.insert("type".to_owned(), json!(resource.type_name.as_str()));
    shown.insert("title".to_owned(), json!(resource.title.as_deref()));
    let tags = resource.tags.sorted();
    let tags: Vec<&str> = tags.iter().map(|tag| tag.as_str()).collect();
    shown.insert("tags".to_owned(), json!(tags));
    let place = match resource.place {
        Some(place) => analysis.location_of(compiled, place)?,
        None => None,
    };
    if let Some(place) = place {
        if let Some(file) = place.file {
            shown.insert("file".to_owned(), json!(analysis.path(file).to_native()));
        }
        shown.insert("line".to_owned(), json!(place.line));
    }
    shown.insert("exported".to_owned(), json!(resource.is_exported));
    shown.insert("kind".to_owned(), json!(kind(analysis, environment, resource)?));
    if resource.is_possible {
        shown.insert("possible".to_owned(), json!(true));
    }
    let parameters: Map<String, Json> = parameters(resource)
        .into_iter()
        .map(|(name, value)| (name.to_owned(), types::rich_data::to_json(&value, &NoTypes)))
        .collect();
    if !parameters.is_empty() {
        shown.insert("parameters".to_owned(), Json::Object(parameters));
    }
    if !resource.sensitive.is_empty() {
        let sensitive: Vec<&str> = resource.sensitive.iter().map(|name| name.as_str()).collect();
        shown.insert("sensitive_parameters".to_owned(), json!(sensitive));
    }
    Ok(Json::Object(shown))
}

/// Returns Puppet's name for the kind of a resource type.
fn kind(
    analysis: &Analysis,
    environment: EnvironmentId,
    resource: &CatalogResource,
) -> anyhow::Result<&'static str> {
    Ok(match resource.kind() {
        CatalogResourceKind::Class | CatalogResourceKind::Node => "unknown",
        _ if analysis.has_native_type(environment, &resource.type_name)? => "compilable_type",
        _ => "defined_type",
    })
}

/// Returns the tags of a catalog: its classes, the segments of their names, and the tags of a node
/// definition.
fn tags(classes: &[smol_str::SmolStr], has_node: bool) -> Vec<&str> {
    let mut tags: Vec<&str> = Vec::new();
    let of_node = if has_node { ["node", "class"].as_slice() } else { &[] };
    let of_classes =
        classes.iter().flat_map(|class| std::iter::once(class.as_str()).chain(class.split("::")));
    for tag in of_classes.chain(of_node.iter().copied()) {
        if !tags.contains(&tag) {
            tags.push(tag);
        }
    }
    tags
}
