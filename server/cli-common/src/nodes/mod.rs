//! Compiles of the nodes of a fleet, which several commands run: the requests for them, the sharing of results, and
//! the resources that nodes export.

pub mod exports;
mod queries;
mod snapshot;

use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use catalog_view::text::plural;
use comparison::sharing::{NodeHashes, ReadOfCompile, SharedResults};
use compile::{CompileRequest, EntryPoint, FileReader, FleetExports, GlobalHiera};
use fleet::nodes::{FleetNode, NodeSet, RawNode};
use ide::{Analysis, EnvironmentId, NodeProperty};

use self::exports::{ExportRun, ExportSource};
use crate::files;
use crate::subject::{Classification, NamedFacts, request};
use crate::terminal::verbose::VerbosePhase;
use crate::terminal::{ProgressLine, RunProgress};

/// Display name of the platform of nodes whose facts do not determine it.
const UNKNOWN_PLATFORM: &str = "unknown platform";

/// Reason for a node that the store of facts knows without facts.
pub const NO_FACTS: &str = "no facts";

/// Reason for a node without a file in the folder of the node classifier.
pub const NOT_CLASSIFIED: &str = "no output of the node classifier";

/// Nodes to compile.
pub struct NodesToCompile<'n> {
    pub path: &'n Path,
    /// Classification of all nodes.
    pub classification: &'n Classification,
    /// Folder with the classification of each node.
    pub enc_dir: Option<&'n Path>,
    /// Source of the resources that nodes export.
    pub exported: Option<ExportSource>,
}

impl NodesToCompile<'_> {
    /// Returns true if a node classifier names classes, so that no main manifest is needed.
    pub fn is_classified(&self) -> bool {
        !self.classification.classes.is_empty() || self.enc_dir.is_some()
    }
}

/// Compiles of all nodes.
pub struct NodeRun<'r> {
    pub wanted: &'r NodesToCompile<'r>,
    pub threads: usize,
    pub shows_progress: bool,
}

impl NodeRun<'_> {
    /// Opens the facts of the nodes.
    ///
    /// # Errors
    /// Like [`NodeSet::open`].
    pub fn open(&self) -> anyhow::Result<NodeSet> {
        NodeSet::open(self.wanted.path)
    }

    /// Returns the resources that the nodes export, if their source is given.
    ///
    /// # Errors
    /// Fails if the facts of the nodes or the snapshot cannot be read.
    pub fn exports(
        &self,
        requests: &FleetRequests<'_>,
        reader: &(dyn FileReader + Sync),
        is_shared: bool,
        start: &dyn Fn() -> Analysis,
    ) -> anyhow::Result<Option<Arc<FleetExports>>> {
        let Some(source) = self.wanted.exported else { return Ok(None) };
        let request =
            |analysis: &Analysis, node| Ok(requests.request(analysis, node)?.ok().map(|(_, it)| it));
        let compiles = ExportRun {
            nodes: self.wanted.path,
            environment: requests.environment,
            reader,
            request: &request,
            threads: self.threads,
            is_shared,
            shows_progress: self.shows_progress,
        };
        source.read(&compiles, start).map(Some)
    }

    /// Runs `work` on all nodes on several threads, and passes the results to `receive` in order.
    ///
    /// # Errors
    /// Fails if the facts of the nodes cannot be read, or `work` or `receive` fails.
    pub fn compile<T: Send>(
        &self,
        mut nodes: NodeSet,
        start: &dyn Fn() -> Analysis,
        work: impl Fn(&Analysis, &RawNode) -> anyhow::Result<T> + Sync,
        mut receive: impl FnMut(T) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        let phase = VerbosePhase::start();
        let mut bar = ProgressLine::new(self.shows_progress, "nodes compiled");
        let (started, total, mut done) = (Instant::now(), nodes.remaining(), 0);
        loop {
            let chunk = nodes.next_chunk()?;
            if chunk.is_empty() {
                break;
            }
            let outcomes = files::in_parallel(&chunk, self.threads, start, &work, |now| {
                bar.show(RunProgress { done: done + now.done, total, elapsed: started.elapsed() });
            })?;
            done += chunk.len();
            outcomes.into_iter().try_for_each(|outcome| receive(outcome?))?;
        }
        bar.finish();
        phase.end(|| format!("compiled {}", plural(done, "node", "nodes")));
        Ok(())
    }
}

/// Compile requests of nodes.
pub struct FleetRequests<'r> {
    /// Major version of Puppet.
    pub puppet_version: u8,
    pub global_hiera: Option<GlobalHiera>,
    pub environment: EnvironmentId,
    pub wanted: &'r NodesToCompile<'r>,
    pub exports: Option<Arc<FleetExports>>,
}

impl FleetRequests<'_> {
    /// Returns the platform and the request of a node, or the reason why it is not compiled.
    ///
    /// # Errors
    /// Fails if the output of the node classifier cannot be read.
    pub fn request(
        &self,
        analysis: &Analysis,
        node: FleetNode,
    ) -> anyhow::Result<Result<(String, CompileRequest), &'static str>> {
        let FleetNode { certname: name, set } = node;
        if set.facts.is_empty() {
            return Ok(Err(NO_FACTS));
        }
        let Some(classification) = self.wanted.classification.of_node(self.wanted.enc_dir, &name)? else {
            return Ok(Err(NOT_CLASSIFIED));
        };
        let platform = set.platform.as_deref().unwrap_or(UNKNOWN_PLATFORM).to_owned();
        let facts = NamedFacts::of_node(&name, set, self.puppet_version);
        let point = EntryPoint::MainManifest;
        let request = CompileRequest {
            global_hiera: self.global_hiera.clone(),
            exports: self.exports.clone(),
            ..request(analysis, self.environment, point, Some(&name), &facts, &classification)
        };
        Ok(Ok((platform, request)))
    }
}
/// Returns the result of `compile` for a request: that of one that no compile can distinguish from it, or else that of
/// its own compile.
///
/// # Errors
/// Fails if `compile` fails.
pub fn shared_result<T>(
    analysis: &Analysis,
    environment: EnvironmentId,
    request: &CompileRequest,
    shared: Option<&SharedResults<T>>,
    compile: impl Fn(&CompileRequest) -> anyhow::Result<(T, Vec<NodeProperty>)>,
) -> anyhow::Result<Arc<T>> {
    let Some(shared) = shared else { return Ok(Arc::new(compile(request)?.0)) };
    let mut node = NodeHashes::new(&[(analysis, environment, request)])?;
    if let Some(result) = shared.find(&mut node) {
        return Ok(result);
    }
    let (result, reads) = compile(&node.recorded(0, request))?;
    let result = Arc::new(result);
    let reads = reads.into_iter().map(|read| ReadOfCompile { compile: 0, read });
    shared.add(&mut node, reads, &result);
    Ok(result)
}
