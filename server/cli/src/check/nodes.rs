//! `check --nodes`: compiles of real nodes, whose failures are findings in the checked files.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::{Path, PathBuf};

use anyhow::bail;
use catalog_view::text::plural;
use cli_common::nodes::{FleetRequests, NodeRun, NodesToCompile, shared_result};
use codes::Code;
use comparison::sharing::SharedResults;
use compile::{CompileRequest, FileReader};
use fleet::nodes::{RawNode, SeenNames};
use ide::{Analysis, CompileDiagnostic, Diagnostic, EnvironmentId, FileId, NodeProperty, Verdict};
use syntax::TextRange;

use super::arguments::{CheckArguments, CheckedNodeArguments};
use super::unseen::UnseenOfFile;
use crate::compile::failure;
use crate::compile::subject::Classification;
use crate::position::LocationPrinter;
use crate::printed_diagnostic::PrintedDiagnostic;
use crate::workspace::{self, Workspace};

/// Maximum number of nodes named in a message; the others are counted.
const MAX_NAMED_NODES: usize = 6;

/// Failures of nodes.
#[derive(Default)]
pub(super) struct NodeFindings {
    of_files: HashMap<FileId, Vec<FindingOfNodes>>,
    /// Nodes that are open or were not compiled, and failures in files that are not checked.
    pub(super) unseen: UnseenOfFile,
    /// True if nodes fail, but not because of code in a checked file.
    pub(super) fails_elsewhere: bool,
}

/// A failure, and the nodes that it concerns.
struct FindingOfNodes {
    diagnostic: Diagnostic,
    nodes: Vec<String>,
}

/// Result of a node.
struct CheckedNode {
    failure: Option<FailureOfNodes>,
    /// Parts that could not be checked.
    open: Vec<String>,
}

/// Failure of a node, without its name.
#[derive(Clone)]
struct FailureOfNodes {
    /// Checked file; `None` if no location of the failure is in one.
    file: Option<FileId>,
    /// Location for readers; empty if there is none.
    place: String,
    /// Diagnostic with the message of the compile.
    diagnostic: Diagnostic,
    /// True if the catalog compiles, but agents refuse it.
    is_refusal: bool,
}

impl NodeFindings {
    /// Compiles all nodes. `checked` are the paths of the files to check.
    pub(super) fn new(
        arguments: &CheckArguments,
        workspace: &Workspace,
        puppet_version: u8,
        checked: &[&Path],
    ) -> anyhow::Result<Option<NodeFindings>> {
        let CheckedNodeArguments { path, enc_dir, exported } = &arguments.nodes;
        let Some(path) = path else { return Ok(None) };
        let classification = Classification::default();
        let (enc_dir, exported) = (enc_dir.as_deref(), *exported);
        let wanted = NodesToCompile { path, classification: &classification, enc_dir, exported };
        let (threads, shows_progress) = (arguments.threads.count(), arguments.is_text());
        let run = NodeRun { wanted: &wanted, threads, shows_progress };
        let nodes = run.open()?;
        let analysis = workspace.analysis();
        let files = checked.iter().filter_map(|path| workspace::file(&analysis, path)).collect();
        let environment = environment(&analysis, &arguments.paths, wanted.is_classified())?;
        let disk = workspace.disk();
        let compiles = NodeCompiles { environment, disk: &disk, files };
        let (global_hiera, wanted) = (None, &wanted);
        let mut requests = FleetRequests { puppet_version, global_hiera, environment, wanted, exports: None };
        let start = || workspace.analysis();
        requests.exports = run.exports(&requests, &disk, true, &start)?;
        let shared = SharedResults::default();
        let work = |analysis: &Analysis, raw: &RawNode| {
            let node = raw.parse()?;
            let name = node.certname.clone();
            let outcome = match requests.request(analysis, node)? {
                Ok((_, request)) => {
                    let compile = |request: &CompileRequest| compiles.outcome(analysis, request);
                    Ok(shared_result(analysis, environment, &request, Some(&shared), compile)?)
                }
                Err(reason) => Err(reason),
            };
            anyhow::Ok((name, outcome))
        };
        let (mut seen, mut found) = (SeenNames::default(), CollectedFailures::default());
        run.compile(nodes, &start, work, |(name, outcome)| {
            seen.add(&name)?;
            match outcome {
                Ok(outcome) => found.add(name, &outcome),
                Err(reason) => found.open.push((name, vec![reason.to_owned()])),
            }
            Ok(())
        })?;
        Ok(Some(found.findings()))
    }

