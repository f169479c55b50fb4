//! `diff`: effects of a code change on catalogs.

mod catalogs;
mod fleet;
mod html;
mod markdown;
mod octocatalog;
pub(crate) mod proof;
mod render;
mod rules;

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use catalog_view::text::plural;
use catalog_view::values::REDACTED;
use clap::{Parser, ValueEnum};
use compile::{CompileRequest, EXCLUDED_FROM_COMPILATION, FileReader};
use ide::{Analysis, EnvironmentId, SecretValues};
use measure::WorkMeter;
use output::secrets::SecretKeys;

use self::catalogs::CatalogArguments;
use self::fleet::{FleetArguments, FleetSides, MergeArguments};
use self::octocatalog::OctoSide;
use self::rules::{RuleArguments, RunRules};
use super::arguments::ThreadArguments;
use super::compile::matrix::{NothingToCompile, tasks};
use super::compile::subject::{
    Classification, NamedFacts, NodeArguments, ProjectArguments, Subject, classification,
};
use super::compile::{CompiledEntry, facts_for_entry};
use super::terminal::ProgressLine;
use super::terminal::verbose::VerbosePhase;
use super::{ColorChoice, CommandOutcome, files, terminal};
use ::fleet::page;
use comparison::base::BaseRevision;
use comparison::compare::{ComparedCatalog, Comparison, Difference, PossibleChange, Sides, compared_by};
use comparison::octocatalog::OctoDiff;
use comparison::served::ServedFiles;

#[derive(clap::Args, Debug)]
#[command(args_conflicts_with_subcommands = true)]
pub(super) struct DiffArguments {
    #[command(subcommand)]
    command: Option<DiffCommand>,

    /// Names of nodes [default: all node definitions, or all classes if there are none; with `--nodes`, all nodes]
    #[arg(value_name = "NODE")]
    nodes: Vec<String>,

    #[command(flatten)]
    fleet: FleetArguments,

    #[command(flatten)]
    catalogs: CatalogArguments,

    #[command(flatten)]
    rules: RuleArguments,

    /// Git revision to compare with
    #[arg(long, value_name = "REV", default_value = "HEAD")]
    base: String,

    /// Folder with the modules installed at the base revision, one folder per module, for modules that Git
    /// does not track
    #[arg(long, value_name = "DIR")]
    base_modulepath_dir: Option<PathBuf>,

    /// Only compare this class; may be repeated
    #[arg(long, value_name = "NAME", conflicts_with_all = ["nodes", "node_set"])]
    class: Vec<String>,

    #[command(flatten)]
    project: ProjectArguments,

    #[command(flatten)]
    facts: NodeArguments,

    /// Output format
    #[arg(long, value_enum, default_value_t = DiffFormat::Text)]
    format: DiffFormat,

    #[command(flatten)]
    threads: ThreadArguments,
}

#[derive(clap::Subcommand, Debug)]
enum DiffCommand {
    /// Merge the results of all shards of a fleet
    Merge(MergeArguments),
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum DiffFormat {
    /// Human-readable text
    Text,
    /// JSON with one object per changed node or class and platform; with `--nodes`, one object with all groups of
    /// nodes
    Json,
    /// Markdown for a comment on a merge request
    Markdown,
    /// HTML page with search, groups, and a matrix, which opens from disk
    Html,
    /// JSON of octocatalog-diff, one line per catalog, with its exit codes: 0 without differences, 2 with
    /// differences, 1 if a catalog could not be compared
    Octocatalog,
}

/// An entry on a platform before and after the change.
struct Pair {
    entry: CompiledEntry,
    platform: String,
    before: Option<CompileRequest>,
    after: Option<CompileRequest>,
}

/// Result of comparing two catalogs.
struct ComparedPair {
    comparison: Comparison,
    octocatalog: Option<Result<OctoDiff, Vec<String>>>,
}

impl ComparedPair {
    /// Returns the result for catalogs beyond the work limit.
    fn left_out() -> ComparedPair {
        let open = vec![EXCLUDED_FROM_COMPILATION.to_owned()];
        let comparison = Comparison { open, is_skipped: true, ..Comparison::default() };
        ComparedPair { comparison, octocatalog: None }
    }
}

/// Result of comparing an entry on a platform.
struct PlacedComparison {
    entry: CompiledEntry,
    platform: String,
    comparison: Comparison,
    /// Differences in the format of octocatalog-diff, if they are wanted, or the reasons why there are none.
    octocatalog: Option<Result<OctoDiff, Vec<String>>>,
}

impl PlacedComparison {
    /// Returns the name of the entry with its platform.
    fn name(&self) -> String {
        on_platform(&self.entry.name, &self.platform)
    }
}

/// Returns names with their platforms; catalogs from files have none.
fn on_platform(names: &str, platforms: &str) -> String {
    if platforms.is_empty() { names.to_owned() } else { format!("{names} on {platforms}") }
}

/// Result of a run.
struct DiffReport {
    /// In the order of the entries.
    compared: Vec<PlacedComparison>,
    /// Entries without a catalog on either side, with the reason.
    not_compiled: Vec<(CompiledEntry, &'static str)>,
    /// Limitations of reading the base revision that affect all catalogs.
    gaps: Vec<String>,
}

impl DiffReport {
    fn differences(&self) -> impl Iterator<Item = (&PlacedComparison, &Difference)> {
        self.compared.iter().filter_map(|placed| Some((placed, placed.comparison.difference.as_ref()?)))
    }

