//! `compile --all`: which entries compile on which platforms, and why others do not.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::io::{self, IsTerminal};
use std::time::Duration;

use catalog_view::text::plural;
use ide::{Analysis, EnvironmentId};
use indicatif::{ProgressBar, ProgressStyle};
use output::visible;
use serde_json::{Value as Json, json};

use super::subject::{Classification, NamedFacts, Subject};
use super::{CompiledEntry, entries, facts_of, failure};
use crate::files::{self, RunProgress};
use crate::{ColorChoice, CommandOutcome, terminal};

/// A run that takes longer than this shows how far it is.
const PROGRESS_AFTER: Duration = Duration::from_millis(500);

/// An entry with the facts to compile it with.
pub(crate) struct Task {
    pub(crate) entry: CompiledEntry,
    /// What people call the facts.
    pub(crate) platform: String,
    pub(crate) request: compile::CompileRequest,
}

/// What came of a task.
struct TaskResult {
    /// As text and as JSON; `None` where it compiles.
    failure: Option<(String, Json)>,
}

/// Everything that is to be compiled, by entry.
pub(crate) fn tasks(
    subject: &Subject,
    analysis: &Analysis,
    environment: EnvironmentId,
    named: &[NamedFacts],
    classification: &Classification,
) -> anyhow::Result<Vec<Task>> {
    let mut tasks = Vec::new();
    for entry in entries(subject, analysis, environment)? {
        for facts in facts_of(subject, analysis, environment, &entry, named)? {
            let (point, node) = (entry.entry_point(), entry.node());
            let request = subject.request(analysis, environment, point, node, &facts, classification);
            // Not every module that the code uses may be there.
            let request = compile::CompileRequest { is_incomplete: true, ..request };
            tasks.push(Task { entry: entry.clone(), platform: facts.name, request });
        }
    }
    Ok(tasks)
}

pub(super) fn run(
    subject: &Subject,
    named: &[NamedFacts],
    classification: &Classification,
    is_json: bool,
    threads: usize,
    color: ColorChoice,
) -> anyhow::Result<CommandOutcome> {
    subject.workspace.print_notes(color);
    let analysis = subject.workspace.analysis();
    let environment = subject.environment(&analysis)?;
    let tasks = tasks(subject, &analysis, environment, named, classification)?;
    anyhow::ensure!(!tasks.is_empty(), "there are no node definitions and no classes to compile");
    let is_colored = !is_json && terminal::stdout_has_color(color);
    let disk = subject.workspace.disk();
    let work = |analysis: &Analysis, task: &Task| -> anyhow::Result<TaskResult> {
        let compiled = analysis.compile(environment, &task.request, Some(&disk))?;
        let failure = match compiled.problem() {
            Some(found) => Some((
                failure::render(analysis, &compiled, found, is_colored)?,
                failure::json(analysis, found)?,
            )),
            None => None,
        };
        Ok(TaskResult { failure })
    };
    let mut bar = CompileProgress::new(!is_json);
    let results =
        files::in_parallel(&tasks, threads, || subject.workspace.analysis(), work, |now| bar.show(now))?;
    bar.finish();
    let results = results.into_iter().collect::<anyhow::Result<Vec<TaskResult>>>()?;
    let has_failed = results.iter().any(|result| result.failure.is_some());
    match is_json {
        true => terminal::print_json(&json_results(&tasks, results))?,
        false => terminal::print_text(&render_text(&tasks, &results, is_colored), is_colored)?,
    }
    Ok(if has_failed { CommandOutcome::Findings } else { CommandOutcome::Clean })
}

fn json_results(tasks: &[Task], results: Vec<TaskResult>) -> Vec<Json> {
    tasks
        .iter()
        .zip(results)
        .map(|(task, result)| {
            let kind = if task.entry.is_class { "class" } else { "node" };
            let error = result.failure.map(|(_, json)| json);
            json!({
                kind: task.entry.name, "platform": task.platform, "ok": error.is_none(), "error": error,
            })
        })
        .collect()
}

