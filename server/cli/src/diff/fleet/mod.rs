//! `diff --nodes`: effects of a change on the catalogs of real nodes.

mod overrides;
mod sharing;
mod text;

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use anyhow::Context;
use compile::{CompileRequest, EntryPoint, FileRead, FileReader, GlobalHiera};
use disk::Disk;
use facts::FactSet;
use fleet::container::hex;
use fleet::nodes::{NodeSet, RawNode, SeenNames, digest_of_files, file_of_node, files_of_nodes};
use fleet::report::FleetReport;
use fleet::results::{
    ChangeSet, FailureStatus, FleetSide, NodeFailure, NodeResult, ResultHeader, ResultReader, ResultWriter,
    RunKey,
};
use fleet::shard::Shard;
use ide::{Analysis, EnvironmentId, FilePath, SecretValues};
use serde_json::json;
use sha2::{Digest, Sha256};

use self::overrides::OverrideArguments;
use self::sharing::{FleetOutcome, NodeHashes, NodeRequests, SharedOutcomes, SideRead};
use super::{DiffArguments, DiffFormat, DiffSide, html, snapshot};
use crate::compile::subject::{Classification, NamedFacts, classification, read_classification, request};
use crate::files::RunProgress;
use crate::terminal::ProgressLine;
use crate::terminal::verbose::VerbosePhase;
use crate::{ColorChoice, CommandOutcome, files, terminal};
use comparison::base::BaseRevision;
use comparison::compare::{ComparedCatalog, Comparison, Difference, ResourceChange, compared};
use comparison::served::ServedFiles;

/// Number of nodes whose facts and results are in memory at a time.
const CHUNK_NODES: usize = 512;

/// Maximum size of the facts that are in memory at a time, in bytes.
const CHUNK_BYTES: usize = 64 << 20;

/// Options for the nodes of a fleet.
#[derive(clap::Args, Debug)]
pub(super) struct FleetArguments {
    /// Compare the catalogs of real nodes: a snapshot written by `facts fetch`, or a folder with a file of facts per
    /// node (`NODE.json`, `NODE.yaml`)
    #[arg(
        long = "nodes",
        id = "node_set",
        value_name = "SNAPSHOT|FOLDER",
        conflicts_with_all = ["class", "facts", "os", "partial_facts"]
    )]
    pub(super) nodes: Option<PathBuf>,

    /// Only compare part I of N of the nodes, from 1
    #[arg(long, value_name = "I/N", requires_all = ["node_set", "output"])]
    shard: Option<Shard>,

    /// Write the results of the nodes to FILE, for `diff merge`, instead of printing a report
    #[arg(long, value_name = "FILE", requires = "node_set")]
    output: Option<PathBuf>,

    /// Folder with the output of an external node classifier for each node: `NODE.yaml` or `NODE.json`
    #[arg(long, value_name = "FOLDER", requires = "node_set", conflicts_with = "enc")]
    enc_dir: Option<PathBuf>,

    #[command(flatten)]
    overrides: OverrideArguments,

    /// Compile each node, even if others have the same catalog
    #[arg(long, hide = true, requires = "node_set")]
    separate: bool,
}

/// Options of `diff merge`.
#[derive(clap::Args, Debug)]
pub(super) struct MergeArguments {
    /// Results of all shards, written by `diff --shard I/N --output FILE`
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,

    /// Output format
    #[arg(long, value_enum, default_value_t = DiffFormat::Text)]
    format: DiffFormat,
}

/// The project before and after the change.
pub(super) struct FleetSides<'s> {
    pub(super) sides: &'s (DiffSide<'s>, DiffSide<'s>),
    pub(super) base: &'s BaseRevision,
    pub(super) secrets: SecretValues,
}

impl FleetArguments {
    /// Checks the combination of options.
    pub(super) fn check(&self, format: DiffFormat) -> anyhow::Result<()> {
        let is_fleet = self.nodes.is_some();
        anyhow::ensure!(
            !is_fleet || format != DiffFormat::Markdown,
            "the format `markdown` is not available with `--nodes`"
        );
        Ok(())
    }
}

/// Merges the results of shards and prints the report.
pub(super) fn merge(arguments: &MergeArguments, color: ColorChoice) -> anyhow::Result<CommandOutcome> {
    print_report(&FleetReport::merge(&arguments.files)?, arguments.format, color)
}

