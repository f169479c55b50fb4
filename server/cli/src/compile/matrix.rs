//! `compile --all`: results of all entries on all platforms, with the failures.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Write};
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use catalog_view::open::{self, AbsentModule, OpenGroup};
use catalog_view::text::plural;
use compile::{CompileRequest, EXCLUDED_FROM_COMPILATION};
use disk::Disk;
use ide::{Analysis, EnvironmentId, MissingModule, NodeProperty, Verdict};
use measure::WorkMeter;
use output::visible;
use serde_json::{Value as Json, json};

use super::failure;
use crate::terminal::verbose::{self, VerbosePhase};
use crate::terminal::{ProgressLine, RunProgress};
use crate::{ColorChoice, CommandOutcome, files, terminal};
use cli_common::entry::{CompiledEntry, entries, facts_for_entry};
use cli_common::subject::{Classification, NamedFacts, Subject};
use comparison::sharing::SharedResults;

/// An entry with a fact set to compile it with.
pub(crate) struct Task {
    pub(crate) name: TaskName,
    pub(crate) request: CompileRequest,
}

/// Name of a task.
pub(crate) struct TaskName {
    pub(crate) entry: CompiledEntry,
    /// Display name of the fact set.
    pub(crate) platform: String,
}

/// An entry that cannot be compiled, with the reason.
pub(crate) type NotCompiled = (CompiledEntry, &'static str);

/// Error for a project without code that a catalog could be compiled from.
#[derive(Debug)]
pub(crate) struct NothingToCompile;

impl fmt::Display for NothingToCompile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("no node definitions or classes to compile")
    }
}

impl std::error::Error for NothingToCompile {}

/// Catalogs to compile.
#[derive(Default)]
pub(crate) struct Tasks {
    /// Ordered by entry.
    pub(crate) tasks: Vec<Task>,
    /// Entries that cannot be compiled, with the reason.
    pub(crate) not_compiled: Vec<NotCompiled>,
}

/// Options of `--all`.
pub(super) struct MatrixOptions {
    pub(super) is_json: bool,
    pub(super) threads: usize,
    /// True if an inconclusive result counts as a failure.
    pub(super) denies_inconclusive: bool,
    /// True to compile an entry on each platform, even if platforms have the same result.
    pub(super) compiles_separately: bool,
}

/// Result of a task.
pub(super) struct TaskResult {
    verdict: Verdict,
    /// `None` if the catalog compiles.
    failure: Option<ShownFailure>,
    /// Parts that could not be checked.
    open: Vec<String>,
    /// Modules whose absence is the reason for such parts.
    missing_modules: BTreeMap<String, MissingModule>,
    /// Amount of work.
    work: u64,
}

/// Failure of a task.
struct ShownFailure {
    text: String,
    json: Json,
    /// Key that failures with the same cause share, whatever code led there.
    cause: String,
}

/// Collects everything to compile.
pub(crate) fn tasks(
    subject: &Subject,
    analysis: &Analysis,
    environment: EnvironmentId,
    named: &[NamedFacts],
    classification: &Classification,
) -> anyhow::Result<Tasks> {
    let mut found = Tasks::default();
    let mut facts_of_modules: BTreeMap<Option<String>, Vec<NamedFacts>> = BTreeMap::new();
    for entry in entries(subject, analysis, environment)? {
        if !entry.is_class && entry.node().is_none() {
            found.not_compiled.push((entry, "no matching node name is known"));
            continue;
        }
        let facts = match facts_of_modules.get(&entry.module()) {
            Some(known) => known.clone(),
            None => {
                let found = facts_for_entry(subject, analysis, environment, &entry, named)?;
                facts_of_modules.entry(entry.module()).or_insert(found).clone()
            }
        };
        if facts.is_empty() {
            found.not_compiled.push((entry, "its module supports no known platform"));
            continue;
        }
        for facts in facts {
            let (point, node) = (entry.entry_point(), entry.node());
            let mut request = subject.request(analysis, environment, point, node, &facts, classification);
            request.has_invented_node |= entry.is_invented;
            let name = TaskName { entry: entry.clone(), platform: facts.name };
            found.tasks.push(Task { name, request });
        }
    }
    Ok(found)
}

