//! `check`: finds files, runs the analysis on them, and reports the findings.

mod ahead;
mod arguments;
mod baseline;
mod changes;
mod checked;
mod fix;
mod ignore;
mod nodes;
mod reporting;
mod run;
mod show;
mod since;
mod unseen;
mod upgrade;
mod watch;

use std::mem::ManuallyDrop;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Context;
use catalog_view::text::plural;
use cli_common::forge::ForgeSnapshot;
use codes::Code;
use disk::Folders;
use disk::config::Config;
use ide::{DiskState, LintLevel, Settings, UNUSED_ITEMS};
use syntax::Severity;

use self::ahead::compile_ahead;
use self::arguments::MinLevel;
pub(super) use self::arguments::{CheckArguments, EXAMPLES};
use self::baseline::Baseline;
use self::fix::{FixChoice, FixRun};
use self::ignore::IgnoreRun;
use self::nodes::NodeFindings;
use self::reporting::is_unchecked;
pub(super) use self::run::UNEVALUATED;
use self::run::{CheckRun, Workspaces};
use self::since::LinesSince;
use self::upgrade::Upgrade;
use super::files::{self, FileFailure};
use super::printed_diagnostic::PrintedDiagnostic;
use super::terminal::verbose::VerbosePhase;
use super::workspace::{self, Workspace};
use super::{ColorChoice, CommandOutcome, terminal};

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

    fn takes_hints(&self) -> bool {
        let arguments = self.arguments;
        arguments.upgrade_to.is_some() || arguments.hints || arguments.min_level == MinLevel::Hint
    }

    /// Returns true if findings about items that no node can reach may be reported. They are hints by default.
    fn reports_unused(&self, settings: &Settings) -> bool {
        let is_set = |code: &Code| settings.lint_levels.contains_key(code.as_str());
        self.takes_hints() || UNUSED_ITEMS.iter().any(is_set)
    }

    /// Returns the findings to report, and the number of those below the level of `--min-level`.
    fn of(&self, path: &Path, mut found: Vec<PrintedDiagnostic>) -> (Vec<PrintedDiagnostic>, usize) {
        let takes_hints = self.takes_hints();
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
    if let Some(outcome) = edit(arguments, &config, &mut workspace, &mut sources, color)? {
        return Ok(outcome);
    }
    let mut run = CheckRun::new(WantedFindings::new(arguments, &sources)?, &config, color);
    // Not freed: the process is about to exit, and the operating system frees large workspaces faster.
    let mut workspaces = ManuallyDrop::new(Workspaces::new(workspace));
    if let Some(upgrade) = upgrade {
        let mut config = config.clone();
        config.settings.puppet_version = upgrade.from;
        let texts = sources.texts.iter().cloned();
        workspaces.earlier = Some(Workspace::with_surroundings(&config, &sources.named, texts));
        run.set_earlier(upgrade, config.settings);
    }
    let version = config.settings.puppet_version.major();
    let checked: Vec<&Path> = sources.texts.iter().map(|(path, _)| path.as_path()).collect();
    run.forge = arguments.forge_snapshot.as_deref().map(ForgeSnapshot::read).transpose()?;
    run.nodes = NodeFindings::new(arguments, &workspaces.current, version, &checked)?;
    let states = edit_option(arguments).is_none().then_some(states);
    run.run(&mut workspaces, sources, states)
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
    workspace: &mut Workspace,
    sources: &mut SourcesToCheck,
    color: ColorChoice,
) -> anyhow::Result<Option<CommandOutcome>> {
    let threads = arguments.threads.count();
    let changes = if let Some(upgrade) = Upgrade::of(arguments)?.filter(|_| arguments.fix) {
        upgrade.fix(arguments, config, workspace, sources, color)?
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
        terminal::print_warning(color, &cli_common::report::unsafe_fixes_message(&fixes));
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
    let threads = arguments.threads.count();
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