    fn is_inconclusive(&self) -> bool {
        let has_gaps = |it: &PlacedComparison| {
            let Comparison { failure_of_both, open, possible, .. } = &it.comparison;
            failure_of_both.is_some() || !open.is_empty() || !possible.is_empty()
        };
        !self.not_compiled.is_empty() || !self.gaps.is_empty() || self.compared.iter().any(has_gaps)
    }

    fn outcome(&self) -> CommandOutcome {
        match (self.differences().next(), self.is_inconclusive()) {
            (Some(_), _) => CommandOutcome::Findings,
            (None, true) => CommandOutcome::Inconclusive,
            (None, false) => CommandOutcome::Clean,
        }
    }
}

pub(super) fn run(arguments: &DiffArguments, color: ColorChoice) -> anyhow::Result<CommandOutcome> {
    let outcome = files::on_deep_stack(|| diff(arguments, color))?;
    match outcome {
        Err(error) if arguments.format == DiffFormat::Octocatalog => {
            terminal::print_error(color, &format!("{error:#}"));
            Ok(octocatalog::FAILED)
        }
        outcome => outcome,
    }
}

fn diff(arguments: &DiffArguments, color: ColorChoice) -> anyhow::Result<CommandOutcome> {
    if let Some(DiffCommand::Merge(merged)) = &arguments.command {
        return fleet::merge(merged, color);
    }
    if let Some(files) = arguments.catalogs.files() {
        return files.compare(arguments, color);
    }
    with_sides(arguments, Some(color), |analyses, sides, base| {
        let after = sides.after.subject;
        let folder = after.folder.clone().unwrap_or_else(|| PathBuf::from("."));
        let rules = arguments.rules.read(&folder, arguments.format, (&arguments.base, "current"))?;
        let keys = SecretKeys::with(&after.config.secret_keys);
        let analyses = [analyses.before, analyses.after];
        let secrets =
            || SecretValues::new(keys.clone(), &analyses).map_err(|error| anyhow::anyhow!("{error}"));
        if let Some(nodes) = &arguments.fleet.nodes.path {
            let sides = FleetSides { sides, base, secrets: secrets()?, rules: &rules };
            return fleet::run(arguments, nodes, &sides, color);
        }
        let report = report(arguments, sides, base, &rules)?;
        let printer = ReportPrinter { base: &arguments.base, format: arguments.format, rules: &rules, color };
        printer.print(report, secrets)
    })
}

/// Output of reports.
struct ReportPrinter<'r> {
    /// Name of the catalogs before the change.
    base: &'r str,
    format: DiffFormat,
    rules: &'r RunRules,
    color: ColorChoice,
}

impl ReportPrinter<'_> {
    /// Prints a report. `secrets` are read for the formats that leave the machine.
    fn print(
        &self,
        report: DiffReport,
        secrets: impl Fn() -> anyhow::Result<SecretValues>,
    ) -> anyhow::Result<CommandOutcome> {
        let ReportPrinter { base, format, rules, color } = *self;
        let outcome = report.outcome();
        let is_colored = terminal::stdout_has_color(color);
        match format {
            DiffFormat::Text => terminal::print_text(&render::text(&report, is_colored), is_colored)?,
            DiffFormat::Json => terminal::print_json(&render::json(&masked(report, &secrets()?)))?,
            DiffFormat::Markdown => {
                terminal::print_text(&markdown::render(&masked(report, &secrets()?), base), false)?;
            }
            DiffFormat::Html => {
                let report = html::of_catalogs(&masked(report, &secrets()?));
                terminal::print_text(&page::render(report, base, page::CATALOGS), false)?;
            }
            DiffFormat::Octocatalog => return octocatalog::print(report, rules, &secrets()?, color),
        }
        Ok(outcome)
    }
}