    /// Returns the failures in a file at their configured levels.
    pub(super) fn diagnostics(
        &self,
        analysis: &Analysis,
        file: FileId,
    ) -> Result<Vec<Diagnostic>, ide::Cancelled> {
        let found = self.of_files.get(&file).map_or(&[][..], Vec::as_slice);
        analysis.apply_settings(file, found.iter().map(|it| it.diagnostic.clone()).collect())
    }

    /// Adds the names of the nodes to the findings in a file.
    pub(super) fn name_nodes(&self, file: FileId, printed: &mut [PrintedDiagnostic]) {
        for finding in self.of_files.get(&file).into_iter().flatten() {
            let Diagnostic { code, range, message, .. } = &finding.diagnostic;
            let is_same = |it: &&mut PrintedDiagnostic| {
                (it.code, it.span.range) == (*code, *range) && it.message == *message
            };
            printed.iter_mut().filter(is_same).for_each(|it| it.nodes.clone_from(&finding.nodes));
        }
    }
}

/// Returns the environment of the nodes: the one that contains what is checked and has a main manifest.
fn environment(analysis: &Analysis, named: &[PathBuf], is_classified: bool) -> anyhow::Result<EnvironmentId> {
    let named: Vec<_> = named.iter().filter_map(|path| workspace::absolute_path(path)).collect();
    let is_wanted = |environment: &EnvironmentId| {
        let root = analysis.environment_root(*environment);
        root.is_some_and(|root| named.iter().any(|path| path.starts_with(&root) || root.starts_with(path)))
            && (is_classified || analysis.has_main_manifest(*environment))
    };
    let found: Vec<EnvironmentId> = analysis.environments().into_iter().filter(is_wanted).collect();
    match found.as_slice() {
        [only] => Ok(*only),
        [] => bail!(codes::with_help("main manifest not found", "check the folder of an environment")),
        several => bail!(codes::with_help(
            format!("{} to compile nodes in", plural(several.len(), "environment", "environments")),
            "check the folder of one environment"
        )),
    }
}

/// Context that the compiles of all nodes share.
struct NodeCompiles<'r> {
    environment: EnvironmentId,
    disk: &'r (dyn FileReader + Sync),
    /// Files to check.
    files: HashSet<FileId>,
}

