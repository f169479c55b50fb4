//! `diff`: effects of a code change on catalogs.

pub(super) mod arguments;
mod catalogs;
mod fleet;
mod format;
mod html;
mod markdown;
mod octocatalog;
mod printer;
pub(crate) mod proof;
mod render;
mod report;
mod rules;
mod sides;

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::PathBuf;
use std::sync::Arc;

use catalog_view::text::plural;
use clap::Parser;
use compile::{CompileRequest, EXCLUDED_FROM_COMPILATION};
use ide::{Analysis, SecretValues};
use measure::WorkMeter;
use output::secrets::SecretKeys;

use self::fleet::FleetSides;
use self::octocatalog::OctoSide;
use self::rules::RunRules;
use super::compile::matrix::{NothingToCompile, tasks};
use super::compile::subject::{NamedFacts, ProjectArguments};

use self::arguments::{DiffArguments, DiffCommand};
use self::format::DiffFormat;
use self::printer::ReportPrinter;
use self::report::{DiffReport, PlacedComparison};
use self::sides::{DiffSide, analyses, ensure_code, snapshot, with_sides};
use super::terminal::ProgressLine;
use super::terminal::verbose::VerbosePhase;
use super::{ColorChoice, CommandOutcome, files, terminal};
use cli_common::entry::{CompiledEntry, facts_for_entry};
use cli_common::sides::ComparedSide;
use comparison::base::BaseRevision;
use comparison::compare::{Comparison, Sides, compared_by};
use comparison::octocatalog::OctoDiff;

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

fn report(
    arguments: &DiffArguments,
    sides: &Sides<DiffSide<'_>>,
    base: &BaseRevision,
    rules: &RunRules,
) -> anyhow::Result<DiffReport> {
    let Sides { before, after } = sides;
    let named = after.subject.facts(&arguments.facts)?;
    if !arguments.nodes.is_empty() {
        ensure_code(sides)?;
    }
    let mut now = chosen_tasks(arguments, after, &named)?;
    let mut then = chosen_tasks(arguments, before, &named)?;
    for (tasks, side) in [(&mut now, ComparedSide::Head), (&mut then, ComparedSide::Base)] {
        tasks.iter_mut().try_for_each(|task| arguments.sides.overrides.replace(&mut task.2.facts, side))?;
    }
    // Built-in implementations of functions would hide changes of their code.
    let ruby = Arc::new(base.changed_ruby());
    for (.., request) in now.iter_mut().chain(&mut then) {
        request.changed_ruby = ruby.clone();
    }
    let not_compiled = not_compiled(arguments, sides, &[&now, &then], &named)?;
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
) -> anyhow::Result<Vec<(CompiledEntry, &'static str)>> {
    let mut wanted: Vec<(CompiledEntry, &'static str)> = Vec::new();
    for name in &arguments.class {
        let entry = CompiledEntry::class(name.clone());
        wanted.push((entry, "class not found in either revision"));
    }
    if arguments.class.is_empty() && arguments.nodes.is_empty() {
        for side in [&sides.after, &sides.before] {
            let analysis = side.subject.workspace.analysis();
            let all = tasks(side.subject, &analysis, side.environment, named, &side.classifier.common)?;
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
) -> anyhow::Result<Vec<ChosenTask>> {
    let (subject, environment, classification) = (side.subject, side.environment, &side.classifier.common);
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
