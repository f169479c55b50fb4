//! Resources that the nodes of a fleet export, for the collectors of other nodes.

use std::collections::BTreeMap;
use std::sync::Arc;

use eval::{ExportedResource, ExportsOfOthers, StoredExport};
use hir::Name;
use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::SmolStr;

use super::fleet_queries::FleetQueries;

/// Resources that the nodes of a fleet export.
#[derive(Default, Debug)]
pub struct FleetExports {
    by_type: FxHashMap<Name, ExportsOfType>,
    /// Nodes that may export further resources.
    unknown: Vec<SmolStr>,
    /// Answers to queries of PuppetDB.
    pub(crate) queries: FleetQueries,
}

#[derive(Default, Debug)]
struct ExportsOfType {
    /// Ordered by node, then as in the catalog of the node.
    resources: Vec<StoredExport>,
    nodes: FxHashSet<SmolStr>,
}

impl FleetExports {
    /// Collects the exports of all nodes. Those of `unknown` nodes are incomplete.
    pub fn new<'e>(
        nodes: &'e BTreeMap<SmolStr, Vec<Arc<ExportedResource>>>,
        unknown: impl Iterator<Item = &'e SmolStr>,
    ) -> FleetExports {
        let mut exports = FleetExports { unknown: unknown.cloned().collect(), ..FleetExports::default() };
        exports.unknown.sort_unstable();
        for (certname, resources) in nodes {
            for resource in resources {
                let of_type = exports.by_type.entry(resource.type_name.clone()).or_default();
                let (certname, resource) = (certname.clone(), resource.clone());
                of_type.nodes.insert(certname.clone());
                of_type.resources.push(StoredExport { certname, resource });
            }
        }
        exports
    }

    /// Adds the answers to queries.
    pub fn with_queries(self, queries: FleetQueries) -> FleetExports {
        FleetExports { queries, ..self }
    }

    /// Returns the resources of a type that nodes other than `own` export.
    pub(crate) fn of_others(&self, type_name: &str, own: &str) -> ExportsOfOthers {
        let of_type = self.by_type.get(type_name);
        let all = of_type.into_iter().flat_map(|it| &it.resources);
        ExportsOfOthers {
            resources: all.filter(|it| it.certname != own).cloned().collect(),
            are_complete: self.unknown.iter().all(|it| it == own),
        }
    }

    /// Returns true if a node has part in the exports of a type, so that it collects others than other nodes.
    pub(crate) fn distinguishes(&self, type_name: &str, node: &str) -> bool {
        let exports = |it: &ExportsOfType| it.nodes.contains(node);
        self.by_type.get(type_name).is_some_and(exports) || self.unknown.iter().any(|it| it == node)
    }

    /// Describes the nodes other than `own` whose exports are unknown.
    pub(crate) fn unknown_nodes(&self, own: &str) -> SmolStr {
        let mut others = self.unknown.iter().filter(|it| *it != own);
        let Some(first) = others.next() else { return SmolStr::default() };
        match others.count() {
            0 => format!("node `{first}` exports").into(),
            1 => format!("node `{first}` and 1 other node export").into(),
            more => format!("node `{first}` and {more} other nodes export").into(),
        }
    }
}