impl NodeCompiles<'_> {
    fn outcome(
        &self,
        analysis: &Analysis,
        request: &CompileRequest,
    ) -> anyhow::Result<(CheckedNode, Vec<NodeProperty>)> {
        let mut compiled = analysis.compile_with_verdict(self.environment, request, Some(self.disk))?;
        let verdict = compiled.verdict();
        let is_refusal = compiled.failure.is_none();
        let problem = compiled.problem().filter(|_| verdict == Verdict::Fails);
        let failure = problem.map(|it| self.failure(analysis, it, is_refusal)).transpose()?;
        let is_open = verdict == Verdict::Inconclusive;
        let open = if is_open { compiled.inconclusive_reasons().to_vec() } else { Vec::new() };
        Ok((CheckedNode { failure, open }, std::mem::take(&mut compiled.node_reads)))
    }

    /// Returns a failure at its innermost location in a checked file.
    fn failure(
        &self,
        analysis: &Analysis,
        problem: &CompileDiagnostic,
        is_refusal: bool,
    ) -> anyhow::Result<FailureOfNodes> {
        let places = problem.parts.first().into_iter().chain(&problem.location).chain(&problem.calls);
        let mut places = places.filter(|it| it.file.is_some()).peekable();
        let innermost = places.peek().copied();
        let checked = places.find(|it| it.file.is_some_and(|file| self.files.contains(&file)));
        let shown = checked.or(innermost).and_then(|it| Some((it.file?, it)));
        let place = match shown {
            Some((file, place)) => {
                let path = LocationPrinter::new(analysis).location(file, place.range)?.file;
                format!("{path}:{}", place.line)
            }
            None => String::new(),
        };
        let diagnostic = match checked {
            Some(place) => failure::diagnostic_at(analysis, *place, problem).0,
            None => Diagnostic::new(problem.code, TextRange { start: 0, end: 0 }, problem.message.clone()),
        };
        Ok(FailureOfNodes { file: checked.and_then(|it| it.file), place, diagnostic, is_refusal })
    }
}

/// Location, range, code, and message of a failure.
type FailureKey = (String, (u32, u32), Code, String);

/// Failures with their nodes, in order of the code.
#[derive(Default)]
struct CollectedFailures {
    failures: BTreeMap<FailureKey, (FailureOfNodes, Vec<String>)>,
    /// Nodes, each with the parts that were not checked.
    open: Vec<(String, Vec<String>)>,
}

impl CollectedFailures {
    fn add(&mut self, node: String, outcome: &CheckedNode) {
        if let Some(failure) = &outcome.failure {
            let Diagnostic { code, range, message, .. } = &failure.diagnostic;
            let key = (failure.place.clone(), (range.start, range.end), *code, message.clone());
            let (_, nodes) = self.failures.entry(key).or_insert_with(|| (failure.clone(), Vec::new()));
            nodes.push(node);
        } else if !outcome.open.is_empty() {
            self.open.push((node, outcome.open.clone()));
        }
    }

    fn findings(self) -> NodeFindings {
        let mut findings = NodeFindings::default();
        let mut open = self.open;
        for (failure, mut nodes) in self.failures.into_values() {
            nodes.sort();
            let FailureOfNodes { file, place, mut diagnostic, is_refusal } = failure;
            let Some(file) = file else {
                findings.fails_elsewhere = true;
                let at = if place.is_empty() { String::new() } else { format!(" ({place})") };
                let problem = codes::single_line(&diagnostic.message);
                open.extend(nodes.into_iter().map(|node| (node, vec![format!("fails{at}: {problem}")])));
                continue;
            };
            if is_refusal {
                codes::append_to_problem(&mut diagnostic.message, &format!(" on {}", names(&nodes)));
            } else {
                diagnostic.message = format!("{} cannot be compiled: {}", names(&nodes), diagnostic.message);
                let related = std::mem::take(&mut diagnostic.related);
                diagnostic = Diagnostic::new(Code::FailingNode, diagnostic.range, diagnostic.message);
                diagnostic.related = related;
            }
            findings.of_files.entry(file).or_default().push(FindingOfNodes { diagnostic, nodes });
        }
        findings.unseen = UnseenOfFile::of_nodes(open);
        findings
    }
}

/// Formats the names of nodes.
fn names(nodes: &[String]) -> String {
    let quoted = |nodes: &[String]| nodes.iter().map(|it| format!("`{it}`")).collect::<Vec<_>>().join(", ");
    match nodes {
        [only] => format!("node `{only}`"),
        [few @ .., last] if few.len() < MAX_NAMED_NODES => format!("nodes {} and `{last}`", quoted(few)),
        _ => {
            let (listed, rest) = nodes.split_at(nodes.len().min(MAX_NAMED_NODES));
            format!("nodes {} and {} more", quoted(listed), rest.len())
        }
    }
}
