//! `eval`: evaluates code, and provides an interactive prompt.

mod messages;
mod prompt;

use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};

use clap::ValueEnum;
use eval::{Evaluation, Session};
use serde_json::json;
use types::{HashValue, Value};

use self::messages::{print_diagnostics, print_logs};
use super::arguments::{StrictArgument, VersionArgument};
use super::files::{self, display_path};
use super::{ColorChoice, CommandOutcome, terminal};

pub(super) const EXAMPLES: &str = "\
Exit codes:
  0  success
  1  evaluation error
  2  usage error, or unreadable file

Examples:
  puppet-analyzer eval -e '\"1.2.3\".split(/[.]/).map |$x| { Integer($x) }'
  puppet-analyzer eval --facts facts.json script.pp
  puppet-analyzer eval --format json -e 'type(1)'
  puppet-analyzer eval                        start an interactive prompt";

#[derive(clap::Args, Debug)]
pub(super) struct EvalArguments {
    /// Code to evaluate
    #[arg(short, long, value_name = "CODE", conflicts_with = "file")]
    expression: Option<String>,

    /// File to evaluate; `-` reads standard input [default: a prompt on a terminal, otherwise standard input]
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,

    /// Facts as printed by `facter --json`
    #[arg(long, value_name = "FILE")]
    facts: Option<PathBuf>,

    /// Output format
    #[arg(long, value_enum, default_value_t = EvalFormat::Text)]
    format: EvalFormat,

    /// Puppet version whose defaults apply [default: 8]
    #[arg(long, value_enum, value_name = "VERSION")]
    puppet_version: Option<VersionArgument>,

    /// Puppet setting `strict` [default: error for Puppet 8, warning for 7]
    #[arg(long, value_enum, value_name = "LEVEL")]
    strict: Option<StrictArgument>,

    /// Allow the code to read files of this machine by absolute path (`file('/etc/motd')`); without it their
    /// contents are unknown
    #[arg(long)]
    this_machine: bool,

    /// Maximum number of evaluation steps [default: five million]
    #[arg(long, value_name = "N")]
    steps: Option<u64>,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum EvalFormat {
    /// Value in Puppet notation; logs and errors on standard error
    Text,
    /// JSON with value (rich data), type, logs and errors
    Json,
}

/// Evaluates the given code; without code on a terminal, starts the prompt.
pub(super) fn run(arguments: &EvalArguments, color: ColorChoice) -> anyhow::Result<CommandOutcome> {
    let mut session = functions::session(settings(arguments));
    session.program.reads_this_machine = arguments.this_machine;
    let facts = arguments.facts.as_deref().map(read_facts).transpose()?;
    session.set_top_variables("production", facts.unwrap_or_default());
    let (name, text) = match (&arguments.expression, &arguments.file) {
        (Some(code), _) => ("-e".to_owned(), code.clone()),
        (None, Some(file)) if file.as_os_str() != "-" => {
            let text = files::read_named_text(file).map_err(|failure| anyhow::anyhow!("{failure}"))?;
            (file.display().to_string(), text)
        }
        (None, None) if io::stdin().is_terminal() => {
            return on_large_stack(move || prompt::run(session, color));
        }
        (None, _) => {
            let name = "<stdin>";
            let text = files::read_stdin(Path::new(name)).map_err(|failure| anyhow::anyhow!("{failure}"))?;
            (name.to_owned(), text)
        }
    };
    anyhow::ensure!(text.len() <= ide::MAX_TEXT_LENGTH, "`{name}` is too large");
    let format = arguments.format;
    on_large_stack(move || {
        let evaluation = session.evaluate(&name, &text);
        let is_error = evaluation.result.is_err();
        match format {
            EvalFormat::Text => print_text(&session, &evaluation, color)?,
            EvalFormat::Json => print_json(&session, &evaluation)?,
        }
        Ok(if is_error { CommandOutcome::Findings } else { CommandOutcome::Clean })
    })
}

/// Runs on a thread with a large stack, because evaluation recurses as deeply as the program.
fn on_large_stack(
    run: impl FnOnce() -> anyhow::Result<CommandOutcome> + Send,
) -> anyhow::Result<CommandOutcome> {
    std::thread::scope(|scope| {
        let worker = std::thread::Builder::new().stack_size(eval::STACK_SIZE).spawn_scoped(scope, run)?;
        worker.join().unwrap_or_else(|_| Err(anyhow::anyhow!("internal error: the evaluation panicked")))
    })
}

fn settings(arguments: &EvalArguments) -> eval::EvaluationSettings {
    let version = arguments.puppet_version.map(Into::into).unwrap_or_default();
    let mut settings = eval::EvaluationSettings::of(version);
    if let Some(strict) = arguments.strict {
        settings.strict = strict.into();
    }
    if let Some(steps) = arguments.steps {
        settings.bounds.steps = steps;
    }
    settings
}

/// Reads facts as printed by `facter --json`, or as stored by Puppet.
fn read_facts(file: &Path) -> anyhow::Result<HashValue> {
    let text = files::read_named_text(file).map_err(|failure| anyhow::anyhow!("{failure}"))?;
    let read = facts::read(&file.to_string_lossy(), &text);
    Ok(read.map_err(|error| anyhow::anyhow!("{}: {error}", display_path(file)))?.facts)
}

fn print_text(session: &Session, evaluation: &Evaluation, color: ColorChoice) -> anyhow::Result<()> {
    print_logs(evaluation, color);
    match &evaluation.result {
        Ok(value) => {
            let text = session.with_world(|world| types::text::to_notation(value, world));
            terminal::print_text(&format!("{text}\n"), false)?;
        }
        Err(diagnostics) => print_diagnostics(session, diagnostics, color),
    }
    Ok(())
}

fn print_json(session: &Session, evaluation: &Evaluation) -> anyhow::Result<()> {
    let json_location = |location: &eval::SessionLocation| {
        let source = &session.sources()[location.source];
        json!({
            "file": source.name, "line": location.line, "column": location.column,
            "start": location.range.start, "end": location.range.end,
        })
    };
    let logs: Vec<_> = evaluation
        .logs
        .iter()
        .map(|log| {
            json!({ "level": log.level.name(), "message": log.message, "location": log.location.as_ref().map(json_location) })
        })
        .collect();
    let mut answer = json!({ "logs": logs, "steps": evaluation.steps });
    match &evaluation.result {
        Ok(value) => {
            let (data, ty, notation) = session.with_world(|world| value_parts(value, world));
            answer["value"] = data;
            answer["type"] = json!(ty);
            answer["notation"] = json!(notation);
        }
        Err(diagnostics) => {
            let errors = diagnostics.iter().map(|diagnostic| {
                let (problem, help) = codes::split_message(&diagnostic.message);
                json!({
                    "code": diagnostic.code.as_str(), "message": problem, "help": help,
                    "location": diagnostic.location.as_ref().map(json_location),
                    "calls": diagnostic.calls.iter().map(json_location).collect::<Vec<_>>(),
                })
            });
            answer["errors"] = errors.collect();
        }
    }
    terminal::print_json(&answer)
}

/// Returns rich data, inferred type and notation of a value.
fn value_parts(value: &Value, world: &eval::World) -> (serde_json::Value, String, String) {
    let ty = types::infer::infer_set(value, world);
    (
        types::rich_data::to_json(&value.redacted(), world),
        types::display::type_text(&ty, world),
        types::text::to_notation(value, world),
    )
}
