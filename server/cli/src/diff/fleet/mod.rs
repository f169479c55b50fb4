//! `diff --nodes`: effects of a change on the catalogs of real nodes.

pub(super) mod arguments;
mod markdown;
mod octocatalog;
mod text;

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use anyhow::Context;
use compile::{CompileRequest, EntryPoint, FileRead, FileReader, FleetExports, GlobalHiera};
use disk::Disk;
use facts::FactSet;
use fleet::container::hex;
use fleet::nodes::{FleetNode, NodeSet, RawNode, SeenNames, SelectedNodes};
use fleet::page;
use fleet::report::FleetReport;
use fleet::results::{
    ChangeSet, FailureStatus, FleetSide, NodeFailure, NodeResult, ResultHeader, ResultReader, ResultWriter,
    RunKey,
};
use fleet::shard::Shard;
use ide::{Analysis, EnvironmentId, FilePath, SecretValues};
use serde_json::json;
use sha2::{Digest, Sha256};

use super::octocatalog::{self as octocatalog_diff, OctoSide};
use super::rules::{Header, RunRules};

use self::arguments::MergeArguments;
use super::arguments::DiffArguments;
use super::format::DiffFormat;
use super::sides::{DiffSide, analyses, ensure_code, snapshot};
use crate::compile::subject::{Classification, NamedFacts, request};
use crate::terminal::verbose::VerbosePhase;
use crate::terminal::{ProgressLine, RunProgress};
use crate::{ColorChoice, CommandOutcome, files, terminal};
use cli_common::nodes::NO_FACTS;
use cli_common::nodes::exports::{ExportRun, ExportSource};
use cli_common::sides::{ComparedSide, NodeClassifier, SideArguments};
use comparison::base::BaseRevision;
use comparison::compare::{ComparedCatalog, Comparison, Difference, ResourceChange, Sides, compared_by};
use comparison::served::ServedFiles;
use comparison::sharing::{NodeHashes, ReadOfCompile, SharedResults};

/// The project before and after the change.
pub(super) struct FleetSides<'s> {
    pub(super) sides: &'s Sides<DiffSide<'s>>,
    pub(super) base: &'s BaseRevision,
    pub(super) secrets: SecretValues,
    pub(super) rules: &'s RunRules,
}

/// Merges the results of shards and prints the report.
pub(super) fn merge(arguments: &MergeArguments, color: ColorChoice) -> anyhow::Result<CommandOutcome> {
    let report = FleetReport::merge(&arguments.files)?;
    anyhow::ensure!(
        report.is_octocatalog == (arguments.format == DiffFormat::Octocatalog),
        "the results and the report must both have the format `octocatalog`, or neither"
    );
    let header = if arguments.default_header {
        Header::Default(report.base.clone(), "current".to_owned())
    } else {
        Header::None
    };
    print_report(&report, arguments.format, &header, arguments.report_url.as_deref(), color)
}

fn print_report(
    report: &FleetReport,
    format: DiffFormat,
    header: &Header,
    report_url: Option<&str>,
    color: ColorChoice,
) -> anyhow::Result<CommandOutcome> {
    match format {
        DiffFormat::Octocatalog => return octocatalog::print(report, header, color),
        DiffFormat::Json => report.write_json(terminal::print_json_text)?,
        DiffFormat::Text => {
            let is_colored = terminal::stdout_has_color(color);
            text::write(report, is_colored, |text| terminal::print_text(text, is_colored))?;
        }
        DiffFormat::Html => {
            let mut json = String::new();
            report.write_json(|part| {
                json.push_str(part);
                Ok(())
            })?;
            let page = page::render(serde_json::from_str(&json)?, &report.base, page::NODES);
            terminal::print_text(&page, false)?;
        }
        DiffFormat::Markdown => terminal::print_text(&markdown::render(report, report_url)?, false)?,
    }
    // An incomplete report must not pass for a complete one.
    Ok(match (report.is_incomplete(), report.groups.is_empty()) {
        (true, _) => CommandOutcome::Inconclusive,
        (false, false) => CommandOutcome::Findings,
        (false, true) => CommandOutcome::Clean,
    })
}

