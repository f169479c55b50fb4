//! `check`: finds files, runs the analysis on them, and reports the findings.

mod ahead;
mod baseline;
mod changes;
mod fix;
mod ignore;
mod show;
mod since;
mod unseen;
mod upgrade;
mod watch;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use anyhow::Context;
use catalog_view::text::plural;
use codes::Code;
use disk::Folders;
use disk::config::Config;
use ide::{Analysis, Cancelled, Diagnostic, DiskState, LintLevel, SecretValues, Settings, Tier};
use measure::WorkMeter;
use output::secrets::SecretKeys;
use syntax::{Language, Severity};
use validation::{ValidationSettings, validate};

use self::ahead::compile_ahead;
use self::baseline::Baseline;
use self::fix::{FixChoice, FixRun};
use self::ignore::IgnoreRun;
use self::since::LinesSince;
use self::unseen::{Unseen, UnseenOfFile};
use self::upgrade::Upgrade;
use super::files::{self, FileFailure, RunProgress, display_path};
use super::printed_diagnostic::{PrintedDiagnostic, printed, show_from_root};
use super::report::text::RunCounts;
use super::report::{self, FileDiagnostics, UnseenPart};
use super::terminal::ProgressLine;
use super::terminal::verbose::{self, VerbosePhase};
use super::workspace::{self, Workspace};
use super::{
    CheckArguments, ColorChoice, CommandOutcome, FailLevel, MinLevel, ReportFormat, SortOrder, terminal,
};

/// Files to check.
#[derive(Clone)]
struct SourcesToCheck {
    /// Files and folders named on the command line; standard input is represented by its assumed path.
    named: Vec<PathBuf>,
    /// Sorted by path.
    texts: Vec<(PathBuf, Arc<str>)>,
    /// Templates and Hiera files that are not UTF-8: reported as findings, not as failures.
    undecoded: Vec<PathBuf>,
    failures: Vec<FileFailure>,
}

/// Result of checking a file.
struct Checked {
    path: PathBuf,
    /// True if the code of the file was evaluated.
    is_evaluated: bool,
    diagnostics: Vec<PrintedDiagnostic>,
    /// Number of findings below the level of `--min-level`.
    hidden: usize,
    rendered: RenderedFile,
    unseen: UnseenOfFile,
}

/// Text report of a file: the findings to print first, and the others.
#[derive(Default)]
struct RenderedFile {
    first: String,
    rest: String,
}

/// Snapshots of the analysis: for the current Puppet version, and for the previous one.
type Snapshots = (Analysis, Option<Analysis>);

/// The same files for the previous Puppet version, with its settings.
type EarlierWorkspace = (Workspace, Settings);

/// A file to check: its index, path and contents.
type NumberedSource = (usize, (PathBuf, DiskState));

/// Tiers that are run on files whose code is not evaluated.
pub(super) const UNEVALUATED: [Tier; 3] = [Tier::Syntax, Tier::Names, Tier::Style];

/// Filter for findings.
struct WantedFindings<'a> {
    arguments: &'a CheckArguments,
    /// Maximum amount of work for evaluating code.
    evaluation_limit: u64,
    baseline: Option<Baseline>,
    since: Option<LinesSince>,
}

impl WantedFindings<'_> {
    fn new<'a>(
        arguments: &'a CheckArguments,
        sources: &SourcesToCheck,
    ) -> anyhow::Result<WantedFindings<'a>> {
        let length = sources.texts.iter().map(|(_, text)| text.len()).sum();
        let baseline = arguments.baseline.as_deref().filter(|_| !arguments.write_baseline);
        let since = arguments.since.as_deref();
        Ok(WantedFindings {
            arguments,
            evaluation_limit: compile::summary_limit(length),
            baseline: baseline.map(Baseline::read).transpose()?,
            since: since.map(|it| LinesSince::new(it, &sources.texts)).transpose()?,
        })
    }

    /// Returns the findings to report, and the number of those below the level of `--min-level`.
    fn of(&self, path: &Path, mut found: Vec<PrintedDiagnostic>) -> (Vec<PrintedDiagnostic>, usize) {
        let takes_hints = self.arguments.upgrade_to.is_some()
            || self.arguments.hints
            || self.arguments.min_level == MinLevel::Hint;
        found.retain(|it| takes_hints || it.severity != Severity::Hint);
        found.retain(|it| !self.arguments.style_only || it.code.is_style());
        if let Some(since) = &self.since {
            found = since.only_changed(path, found);
        }
        if let Some(baseline) = &self.baseline {
            found = baseline.without_known(path, found);
        }
        let all = found.len();
        let only_errors = self.arguments.min_level == MinLevel::Error;
        found.retain(|it| !only_errors || it.severity == Severity::Error || is_unchecked(it));
        let hidden = all - found.len();
        (found, hidden)
    }
}

