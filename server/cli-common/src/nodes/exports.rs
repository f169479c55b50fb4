//! Resources that the nodes of a fleet export: from the run's own compiles, or from a snapshot.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use catalog_view::text::plural;
use clap::ValueEnum;
use comparison::sharing::{NodeHashes, ReadOfCompile, SharedResults};
use compile::{CompileRequest, FileReader, FleetExports};
use eval::ExportedResource;
use fleet::nodes::{FleetNode, NodeSet, RawNode};
use ide::{Analysis, EnvironmentId};
use smol_str::SmolStr;

use super::snapshot;
use crate::files;
use crate::terminal::verbose::VerbosePhase;
use crate::terminal::{ProgressLine, RunProgress};

/// Maximum number of rounds of compiles until the exports of no node change. More than two are only needed if
/// nodes export what they collect.
const MAX_ROUNDS: usize = 5;

/// Real nodes to compile.
#[derive(clap::Args, Debug)]
pub struct NodeSetArguments {
    /// Compile real nodes: those of a snapshot written by `facts fetch`, or of a folder with a file of facts per node
    /// (`NODE.json`, `NODE.yaml`)
    #[arg(
        long = "nodes",
        id = "node_set",
        value_name = "SNAPSHOT|FOLDER",
        conflicts_with_all = ["facts", "os", "partial_facts"]
    )]
    pub path: Option<PathBuf>,

    /// Folder with the output of an external node classifier for each node: `NODE.yaml` or `NODE.json`
    #[arg(long, value_name = "FOLDER", requires = "node_set", conflicts_with = "enc")]
    pub enc_dir: Option<PathBuf>,

    /// Source of the resources that nodes export, for the collectors of other nodes [default: none, so that catalogs
    /// with such collectors are open]
    #[arg(long, value_enum, value_name = "SOURCE", requires = "node_set")]
    pub exported: Option<ExportSource>,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum ExportSource {
    /// Catalogs of all nodes, which are compiled for this first
    FromRun,
    /// Snapshot, written by `facts fetch --exported`
    Snapshot,
}

/// Creates the compile request of a node; `None` if the node is not compiled.
pub type NodeRequest<'r> =
    &'r (dyn Fn(&Analysis, FleetNode) -> anyhow::Result<Option<CompileRequest>> + Sync);

/// Compiles of all nodes for their exports.
pub struct ExportRun<'r> {
    /// Snapshot or folder of nodes.
    pub nodes: &'r Path,
    pub environment: EnvironmentId,
    pub reader: &'r (dyn FileReader + Sync),
    pub request: NodeRequest<'r>,
    pub threads: usize,
    /// True if nodes that no compile can distinguish share one.
    pub is_shared: bool,
    pub shows_progress: bool,
}

/// Exports of a node.
#[derive(Clone, Debug)]
struct NodeExports {
    resources: Vec<Arc<ExportedResource>>,
    /// True if these are all.
    are_known: bool,
    /// True if the node collects what others export.
    collects: bool,
}

/// Exports of all nodes, by node.
type ExportsByNode = BTreeMap<SmolStr, NodeExports>;

impl ExportSource {
    /// Returns the exports of all nodes. `start` creates the analysis of a thread.
    ///
    /// # Errors
    /// Fails if the facts of the nodes or the snapshot cannot be read.
    pub fn read(
        self,
        run: &ExportRun<'_>,
        start: &dyn Fn() -> Analysis,
    ) -> anyhow::Result<Arc<FleetExports>> {
        match self {
            ExportSource::FromRun => run.gather(start).map(Arc::new),
            ExportSource::Snapshot => snapshot::read(run.nodes).map(Arc::new),
        }
    }
}