/// Compares the catalogs of nodes, and prints a report or writes the results.
pub(super) fn run(
    arguments: &DiffArguments,
    path: &Path,
    sides: &FleetSides<'_>,
    color: ColorChoice,
) -> anyhow::Result<CommandOutcome> {
    let shard = arguments.fleet.shard.unwrap_or(Shard::WHOLE);
    let selection = SelectedNodes { shard, names: arguments.nodes.iter().cloned().collect() };
    let nodes = NodeSet::open_selected(path, selection, arguments.threads.count())?;
    ensure_code(sides.sides)?;
    let run = RunKey {
        program: env!("CARGO_PKG_VERSION").to_owned(),
        base: arguments.base.clone(),
        code: sides.digest(arguments)?,
        nodes: nodes.digest.clone(),
        count: nodes.count(),
        is_octocatalog: arguments.format == DiffFormat::Octocatalog,
    };
    let header = ResultHeader { run, shard };
    if let Some(output) = &arguments.fleet.output {
        // The output of a program is unknown before it is run.
        let is_known = !sides.has_program() && ResultReader::is_of(output, &header);
        if is_known {
            terminal::print_to_stderr(&format!(
                "`{}` already has these results\n",
                files::display_path(output)
            ))
        } else {
            sides.compare(arguments, nodes, &header, output)?
        }
        return Ok(CommandOutcome::Clean);
    }
    let folder = tempfile::tempdir().context("cannot create a temporary folder")?;
    let file = folder.path().join("results");
    sides.compare(arguments, nodes, &header, &file)?;
    let report_url = arguments.fleet.report_url.as_deref();
    print_report(&FleetReport::merge(&[file])?, arguments.format, &sides.rules.header, report_url, color)
}

/// Resources that the nodes of a fleet export on both sides; `None` if they are not collected.
#[derive(Clone, Default)]
struct ExportsOfSides {
    base: Option<Arc<FleetExports>>,
    head: Option<Arc<FleetExports>>,
}

/// What the compiles of one side have in common.
struct RunSide<'r> {
    environment: EnvironmentId,
    global_hiera: Option<GlobalHiera>,
    classifier: &'r NodeClassifier<'r>,
}

impl<'r> RunSide<'r> {
    fn of(side: &'r DiffSide<'r>) -> RunSide<'r> {
        let global_hiera = side.subject.global_hiera().cloned();
        RunSide { environment: side.environment, global_hiera, classifier: &side.classifier }
    }
}

/// State shared by the comparisons of all nodes.
struct FleetRun<'r> {
    base: &'r BaseRevision,
    secrets: &'r SecretValues,
    sides: Sides<RunSide<'r>>,
    arguments: &'r SideArguments,
    /// Major version of Puppet.
    puppet_version: u8,
    /// Nodes to compare.
    selection: SelectedNodes,
    changed_ruby: Arc<BTreeSet<FilePath>>,
    /// True if files changed that Ruby code may read.
    are_files_changed: bool,
    served: Option<Sides<ServedFiles<'r>>>,
    rules: &'r RunRules,
    is_octocatalog: bool,
    disk: &'r Disk,
    /// Resources that the nodes export before and after the change.
    exports: ExportsOfSides,
    /// `None` to compile each node.
    shared: Option<SharedResults<FleetOutcome>>,
}

/// Result of comparing a node, without its name.
#[derive(Debug, Default)]
struct FleetOutcome {
    /// Id of the changes.
    changes: Option<String>,
    failures: Vec<NodeFailure>,
    /// Number of changes that rules ignore.
    ignored: usize,
}

/// Requests for a node on both sides.
struct NodeRequests {
    base: CompileRequest,
    head: CompileRequest,
}

/// Classification of a node on both sides, or the side that has none, with the reason.
type ClassifiedNode<'c> = Result<Sides<Cow<'c, Classification>>, (FleetSide, String)>;

/// Result of a node, with its changes if they may be new.
type ComparedNode = (NodeResult, Option<ChangeSet>);