pub(super) fn run(arguments: &CheckArguments, color: ColorChoice) -> anyhow::Result<CommandOutcome> {
    let _profile = arguments.profile.as_deref().map(measure::profile::write).transpose()?;
    let mut config = settings(arguments)?;
    if arguments.show_settings {
        return show::settings(&config, arguments);
    }
    let watched = arguments.watch.then_some("--watch");
    if let Some(option) = edit_option(arguments).or(watched)
        && arguments.paths.iter().any(|it| it == Path::new("-"))
    {
        anyhow::bail!("`{option}` cannot be used with standard input");
    }
    let upgrade = Upgrade::of(arguments)?;
    if let Some(upgrade) = &upgrade {
        config.settings.puppet_version = upgrade.to;
        config.settings.prepares_upgrade = true;
    }
    if arguments.watch {
        return watch::run(arguments, color);
    }
    let (mut sources, folders) = read_sources(arguments, &config, |_| None)?;
    if arguments.show_files {
        return show::files(&sources, color);
    }
    let states = states_of(&sources.texts, arguments);
    let mut workspace = match edit_option(arguments) {
        Some(_) => Workspace::with_surroundings(&config, &sources.named, sources.texts.iter().cloned()),
        None => Workspace::read_once(&config, &sources.named, states.iter().cloned(), folders),
    };
    if let Some(outcome) = edit(arguments, &config, (&mut workspace, &mut sources), color)? {
        return Ok(outcome);
    }
    let mut before = upgrade.as_ref().map(|upgrade| {
        let mut config = config.clone();
        config.settings.puppet_version = upgrade.from;
        let texts = sources.texts.iter().cloned();
        (Workspace::with_surroundings(&config, &sources.named, texts), config.settings)
    });
    let wanted = WantedFindings::new(arguments, &sources)?;
    let states = edit_option(arguments).is_none().then_some(states);
    let workspaces = (&config, &mut workspace, before.as_mut());
    let outcome = check_sources(&wanted, workspaces, sources, states, color);
    // The process is about to exit; freeing everything would take a while.
    std::mem::forget((workspace, before));
    outcome
}

/// Checks the files and reports the findings. `states` are the same files if their texts have not changed.
fn check_sources(
    wanted: &WantedFindings<'_>,
    (config, workspace, mut before): (&Config, &mut Workspace, Option<&mut EarlierWorkspace>),
    sources: SourcesToCheck,
    states: Option<Vec<(PathBuf, DiskState)>>,
    color: ColorChoice,
) -> anyhow::Result<CommandOutcome> {
    let unreadable = sources.failures.iter().map(|it| it.path.as_path());
    let found = sources.undecoded.iter().map(PathBuf::as_path).chain(unreadable);
    let mut unseen = Unseen::new(workspace.skipped_files(found));
    unseen.other.extend(Upgrade::of(wanted.arguments)?.iter().flat_map(Upgrade::unchecked));
    let SourcesToCheck { texts, undecoded, failures, .. } = sources;
    let mut states = states.unwrap_or_else(|| states_of(&texts, wanted.arguments));
    drop(texts);
    states.extend(undecoded.into_iter().map(|path| (path, DiskState::Text("".into()))));
    states.sort_by(|a, b| a.0.cmp(&b.0));
    for workspace in before.iter_mut().map(|it| &mut it.0).chain([&mut *workspace]) {
        compile_ahead(wanted.arguments, workspace, &states)?;
    }
    check(wanted, (config, workspace, before), states, failures, unseen, color)
}

/// Returns the option that changes files, if any.
fn edit_option(arguments: &CheckArguments) -> Option<&'static str> {
    let options = [(arguments.fix, "--fix"), (arguments.add_ignore, "--add-ignore")];
    options.into_iter().find_map(|(is_given, name)| is_given.then_some(name))
}