/// Loads both sides of a comparison and passes them on. Prints notes about what was not read if `color` is given.
fn with_sides<T>(
    arguments: &DiffArguments,
    color: Option<ColorChoice>,
    compare: impl FnOnce(Sides<&Analysis>, &Sides<DiffSide<'_>>, &BaseRevision) -> anyhow::Result<T>,
) -> anyhow::Result<T> {
    let after = Subject::load(&arguments.project)?;
    color.iter().for_each(|color| after.workspace.print_notes(*color));
    let folder = after.folder.clone().unwrap_or_else(|| PathBuf::from("."));
    let mut base = BaseRevision::read(Path::new(&folder), &arguments.base, after.workspace.disk())?;
    let mut before = Subject::load(&arguments.project)?;
    let new = after.workspace.analysis();
    let environment = after.environment(&new)?;
    let lines = after.workspace.settings_warnings(&new, environment);
    lines.iter().for_each(|line| terminal::print_to_stderr(line));
    if let Some(installed) = &arguments.base_modulepath_dir {
        base.install(installed, &new, environment)?;
    }
    before.workspace.replace(base.states()?);
    let old = before.workspace.analysis();
    let old_environment = before.environment(&old)?;
    let (was, is) = (old.puppetfile_modules(old_environment)?, new.puppetfile_modules(environment)?);
    comparison::modules::note_changes(&base, was, is, new.modules(environment));
    let sides = Sides {
        before: DiffSide { subject: &before, environment: old_environment },
        after: DiffSide { subject: &after, environment },
    };
    compare(Sides { before: &old, after: &new }, &sides, &base)
}

/// Comparison of all catalogs with those of the last commit.
pub(crate) struct HeadComparison {
    /// Number of catalogs that are equal.
    pub(crate) equal: usize,
    /// Reasons why it is not proven that all catalogs are equal.
    pub(crate) doubts: Vec<String>,
}

/// Compares all catalogs of the work tree with those of the last commit. Catalogs may have open parts if these are
/// the same on both sides. `is_removed` returns true for classes that the work tree lacks on purpose.
pub(crate) fn compare_with_head(
    project: &ProjectArguments,
    is_removed: &dyn Fn(&str) -> bool,
) -> anyhow::Result<HeadComparison> {
    let mut arguments = DiffLine::try_parse_from(["diff"])?.arguments;
    arguments.project = project.clone();
    let compared =
        with_sides(&arguments, None, |_, sides, base| report(&arguments, sides, base, &RunRules::none()))?;
    let mut found = HeadComparison { equal: 0, doubts: compared.gaps.clone() };
    for placed in &compared.compared {
        let Comparison { difference, failure_of_both, newly_open, possible, is_skipped, .. } =
            &placed.comparison;
        let is_gone = matches!(difference, Some(comparison::compare::Difference::Gone));
        if is_gone && placed.entry.is_class && is_removed(&placed.entry.name) {
            continue;
        }
        let name = placed.name();
        match (difference, newly_open.first(), possible.first()) {
            (Some(difference), ..) => found.doubts.push(proof::described(difference, &name)),
            (None, ..) if failure_of_both.is_some() => found.doubts.push(format!("{name} does not compile")),
            (None, Some(open), _) => found.doubts.push(format!("{name}: {open}")),
            (None, None, Some(change)) => found.doubts.push(format!("{name}: `{}` may change", change.key)),
            (None, None, None) if *is_skipped => found.doubts.push(format!("{name} was not compared")),
            (None, None, None) => found.equal += 1,
        }
    }
    Ok(found)
}

/// Options of `diff` with their defaults.
#[derive(clap::Parser)]
struct DiffLine {
    #[command(flatten)]
    arguments: DiffArguments,
}

/// Masks secret values in a report that leaves the machine.
fn masked(mut report: DiffReport, secrets: &SecretValues) -> DiffReport {
    let mask = |text: &mut String| *text = secrets.masked(text);
    for PlacedComparison { comparison, .. } in &mut report.compared {
        let Comparison { difference, failure_of_both, open, possible, .. } = comparison;
        open.iter_mut().chain(failure_of_both).for_each(mask);
        for PossibleChange { key, before, after } in possible {
            let is_secret = secrets.is_secret(key);
            for value in [before, after].into_iter().flatten() {
                *value = if is_secret { REDACTED.to_owned() } else { secrets.masked(value) };
            }
        }
        if let Some(difference) = difference {
            difference.mask(secrets);
        }
    }
    report.gaps.iter_mut().for_each(mask);
    report
}

/// The project before or after the change.
struct DiffSide<'s> {
    subject: &'s Subject,
    environment: EnvironmentId,
}