impl FleetSides<'_> {
    /// Returns true if a program classifies nodes.
    fn has_program(&self) -> bool {
        self.sides.before.classifier.is_program() || self.sides.after.classifier.is_program()
    }

    /// Returns a checksum of the code and data of both sides, and of the options.
    fn digest(&self, arguments: &DiffArguments) -> anyhow::Result<String> {
        let Sides { before, after } = self.sides;
        let mut hash = Sha256::new();
        let settings = &after.subject.config.settings;
        let overrides = (&arguments.sides.overrides, arguments.fleet.nodes.exported);
        let rules = (&self.rules.rules, self.rules.defaults);
        let texts = (self.rules.compares_file_text, &self.rules.file_text_ignore_tags);
        let options =
            ((settings.puppet_version, settings.strict(), &arguments.nodes, overrides), (rules, texts));
        hash.update(format!("{} {options:?}\n", self.base.commit()));
        let disk = after.subject.workspace.disk();
        add_code(after, &disk, &mut hash);
        if arguments.sides.has_modulepath() {
            add_code(before, self.base, &mut hash);
        }
        for (path, state) in self.base.installed_states() {
            hash.update(format!("{} {state:?}\n", path.file_name()));
        }
        for side in [before, after] {
            hash.update(format!(
                "{} {}\n",
                side.subject.digest_of_global_hiera()?,
                side.classifier.digest()?
            ));
        }
        Ok(hex(&hash.finalize()))
    }

    /// Returns what the comparisons of all nodes have in common.
    fn prepared<'r>(
        &'r self,
        arguments: &'r DiffArguments,
        selection: SelectedNodes,
        disk: &'r Disk,
    ) -> FleetRun<'r> {
        let Sides { before, after } = self.sides;
        let is_octocatalog = arguments.format == DiffFormat::Octocatalog;
        let changes_served = self.base.changes_served_files() || is_octocatalog;
        let served = self.rules.compares_file_text && changes_served;
        FleetRun {
            base: self.base,
            secrets: &self.secrets,
            sides: Sides { before: RunSide::of(before), after: RunSide::of(after) },
            arguments: &arguments.sides,
            puppet_version: after.subject.puppet_version(),
            selection,
            changed_ruby: Arc::new(self.base.changed_ruby()),
            are_files_changed: self.base.changes_read_files(),
            served: served.then(|| Sides {
                before: before.served_files(self.base, self.rules),
                after: after.served_files(disk, self.rules),
            }),
            rules: self.rules,
            is_octocatalog,
            disk,
            exports: ExportsOfSides::default(),
            shared: (!arguments.fleet.separate).then(SharedResults::default),
        }
    }

    /// Returns the resources that all nodes export before and after the change, whatever nodes are compared.
    fn exports(&self, arguments: &DiffArguments, run: &FleetRun<'_>) -> anyhow::Result<ExportsOfSides> {
        let fleet = &arguments.fleet;
        let (Some(source), Some(nodes)) = (fleet.nodes.exported, &fleet.nodes.path) else {
            return Ok(ExportsOfSides::default());
        };
        let of_side = |side: &DiffSide<'_>, reader: &(dyn FileReader + Sync), name: ComparedSide| {
            let request = |analysis: &Analysis, node| run.request_for_exports(analysis, node, name);
            let compiles = ExportRun {
                nodes,
                environment: side.environment,
                reader,
                request: &request,
                threads: arguments.threads.count(),
                is_shared: run.shared.is_some(),
                shows_progress: arguments.format == DiffFormat::Text,
            };
            source.read(&compiles, &|| side.subject.workspace.analysis())
        };
        let Sides { before, after } = self.sides;
        let head = of_side(after, run.disk, ComparedSide::Head)?;
        let base = match source {
            ExportSource::FromRun => of_side(before, run.base, ComparedSide::Base)?,
            ExportSource::Snapshot => head.clone(),
        };
        Ok(ExportsOfSides { base: Some(base), head: Some(head) })
    }

    /// Compares nodes and writes the results to a file.
    fn compare(
        &self,
        arguments: &DiffArguments,
        mut nodes: NodeSet,
        header: &ResultHeader,
        output: &Path,
    ) -> anyhow::Result<()> {
        let disk = self.sides.after.subject.workspace.disk();
        let mut run = self.prepared(arguments, nodes.selection().clone(), &disk);
        run.exports = self.exports(arguments, &run)?;
        let run = run;
        let phase = VerbosePhase::start();
        let threads = arguments.threads.count();
        let mut bar = ProgressLine::new(arguments.format == DiffFormat::Text, "nodes compared");
        let (started, total) = (Instant::now(), nodes.remaining());
        let mut writer = ResultWriter::create(output, header)?;
        let (mut seen, mut compared) = (SeenNames::default(), 0);
        loop {
            let chunk = nodes.next_chunk()?;
            if chunk.is_empty() {
                break;
            }
            let before = total - nodes.remaining() - chunk.len();
            let report_progress = |now: RunProgress| {
                bar.show(RunProgress { done: before + now.done, total, elapsed: started.elapsed() });
            };
            let start = || analyses(self.sides);
            let work = |analyses: &Sides<Analysis>, raw: &RawNode| run.node(analyses, raw);
            let results = files::in_parallel(&chunk, threads, start, work, report_progress)?;
            let results: Vec<Option<ComparedNode>> = results.into_iter().collect::<anyhow::Result<_>>()?;
            let (results, changes): (Vec<_>, Vec<_>) = results.into_iter().flatten().unzip();
            // A node that shares a result may precede the one that it is from.
            changes.into_iter().flatten().try_for_each(|changes| writer.add_changes(changes))?;
            compared += results.len();
            for result in results {
                seen.add(&result.node)?;
                writer.add_node(result)?;
            }
        }
        let names = &run.selection.names;
        let missing = names.iter().filter(|name| run.selection.contains(name) && !seen.contains(name));
        missing
            .map(|name| without_result(name, FleetSide::Both, NO_FACTS))
            .try_for_each(|result| writer.add_node(result))?;
        bar.finish();
        phase.end(|| format!("compared {compared} nodes"));
        self.base.gaps().into_iter().try_for_each(|gap| writer.add_limitation(gap))?;
        writer.finish()
    }
}

