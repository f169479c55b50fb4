//! `ci`: the format check, linter, checker, compiler and comparison of catalogs in one run.
//!
//! Each step is a command with fixed arguments, so that it can be repeated alone.

mod changed;
mod report;
mod step;

use std::path::PathBuf;

use anyhow::Context;
use clap::Parser;
use disk::config::{puppet_lint_folder, read_puppet_lint};

use self::changed::ChangedFiles;
use self::report::CiFormat;
use self::step::{CiStep, StepResult, StepStatus};
use super::files::{self, display_path};
use super::{ColorChoice, CommandLine, CommandOutcome, run_command, terminal, workspace};

pub(super) const EXAMPLES: &str = "\
Steps:
  format   manifests and templates that changed since the merge base are formatted
  lint     those manifests have no errors of puppet-lint, if the repository uses it
  check    the repository has no errors
  compile  all nodes, or all classes, compile on all platforms
  diff     catalogs that differ from the merge base are listed; differences are no failure

Exit codes:
  0  all steps pass
  1  a step fails
  2  usage error, or unreadable input

Examples:
  puppet-analyzer ci
  puppet-analyzer ci --base origin/main --format markdown --output report.md
  puppet-analyzer ci --baseline known.json
  puppet-analyzer ci --skip format --skip lint --os debian12
  puppet-analyzer ci --format github";

#[derive(clap::Args, Debug)]
pub(super) struct CiArguments {
    /// Folder to check; it must be the current folder or below
    #[arg(value_name = "FOLDER", default_value = ".")]
    folder: PathBuf,

    /// Git revision that the change is based on; the merge base with it is used [default: the upstream branch,
    /// otherwise `origin/HEAD`, `origin/main` or `origin/master`]
    #[arg(long, value_name = "REV")]
    base: Option<String>,

    /// Only report findings that are not in the baseline FILE, as `check` does
    #[arg(long, value_name = "FILE")]
    baseline: Option<PathBuf>,

    /// Steps to leave out; may be repeated
    #[arg(long, value_enum, value_name = "STEP")]
    skip: Vec<CiStep>,

    /// Platform to compile for; may be repeated [default: those that modules support]
    #[arg(long, value_name = "NAME")]
    os: Vec<String>,

    /// Output format
    #[arg(long, value_enum, default_value_t = CiFormat::Text)]
    format: CiFormat,

    /// Write the report to FILE instead of standard output
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
}

pub(super) fn run(arguments: &CiArguments, color: ColorChoice) -> anyhow::Result<CommandOutcome> {
    workspace::existing_folder(&arguments.folder)?;
    let changed = ChangedFiles::since_merge_base(&arguments.folder, arguments.base.as_deref())?;
    let mut results = Vec::new();
    let mut whole = String::new();
    for step in CiStep::ALL {
        let result = run_step(step, arguments, &changed, color)?;
        let shown = report::step(&result, arguments.format);
        match (&arguments.output, arguments.format) {
            (None, CiFormat::Github) => terminal::print_commands(&shown)?,
            (None, CiFormat::Text) => terminal::print_text(&shown, terminal::stdout_has_color(color))?,
            _ => whole.push_str(&shown),
        }
        results.push(result);
    }
    let summary = report::summary(&results, &changed, arguments.format)?;
    match (&arguments.output, arguments.format) {
        (Some(file), CiFormat::Json | CiFormat::Sarif) => write(file, &summary)?,
        (Some(file), CiFormat::Markdown) => write(file, &(summary + &whole))?,
        (Some(file), CiFormat::Text | CiFormat::Github) => write(file, &(whole + &summary))?,
        (None, CiFormat::Github) => terminal::print_commands(&summary)?,
        (None, CiFormat::Markdown) => terminal::print_text(&(summary + &whole), false)?,
        (None, CiFormat::Json | CiFormat::Text) => {
            terminal::print_text(&summary, terminal::stdout_has_color(color))?;
        }
        (None, CiFormat::Sarif) => {
            terminal::print_to_stderr(&whole);
            terminal::print_text(&summary, false)?;
        }
    }
    let has = |status| results.iter().any(|it| it.status == status);
    Ok(match (has(StepStatus::Unusable), has(StepStatus::Failed)) {
        (true, _) => CommandOutcome::Failure,
        (false, true) => CommandOutcome::Findings,
        (false, false) => CommandOutcome::Clean,
    })
}

fn write(file: &std::path::Path, text: &str) -> anyhow::Result<()> {
    files::write(file, text.as_bytes()).with_context(|| format!("cannot write `{}`", display_path(file)))
}