/// Applies `--fix` or `--add-ignore`. Returns the outcome if the run ends with a diff.
fn edit(
    arguments: &CheckArguments,
    config: &Config,
    (workspace, sources): (&mut Workspace, &mut SourcesToCheck),
    color: ColorChoice,
) -> anyhow::Result<Option<CommandOutcome>> {
    let threads = arguments.threads.unwrap_or_else(files::default_threads);
    let changes = if let Some(upgrade) = Upgrade::of(arguments)?.filter(|_| arguments.fix) {
        upgrade.fix(arguments, config, (workspace, sources), color)?
    } else if arguments.fix {
        let choice = FixChoice { takes_unsafe: arguments.unsafe_fixes, takes: |_| true };
        let run = FixRun::new(workspace, sources, choice, threads)?;
        print_fixes(&run, arguments, config, color);
        run.changes
    } else if arguments.add_ignore {
        compile_ahead(arguments, workspace, &states_of(&sources.texts, arguments))?;
        let run = IgnoreRun::new(arguments, workspace, sources, &config.settings)?;
        run.print(color);
        run.changes
    } else {
        return Ok(None);
    };
    if arguments.diff {
        terminal::print_text(&changes.diff(sources), false)?;
        let is_clean = changes.count() == 0;
        return Ok(Some(if is_clean { CommandOutcome::Clean } else { CommandOutcome::Findings }));
    }
    let unwritten = changes.write(sources);
    sources.failures.extend(unwritten);
    Ok(None)
}

/// Returns the settings that apply to the run: those of files, and the options on top.
fn settings(arguments: &CheckArguments) -> anyhow::Result<Config> {
    let mut config = arguments.version.config_in(&workspace::settings_folder(&arguments.paths))?;
    config.apply_rule_options(&arguments.select, &arguments.ignore).map_err(|name| unknown_rule(&name))?;
    if let Some(paths) = &arguments.modulepath {
        let folders = workspace::trusted_module_path(&mut config, paths)?;
        config.settings.module_path.extend(folders);
    }
    let excluded = arguments.exclude.iter().map(|it| {
        let path = std::path::absolute(it)?;
        path.to_str().map(str::to_owned).context("the path of an excluded folder is not UTF-8")
    });
    config.settings.excluded_paths.extend(excluded.collect::<anyhow::Result<Vec<_>>>()?);
    Ok(config)
}

fn unknown_rule(name: &str) -> anyhow::Error {
    let problem = format!("unknown rule or rule group `{name}`");
    anyhow::Error::msg(codes::with_help(problem, "run `puppet-analyzer rules` to list all rules"))
}

/// Returns the texts as states that are kept until they are checked, compressed where they are used only
/// once.
fn states_of(texts: &[(PathBuf, Arc<str>)], arguments: &CheckArguments) -> Vec<(PathBuf, DiskState)> {
    let state = |(path, text): &(PathBuf, Arc<str>)| {
        let state = DiskState::Text(text.clone());
        let absolute = workspace::absolute_path(path).filter(|_| edit_option(arguments).is_none());
        let state = match absolute {
            Some(absolute) => disk::packed(state, &absolute),
            None => state,
        };
        (path.clone(), state)
    };
    texts.iter().map(state).collect()
}

fn print_fix_count(findings: usize, files: usize, arguments: &CheckArguments) {
    let (findings, files) = (plural(findings, "finding", "findings"), plural(files, "file", "files"));
    let verb = if arguments.diff { "would be fixed" } else { "fixed" };
    terminal::print_to_stderr(&format!("{findings} {verb} in {files}\n"));
}

/// Prints the number of applied fixes, and of those that were not applied because they are unsafe.
fn print_fixes(run: &FixRun, arguments: &CheckArguments, config: &Config, color: ColorChoice) {
    print_fix_count(run.fixed, run.changes.count(), arguments);
    let levels = &config.settings.lint_levels;
    let is_enabled = |it: &&Code| levels.get(it.as_str()).is_some_and(|it| *it != LintLevel::Off);
    let mut style = Code::ALL.iter().filter(|it| it.is_style());
    if run.fixed == 0 && !style.any(|it| is_enabled(&it)) {
        terminal::print_to_stderr("rules of style are off; `--select style` enables them and their fixes\n");
    }
    if run.held_back > 0 {
        let fixes = plural(run.held_back, "fix", "fixes");
        terminal::print_warning(color, &unsafe_fixes_message(&fixes));
    }
}

