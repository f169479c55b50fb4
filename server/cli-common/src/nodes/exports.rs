//! Resources that the nodes of a fleet export: from the run's own compiles, or from a snapshot.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use catalog_view::text::plural;
use clap::ValueEnum;
use comparison::sharing::{NodeHashes, ReadOfCompile, SharedResults};
use compile::{CompileRequest, Facts, FileReader, FleetExports, FleetQueries, QueriedTypes};
use eval::ExportedResource;
use fleet::nodes::{FleetNode, NodeSet, RawNode};
use ide::{Analysis, EnvironmentId};
use smol_str::SmolStr;

use super::queries::{AskedQueries, FleetData, FurtherResources, QueriedNode, QueriedResources, Regexes};
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
    /// True if the node collects what others export, or queries PuppetDB.
    collects: bool,
    /// Resources that queries ask for.
    queried: Vec<Arc<ExportedResource>>,
    /// Queries whose rows are unknown.
    queries: Vec<SmolStr>,
}

/// What a round of compiles knows about other nodes.
struct RoundInputs<'r> {
    exports: Option<Arc<FleetExports>>,
    asked: &'r AskedQueries,
}

impl NodeExports {
    /// Returns the exports of a node that is not compiled.
    fn unknown() -> NodeExports {
        let (resources, queried, queries) = (Vec::new(), Vec::new(), Vec::new());
        NodeExports { resources, are_known: false, collects: false, queried, queries }
    }

    /// Returns true if other nodes cannot distinguish the results of two compiles of a node.
    fn is_like(&self, other: &NodeExports) -> bool {
        self.resources == other.resources
            && self.are_known == other.are_known
            && self.queried == other.queried
    }
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
    /// Compiles the nodes until their exports do not depend on unknown ones, nor on unknown rows of queries.
    fn gather(&self, start: &dyn Fn() -> Analysis) -> anyhow::Result<FleetExports> {
        let phase = VerbosePhase::start();
        let mut asked = AskedQueries::default();
        let mut all = self.round(start, &RoundInputs { exports: None, asked: &asked }, &|_| true)?;
        let mut exports = None;
        let mut collecting = BTreeSet::new();
        let (mut is_settled, mut lacks_resources) = (false, false);
        for _ in 0..MAX_ROUNDS {
            let found = all.iter().filter(|(_, it)| it.collects);
            collecting.extend(found.map(|(name, _)| name.clone()));
            if collecting.is_empty() || is_settled {
                break;
            }
            lacks_resources |= asked.add(all.values().flat_map(|it| &it.queries));
            if lacks_resources {
                all =
                    self.round(start, &RoundInputs { exports: exports.clone(), asked: &asked }, &|_| true)?;
                lacks_resources = asked.add(all.values().flat_map(|it| &it.queries));
            }
            let known = self.known(start, &all, &asked, asked.types())?;
            exports = Some(Arc::new(known));
            let inputs = RoundInputs { exports: exports.clone(), asked: &asked };
            let again = self.round(start, &inputs, &|name| collecting.contains(name))?;
            let asked_before = asked.len();
            lacks_resources |= asked.add(again.values().flat_map(|it| &it.queries));
            is_settled = asked.len() == asked_before && !lacks_resources;
            for (name, mut found) in again {
                let Some(known) = all.get_mut(&name) else { continue };
                is_settled &= known.is_like(&found);
                std::mem::swap(known, &mut found);
            }
        }
        if !is_settled {
            // Nodes that export what they collect may never agree.
            for name in &collecting {
                all.get_mut(name).into_iter().for_each(|it| it.are_known = false);
            }
        }
        phase.end(|| format!("compiled {} for their exports", plural(all.len(), "node", "nodes")));
        if lacks_resources {
            return Ok(fleet_exports(&all));
        }
        self.known(start, &all, &asked, QueriedTypes::default())
    }

