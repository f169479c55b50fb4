//! `compile --all --nodes`: results of the nodes of a snapshot or of a folder of fact sets.

use std::sync::Arc;

use cli_common::nodes::{FleetRequests, NodeRun, NodesToCompile};
use fleet::nodes::{RawNode, SeenNames};
use ide::Analysis;

use super::matrix::{self, MatrixOptions, NotCompiled, TaskCompiler, TaskName, TaskResult};
use crate::{ColorChoice, CommandOutcome};
use cli_common::entry::CompiledEntry;
use cli_common::subject::Subject;
use comparison::sharing::SharedResults;

/// Result of a node, or the reason why it was not compiled.
type NodeOutcome = Result<(TaskName, Arc<TaskResult>), NotCompiled>;

pub(super) fn run(
    subject: &Subject,
    wanted: &NodesToCompile<'_>,
    options: &MatrixOptions,
    color: ColorChoice,
) -> anyhow::Result<CommandOutcome> {
    let analysis = subject.workspace.analysis();
    let run = NodeRun { wanted, threads: options.threads, shows_progress: !options.is_json };
    let nodes = run.open()?;
    let environment = matrix::begin(subject, &analysis, color)?;
    if !wanted.is_classified() && !analysis.has_main_manifest(environment) {
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
    let mut requests = FleetRequests { puppet_version, global_hiera, environment, wanted, exports: None };
    let start = || subject.workspace.analysis();
    requests.exports = run.exports(&requests, &disk, !options.compiles_separately, &start)?;
    let work = |analysis: &Analysis, raw: &RawNode| -> anyhow::Result<NodeOutcome> {
        let node = raw.parse()?;
        let entry = CompiledEntry::named(node.certname.clone());
        let (platform, request) = match requests.request(analysis, node)? {
            Ok(found) => found,
            Err(reason) => return Ok(Err((entry, reason))),
        };
        let result = compiler.result(analysis, &request, shared.as_ref())?;
        Ok(Ok((TaskName { entry, platform }, result)))
    };
    let (mut seen, mut tasks) = (SeenNames::default(), Vec::new());
    let (mut results, mut not_compiled) = (Vec::new(), Vec::new());
    run.compile(nodes, &start, work, |outcome| {
        match outcome {
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
        Ok(())
    })?;
    matrix::print(&tasks, &results, &not_compiled, options, color)
}