fn print_report(
    report: &FleetReport,
    format: DiffFormat,
    color: ColorChoice,
) -> anyhow::Result<CommandOutcome> {
    match format {
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
            let page = html::render(serde_json::from_str(&json)?, &report.base, html::NODES);
            terminal::print_text(&page, false)?;
        }
        DiffFormat::Markdown => anyhow::bail!("the format `markdown` is not available for fleets"),
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
    let nodes = NodeSet::open(path)?;
    let classification = classification(&arguments.facts)?;
    if arguments.fleet.enc_dir.is_none() {
        sides.ensure_code(&classification)?;
    }
    let run = RunKey {
        program: env!("CARGO_PKG_VERSION").to_owned(),
        base: arguments.base.clone(),
        code: sides.digest(arguments, &classification)?,
        nodes: nodes.digest.clone(),
    };
    let shard = arguments.fleet.shard.unwrap_or(Shard::WHOLE);
    let header = ResultHeader { run, shard };
    if let Some(output) = &arguments.fleet.output {
        let is_known = output.exists() && ResultReader::open(output).is_ok_and(|it| it.header == header);
        match is_known {
            true => terminal::print_to_stderr(&format!(
                "`{}` already has these results\n",
                files::display_path(output)
            )),
            false => sides.compare(arguments, nodes, &classification, (&header, output))?,
        }
        return Ok(CommandOutcome::Clean);
    }
    let folder = tempfile::tempdir().context("cannot create a temporary folder")?;
    let file = folder.path().join("results");
    sides.compare(arguments, nodes, &classification, (&header, &file))?;
    print_report(&FleetReport::merge(&[file])?, arguments.format, color)
}

/// State shared by the comparisons of all nodes.
struct FleetRun<'r> {
    base: &'r BaseRevision,
    secrets: &'r SecretValues,
    /// Environments before and after the change.
    environments: (EnvironmentId, EnvironmentId),
    global_hiera: Option<GlobalHiera>,
    /// Major version of Puppet.
    puppet_version: u8,
    classification: &'r Classification,
    enc_dir: Option<&'r Path>,
    overrides: &'r OverrideArguments,
    shard: Shard,
    /// Names of the nodes to compare; all if empty.
    wanted: BTreeSet<String>,
    functions: Arc<BTreeSet<FilePath>>,
    is_ruby_changed: bool,
    served: Option<(ServedFiles<'r>, ServedFiles<'r>)>,
    disk: &'r Disk,
    /// `None` to compile each node.
    shared: Option<SharedOutcomes>,
}

/// Result of a node, with its changes if they may be new.
type ComparedNode = (NodeResult, Option<ChangeSet>);