/// Runs a step and captures its output.
fn run_step(
    step: CiStep,
    arguments: &CiArguments,
    changed: &ChangedFiles,
    color: ColorChoice,
) -> anyhow::Result<StepResult> {
    let skipped = |reason| StepResult {
        step,
        status: StepStatus::Skipped(reason),
        command: String::new(),
        output: String::new(),
    };
    if arguments.skip.contains(&step) {
        return Ok(skipped("skipped"));
    }
    let lints = uses_puppet_lint(arguments);
    let (given, shown) = match step {
        CiStep::Format | CiStep::Lint if changed.manifests(step).is_empty() => {
            return Ok(skipped("no changed files"));
        }
        CiStep::Lint if !lints => return Ok(skipped("puppet-lint is not configured")),
        CiStep::Diff if changed.base.is_none() => return Ok(skipped("no base revision found; use `--base`")),
        _ => step_arguments(step, arguments, changed, lints),
    };
    let parsed = CommandLine::try_parse_from(given)?;
    let (outcome, output) = terminal::capture(|| run_command(parsed.command, color));
    let status = StepStatus::of(step, &outcome, &output);
    if let (Err(error), StepStatus::Unusable) = (&outcome, status) {
        terminal::print_error(color, &format!("{}: {error:#}", step.name()));
    }
    Ok(StepResult { step, status, command: shown, output })
}

/// Returns the arguments of a step, including the program name, and the same for display.
fn step_arguments(
    step: CiStep,
    arguments: &CiArguments,
    changed: &ChangedFiles,
    lints: bool,
) -> (Vec<String>, String) {
    let is_json = arguments.format == CiFormat::Json;
    let folder = arguments.folder.to_string_lossy().into_owned();
    // The checks of puppet-lint, with the settings of the repository.
    let command = if step == CiStep::Lint { "check" } else { step.name() };
    let mut given: Vec<String> = vec!["puppet-analyzer".to_owned(), command.to_owned()];
    let mut add = |words: &[&str]| given.extend(words.iter().map(|it| (*it).to_owned()));
    let base = changed.base.as_deref().unwrap_or_default();
    match step {
        CiStep::Format if arguments.format == CiFormat::Github => add(&["--check", "--format", "github"]),
        CiStep::Format => add(&["--check"]),
        CiStep::Lint => {
            let format = if is_json { "json" } else { "text" };
            add(&["--format", format, "--style-only", "--force-exclude"]);
        }
        CiStep::Check => {
            add(&["--format", check_format(arguments.format)]);
            // The step `lint` reports them.
            add(if lints && !arguments.skip.contains(&CiStep::Lint) { &["--ignore", "style"] } else { &[] });
            add(&[&folder]);
        }
        CiStep::Compile => {
            add(&["--all", "--environment", &folder]);
            add(if is_json { &["--format", "json"] } else { &[] });
        }
        CiStep::Diff => {
            let format = match arguments.format {
                // Secrets are masked in formats that leave the machine.
                CiFormat::Markdown | CiFormat::Github | CiFormat::Sarif => "markdown",
                CiFormat::Json => "json",
                CiFormat::Text => "text",
            };
            add(&["--base", base, "--environment", &folder, "--format", format]);
        }
    }
    let baseline = arguments.baseline.as_ref().map(|it| it.to_string_lossy().into_owned());
    if let Some(file) = baseline.filter(|_| matches!(step, CiStep::Lint | CiStep::Check)) {
        add(&["--baseline", &file]);
    }
    if matches!(step, CiStep::Compile | CiStep::Diff) {
        arguments.os.iter().for_each(|it| add(&["--os", it]));
    }
    let mut shown = given.join(" ");
    if matches!(step, CiStep::Format | CiStep::Lint) {
        let files = changed.manifests(step);
        shown.push_str(&match files.len() {
            1 => format!(" {}", files[0]),
            count => format!(" FILE… ({count} files)"),
        });
        given.extend(files);
    }
    (given, shown)
}

fn check_format(format: CiFormat) -> &'static str {
    match format {
        CiFormat::Text => "text",
        CiFormat::Markdown => "concise",
        CiFormat::Github => "github",
        CiFormat::Json => "json",
        CiFormat::Sarif => "sarif",
    }
}

/// Returns true if the repository configures puppet-lint.
fn uses_puppet_lint(arguments: &CiArguments) -> bool {
    let folder = std::path::absolute(&arguments.folder).unwrap_or_else(|_| arguments.folder.clone());
    read_puppet_lint(&puppet_lint_folder(&folder)).is_used
}