impl ExportRun<'_> {
    /// Compiles the nodes until their exports do not depend on unknown ones.
    fn gather(&self, start: &dyn Fn() -> Analysis) -> anyhow::Result<FleetExports> {
        let phase = VerbosePhase::start();
        let mut all = self.round(start, None, &|_| true)?;
        let collecting: BTreeSet<SmolStr> =
            all.iter().filter(|(_, it)| it.collects).map(|(name, _)| name.clone()).collect();
        for _ in 0..MAX_ROUNDS {
            if collecting.is_empty() {
                break;
            }
            let exports = Arc::new(fleet_exports(&all));
            let again = self.round(start, Some(&exports), &|name| collecting.contains(name))?;
            let mut is_settled = true;
            for (name, mut found) in again {
                let Some(known) = all.get_mut(&name) else { continue };
                let is_same = known.resources == found.resources && known.are_known == found.are_known;
                is_settled &= is_same;
                std::mem::swap(known, &mut found);
            }
            if is_settled {
                phase.end(|| format!("compiled {} for their exports", plural(all.len(), "node", "nodes")));
                return Ok(fleet_exports(&all));
            }
        }
        // Nodes that export what they collect may never agree.
        for name in &collecting {
            all.get_mut(name).into_iter().for_each(|it| it.are_known = false);
        }
        phase.end(|| format!("compiled {} for their exports", plural(all.len(), "node", "nodes")));
        Ok(fleet_exports(&all))
    }

    /// Compiles nodes with the exports of an earlier round.
    fn round(
        &self,
        start: &dyn Fn() -> Analysis,
        exports: Option<&Arc<FleetExports>>,
        is_wanted: &(dyn Fn(&str) -> bool + Sync),
    ) -> anyhow::Result<ExportsByNode> {
        let mut nodes = NodeSet::open(self.nodes)?;
        let shared = self.is_shared.then(SharedResults::default);
        let mut bar = ProgressLine::new(self.shows_progress, "nodes compiled for their exports");
        let (started, total, mut done) = (Instant::now(), nodes.remaining(), 0);
        let mut all = ExportsByNode::new();
        loop {
            let chunk = nodes.next_chunk()?;
            if chunk.is_empty() {
                break;
            }
            let work = |analysis: &Analysis, raw: &RawNode| {
                self.node(analysis, raw, exports, is_wanted, shared.as_ref())
            };
            let found = files::in_parallel(&chunk, self.threads, start, work, |now| {
                bar.show(RunProgress { done: done + now.done, total, elapsed: started.elapsed() });
            })?;
            done += chunk.len();
            for node in found {
                all.extend(node?);
            }
        }
        bar.finish();
        Ok(all)
    }

    fn node(
        &self,
        analysis: &Analysis,
        raw: &RawNode,
        exports: Option<&Arc<FleetExports>>,
        is_wanted: &(dyn Fn(&str) -> bool + Sync),
        shared: Option<&SharedResults<NodeExports>>,
    ) -> anyhow::Result<Option<(SmolStr, NodeExports)>> {
        let node = raw.parse()?;
        let name = SmolStr::from(node.certname.to_lowercase());
        if !is_wanted(&name) {
            return Ok(None);
        }
        let request = if node.set.facts.is_empty() { None } else { (self.request)(analysis, node)? };
        let Some(request) = request else {
            let unknown = NodeExports { resources: Vec::new(), are_known: false, collects: false };
            return Ok(Some((name, unknown)));
        };
        let request = CompileRequest { exports: exports.cloned(), ..request };
        let Some(shared) = shared else {
            let (found, _) = self.compiled(analysis, &request)?;
            return Ok(Some((name, found)));
        };
        let mut hashes = NodeHashes::new(&[(analysis, self.environment, &request)])?;
        if let Some(known) = shared.find(&mut hashes) {
            return Ok(Some((name, (*known).clone())));
        }
        let (found, reads) = self.compiled(analysis, &hashes.recorded(0, &request))?;
        let found = Arc::new(found);
        shared.add(&mut hashes, reads.into_iter(), &found);
        Ok(Some((name, (*found).clone())))
    }

    fn compiled(
        &self,
        analysis: &Analysis,
        request: &CompileRequest,
    ) -> anyhow::Result<(NodeExports, Vec<ReadOfCompile>)> {
        let mut compiled = analysis.compile_with_verdict(self.environment, request, Some(self.reader))?;
        let collects = compiled.collects_unknown_exports();
        let exports = NodeExports {
            resources: compiled.catalog().stored.clone(),
            // In the first round, nothing that other nodes export is known.
            are_known: compiled.has_known_exports() && (request.exports.is_none() || !collects),
            collects,
        };
        let reads = std::mem::take(&mut compiled.node_reads).into_iter();
        Ok((exports, reads.map(|read| ReadOfCompile { compile: 0, read }).collect()))
    }
}

fn fleet_exports(all: &ExportsByNode) -> FleetExports {
    let resources = all.iter().map(|(name, it)| (name.clone(), it.resources.clone())).collect();
    let has_unknown = |it: &NodeExports| !it.are_known || it.resources.iter().any(|it| it.title.is_none());
    FleetExports::new(&resources, all.iter().filter(|(_, it)| has_unknown(it)).map(|(name, _)| name))
}