/// Returns the warning about unsafe fixes that were not applied.
pub(super) fn unsafe_fixes_message(fixes: &str) -> String {
    let problem = format!("{fixes} not applied because they may change behavior");
    codes::with_help(problem, "use `--unsafe-fixes` to apply them")
}

/// Checks all files and reports the findings.
fn check(
    wanted: &WantedFindings<'_>,
    (config, workspace, before): (&Config, &mut Workspace, Option<&mut EarlierWorkspace>),
    sources: Vec<(PathBuf, DiskState)>,
    mut failures: Vec<FileFailure>,
    unseen: Unseen,
    color: ColorChoice,
) -> anyhow::Result<CommandOutcome> {
    let arguments = wanted.arguments;
    let is_text = is_text(arguments);
    let styled = arguments.output.is_none() && is_text && terminal::stdout_has_color(color);
    let mut progress = ProgressLine::new(is_text, "files checked");
    let (mut earlier, earlier_settings) = before.map(|it| (&mut it.0, &it.1)).unzip();
    let style = is_text.then_some(styled);
    let settings = (&config.settings, earlier_settings);
    let look = |snapshots: &Snapshots, source: &(PathBuf, DiskState), tiers: &[Tier]| {
        look(wanted, settings, snapshots, source, tiers, style)
    };
    let meter = WorkMeter::new(wanted.evaluation_limit);
    let check = |snapshots: &Snapshots, (number, source): &NumberedSource| {
        let evaluated = meter.run(*number, || {
            let work = evaluation_work(&snapshots.0, &source.0)?;
            Ok((look(snapshots, source, &Tier::LIVE)?, work))
        })?;
        evaluated.map_or_else(|| look(snapshots, source, &UNEVALUATED), Ok)
    };
    let sources: Vec<NumberedSource> = sources.into_iter().enumerate().collect();
    let threads = arguments.threads.unwrap_or_else(files::default_threads);
    let run = (threads, &mut progress);
    let phase = VerbosePhase::start();
    let results =
        files::on_deep_stack(|| check_all(workspace, earlier.as_deref_mut(), &sources, &check, run))??;
    progress.finish();
    phase.end(|| format!("checked {}", plural(sources.len(), "file", "files")));
    failures.sort_by(|a, b| a.path.cmp(&b.path));
    let results = results.into_iter().collect::<Result<Vec<Checked>, Cancelled>>();
    // There are no concurrent writes, so nothing is cancelled.
    let mut checked = results.map_err(|error| anyhow::anyhow!("{error}"))?;
    let counted = meter.counted(sources.len());
    let beyond = (&mut checked[counted..], &sources[counted..]);
    let again = |snapshots: &Snapshots, source: &(PathBuf, DiskState)| look(snapshots, source, &UNEVALUATED);
    files::on_deep_stack(|| look_again((workspace, earlier), beyond, again))??;
    if arguments.watch {
        terminal::clear_screen()?;
    }
    workspace.print_notes(color);
    for failure in &failures {
        terminal::print_error(color, &failure.to_string());
    }
    if let (true, Some(file)) = (arguments.write_baseline, &arguments.baseline) {
        baseline::write(file, &checked)?;
        return Ok(if failures.is_empty() { CommandOutcome::Clean } else { CommandOutcome::Failure });
    }
    let secrets = SecretKeys::with(&config.secret_keys);
    if report::leaves_machine(arguments.format) {
        mask(&mut checked, &sources, &secrets, &workspace.analysis())?;
    }
    report(arguments, (&secrets, workspace), checked, &failures, unseen, color)
}

/// Masks secret values in the findings. `sources` are the checked files in the same order.
fn mask(
    checked: &mut [Checked],
    sources: &[NumberedSource],
    secrets: &SecretKeys,
    analysis: &Analysis,
) -> anyhow::Result<()> {
    if checked.iter().all(|it| it.diagnostics.is_empty() && it.unseen.is_empty()) {
        return Ok(());
    }
    // There are no concurrent writes, so nothing is cancelled.
    let values =
        SecretValues::new(secrets.clone(), &[analysis]).map_err(|error| anyhow::anyhow!("{error}"))?;
    for (checked, (_, (path, state))) in checked.iter_mut().zip(sources) {
        if !checked.diagnostics.is_empty() {
            let around = values.surroundings(&path.to_string_lossy(), state.text().unwrap_or_default());
            for diagnostic in &mut checked.diagnostics {
                let at = diagnostic.span.range;
                let related = diagnostic.related.iter_mut().map(|it| &mut it.message);
                for message in related.chain([&mut diagnostic.message]) {
                    *message = values.masked_at(message, at, &around);
                }
            }
        }
        checked.unseen.mask(&values);
    }
    Ok(())
}