pub(super) fn run(
    subject: &Subject,
    named: &[NamedFacts],
    classification: &Classification,
    options: &MatrixOptions,
    color: ColorChoice,
) -> anyhow::Result<CommandOutcome> {
    let analysis = subject.workspace.analysis();
    let environment = begin(subject, &analysis, color)?;
    let Tasks { tasks, not_compiled } = tasks(subject, &analysis, environment, named, classification)?;
    anyhow::ensure!(!tasks.is_empty() || !not_compiled.is_empty(), NothingToCompile);
    let disk = subject.workspace.disk();
    let meter = WorkMeter::new(analysis.work_limit(environment)?);
    let compiler = TaskCompiler::new(environment, &disk, options, color);
    let groups = groups(&tasks);
    let done = AtomicUsize::new(0);
    let work = |analysis: &Analysis, group: &Range<usize>| {
        let shared = (!options.compiles_separately).then(SharedResults::default);
        let compile = |index: usize| {
            let result = meter.run(index, || {
                let result = compiler.result(analysis, &tasks[index].request, shared.as_ref())?;
                let work = result.work;
                anyhow::Ok((result, work))
            });
            done.fetch_add(1, Ordering::Relaxed);
            result
        };
        group.clone().map(compile).collect::<Vec<_>>()
    };
    let phase = VerbosePhase::start();
    let mut bar = ProgressLine::new(!options.is_json, "catalogs compiled");
    let start = || subject.workspace.analysis();
    let results = files::in_parallel_singly(&groups, options.threads, start, work, |now| {
        bar.show(RunProgress { done: done.load(Ordering::Relaxed), total: tasks.len(), ..now });
    })?;
    bar.finish();
    phase.end(|| format!("compiled {}", plural(tasks.len(), "catalog", "catalogs")));
    let results = results.into_iter().flatten().collect();
    let results = counted_results(results, meter.counted(tasks.len()))?;
    let cells: Vec<TaskName> = tasks.into_iter().map(|Task { name, .. }| name).collect();
    print(&cells, &results, &not_compiled, options, color)
}

/// Prints the notes on the project, and returns its environment.
pub(crate) fn begin(
    subject: &Subject,
    analysis: &Analysis,
    color: ColorChoice,
) -> anyhow::Result<EnvironmentId> {
    subject.workspace.print_notes(color);
    let environment = subject.environment(analysis)?;
    let lines = subject.workspace.settings_warnings(analysis, environment);
    lines.iter().for_each(|line| terminal::print_to_stderr(line));
    Ok(environment)
}

/// Prints the results of tasks.
pub(super) fn print(
    tasks: &[TaskName],
    results: &[Arc<TaskResult>],
    not_compiled: &[NotCompiled],
    options: &MatrixOptions,
    color: ColorChoice,
) -> anyhow::Result<CommandOutcome> {
    let of_tasks = results.iter().map(|result| result.verdict);
    let worst = of_tasks.chain(not_compiled.iter().map(|_| Verdict::Inconclusive)).max();
    if options.is_json {
        terminal::print_json(&json_results(tasks, results, not_compiled))?
    } else {
        let is_colored = terminal::stdout_has_color(color);
        let text = Matrix::new(tasks, results, not_compiled).render(is_colored);
        terminal::print_text(&text, is_colored)?;
    }
    Ok(match worst {
        Some(Verdict::Fails) => CommandOutcome::Findings,
        Some(Verdict::Inconclusive) if options.denies_inconclusive => CommandOutcome::Findings,
        _ => CommandOutcome::Clean,
    })
}

/// Compiler of tasks.
pub(super) struct TaskCompiler<'c> {
    environment: EnvironmentId,
    disk: &'c Disk,
    is_json: bool,
    is_colored: bool,
}

