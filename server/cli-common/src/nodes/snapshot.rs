//! Exported resources in snapshots.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use anyhow::Context;
use compile::FleetExports;
use eval::ExportedResource;
use fleet::nodes::exported_lines;
use hir::Name;
use scalars::tags::Tags;
use smol_str::SmolStr;
use types::{HashValue, Value};

/// Reads the exported resources of a snapshot.
pub(super) fn read(path: &Path) -> anyhow::Result<FleetExports> {
    let mut nodes: BTreeMap<SmolStr, Vec<Arc<ExportedResource>>> = BTreeMap::new();
    exported_lines(path, |line| {
        let set = facts::read("exported.json", line);
        let set = set.with_context(|| format!("malformed exported resources in `{}`", path.display()))?;
        let (certname, resources) = of_node(&set.facts)
            .with_context(|| format!("malformed exported resources in `{}`", path.display()))?;
        nodes.insert(certname, resources);
        Ok(())
    })?;
    Ok(FleetExports::new(&nodes, std::iter::empty()))
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
        is_possible: false,
        is_incomplete: false,
    })
}