/// Checks files module by module and evicts intermediate results after each one.
fn check_all(
    workspace: &mut Workspace,
    mut earlier: Option<&mut Workspace>,
    sources: &[NumberedSource],
    check: &(impl Fn(&Snapshots, &NumberedSource) -> Result<Checked, Cancelled> + Sync),
    (threads, progress): (usize, &mut ProgressLine),
) -> std::io::Result<Vec<Result<Checked, Cancelled>>> {
    let started = Instant::now();
    let mut checked = Vec::with_capacity(sources.len());
    while checked.len() < sources.len() {
        let (done, rest) = (checked.len(), &sources[checked.len()..]);
        let length = workspace.slice_length(rest.iter().map(|(_, (path, _))| path.as_path()));
        let start = || (workspace.analysis(), earlier.as_deref().map(Workspace::analysis));
        checked.extend(files::in_parallel_here(&rest[..length], threads, start, check, |now| {
            progress.show(RunProgress { done: done + now, total: sources.len(), elapsed: started.elapsed() });
        })?);
        workspace.evict();
        if let Some(earlier) = earlier.as_deref_mut() {
            earlier.evict();
        }
    }
    Ok(checked)
}

/// Runs some tiers on a file. `style` is `None` for machine-readable reports, otherwise whether the text
/// report is colored.
fn look(
    wanted: &WantedFindings<'_>,
    (settings, earlier_settings): (&Settings, Option<&Settings>),
    (analysis, before): &Snapshots,
    (path, state): &(PathBuf, DiskState),
    tiers: &[Tier],
    style: Option<bool>,
) -> Result<Checked, Cancelled> {
    let compiles = wanted.arguments.compile;
    let text = &*state.text().unwrap_or_default();
    let is_evaluated = tiers.contains(&Tier::Evaluation);
    let mut found = diagnostics(analysis, (path, text), settings, tiers, compiles)?;
    if let (Some(before), Some(settings)) = (before, earlier_settings) {
        let known = diagnostics(before, (path, text), settings, tiers, compiles)?;
        found.retain(|it| upgrade::ALWAYS.contains(&it.code) || !known.contains(it));
    }
    let unseen = UnseenOfFile::new(analysis, path, &found, (is_evaluated, compiles))?;
    let text_of = |path: &_| analysis.text(analysis.file_id(path)?).ok()?;
    let mut found = printed(text, found, &text_of);
    if path.is_absolute() {
        show_from_root(&mut found);
    }
    let (found, hidden) = wanted.of(path, found);
    let is_first =
        |it: &PrintedDiagnostic| wanted.arguments.sort == SortOrder::Path || it.severity == Severity::Error;
    let render = |styled| {
        let (first, rest): (Vec<_>, Vec<_>) = found.iter().partition(|it| is_first(it));
        let render = |found: Vec<&PrintedDiagnostic>| {
            report::text::render_file(&display_path(path), text, found, styled)
        };
        RenderedFile { first: render(first), rest: render(rest) }
    };
    let rendered = style.map(render).unwrap_or_default();
    Ok(Checked { path: path.clone(), is_evaluated, diagnostics: found, hidden, rendered, unseen })
}

/// Checks files again that a thread has evaluated beyond the limit.
fn look_again(
    (workspace, earlier): (&mut Workspace, Option<&mut Workspace>),
    (checked, sources): (&mut [Checked], &[NumberedSource]),
    look: impl Fn(&Snapshots, &(PathBuf, DiskState)) -> Result<Checked, Cancelled>,
) -> Result<(), Cancelled> {
    let snapshots = (workspace.analysis(), earlier.map(|it| it.analysis()));
    for (checked, (_, source)) in checked.iter_mut().zip(sources).filter(|(it, _)| it.is_evaluated) {
        *checked = look(&snapshots, source)?;
    }
    Ok(())
}