impl<'c> TaskCompiler<'c> {
    pub(super) fn new(
        environment: EnvironmentId,
        disk: &'c Disk,
        options: &MatrixOptions,
        color: ColorChoice,
    ) -> TaskCompiler<'c> {
        let is_json = options.is_json;
        TaskCompiler { environment, disk, is_json, is_colored: !is_json && terminal::stdout_has_color(color) }
    }

    /// Returns the result of a request: that of one that no compile can distinguish from it, or else that of its
    /// own compile.
    pub(super) fn result(
        &self,
        analysis: &Analysis,
        request: &CompileRequest,
        shared: Option<&SharedResults<TaskResult>>,
    ) -> anyhow::Result<Arc<TaskResult>> {
        cli_common::nodes::shared_result(analysis, self.environment, request, shared, |request| {
            self.compiled(analysis, request)
        })
    }

    fn compiled(
        &self,
        analysis: &Analysis,
        request: &CompileRequest,
    ) -> anyhow::Result<(TaskResult, Vec<NodeProperty>)> {
        let mut compiled = analysis.compile_with_verdict(self.environment, request, Some(self.disk))?;
        let (verdict, open) = (compiled.verdict(), compiled.inconclusive_reasons().to_vec());
        let failure = match compiled.problem().filter(|_| verdict == Verdict::Fails || self.is_json) {
            Some(found) => Some(ShownFailure {
                text: failure::render(analysis, &compiled, found, self.is_colored)?,
                json: failure::json(analysis, found)?,
                cause: format!("{} {:?} {}", found.code, found.location, found.message),
            }),
            None => None,
        };
        let missing_modules = if open.is_empty() {
            BTreeMap::new()
        } else {
            analysis.missing_modules(self.environment, &compiled)?
        };
        let reads = std::mem::take(&mut compiled.node_reads);
        Ok((TaskResult { verdict, failure, open, missing_modules, work: compiled.work() }, reads))
    }
}

/// Returns the consecutive tasks of each entry.
fn groups(tasks: &[Task]) -> Vec<Range<usize>> {
    let mut groups: Vec<Range<usize>> = Vec::new();
    for (index, task) in tasks.iter().enumerate() {
        match groups.last_mut() {
            Some(group) if tasks[group.start].name.entry == task.name.entry => group.end = index + 1,
            _ => groups.push(index..index + 1),
        }
    }
    groups
}

/// Returns the results of the first `counted` tasks; the others are marked as left out.
fn counted_results(
    results: Vec<anyhow::Result<Option<Arc<TaskResult>>>>,
    counted: usize,
) -> anyhow::Result<Vec<Arc<TaskResult>>> {
    let results = results.into_iter().enumerate().map(|(index, result)| {
        let result = result?.filter(|_| index < counted);
        let open = || vec![EXCLUDED_FROM_COMPILATION.to_owned()];
        Ok(result.unwrap_or_else(|| {
            Arc::new(TaskResult {
                verdict: Verdict::Inconclusive,
                failure: None,
                open: open(),
                missing_modules: BTreeMap::new(),
                work: 0,
            })
        }))
    });
    results.collect()
}

fn json_results(tasks: &[TaskName], results: &[Arc<TaskResult>], not_compiled: &[NotCompiled]) -> Vec<Json> {
    let kind = |entry: &CompiledEntry| if entry.is_class { "class" } else { "node" };
    let of_tasks = tasks.iter().zip(results).map(|(task, result)| {
        let error = result.failure.as_ref().map(|failure| &failure.json);
        json!({
            kind(&task.entry): task.entry.name, "platform": task.platform, "ok": error.is_none(),
            "error": error, "open": result.open,
        })
    });
    let of_others = not_compiled.iter().map(|(entry, reason)| {
        json!({ kind(entry): entry.name, "platform": null, "ok": false, "error": null, "open": [reason] })
    });
    of_tasks.chain(of_others).collect()
}

/// Maximum number of entries listed under a message; the others are counted.
const MAX_LISTED: usize = 10;

/// Message shared by several entries.
struct SharedMessage<'a> {
    text: &'a str,
    cause: &'a str,
    platforms: Vec<&'a str>,
    names: Vec<&'a str>,
}

impl SharedMessage<'_> {
    /// Formats the names of the entries.
    fn entries(&self) -> String {
        let listed = self.names[..self.names.len().min(MAX_LISTED)].join(", ");
        match self.names.len().saturating_sub(MAX_LISTED) {
            0 => listed,
            more => format!("{listed} and {more} more"),
        }
    }
}

/// Table with a row per entry and a column per platform, and deduplicated failures and unchecked parts.
#[derive(Default)]
struct Matrix<'a> {
    platforms: Vec<&'a str>,
    names: Vec<&'a str>,
    cells: BTreeMap<(usize, usize), Verdict>,
    failures: Vec<SharedMessage<'a>>,
    open: Vec<SharedMessage<'a>>,
    missing_modules: BTreeMap<&'a str, &'a MissingModule>,
    not_compiled: &'a [NotCompiled],
    /// Singular and plural noun for the compiled entries.
    nouns: (&'static str, &'static str),
}