/// Returns new snapshots of both sides.
fn analyses(Sides { before, after }: &Sides<DiffSide<'_>>) -> Sides<Analysis> {
    Sides { before: before.subject.workspace.analysis(), after: after.subject.workspace.analysis() }
}

impl DiffSide<'_> {
    /// Returns the files that the modules of this side serve.
    fn served_files<'r>(&self, reader: &'r (dyn FileReader + Sync), rules: &'r RunRules) -> ServedFiles<'r> {
        let modules = self.subject.workspace.analysis().modules(self.environment);
        let files = ServedFiles::new(modules, |folder| self.subject.workspace.paths_below(folder), reader);
        files.ignoring(&rules.file_text_ignore_tags)
    }
}

fn report(
    arguments: &DiffArguments,
    sides: &Sides<DiffSide<'_>>,
    base: &BaseRevision,
    rules: &RunRules,
) -> anyhow::Result<DiffReport> {
    let Sides { before, after } = sides;
    let named = after.subject.facts(&arguments.facts)?;
    let classification = classification(&arguments.facts)?;
    let mut now = chosen_tasks(arguments, after, &named, &classification)?;
    let mut then = chosen_tasks(arguments, before, &named, &classification)?;
    // Built-in implementations of functions would hide changes of their code.
    let ruby = Arc::new(base.changed_ruby());
    for (.., request) in now.iter_mut().chain(&mut then) {
        request.changed_ruby = ruby.clone();
    }
    let not_compiled = not_compiled(arguments, sides, &[&now, &then], &named, &classification)?;
    let pairs = pairs(now, then);
    anyhow::ensure!(!pairs.is_empty() || !not_compiled.is_empty(), NothingToCompile);
    let (old_environment, environment) = (before.environment, after.environment);
    let disk = after.subject.workspace.disk();
    let are_files_changed = base.changes_read_files();
    // Unchanged files are equal on both sides.
    let is_octocatalog = arguments.format == DiffFormat::Octocatalog;
    let is_served = rules.compares_file_text && (base.changes_served_files() || is_octocatalog);
    let old_files = is_served.then(|| before.served_files(base, rules));
    let new_files = is_served.then(|| after.served_files(&disk, rules));
    let meter = WorkMeter::new(after.subject.workspace.analysis().work_limit(environment)?);
    let work = |analyses: &Sides<Analysis>, (index, pair): &(usize, &Pair)| {
        meter.run(*index, || -> anyhow::Result<(ComparedPair, u64)> {
            let Sides { before: old, after: new } = analyses;
            let (mut was, of_old) =
                snapshot(old, old_environment, pair.before.as_ref(), base, old_files.as_ref())?;
            let (is, of_new) = snapshot(new, environment, pair.after.as_ref(), &disk, new_files.as_ref())?;
            if let Some(was) = &mut was {
                was.note_changes(!ruby.is_empty(), are_files_changed);
            }
            let comparison = compared_by(was.as_ref(), is.as_ref(), &rules.rules);
            let before = OctoSide::of(was.as_ref(), old, old_environment, old_files.as_ref());
            let after = OctoSide::of(is.as_ref(), new, environment, new_files.as_ref());
            let sides = before.zip(after).filter(|_| is_octocatalog);
            let octocatalog =
                sides.map(|(was, is)| octocatalog::of_compiled(&was, &is, rules)).transpose()?;
            Ok((ComparedPair { comparison, octocatalog }, of_old + of_new))
        })
    };
    let phase = VerbosePhase::start();
    let mut bar = ProgressLine::new(arguments.format == DiffFormat::Text, "catalogs compared");
    let threads = arguments.threads.count();
    let numbered: Vec<(usize, &Pair)> = pairs.iter().enumerate().collect();
    let results = files::in_parallel(&numbered, threads, || analyses(sides), work, |now| bar.show(now))?;
    bar.finish();
    phase.end(|| format!("compared {}", plural(pairs.len(), "catalog", "catalogs")));
    let counted = meter.counted(pairs.len());
    let mut compared = Vec::new();
    for (index, (Pair { entry, platform, .. }, result)) in pairs.into_iter().zip(results).enumerate() {
        let ComparedPair { comparison, octocatalog } =
            result?.filter(|_| index < counted).unwrap_or_else(ComparedPair::left_out);
        compared.push(PlacedComparison { entry, platform, comparison, octocatalog });
    }
    Ok(DiffReport { compared, not_compiled, gaps: base.gaps() })
}