/// Prints the findings and what could not be checked, and returns the outcome.
fn report(
    arguments: &CheckArguments,
    (secrets, workspace): (&SecretKeys, &Workspace),
    checked: Vec<Checked>,
    failures: &[FileFailure],
    mut unseen: Unseen,
    color: ColorChoice,
) -> anyhow::Result<CommandOutcome> {
    let styled = arguments.output.is_none() && is_text(arguments) && terminal::stdout_has_color(color);
    let (mut first, mut rest) = (String::new(), String::new());
    let (mut files, mut hidden) = (Vec::new(), 0);
    for Checked { path, diagnostics, hidden: of_levels, rendered, unseen: of_file, .. } in checked {
        hidden += of_levels;
        first.push_str(&rendered.first);
        rest.push_str(&rendered.rest);
        unseen.add(of_file);
        files.push(FileDiagnostics { path: display_path(&path), diagnostics });
    }
    let hidden = (arguments.min_level == MinLevel::Error).then_some(hidden);
    let counts = RunCounts { unreadable: failures.len(), hidden };
    let (report, summary) = match (arguments.format, arguments.statistics) {
        (ReportFormat::Json, true) => (report::statistics::json(&files)?, String::new()),
        (_, true) => (report::statistics::render(&files), String::new()),
        (ReportFormat::Text, _) if arguments.quiet => (first + &rest, String::new()),
        (ReportFormat::Text, _) => (first + &rest, report::text::summary(&files, counts, styled)),
        (format, _) => {
            let found = (&*files, &*unseen.parts());
            let report = report_for_programs(format, secrets, found, (failures, arguments.sort))?;
            (report, String::new())
        }
    };
    // The last line of a terminal is the result.
    match (&arguments.output, arguments.format) {
        (Some(file), _) => {
            files::write(file, (report + &summary).as_bytes())
                .with_context(|| format!("cannot write `{}`", display_path(file)))?;
            print_unseen(workspace, &unseen, arguments);
        }
        (None, ReportFormat::Github) if !arguments.statistics => {
            terminal::print_commands(&report)?;
            print_unseen(workspace, &unseen, arguments);
        }
        (None, _) => {
            terminal::print_text(&report, styled)?;
            print_unseen(workspace, &unseen, arguments);
            terminal::print_text(&summary, styled)?;
        }
    }
    Ok(outcome(arguments, &files, !failures.is_empty(), &unseen, color))
}

/// Returns true if findings are printed as compiler-style messages.
fn is_text(arguments: &CheckArguments) -> bool {
    arguments.format == ReportFormat::Text && !arguments.statistics && !arguments.write_baseline
}

/// Prints what could not be checked, and warnings about the settings of environments.
fn print_unseen(workspace: &Workspace, unseen: &Unseen, arguments: &CheckArguments) {
    if arguments.quiet {
        return;
    }
    for line in unseen.lines(verbose::is_enabled()) {
        terminal::print_to_stderr(&format!("{line}\n"));
    }
    let analysis = workspace.analysis();
    let mut lines = Vec::new();
    for environment in analysis.environments() {
        for line in workspace.settings_warnings(&analysis, environment) {
            if !lines.contains(&line) {
                lines.push(line);
            }
        }
    }
    lines.iter().for_each(|line| terminal::print_to_stderr(line));
}

/// Returns the outcome of a run and warns if there were no files.
fn outcome(
    arguments: &CheckArguments,
    files: &[FileDiagnostics],
    has_failed: bool,
    unseen: &Unseen,
    color: ColorChoice,
) -> CommandOutcome {
    if files.is_empty() {
        let print = if arguments.require_files { terminal::print_error } else { terminal::print_warning };
        print(color, "no Puppet files found");
    }
    let fails = |it: &PrintedDiagnostic| match arguments.fail_on {
        _ if arguments.exit_zero => false,
        FailLevel::Error => it.severity == Severity::Error || is_unchecked(it),
        FailLevel::Warning => it.severity != Severity::Hint,
        FailLevel::Never => false,
    };
    let has_findings = files.iter().flat_map(|it| &it.diagnostics).any(fails);
    if has_failed || arguments.require_files && files.is_empty() {
        CommandOutcome::Failure
    } else if has_findings || arguments.deny_open && !unseen.open.is_empty() {
        CommandOutcome::Findings
    } else {
        CommandOutcome::Clean
    }
}

/// Returns true for a file that could not be checked, which is no success.
fn is_unchecked(found: &PrintedDiagnostic) -> bool {
    matches!(found.code, Code::LargeFile | Code::NotUtf8)
}

