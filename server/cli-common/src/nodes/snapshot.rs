//! Exported resources in snapshots.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use anyhow::Context;
use compile::{FleetExports, FleetQueries, QueriedTypes, QueryAnswer};
use eval::ExportedResource;
use fleet::nodes::{NodeSet, exported_lines};
use hir::Name;
use output::secrets::REDACTED;
use scalars::tags::Tags;
use smol_str::SmolStr;
use types::{HashValue, Origin, Type, Value};

use super::queries::{FleetData, FurtherResources, LazyAnswers, QueriedNode, QueriedResources, answers};

/// Resources of nodes.
type ResourcesByNode = BTreeMap<SmolStr, Vec<Arc<ExportedResource>>>;

/// Reads the exported resources of a snapshot.
pub(super) fn read(path: &Path) -> anyhow::Result<FleetExports> {
    let nodes = exported(path)?;
    let exports = FleetExports::new(&nodes, std::iter::empty());
    let path = path.to_owned();
    let answers = LazyAnswers::new(Box::new(move |query| answer(query, &path, &nodes)));
    let queries = FleetQueries { answers: Some(Arc::new(answers)), types: QueriedTypes::default() };
    Ok(exports.with_queries(queries))
}

/// Answers a query from a snapshot.
fn answer(query: &str, path: &Path, exported: &ResourcesByNode) -> QueryAnswer {
    let failed = |error: anyhow::Error| SmolStr::from(format!("{error:#}"));
    let scope = fleet::nodes::scope_of(path).map_err(failed)?;
    if !scope.has_all_nodes {
        return Err(
            "the snapshot may lack nodes: write it with `facts fetch` without `--nodes` and `--query`".into(),
        );
    }
    let nodes = |receive: &mut dyn FnMut(&QueriedNode)| {
        let mut nodes = NodeSet::open(path)?;
        while let Some(raw) = nodes.next_node()? {
            let node = raw.parse()?;
            let facts = Some(node.set.facts).filter(|it| !it.is_empty());
            let (certname, trusted) = (node.certname.to_lowercase().into(), node.set.trusted);
            receive(&QueriedNode { certname, facts, trusted, is_reduced: !scope.has_all_facts });
        }
        Ok(())
    };
    let mut resources: BTreeMap<SmolStr, QueriedResources> = BTreeMap::new();
    let add = &mut |node: &QueriedNode| {
        let known = exported.get(&node.certname).into_iter().flatten();
        let copied = known.map(|it| if scope.has_all_facts { it.clone() } else { without_masks(it) });
        let of_node =
            QueriedResources { resources: copied.collect(), further: FurtherResources::NotExported };
        resources.insert(node.certname.clone(), of_node);
    };
    nodes(add).map_err(failed)?;
    let data = FleetData { nodes: &nodes, resources: &resources };
    let mut answers = answers(&[query], &data).map_err(failed)?;
    answers.pop().unwrap_or_else(|| Err(SmolStr::default()))
}

/// Returns a resource whose masked values are unknown.
fn without_masks(resource: &ExportedResource) -> Arc<ExportedResource> {
    let mut resource = resource.clone();
    for (_, value) in &mut resource.parameters {
        if is_masked(value) {
            *value = Value::unknown(Type::Any, Origin::MissingDefinition);
        }
    }
    Arc::new(resource)
}

fn is_masked(value: &Value) -> bool {
    match value {
        Value::String(text) => text == REDACTED,
        Value::Array(elements) => elements.iter().any(is_masked),
        Value::Hash(entries) => entries.values().any(is_masked),
        _ => false,
    }
}

/// Returns the exported resources in a snapshot.
fn exported(path: &Path) -> anyhow::Result<ResourcesByNode> {
    let mut nodes = ResourcesByNode::new();
    exported_lines(path, |line| {
        let set = facts::read("exported.json", line);
        let set = set.with_context(|| format!("malformed exported resources in `{}`", path.display()))?;
        let (certname, resources) = of_node(&set.facts)
            .with_context(|| format!("malformed exported resources in `{}`", path.display()))?;
        nodes.insert(certname, resources);
        Ok(())
    })?;
    Ok(nodes)
}

fn of_node(line: &HashValue) -> Option<(SmolStr, Vec<Arc<ExportedResource>>)> {
    let certname = line.get_text("certname")?.as_str()?.to_lowercase();
    let Value::Array(resources) = line.get_text("exported")? else { return None };
    let resources = resources.iter().map(|it| Some(Arc::new(resource(it.as_hash()?)?)));
    Some((certname.into(), resources.collect::<Option<_>>()?))
}

fn resource(row: &HashValue) -> Option<ExportedResource> {
    let text = |key: &str| row.get_text(key)?.as_str();
    let parameters = row.get_text("parameters")?.as_hash()?.iter();
    let parameters = parameters.map(|(name, value)| Some((Name::new(name.as_str()?), value.clone())));
    let mut tags = Tags::default();
    if let Some(Value::Array(names)) = row.get_text("tags") {
        names.iter().filter_map(Value::as_str).for_each(|tag| tags.add(tag));
    }
    Some(ExportedResource {
        type_name: hir::fold_name(text("type")?),
        title: Some(text("title")?.into()),
        parameters: parameters.collect::<Option<_>>()?,
        tags,
        is_exported: true,
        is_possible: false,
        is_incomplete: false,
    })
}