/// Pairs the tasks before and after the change, in the order after it.
fn pairs(now: Vec<ChosenTask>, then: Vec<ChosenTask>) -> Vec<Pair> {
    let mut pairs: BTreeMap<(usize, String, String), Pair> = BTreeMap::new();
    let mut order: HashMap<CompiledEntry, usize> = HashMap::new();
    for (entry, ..) in &now {
        let last = order.len();
        order.entry(entry.clone()).or_insert(last);
    }
    for (is_after, (entry, platform, request)) in
        now.into_iter().map(|it| (true, it)).chain(then.into_iter().map(|it| (false, it)))
    {
        let position = order.get(&entry).copied().unwrap_or(order.len());
        let key = (position, entry.name.clone(), platform.clone());
        let pair = pairs.entry(key).or_insert(Pair { entry, platform, before: None, after: None });
        *(if is_after { &mut pair.after } else { &mut pair.before }) = Some(request);
    }
    pairs.into_values().collect()
}

/// Returns the requested entries without any task.
fn not_compiled(
    arguments: &DiffArguments,
    sides: &Sides<DiffSide<'_>>,
    chosen: &[&[ChosenTask]],
    named: &[NamedFacts],
    classification: &Classification,
) -> anyhow::Result<Vec<(CompiledEntry, &'static str)>> {
    let mut wanted: Vec<(CompiledEntry, &'static str)> = Vec::new();
    for name in &arguments.class {
        let entry = CompiledEntry::class(name.clone());
        wanted.push((entry, "class not found in either revision"));
    }
    if arguments.class.is_empty() && arguments.nodes.is_empty() {
        for side in [&sides.after, &sides.before] {
            let analysis = side.subject.workspace.analysis();
            let all = tasks(side.subject, &analysis, side.environment, named, classification)?;
            wanted.extend(all.not_compiled);
        }
    }
    let compiled = chosen.iter().flat_map(|tasks| tasks.iter().map(|(entry, ..)| entry.clone()));
    let mut seen: HashSet<CompiledEntry> = compiled.collect();
    wanted.retain(|(entry, _)| seen.insert(entry.clone()));
    Ok(wanted)
}

type ChosenTask = (CompiledEntry, String, CompileRequest);

/// Returns the tasks of the requested entries that exist.
fn chosen_tasks(
    arguments: &DiffArguments,
    side: &DiffSide<'_>,
    named: &[NamedFacts],
    classification: &Classification,
) -> anyhow::Result<Vec<ChosenTask>> {
    let (subject, environment) = (side.subject, side.environment);
    let analysis = &subject.workspace.analysis();
    if arguments.nodes.is_empty() && arguments.class.is_empty() {
        let all = tasks(subject, analysis, environment, named, classification)?;
        return Ok(all
            .tasks
            .into_iter()
            .map(|task| (task.name.entry, task.name.platform, task.request))
            .collect());
    }
    let nodes = arguments.nodes.iter().map(|name| (name, false));
    let classes = arguments.class.iter().map(|name| (name, true));
    let known = analysis.classes(environment)?;
    let mut chosen = Vec::new();
    for (name, is_class) in nodes.chain(classes) {
        let entry =
            if is_class { CompiledEntry::class(name.clone()) } else { CompiledEntry::named(name.clone()) };
        if is_class && !known.contains(name) {
            continue;
        }
        for facts in facts_for_entry(subject, analysis, environment, &entry, named)? {
            let (point, node) = (entry.entry_point(), entry.node());
            let request = subject.request(analysis, environment, point, node, &facts, classification);
            chosen.push((entry.clone(), facts.name, request));
        }
    }
    Ok(chosen)
}

/// Returns the catalog of one side, and the amount of work for it.
fn snapshot<'a>(
    analysis: &'a Analysis,
    environment: EnvironmentId,
    request: Option<&CompileRequest>,
    reader: &dyn FileReader,
    served: Option<&ServedFiles<'_>>,
) -> anyhow::Result<(Option<ComparedCatalog<'a>>, u64)> {
    let Some(request) = request else { return Ok((None, 0)) };
    let compiled = analysis.compile_with_verdict(environment, request, Some(reader))?;
    let work = compiled.work();
    Ok((Some(ComparedCatalog::new(analysis, environment, compiled, served)?), work))
}