impl FleetSides<'_> {
    /// Fails if there is nothing to compile, so that all catalogs would be empty.
    fn ensure_code(&self, classification: &Classification) -> anyhow::Result<()> {
        let (before, after) = self.sides;
        let has_code =
            |side: &DiffSide<'_>| side.subject.workspace.analysis().has_main_manifest(side.environment);
        anyhow::ensure!(
            has_code(before) || has_code(after) || !classification.classes.is_empty(),
            "no main manifest found, so that all catalogs are empty\nhelp: name the folder of the environment with `--environment`"
        );
        Ok(())
    }

    /// Returns a checksum of the code and data of both sides, and of the options.
    fn digest(&self, arguments: &DiffArguments, classification: &Classification) -> anyhow::Result<String> {
        let (_, after) = self.sides;
        let mut hash = Sha256::new();
        let settings = &after.subject.config.settings;
        let overrides = &arguments.fleet.overrides;
        let options =
            (settings.puppet_version, settings.strict(), &arguments.nodes, classification, overrides);
        hash.update(format!(
            "{} {options:?} {:?}\n",
            self.base.commit(),
            after.subject.global_hiera().map(|it| &it.text)
        ));
        let analysis = after.subject.workspace.analysis();
        let root = analysis.environment_root(after.environment);
        let mut folders: Vec<(String, FilePath)> = analysis.modules(after.environment);
        folders.retain(|(_, folder)| !root.as_ref().is_some_and(|root| folder.starts_with(root)));
        folders.extend(root.map(|root| (String::new(), root)));
        folders.sort();
        let disk = after.subject.workspace.disk();
        let mut add = |name: &str, folder: &FilePath, disk: &dyn FileReader| {
            for path in after.subject.workspace.paths_below(folder) {
                let FileRead::Content(bytes) = disk.read(path.as_str()) else { continue };
                hash.update(format!("{name} {:?} {}\n", path.strip_prefix(folder), bytes.len()));
                hash.update(bytes);
            }
        };
        folders.iter().for_each(|(name, folder)| add(name, folder, &disk));
        for (path, state) in self.base.installed_states() {
            hash.update(format!("{} {state:?}\n", path.file_name()));
        }
        if let Some(folder) = &arguments.fleet.enc_dir {
            hash.update(digest_of_files(&files_of_nodes(folder)?)?);
        }
        Ok(hex(&hash.finalize()))
    }

    /// Returns what the comparisons of all nodes have in common.
    fn prepared<'r>(
        &'r self,
        arguments: &'r DiffArguments,
        classification: &'r Classification,
        shard: Shard,
        disk: &'r Disk,
    ) -> FleetRun<'r> {
        let (before, after) = self.sides;
        let served = self.base.changes_served_files();
        FleetRun {
            base: self.base,
            secrets: &self.secrets,
            environments: (before.environment, after.environment),
            global_hiera: after.subject.global_hiera().cloned(),
            puppet_version: after.subject.puppet_version(),
            classification,
            enc_dir: arguments.fleet.enc_dir.as_deref(),
            overrides: &arguments.fleet.overrides,
            shard,
            wanted: arguments.nodes.iter().cloned().collect(),
            functions: Arc::new(self.base.changed_functions()),
            is_ruby_changed: self.base.changes_ruby(),
            served: served.then(|| (before.served_files(self.base), after.served_files(disk))),
            disk,
            shared: (!arguments.fleet.separate).then(SharedOutcomes::default),
        }
    }

    /// Compares nodes and writes the results to a file.
    fn compare(
        &self,
        arguments: &DiffArguments,
        mut nodes: NodeSet,
        classification: &Classification,
        (header, output): (&ResultHeader, &Path),
    ) -> anyhow::Result<()> {
        let (before, after) = self.sides;
        let disk = after.subject.workspace.disk();
        let run = self.prepared(arguments, classification, header.shard, &disk);
        let phase = VerbosePhase::start();
        let start = || (after.subject.workspace.analysis(), before.subject.workspace.analysis());
        let threads = arguments.threads.unwrap_or_else(files::default_threads);
        let mut bar = ProgressLine::new(arguments.format == DiffFormat::Text, "nodes compared");
        let (started, total) = (Instant::now(), nodes.remaining());
        let mut writer = ResultWriter::create(output, header)?;
        let (mut seen, mut done) = (SeenNames::default(), 0);
        loop {
            let chunk = next_chunk(&mut nodes)?;
            if chunk.is_empty() {
                break;
            }
            let report_progress = |now: RunProgress| {
                bar.show(RunProgress { done: done + now.done, total, elapsed: started.elapsed() });
            };
            let results =
                files::in_parallel(&chunk, threads, start, |them, raw| run.node(them, raw), report_progress)?;
            done += chunk.len();
            let results: Vec<Option<ComparedNode>> = results.into_iter().collect::<anyhow::Result<_>>()?;
            let (results, changes): (Vec<_>, Vec<_>) = results.into_iter().flatten().unzip();
            // A node that shares a result may precede the one that it is from.
            changes.into_iter().flatten().try_for_each(|changes| writer.add_changes(changes))?;
            for result in results {
                seen.add(&result.node)?;
                writer.add_node(result)?;
            }
        }
        let missing = run.wanted.iter().filter(|name| header.shard.contains(name) && !seen.contains(name));
        missing
            .map(|name| without_result(name, "no facts"))
            .try_for_each(|result| writer.add_node(result))?;
        bar.finish();
        phase.end(|| format!("compared {done} nodes"));
        self.base.gaps().into_iter().try_for_each(|gap| writer.add_limitation(gap))?;
        writer.finish()
    }
}

fn next_chunk(nodes: &mut NodeSet) -> anyhow::Result<Vec<RawNode>> {
    let (mut chunk, mut bytes) = (Vec::new(), 0);
    while chunk.len() < CHUNK_NODES && bytes < CHUNK_BYTES {
        let Some(node) = nodes.next_node()? else { break };
        bytes += node.length();
        chunk.push(node);
    }
    Ok(chunk)
}

/// Returns the result of a node that was not compared, for a reason that does not depend on the side.
fn without_result(node: &str, reason: &str) -> NodeResult {
    let failure =
        NodeFailure { side: FleetSide::Both, status: FailureStatus::Open, reason: reason.to_owned() };
    NodeResult { node: node.to_owned(), changes: None, failures: vec![failure] }
}