/// A line for each entry, a column for each platform, and each failure once.
fn render_text(tasks: &[Task], results: &[TaskResult], is_colored: bool) -> String {
    let visible_names: Vec<_> =
        tasks.iter().map(|task| (visible(&task.entry.name), visible(&task.platform))).collect();
    let mut platforms: Vec<&str> = Vec::new();
    let mut names: Vec<&str> = Vec::new();
    let mut cells: BTreeMap<(usize, usize), bool> = BTreeMap::new();
    let mut failures: Vec<(&str, Vec<&str>, &str)> = Vec::new();
    let position = |list: &mut Vec<&str>, name: &'_ str| list.iter().position(|it| *it == name);
    for ((name, platform), result) in visible_names.iter().zip(results) {
        let (name, platform): (&str, &str) = (name, platform);
        let row = position(&mut names, name).unwrap_or_else(|| {
            names.push(name);
            names.len() - 1
        });
        let column = position(&mut platforms, platform).unwrap_or_else(|| {
            platforms.push(platform);
            platforms.len() - 1
        });
        cells.insert((row, column), result.failure.is_none());
        if let Some((text, _)) = &result.failure {
            match failures.iter_mut().find(|it| it.0 == text.as_str()) {
                Some((_, platforms, _)) if platforms.contains(&platform) => {}
                Some((_, platforms, _)) => platforms.push(platform),
                None => failures.push((text, vec![platform], name)),
            }
        }
    }
    let mut out = String::new();
    for (text, on, first) in &failures {
        out.push_str(text.trim_end());
        let on = if on.len() == platforms.len() { "all platforms".to_owned() } else { on.join(", ") };
        let _ = writeln!(out, "\n  = note: on {on}; first in {first}\n");
    }
    let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
    let (good, bad) = if is_colored { ("\x1b[32m✓\x1b[0m", "\x1b[31m✗\x1b[0m") } else { ("✓", "✗") };
    for (index, platform) in platforms.iter().enumerate() {
        let bars = "│".repeat(index);
        let _ = writeln!(out, "{:width$} {bars}┌ {platform}", "");
    }
    for (row, name) in names.iter().enumerate() {
        let line: String = (0..platforms.len())
            .map(|column| match cells.get(&(row, column)) {
                Some(true) => good,
                Some(false) => bad,
                None => "·",
            })
            .collect();
        let _ = writeln!(out, "{name:width$} {line}");
    }
    let summary = summary(tasks, results, names.len(), platforms.len());
    let _ = match is_colored {
        true => writeln!(out, "\x1b[1m{summary}\x1b[0m"),
        false => writeln!(out, "{summary}"),
    };
    out
}

fn summary(tasks: &[Task], results: &[TaskResult], entries: usize, platforms: usize) -> String {
    let compiled = results.iter().filter(|result| result.failure.is_none()).count();
    let what = match tasks.first().is_some_and(|task| task.entry.is_class) {
        true => plural(entries, "class", "classes"),
        false => plural(entries, "node", "nodes"),
    };
    let on = plural(platforms, "platform", "platforms");
    format!("{what} on {on}: {compiled} of {} compile", plural(results.len(), "catalog", "catalogs"))
}

/// A progress bar that stays away from short runs, from pipes and from formats for programs.
pub(crate) struct CompileProgress {
    is_wanted: bool,
    bar: Option<ProgressBar>,
}

impl CompileProgress {
    pub(crate) fn new(is_text: bool) -> CompileProgress {
        CompileProgress { is_wanted: is_text && io::stderr().is_terminal(), bar: None }
    }

    pub(crate) fn show(&mut self, progress: RunProgress) {
        if !self.is_wanted || progress.elapsed < PROGRESS_AFTER {
            return;
        }
        let bar = self.bar.get_or_insert_with(|| {
            let style = ProgressStyle::with_template("{bar:40} {pos}/{len} catalogs, {eta} left");
            ProgressBar::new(0).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
        });
        bar.set_length(progress.total as u64);
        bar.set_position(progress.done as u64);
    }

    pub(crate) fn finish(self) {
        if let Some(bar) = self.bar {
            bar.finish_and_clear();
        }
    }
}
