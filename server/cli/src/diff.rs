//! `diff`: what a change of the code changes in catalogs.

mod base;
mod compare;
mod render;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use clap::ValueEnum;
use compile::{CompileRequest, FileReader};
use ide::{Analysis, EnvironmentId};

use self::base::BaseRevision;
use self::compare::{ComparedCatalog, Difference, difference};
use super::compile::matrix::{CompileProgress, tasks};
use super::compile::subject::{
    Classification, NamedFacts, NodeArguments, ProjectArguments, Subject, classification,
};
use super::compile::{CompiledEntry, facts_of};
use super::{ColorChoice, CommandOutcome, files, terminal};

#[derive(clap::Args, Debug)]
pub(super) struct DiffArguments {
    /// The names of nodes [default: all node definitions; without any, all classes]
    #[arg(value_name = "NODE")]
    nodes: Vec<String>,

    /// The revision of Git to compare with
    #[arg(long, value_name = "REV", default_value = "HEAD")]
    base: String,

    /// Only this class; may be given more than once
    #[arg(long, value_name = "NAME", conflicts_with = "nodes")]
    class: Vec<String>,

    #[command(flatten)]
    project: ProjectArguments,

    #[command(flatten)]
    facts: NodeArguments,

    /// How the differences are printed
    #[arg(long, value_enum, default_value_t = DiffFormat::Text)]
    format: DiffFormat,

    /// How many threads work [default: one per core, at least 2]
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum DiffFormat {
    /// For people
    Text,
    /// For programs: one object for each node or class on each platform that changes
    Json,
    /// For a comment on a merge request
    Markdown,
}

/// An entry on a platform, before and after.
struct Pair {
    entry: CompiledEntry,
    platform: String,
    before: Option<CompileRequest>,
    after: Option<CompileRequest>,
}

/// A difference, and where it is.
struct PlacedDifference {
    entry: CompiledEntry,
    platform: String,
    difference: Difference,
}

pub(super) fn run(arguments: &DiffArguments, color: ColorChoice) -> anyhow::Result<CommandOutcome> {
    files::on_deep_stack(|| diff(arguments, color))?
}

fn diff(arguments: &DiffArguments, color: ColorChoice) -> anyhow::Result<CommandOutcome> {
    let after = Subject::load(&arguments.project)?;
    after.workspace.print_notes(color);
    let folder = after.folder.clone().unwrap_or_else(|| PathBuf::from("."));
    let base = BaseRevision::read(Path::new(&folder), &arguments.base)?;
    let mut before = Subject::load(&arguments.project)?;
    before.workspace.replace(base.states()?);
    let (disk, reader) = (after.workspace.disk(), base.reader(after.workspace.disk())?);
    let named = after.facts(&arguments.facts)?;
    let classification = classification(&arguments.facts)?;
    let (new, old) = (after.workspace.analysis(), before.workspace.analysis());
    let (environment, old_environment) = (after.environment(&new)?, before.environment(&old)?);
    let mut pairs: BTreeMap<(usize, String, String), Pair> = BTreeMap::new();
    let now = chosen_tasks(arguments, &after, &new, environment, &named, &classification)?;
    let then = chosen_tasks(arguments, &before, &old, old_environment, &named, &classification)?;
    let order: Vec<CompiledEntry> = now.iter().map(|(entry, ..)| entry.clone()).collect();
    for (is_after, (entry, platform, request)) in
        now.into_iter().map(|it| (true, it)).chain(then.into_iter().map(|it| (false, it)))
    {
        let position = order.iter().position(|it| *it == entry).unwrap_or(order.len());
        let key = (position, entry.name.clone(), platform.clone());
        let pair = pairs.entry(key).or_insert(Pair { entry, platform, before: None, after: None });
        *(if is_after { &mut pair.after } else { &mut pair.before }) = Some(request);
    }
    let pairs: Vec<Pair> = pairs.into_values().collect();
    anyhow::ensure!(!pairs.is_empty(), "there are no node definitions and no classes to compile");

    let work = |(new, old): &(Analysis, Analysis), pair: &Pair| -> anyhow::Result<Option<Difference>> {
        let was = snapshot(old, old_environment, pair.before.as_ref(), &reader)?;
        let is = snapshot(new, environment, pair.after.as_ref(), &disk)?;
        Ok(difference(was.as_ref(), is.as_ref()))
    };
    let mut bar = CompileProgress::new(arguments.format == DiffFormat::Text);
    let threads = arguments.threads.unwrap_or_else(files::default_threads);
    let start = || (after.workspace.analysis(), before.workspace.analysis());
    let results = files::in_parallel(&pairs, threads, start, work, |now| bar.show(now))?;
    bar.finish();
    let compared = pairs.len();
    let mut changed = Vec::new();
    for (Pair { entry, platform, .. }, result) in pairs.into_iter().zip(results) {
        changed.extend(result?.map(|difference| PlacedDifference { entry, platform, difference }));
    }
    let output = match arguments.format {
        DiffFormat::Text => render::text(&changed, compared, terminal::stdout_has_color(color)),
        DiffFormat::Json => render::json(&changed)?,
        DiffFormat::Markdown => render::markdown(&changed, compared, &arguments.base),
    };
    terminal::print_bytes(output.as_bytes())?;
    Ok(if changed.is_empty() { CommandOutcome::Clean } else { CommandOutcome::Findings })
}

type ChosenTask = (CompiledEntry, String, CompileRequest);

/// What the user wants compiled, as far as it is there.
fn chosen_tasks(
    arguments: &DiffArguments,
    subject: &Subject,
    analysis: &Analysis,
    environment: EnvironmentId,
    named: &[NamedFacts],
    classification: &Classification,
) -> anyhow::Result<Vec<ChosenTask>> {
    if arguments.nodes.is_empty() && arguments.class.is_empty() {
        let all = tasks(subject, analysis, environment, named, classification)?;
        return Ok(all.into_iter().map(|task| (task.entry, task.platform, task.request)).collect());
    }
    let nodes = arguments.nodes.iter().map(|name| (name, false));
    let classes = arguments.class.iter().map(|name| (name, true));
    let known = analysis.classes(environment, None)?;
    let mut chosen = Vec::new();
    for (name, is_class) in nodes.chain(classes) {
        let entry = CompiledEntry { name: name.clone(), is_class };
        if is_class && !known.contains(name) {
            continue;
        }
        for facts in facts_of(subject, analysis, environment, &entry, named)? {
            let (point, node) = (entry.entry_point(), entry.node());
            let request = subject.request(analysis, environment, point, node, &facts, classification);
            let request = CompileRequest { is_incomplete: true, ..request };
            chosen.push((entry.clone(), facts.name, request));
        }
    }
    Ok(chosen)
}

fn snapshot(
    analysis: &Analysis,
    environment: EnvironmentId,
    request: Option<&CompileRequest>,
    reader: &dyn FileReader,
) -> anyhow::Result<Option<ComparedCatalog>> {
    let Some(request) = request else { return Ok(None) };
    let compiled = analysis.compile(environment, request, Some(reader))?;
    Ok(Some(ComparedCatalog::new(&compiled)))
}