/// Adds the code and data of a side to a checksum.
fn add_code(side: &DiffSide<'_>, reader: &dyn FileReader, hash: &mut Sha256) {
    let workspace = &side.subject.workspace;
    let analysis = workspace.analysis();
    let root = analysis.environment_root(side.environment);
    let mut folders: Vec<(String, FilePath)> = analysis.modules(side.environment);
    folders.retain(|(_, folder)| !root.as_ref().is_some_and(|root| folder.starts_with(root)));
    folders.extend(root.map(|root| (String::new(), root)));
    folders.sort();
    for (name, folder) in &folders {
        for path in workspace.paths_below(folder) {
            let FileRead::Content(bytes) = reader.read(path.as_str()) else { continue };
            hash.update(format!("{name} {:?} {}\n", path.strip_prefix(folder), bytes.len()));
            hash.update(bytes);
        }
    }
}

/// Returns the result of a node that was not compared.
fn without_result(node: &str, side: FleetSide, reason: &str) -> NodeResult {
    let failure = NodeFailure { side, status: FailureStatus::Open, reason: reason.to_owned() };
    NodeResult { node: node.to_owned(), changes: None, failures: vec![failure], ignored: 0 }
}

impl FleetRun<'_> {
    /// Compares a node; `None` if it is not among those to compare.
    fn node(&self, analyses: &Sides<Analysis>, raw: &RawNode) -> anyhow::Result<Option<ComparedNode>> {
        let node = raw.parse()?;
        let name = node.certname;
        if !self.selection.contains(&name) {
            return Ok(None);
        }
        if node.set.facts.is_empty() {
            return Ok(Some((without_result(&name, FleetSide::Both, NO_FACTS), None)));
        }
        let classes = match self.classified(&name)? {
            Ok(classes) => classes,
            Err((side, reason)) => return Ok(Some((without_result(&name, side, &reason), None))),
        };
        let requests = self.requests(analyses, &name, node.set, &classes);
        let Some(shared) = &self.shared else {
            let (outcome, changes, _) = self.compare(analyses, &requests)?;
            return Ok(Some((result_of(name, &outcome), changes)));
        };
        let Sides { before, after } = &self.sides;
        let old = (&analyses.before, before.environment, &requests.base);
        let mut hashes = NodeHashes::new(&[old, (&analyses.after, after.environment, &requests.head)])?;
        if let Some(outcome) = shared.find(&mut hashes) {
            return Ok(Some((result_of(name, &outcome), None)));
        }
        let (base, head) = (hashes.recorded(0, &requests.base), hashes.recorded(1, &requests.head));
        let (outcome, changes, reads) = self.compare(analyses, &NodeRequests { base, head })?;
        let outcome = Arc::new(outcome);
        shared.add(&mut hashes, reads.into_iter(), &outcome);
        Ok(Some((result_of(name, &outcome), changes)))
    }

    /// Returns the classification of a node on both sides, or the side that has none, with the reason.
    fn classified(&self, name: &str) -> anyhow::Result<ClassifiedNode<'_>> {
        let Sides { before, after } = &self.sides;
        Ok(match (before.classifier.of_node(name)?, after.classifier.of_node(name)?) {
            (Ok(before), Ok(after)) => Ok(Sides { before, after }),
            (Err(reason), Err(_)) => Err((FleetSide::Both, reason)),
            (Err(reason), Ok(_)) => Err((FleetSide::Base, reason)),
            (Ok(_), Err(reason)) => Err((FleetSide::Head, reason)),
        })
    }

    /// Returns the compile requests for a node.
    fn requests(
        &self,
        analyses: &Sides<Analysis>,
        name: &str,
        set: FactSet,
        classes: &Sides<Cow<'_, Classification>>,
    ) -> NodeRequests {
        let base_facts = self.facts(name, &set, ComparedSide::Base);
        let head_facts = match self.arguments.overrides.has_equal_facts() {
            true => base_facts.clone(),
            false => self.facts(name, &set, ComparedSide::Head),
        };
        let ExportsOfSides { base, head } = self.exports.clone();
        let (old, new) = (&analyses.before, &analyses.after);
        NodeRequests {
            base: CompileRequest {
                exports: base,
                ..self.request(old, ComparedSide::Base, &base_facts, &classes.before)
            },
            head: CompileRequest {
                exports: head,
                ..self.request(new, ComparedSide::Head, &head_facts, &classes.after)
            },
        }
    }

    /// Returns the facts of a node on one side.
    fn facts(&self, name: &str, set: &FactSet, side: ComparedSide) -> NamedFacts {
        let facts = self.arguments.overrides.facts(&set.facts, side);
        NamedFacts::of_node(name, FactSet { facts, ..set.clone() }, self.puppet_version)
    }

    /// Returns the compile request for a node on one side, without exported resources.
    fn request(
        &self,
        analysis: &Analysis,
        side: ComparedSide,
        facts: &NamedFacts,
        classes: &Classification,
    ) -> CompileRequest {
        let RunSide { environment, global_hiera, .. } = side.choose(&self.sides.before, &self.sides.after);
        let (point, name) = (EntryPoint::MainManifest, Some(facts.name.as_str()));
        CompileRequest {
            global_hiera: global_hiera.clone(),
            changed_ruby: self.changed_ruby.clone(),
            ..request(analysis, *environment, point, name, facts, classes)
        }
    }

    /// Returns the compile request for a node on one side; `None` if it is not classified.
    fn request_for_exports(
        &self,
        analysis: &Analysis,
        node: FleetNode,
        side: ComparedSide,
    ) -> anyhow::Result<Option<CompileRequest>> {
        let name = node.certname;
        let of_side = side.choose(&self.sides.before, &self.sides.after);
        let Ok(classes) = of_side.classifier.of_node(&name)? else { return Ok(None) };
        let facts = self.facts(&name, &node.set, side);
        Ok(Some(self.request(analysis, side, &facts, &classes)))
    }

    /// Compiles both sides and compares them.
    fn compare(
        &self,
        analyses: &Sides<Analysis>,
        requests: &NodeRequests,
    ) -> anyhow::Result<(FleetOutcome, Option<ChangeSet>, Vec<ReadOfCompile>)> {
        let (before, after) = (self.sides.before.environment, self.sides.after.environment);
        let (old, new) = (&analyses.before, &analyses.after);
        let (served_before, served_after) = self.served.as_ref().map(|it| (&it.before, &it.after)).unzip();
        let (mut was, _) = snapshot(old, before, Some(&requests.base), self.base, served_before)?;
        let (is, _) = snapshot(new, after, Some(&requests.head), self.disk, served_after)?;
        if let Some(was) = &mut was {
            was.note_changes(!self.changed_ruby.is_empty(), self.are_files_changed);
        }
        let mut comparison = compared_by(was.as_ref(), is.as_ref(), &self.rules.rules);
        if let Some(difference) = &mut comparison.difference {
            difference.mask(self.secrets);
        }
        let mut failures = failures(&comparison, was.as_ref(), is.as_ref());
        let mut ignored = comparison.ignored;
        let of_before = OctoSide::of(was.as_ref(), old, before, served_before);
        let of_after = OctoSide::of(is.as_ref(), new, after, served_after);
        let octocatalog = of_before.zip(of_after).filter(|_| self.is_octocatalog);
        let octocatalog =
            octocatalog.map(|(was, is)| octocatalog_diff::of_compiled(&was, &is, self.rules)).transpose()?;
        if let Some(Err(reasons)) = &octocatalog {
            let (side, status) = (FleetSide::Head, FailureStatus::Failed);
            failures.extend(reasons.iter().map(|it| NodeFailure { side, status, reason: it.clone() }));
        }
        failures.iter_mut().for_each(|it| it.reason = self.secrets.masked(&it.reason));
        let has_failed = failures.iter().any(|it| it.status == FailureStatus::Failed);
        let changes = match (octocatalog, &comparison.difference) {
            (Some(Ok(diff)), _) if !has_failed => {
                ignored = diff.ignored;
                octocatalog::change_set(diff.items, self.secrets)
            }
            (None, Some(Difference::Resources(changes))) => Some(change_set(changes)?),
            _ => None,
        };
        let reads = |catalog: &Option<ComparedCatalog<'_>>, compile: usize| -> Vec<ReadOfCompile> {
            let reads = catalog.iter().flat_map(|it| it.node_reads().iter().cloned());
            reads.map(|read| ReadOfCompile { compile, read }).collect()
        };
        let reads = [reads(&was, 0), reads(&is, 1)].concat();
        let outcome = FleetOutcome { changes: changes.as_ref().map(|it| it.id.clone()), failures, ignored };
        Ok((outcome, changes, reads))
    }
}

