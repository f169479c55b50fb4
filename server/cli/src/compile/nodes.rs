//! `compile --all --nodes`: results of the nodes of a snapshot or of a folder of fact sets.

use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use catalog_view::text::plural;
use compile::{CompileRequest, EntryPoint, FleetExports, GlobalHiera};
use disk::Disk;
use fleet::nodes::{FleetNode, NodeSet, RawNode, SeenNames};
use ide::{Analysis, EnvironmentId};

use super::CompiledEntry;
use super::matrix::{self, MatrixOptions, NotCompiled, TaskCompiler, TaskName, TaskResult};
use super::subject::{Classification, NamedFacts, Subject, request};
use crate::exports::{ExportRun, ExportSource};
use crate::files::{self, RunProgress};
use crate::terminal::ProgressLine;
use crate::terminal::verbose::VerbosePhase;
use crate::{ColorChoice, CommandOutcome};
use comparison::sharing::SharedResults;

/// Display name of the platform of nodes whose facts do not determine it.
const UNKNOWN_PLATFORM: &str = "unknown platform";

/// Nodes to compile.
pub(super) struct NodesToCompile<'n> {
    pub(super) path: &'n Path,
    /// Classification of all nodes.
    pub(super) classification: &'n Classification,
    /// Folder with the classification of each node.
    pub(super) enc_dir: Option<&'n Path>,
    /// Source of the resources that nodes export.
    pub(super) exported: Option<ExportSource>,
}

/// Result of a node, or the reason why it was not compiled.
type NodeOutcome = Result<(TaskName, Arc<TaskResult>), NotCompiled>;

pub(super) fn run(
    subject: &Subject,
    wanted: &NodesToCompile<'_>,
    options: &MatrixOptions,
    color: ColorChoice,
) -> anyhow::Result<CommandOutcome> {
    let analysis = subject.workspace.analysis();
    let mut nodes = NodeSet::open(wanted.path)?;
    let environment = matrix::begin(subject, &analysis, color)?;
    let is_classified = !wanted.classification.classes.is_empty() || wanted.enc_dir.is_some();
    if !is_classified && !analysis.has_main_manifest(environment) {
        anyhow::bail!(codes::with_help(
            "main manifest not found",
            "name the folder of the environment with `--environment`"
        ));
    }
    let disk = subject.workspace.disk();
    let compiler = TaskCompiler::new(environment, &disk, options, color);
    let shared = (!options.compiles_separately).then(SharedResults::default);
    let puppet_version = subject.puppet_version();
    let global_hiera = subject.global_hiera().cloned();
    let mut run =
        NodeRun { puppet_version, global_hiera, environment, wanted, compiler, shared, exports: None };
    run.exports = run.exports_of_nodes(subject, &disk, options)?;
    let run = run;
    let phase = VerbosePhase::start();
    let mut bar = ProgressLine::new(!options.is_json, "nodes compiled");
    let (started, total) = (Instant::now(), nodes.remaining());
    let (mut seen, mut done) = (SeenNames::default(), 0);
    let (mut tasks, mut results, mut not_compiled) = (Vec::new(), Vec::new(), Vec::new());
    let start = || subject.workspace.analysis();
    loop {
        let chunk = nodes.next_chunk()?;
        if chunk.is_empty() {
            break;
        }
        let work = |analysis: &Analysis, raw: &RawNode| run.node(analysis, raw);
        let outcomes = files::in_parallel(&chunk, options.threads, start, work, |now| {
            bar.show(RunProgress { done: done + now.done, total, elapsed: started.elapsed() });
        })?;
        done += chunk.len();
        for outcome in outcomes {
            match outcome? {
                Ok((task, result)) => {
                    seen.add(&task.entry.name)?;
                    tasks.push(task);
                    results.push(result);
                }
                Err((entry, reason)) => {
                    seen.add(&entry.name)?;
                    not_compiled.push((entry, reason));
                }
            }
        }
    }
    bar.finish();
    phase.end(|| format!("compiled {}", plural(done, "node", "nodes")));
    matrix::print(&tasks, &results, &not_compiled, options, color)
}

/// State shared by the compiles of all nodes.
struct NodeRun<'r> {
    /// Major version of Puppet.
    puppet_version: u8,
    global_hiera: Option<GlobalHiera>,
    environment: EnvironmentId,
    wanted: &'r NodesToCompile<'r>,
    compiler: TaskCompiler<'r>,
    /// `None` to compile each node.
    shared: Option<SharedResults<TaskResult>>,
    exports: Option<Arc<FleetExports>>,
}

impl NodeRun<'_> {
    /// Returns the resources that the nodes export, if their source is given.
    fn exports_of_nodes(
        &self,
        subject: &Subject,
        disk: &Disk,
        options: &MatrixOptions,
    ) -> anyhow::Result<Option<Arc<FleetExports>>> {
        let Some(source) = self.wanted.exported else { return Ok(None) };
        let request =
            |analysis: &Analysis, node| Ok(self.request(analysis, node)?.map(|(_, request)| request));
        let compiles = ExportRun {
            nodes: self.wanted.path,
            environment: self.environment,
            reader: disk,
            request: &request,
            threads: options.threads,
            is_shared: !options.compiles_separately,
            shows_progress: !options.is_json,
        };
        source.read(&compiles, &|| subject.workspace.analysis()).map(Some)
    }

    fn node(&self, analysis: &Analysis, raw: &RawNode) -> anyhow::Result<NodeOutcome> {
        let node = raw.parse()?;
        let entry = CompiledEntry::named(node.certname.clone());
        if node.set.facts.is_empty() {
            return Ok(Err((entry, "no facts")));
        }
        let Some((platform, request)) = self.request(analysis, node)? else {
            return Ok(Err((entry, "no output of the node classifier")));
        };
        let result = self.compiler.result(analysis, &request, self.shared.as_ref())?;
        Ok(Ok((TaskName { entry, platform }, result)))
    }

    /// Returns the platform and the request of a node; `None` if it is not classified.
    fn request(
        &self,
        analysis: &Analysis,
        node: FleetNode,
    ) -> anyhow::Result<Option<(String, CompileRequest)>> {
        let FleetNode { certname: name, set } = node;
        let Some(classification) = self.wanted.classification.of_node(self.wanted.enc_dir, &name)? else {
            return Ok(None);
        };
        let platform = set.platform.as_deref().unwrap_or(UNKNOWN_PLATFORM).to_owned();
        let facts = NamedFacts::of_node(&name, set, self.puppet_version);
        let point = EntryPoint::MainManifest;
        let request = CompileRequest {
            global_hiera: self.global_hiera.clone(),
            exports: self.exports.clone(),
            ..request(analysis, self.environment, point, Some(&name), &facts, &classification)
        };
        Ok(Some((platform, request)))
    }
}