/// Renders a machine-readable report. Secret values are masked in formats that leave the machine.
fn report_for_programs(
    format: ReportFormat,
    secrets: &SecretKeys,
    (files, open): (&[FileDiagnostics], &[UnseenPart]),
    (failures, order): (&[FileFailure], SortOrder),
) -> serde_json::Result<String> {
    match format {
        ReportFormat::Text | ReportFormat::Json => report::json::render(files, open),
        ReportFormat::Concise => Ok(report::concise::render((files, open), secrets, order)),
        ReportFormat::Gitlab => report::gitlab::render(files, open, secrets),
        ReportFormat::Junit => Ok(report::junit::render((files, open), failures, secrets)),
        ReportFormat::Github => Ok(report::github::render(files, open, secrets)),
        ReportFormat::Sarif => report::sarif::render((files, open), failures, secrets),
    }
}

/// Reads the files to check, except for those whose contents are known. Also returns the folders that were
/// walked.
fn read_sources(
    arguments: &CheckArguments,
    config: &Config,
    known: impl Fn(&Path) -> Option<Arc<str>> + Sync,
) -> anyhow::Result<(SourcesToCheck, Folders)> {
    disk::set_memory_limit(workspace::TEXTS_IN_MEMORY);
    let stdin = Path::new("-");
    let (mut named, from_stdin): (Vec<_>, Vec<_>) =
        arguments.paths.iter().cloned().partition(|it| it != stdin);
    let folders = Folders::default();
    let excluded = &config.settings.excluded_paths;
    let is_checked = match arguments.upgrade_to {
        Some(_) => files::is_checked_for_upgrade,
        None => files::is_checked_file,
    };
    if arguments.force_exclude {
        named = files::without_excluded(&named, excluded, is_checked);
    }
    let (paths, mut failures) = files::find_files_in(&folders, &named, excluded, is_checked);
    let trusted = config.trusted(&named);
    let read = |(): &(), path: &PathBuf| match known(path) {
        Some(text) => Ok(text),
        None => files::read_found_text(path, &trusted).map(Into::into),
    };
    let threads = arguments.threads.unwrap_or_else(files::default_threads);
    let phase = VerbosePhase::start();
    let reads = files::in_parallel(&paths, threads, || (), read, |_| {})?;
    phase.end(|| format!("read {}", plural(paths.len(), "file", "files")));
    let mut texts: Vec<(PathBuf, Arc<str>)> = Vec::new();
    let mut undecoded = Vec::new();
    let mut take = |path: PathBuf, read: Result<Arc<str>, FileFailure>| match read {
        Ok(text) => texts.push((path, text)),
        Err(failure) if failure.is_undecoded && files::checks_encoding(&path) => undecoded.push(path),
        Err(failure) => failures.push(failure),
    };
    if !from_stdin.is_empty() {
        let path = arguments.stdin_path.as_deref().unwrap_or(Path::new("<stdin>"));
        named.push(path.to_owned());
        take(path.to_owned(), files::read_stdin(path).map(Into::into));
    }
    for (path, read) in paths.into_iter().zip(reads) {
        take(path, read);
    }
    texts.sort_by(|a, b| a.0.cmp(&b.0));
    Ok((SourcesToCheck { named, texts, undecoded, failures }, folders))
}

/// Returns the amount of work for evaluating the code of a file.
fn evaluation_work(analysis: &Analysis, path: &Path) -> Result<u64, Cancelled> {
    workspace::file(analysis, path).map_or(Ok(0), |file| analysis.evaluation_work(file))
}

/// Returns all findings in one file. A named file that Puppet would not load is checked in isolation.
fn diagnostics(
    analysis: &Analysis,
    (path, text): (&Path, &str),
    settings: &Settings,
    tiers: &[Tier],
    compiles: bool,
) -> Result<Vec<Diagnostic>, Cancelled> {
    if let Some(file) = workspace::file(analysis, path) {
        let mut found = analysis.diagnostics_of_tiers(file, tiers)?;
        if compiles {
            found.extend(analysis.diagnostics(file, Tier::Catalogs)?);
        }
        return Ok(found);
    }
    if files::is_template(path) || files::is_ruby_plugin(path) {
        return Ok(Vec::new());
    }
    let parse = syntax::parse(text, Language::Manifest);
    let settings = ValidationSettings {
        strict: settings.strict(),
        version: settings.puppet_version,
        ..Default::default()
    };
    let mut diagnostics = parse.errors().to_vec();
    diagnostics.extend(validate(&parse, &settings));
    Ok(diagnostics.iter().map(Diagnostic::from).collect())
}