fn result_of(node: String, outcome: &FleetOutcome) -> NodeResult {
    let FleetOutcome { changes, failures, ignored } = outcome;
    NodeResult { node, changes: changes.clone(), failures: failures.clone(), ignored: *ignored }
}

/// Returns changes as JSON, with checksums.
fn change_set(changes: &[ResourceChange]) -> anyhow::Result<ChangeSet> {
    let json = serde_json::to_string(changes)?;
    let mut without_places = changes.to_vec();
    for change in &mut without_places {
        (change.place, change.base_place) = (None, None);
        for parameter in &mut change.parameters {
            (parameter.place, parameter.base_place) = (None, None);
        }
    }
    let key = hex(&Sha256::digest(json!(without_places).to_string()));
    Ok(ChangeSet { id: hex(&Sha256::digest(&json)), key, json })
}

/// Returns the reasons why a node was not compared completely, sorted.
fn failures(
    comparison: &Comparison,
    before: Option<&ComparedCatalog<'_>>,
    after: Option<&ComparedCatalog<'_>>,
) -> Vec<NodeFailure> {
    let Comparison { difference, failure_of_both, open: parts, is_skipped, possible, .. } = comparison;
    let mut failures = BTreeSet::new();
    let mut add = |side, status, reason: &str| {
        failures.insert(NodeFailure { side, status, reason: reason.to_owned() });
    };
    match difference {
        Some(Difference::FailsNow(message)) => add(FleetSide::Head, FailureStatus::Failed, message),
        Some(Difference::CompilesNow(message)) => add(FleetSide::Base, FailureStatus::Failed, message),
        Some(Difference::FailsDifferently { before, after }) => {
            add(FleetSide::Base, FailureStatus::Failed, before);
            add(FleetSide::Head, FailureStatus::Failed, after);
        }
        Some(Difference::New(_) | Difference::Gone | Difference::Resources(_)) | None => {}
    }
    if let Some(message) = failure_of_both {
        add(FleetSide::Both, FailureStatus::Failed, message);
    }
    let has = |side: Option<&ComparedCatalog<'_>>, part: &String| {
        side.is_some_and(|side| side.open_parts().contains(part))
    };
    for part in parts {
        let side = match (has(before, part), has(after, part)) {
            (true, false) => FleetSide::Base,
            (false, true) => FleetSide::Head,
            _ => FleetSide::Both,
        };
        add(side, FailureStatus::Open, part);
    }
    if *is_skipped && parts.is_empty() {
        add(FleetSide::Both, FailureStatus::Open, "a limit was reached");
    }
    for change in possible {
        let reason = format!("the data of `{}` changed, and may apply to this node", change.key);
        add(FleetSide::Both, FailureStatus::Open, &reason);
    }
    failures.into_iter().collect()
}