    /// Returns the exports of all nodes, and the answers to queries.
    fn known(
        &self,
        start: &dyn Fn() -> Analysis,
        all: &ExportsByNode,
        asked: &AskedQueries,
        types: QueriedTypes,
    ) -> anyhow::Result<FleetExports> {
        let exports = fleet_exports(all);
        if asked.len() == 0 {
            return Ok(exports);
        }
        let of_node = |(name, exports): (&SmolStr, &NodeExports)| {
            let further = if exports.are_known { FurtherResources::None } else { FurtherResources::Any };
            (name.clone(), QueriedResources { resources: exports.queried.clone(), further })
        };
        let resources = all.iter().map(of_node).collect();
        let nodes = |receive: &mut dyn FnMut(&QueriedNode)| self.facts(start, receive);
        let answers = asked.answers(&FleetData { nodes: &nodes, resources: &resources })?;
        Ok(exports.with_queries(FleetQueries { answers: Some(Arc::new(answers)), types }))
    }

    /// Passes the facts of all nodes, as they are compiled, to `receive`.
    fn facts(
        &self,
        start: &dyn Fn() -> Analysis,
        receive: &mut dyn FnMut(&QueriedNode),
    ) -> anyhow::Result<()> {
        let mut nodes = NodeSet::open(self.nodes)?;
        let analysis = start();
        while let Some(raw) = nodes.next_node()? {
            let node = raw.parse()?;
            let certname = SmolStr::from(node.certname.to_lowercase());
            let (facts, trusted) = (node.set.facts.clone(), node.set.trusted.clone());
            let mut found = QueriedNode { certname, facts: Some(facts), trusted, is_reduced: false };
            if found.facts.as_ref().is_some_and(|it| it.is_empty()) {
                found.facts = None;
            } else if let Some(request) = (self.request)(&analysis, node)?
                && let Facts::Given(facts) = request.facts
            {
                found.facts = Some((*facts).clone());
            }
            receive(&found);
        }
        Ok(())
    }

    /// Compiles nodes with the exports of an earlier round.
    fn round(
        &self,
        start: &dyn Fn() -> Analysis,
        inputs: &RoundInputs<'_>,
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
                self.node(analysis, raw, inputs, is_wanted, shared.as_ref())
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
        inputs: &RoundInputs<'_>,
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
            return Ok(Some((name, NodeExports::unknown())));
        };
        let queries = FleetQueries { answers: None, types: inputs.asked.types() };
        let (exports, queries) = (inputs.exports.clone(), Some(Arc::new(queries)));
        let request = CompileRequest { queries: queries.filter(|_| exports.is_none()), exports, ..request };
        let Some(shared) = shared else {
            let (found, _) = self.compiled(analysis, &request, inputs.asked)?;
            return Ok(Some((name, found)));
        };
        let mut hashes = NodeHashes::new(&[(analysis, self.environment, &request)])?;
        if let Some(known) = shared.find(&mut hashes) {
            return Ok(Some((name, (*known).clone())));
        }
        let (found, reads) = self.compiled(analysis, &hashes.recorded(0, &request), inputs.asked)?;
        let found = Arc::new(found);
        shared.add(&mut hashes, reads.into_iter(), &found);
        Ok(Some((name, (*found).clone())))
    }

    fn compiled(
        &self,
        analysis: &Analysis,
        request: &CompileRequest,
        asked: &AskedQueries,
    ) -> anyhow::Result<(NodeExports, Vec<ReadOfCompile>)> {
        let mut compiled = analysis.compile_with_verdict(self.environment, request, Some(self.reader))?;
        let collects = compiled.collects_unknown_exports();
        let (stored, regexes) = (&compiled.catalog().stored, Regexes::default());
        let exports = NodeExports {
            resources: stored.iter().filter(|it| it.is_exported).cloned().collect(),
            // In the first round, nothing that other nodes export is known.
            are_known: compiled.has_known_exports() && (request.exports.is_none() || !collects),
            collects,
            // The node may have the result of another one, with another name.
            queried: stored.iter().filter(|it| asked.may_select(it, &regexes)).cloned().collect(),
            queries: compiled.unknown_queries().map(SmolStr::from).collect(),
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