impl<'a> Matrix<'a> {
    fn new(
        tasks: &'a [TaskName],
        results: &'a [Arc<TaskResult>],
        not_compiled: &'a [NotCompiled],
    ) -> Matrix<'a> {
        let entries = || tasks.iter().map(|task| &task.entry).chain(not_compiled.iter().map(|(it, _)| it));
        let nouns = match (entries().all(|it| it.is_class), entries().any(|it| it.is_class)) {
            (true, _) => ("class", "classes"),
            (false, false) => ("node", "nodes"),
            (false, true) => ("node or class", "nodes and classes"),
        };
        let mut matrix = Matrix { not_compiled, nouns, ..Matrix::default() };
        let mut rows: BTreeMap<&str, usize> = BTreeMap::new();
        let new_row = |names: &mut Vec<&'a str>, name: &'a str| {
            names.push(name);
            names.len() - 1
        };
        for (task, result) in tasks.iter().zip(results) {
            let (name, platform) = (task.entry.name.as_str(), task.platform.as_str());
            let row = *rows.entry(name).or_insert_with(|| new_row(&mut matrix.names, name));
            let cell = (row, position(&mut matrix.platforms, platform));
            matrix.cells.insert(cell, result.verdict);
            if let Some(ShownFailure { text, cause, .. }) = &result.failure {
                add_message(&mut matrix.failures, text, cause, platform, name);
            }
            matrix
                .missing_modules
                .extend(result.missing_modules.iter().map(|(it, module)| (it.as_str(), module)));
            for part in result.open.iter().filter(|_| result.verdict == Verdict::Inconclusive) {
                add_message(&mut matrix.open, part, part, platform, name);
            }
        }
        for (entry, reason) in not_compiled {
            rows.entry(&entry.name).or_insert_with(|| new_row(&mut matrix.names, &entry.name));
            add_message(&mut matrix.open, reason, reason, "", &entry.name);
        }
        matrix
    }

    fn on(&self, platforms: &[&str]) -> String {
        match platforms {
            [""] => String::new(),
            all if all.len() == self.platforms.len() => " on all platforms".to_owned(),
            some => format!(" on {}", visible(&some.join(", "))),
        }
    }

    fn render(&self, is_colored: bool) -> String {
        let mut out = String::new();
        for failure in &self.failures {
            let (text, on, entries) =
                (failure.text.trim_end(), self.on(&failure.platforms), failure.entries());
            let _ = writeln!(out, "{text}\n  = note:{on}; in {}\n", visible(&entries));
        }
        self.render_open(&mut out);
        let width = self.names.iter().map(|name| visible(name).chars().count()).max().unwrap_or(0);
        for (index, platform) in self.platforms.iter().enumerate() {
            let bars = "│".repeat(index);
            let _ = writeln!(out, "{:width$} {bars}┌ {}", "", visible(platform));
        }
        for (row, name) in self.names.iter().enumerate() {
            let is_compiled = self.cells.range((row, 0)..(row + 1, 0)).next().is_some();
            let cell = |column: usize| match self.cells.get(&(row, column)) {
                Some(verdict) => painted(*verdict, is_colored),
                None if is_compiled => "·".to_owned(),
                None => painted(Verdict::Inconclusive, is_colored),
            };
            let line: String = (0..self.platforms.len().max(1)).map(cell).collect();
            let _ = writeln!(out, "{:width$} {line}", visible(name));
        }
        if let Some(legend) = self.legend() {
            let _ = writeln!(out, "\n{legend}");
        }
        let summary = self.summary();
        let _ =
            if is_colored { writeln!(out, "\x1b[1m{summary}\x1b[0m") } else { writeln!(out, "{summary}") };
        out
    }

    /// Writes what could not be checked: one line per cause, or per part with `--verbose`.
    fn render_open(&self, out: &mut String) {
        if self.open.is_empty() {
            return;
        }
        let reasons: Vec<&str> = self.open.iter().map(|it| it.text).collect();
        let module_of = |reason: &str| {
            self.missing_modules.get(reason).map(|it| AbsentModule { name: &it.name, help: it.help })
        };
        let groups = if verbose::is_enabled() { Vec::new() } else { open::grouped(&reasons, module_of) };
        for OpenGroup { what, help, reasons } in &groups {
            let (mut platforms, mut names) = (Vec::new(), Vec::new());
            for message in reasons.iter().map(|at| &self.open[*at]) {
                for platform in &message.platforms {
                    position(&mut platforms, platform);
                }
                for name in &message.names {
                    position(&mut names, name);
                }
            }
            let message = SharedMessage { text: what, cause: what, platforms, names };
            let (on, entries) = (self.on(&message.platforms), message.entries());
            let _ = writeln!(out, "open: {}{on}; in {}", visible(what), visible(&entries));
            if let Some(help) = help {
                let _ = writeln!(out, "  help: {}", visible(help));
            }
        }
        for open in self.open.iter().filter(|_| groups.is_empty()) {
            let (part, on, entries) = (visible(open.text), self.on(&open.platforms), open.entries());
            let _ = writeln!(out, "open: {part}{on}; in {}", visible(&entries));
        }
        if !groups.is_empty() && groups.len() < self.open.len() {
            out.push_str("  `--verbose` lists each part\n");
        }
        out.push('\n');
    }

    /// Explains the signs in the table, unless everything compiles.
    fn legend(&self) -> Option<String> {
        let verdicts: BTreeSet<Verdict> = self.cells.values().copied().collect();
        let is_full = self.cells.len() == self.names.len() * self.platforms.len().max(1);
        let has_open_rows = !self.not_compiled.is_empty();
        if is_full && verdicts.iter().all(|it| *it == Verdict::Compiles) {
            return None;
        }
        let signs = [
            (verdicts.contains(&Verdict::Compiles), Verdict::Compiles.sign(), "compiles"),
            (
                verdicts.contains(&Verdict::Inconclusive) || has_open_rows,
                Verdict::Inconclusive.sign(),
                "open: some parts are unknown",
            ),
            (verdicts.contains(&Verdict::Fails), Verdict::Fails.sign(), "fails"),
            (!is_full && !self.cells.is_empty(), "·", "platform not supported"),
        ];
        let shown = signs.iter().filter(|(is_used, ..)| *is_used);
        Some(shown.map(|(_, sign, meaning)| format!("{sign} {meaning}")).collect::<Vec<_>>().join(", "))
    }

    fn summary(&self) -> String {
        let count = |wanted: Verdict| self.cells.values().filter(|it| **it == wanted).count();
        let what = plural(self.names.len(), self.nouns.0, self.nouns.1);
        let on = plural(self.platforms.len(), "platform", "platforms");
        let (compiled, all) = (count(Verdict::Compiles), self.cells.len());
        let catalogs = if (compiled, all) == (1, 1) { "catalog" } else { "catalogs" };
        let verb = if compiled == 1 { "compiles" } else { "compile" };
        let mut line = format!("{what} on {on}: {compiled} of {all} {catalogs} {verb}");
        let open = count(Verdict::Inconclusive);
        if open > 0 {
            let fails = count(Verdict::Fails);
            let _ = write!(line, ", {fails} {}, {open} open", if fails == 1 { "fails" } else { "fail" });
        }
        if !self.not_compiled.is_empty() {
            let count = self.not_compiled.len();
            let (one, many) = self.nouns;
            let _ = write!(line, "; {} not compiled", plural(count, one, many));
        }
        line
    }
}

/// Returns the index of a name in a list, appending it if necessary.
fn position<'a>(list: &mut Vec<&'a str>, name: &'a str) -> usize {
    list.iter().position(|it| *it == name).unwrap_or_else(|| {
        list.push(name);
        list.len() - 1
    })
}

/// Adds an entry to the message with this cause, or a new message if there is none.
fn add_message<'a>(
    messages: &mut Vec<SharedMessage<'a>>,
    text: &'a str,
    cause: &'a str,
    platform: &'a str,
    name: &'a str,
) {
    match messages.iter_mut().find(|it| it.cause == cause) {
        Some(known) => {
            position(&mut known.platforms, platform);
            position(&mut known.names, name);
        }
        None => messages.push(SharedMessage { text, cause, platforms: vec![platform], names: vec![name] }),
    }
}

fn painted(verdict: Verdict, is_colored: bool) -> String {
    let color = match verdict {
        Verdict::Compiles => 32,
        Verdict::Inconclusive => 33,
        Verdict::Fails => 31,
    };
    let sign = verdict.sign();
    if is_colored { format!("\x1b[{color}m{sign}\x1b[0m") } else { sign.to_owned() }
}