impl FleetRun<'_> {
    /// Compares a node; `None` if it is not among those to compare.
    fn node(&self, (new, old): &(Analysis, Analysis), raw: &RawNode) -> anyhow::Result<Option<ComparedNode>> {
        let (before, after) = self.environments;
        let node = raw.parse()?;
        let name = node.certname;
        if !self.shard.contains(&name) || !self.wanted.is_empty() && !self.wanted.contains(&name) {
            return Ok(None);
        }
        if node.set.facts.is_empty() {
            return Ok(Some((without_result(&name, "no facts"), None)));
        }
        let Some(classification) = self.classification(&name)? else {
            return Ok(Some((without_result(&name, "no output of the node classifier"), None)));
        };
        let requests = self.requests((old, new), &name, node.set, &classification);
        let Some(shared) = &self.shared else {
            let (outcome, changes, _) = self.compare((old, new), &requests)?;
            return Ok(Some((result_of(name, &outcome), changes)));
        };
        let mut hashes = NodeHashes::new((old, before), (new, after), &requests)?;
        if let Some(outcome) = shared.find(&mut hashes) {
            return Ok(Some((result_of(name, &outcome), None)));
        }
        let (outcome, changes, reads) = self.compare((old, new), &requests)?;
        let outcome = Arc::new(outcome);
        shared.add(&mut hashes, reads.into_iter(), &outcome);
        Ok(Some((result_of(name, &outcome), changes)))
    }

    /// Returns the classification of a node; `None` if it is missing.
    fn classification(&self, name: &str) -> anyhow::Result<Option<Cow<'_, Classification>>> {
        let Some(folder) = self.enc_dir else { return Ok(Some(Cow::Borrowed(self.classification))) };
        let file = file_of_node(folder, name);
        let extensions = || self.classification.trusted_extensions.clone();
        file.map(|file| Ok(Cow::Owned(read_classification(&file, extensions())?))).transpose()
    }

    /// Returns the compile requests for a node.
    fn requests(
        &self,
        (old, new): (&Analysis, &Analysis),
        name: &str,
        set: FactSet,
        classification: &Classification,
    ) -> NodeRequests {
        let (before, after) = self.environments;
        let of_side = |is_head| {
            let facts = self.overrides.applied(&set.facts, is_head);
            NamedFacts::of_node(name, FactSet { facts, ..set.clone() }, self.puppet_version)
        };
        let base_facts = of_side(false);
        let head_facts = if self.overrides.is_empty() { base_facts.clone() } else { of_side(true) };
        let request = |place: (&Analysis, EnvironmentId), facts: &NamedFacts| CompileRequest {
            global_hiera: self.global_hiera.clone(),
            executed_functions: self.functions.clone(),
            records_reads: self.shared.is_some(),
            ..request(place, EntryPoint::MainManifest, Some(name), facts, classification)
        };
        NodeRequests { base: request((old, before), &base_facts), head: request((new, after), &head_facts) }
    }

    /// Compiles both sides and compares them.
    fn compare(
        &self,
        (old, new): (&Analysis, &Analysis),
        requests: &NodeRequests,
    ) -> anyhow::Result<(FleetOutcome, Option<ChangeSet>, Vec<SideRead>)> {
        let (before, after) = self.environments;
        let (served_before, served_after) =
            self.served.as_ref().map(|(before, after)| (before, after)).unzip();
        let (mut was, _) = snapshot(old, before, Some(&requests.base), self.base, served_before)?;
        let (is, _) = snapshot(new, after, Some(&requests.head), self.disk, served_after)?;
        if let Some(was) = was.as_mut().filter(|_| self.is_ruby_changed) {
            // The results of Ruby code that is not evaluated may differ.
            was.fingerprint = !was.fingerprint;
        }
        let mut comparison = compared(was.as_ref(), is.as_ref());
        if let Some(difference) = &mut comparison.difference {
            difference.mask(self.secrets);
        }
        let mut failures = failures(&comparison, was.as_ref(), is.as_ref());
        failures.iter_mut().for_each(|it| it.reason = self.secrets.masked(&it.reason));
        let changes = match &comparison.difference {
            Some(Difference::Resources(changes)) => Some(change_set(changes)?),
            _ => None,
        };
        let reads = |catalog: &Option<ComparedCatalog<'_>>, is_head: bool| -> Vec<SideRead> {
            let reads = catalog.iter().flat_map(|it| it.node_reads().iter().cloned());
            reads.map(|read| SideRead { is_head, read }).collect()
        };
        let reads = [reads(&was, false), reads(&is, true)].concat();
        let outcome = FleetOutcome { changes: changes.as_ref().map(|it| it.id.clone()), failures };
        Ok((outcome, changes, reads))
    }
}

fn result_of(node: String, outcome: &FleetOutcome) -> NodeResult {
    NodeResult { node, changes: outcome.changes.clone(), failures: outcome.failures.clone() }
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
