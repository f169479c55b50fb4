//! `lookup`: the Hiera value of a key, and an explanation of the lookup.

mod matrix;

use std::fmt::Write;

use catalog_view::values::{notation, without_ciphertexts};
use clap::ValueEnum;
use compile::{CompileRequest, EntryPoint, Facts};
use hiera::config::Layer;
use hiera::lookup::{Explanation, LookupStep, StepOutcome as Step};
use hiera::merge::Answer;
use ide::{Analysis, EnvironmentId, FilePath};
use output::visible;
use scalars::similar::similar;
use serde_json::{Value as Json, json};
use syntax::{LineMap, Severity};
use types::{NoTypes, Type, Value};

use super::arguments::AnswerFormat;
use super::compile::subject::{self, NodeArguments, ProjectArguments, Subject, classification};
use super::printed_diagnostic::printed;
use super::{ColorChoice, CommandOutcome, files, report, terminal, workspace};

pub(super) const EXAMPLES: &str = "\
Exit codes:
  0  value found
  1  no value found
  2  usage error, unreadable input, or lookup error
  3  unknown: a hierarchy level depends on unknown facts, or is a Ruby function

Examples:
  puppet-analyzer lookup --os debian12 profile::web::service_name
  puppet-analyzer lookup --explain --facts web1.json --node web1.example.com ntp::servers
  puppet-analyzer lookup --merge unique --os rhel9 classes
  puppet-analyzer lookup --all-nodes --facts facts ntp::servers
  puppet-analyzer lookup --all-keys --os debian12 --node web1.example.com";

#[derive(clap::Args, Debug)]
pub(super) struct LookupArguments {
    /// Key to look up; dots access parts of a value: `ntp::servers.0`
    #[arg(value_name = "KEY", required_unless_present = "all_keys")]
    key: Option<String>,

    /// Look the key up on all nodes: those whose facts are given, or the nodes of the main manifest on all
    /// platforms
    #[arg(long, conflicts_with_all = ["explain", "node"])]
    all_nodes: bool,

    /// Print the values of all keys on the node
    #[arg(long, conflicts_with_all = ["key", "all_nodes", "explain", "merge", "default"])]
    all_keys: bool,

    /// Print the searched files in order, with the values found
    #[arg(long)]
    explain: bool,

    /// Name of the node [default: from the facts]
    #[arg(long, value_name = "NODE")]
    node: Option<String>,

    /// Merge strategy [default: from `lookup_options`, otherwise first]
    #[arg(long, value_enum, value_name = "STRATEGY")]
    merge: Option<MergeStrategy>,

    /// Value to use if no value is found (a string)
    #[arg(long, value_name = "VALUE")]
    default: Option<String>,

    #[command(flatten)]
    project: ProjectArguments,

    #[command(flatten)]
    facts: NodeArguments,

    /// Output format: the value in Puppet notation, or JSON with the value and the lookup steps
    #[arg(long, value_enum, default_value_t = AnswerFormat::Text)]
    format: AnswerFormat,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
enum MergeStrategy {
    /// First value found
    First,
    /// Array of all unique elements
    Unique,
    /// Hash of all keys
    Hash,
    /// Like `hash`, but nested hashes and arrays are merged as well
    Deep,
}

impl MergeStrategy {
    fn value(self) -> Value {
        Value::string(match self {
            MergeStrategy::First => "first",
            MergeStrategy::Unique => "unique",
            MergeStrategy::Hash => "hash",
            MergeStrategy::Deep => "deep",
        })
    }
}

/// Looks keys up for nodes of a project.
struct Resolver<'a> {
    subject: &'a Subject,
    analysis: &'a Analysis,
    environment: EnvironmentId,
    arguments: &'a LookupArguments,
}

impl Resolver<'_> {
    /// Looks a key up. Secrets are removed from the value and from the explanation.
    fn resolve(&self, request: &CompileRequest, key: &str) -> anyhow::Result<(LookupOutcome, Explanation)> {
        let Resolver { subject, analysis, environment, arguments } = self;
        let merge = arguments.merge.map(MergeStrategy::value);
        let (answer, explanation) =
            analysis.look_up(*environment, request, key, merge, Some(&subject.workspace.disk()))?;
        let is_secret = analysis.is_secret_key(*environment, key)?
            || matches!(&answer, Ok(Answer::Found(value)) if holds_sensitive(value));
        let explanation = if is_secret { without_values(explanation) } else { explanation };
        let found = match answer {
            Ok(Answer::Found(value)) if is_secret && !holds_sensitive(&value) => {
                LookupOutcome::Value(Value::sensitive(value).redacted())
            }
            Ok(Answer::Found(value)) => LookupOutcome::Value(value.redacted()),
            Ok(Answer::Unknown(ty)) => LookupOutcome::Perhaps(ty),
            Ok(Answer::Missing) => match &arguments.default {
                Some(default) => LookupOutcome::Value(Value::string(default.as_str())),
                None => LookupOutcome::Nothing,
            },
            Err(message) => LookupOutcome::Failure(message),
        };
        Ok((found, explanation))
    }
}

/// Result of a lookup.
enum LookupOutcome {
    Value(Value),
    /// Depends on unknown values.
    Perhaps(Type),
    Nothing,
    Failure(String),
}

pub(super) fn run(arguments: &LookupArguments, color: ColorChoice) -> anyhow::Result<CommandOutcome> {
    files::on_deep_stack(|| look_up(arguments, color))?
}

fn look_up(arguments: &LookupArguments, color: ColorChoice) -> anyhow::Result<CommandOutcome> {
    let subject = Subject::load(&arguments.project)?;
    let named = subject.facts(&arguments.facts)?;
    let classification = classification(&arguments.facts)?;
    subject.workspace.print_notes(color);
    let analysis = subject.workspace.analysis();
    let environment = subject.environment(&analysis)?;
    let resolver = Resolver { subject: &subject, analysis: &analysis, environment, arguments };
    if let (true, Some(key)) = (arguments.all_nodes, &arguments.key) {
        return matrix::all_nodes(&resolver, key, named, &classification);
    }
    let facts = subject::select_facts(named, arguments.node.as_deref())?;
    let is_invented = arguments.node.is_none() && facts.node_name.is_none();
    let (entry, node) = (EntryPoint::Code("".into()), arguments.node.as_deref());
    let request = subject.request(&analysis, environment, entry, node, &facts, &classification);
    if is_invented {
        let name = &request.node_name;
        terminal::print_to_stderr(&format!("no node given (--node): looking up for {name}\n"));
    }
    let Some(key) = &arguments.key else { return matrix::all_keys(&resolver, &request) };
    let (found, explanation) = resolver.resolve(&request, key)?;
    let is_colored = terminal::stdout_has_color(color);
    let lines = lines_of_steps(&analysis, key, &explanation)?;
    let has_facts = request.facts != Facts::Unknown;
    let mut text = text_answer(key, &found, &explanation, has_facts);
    match arguments.format {
        AnswerFormat::Json => terminal::print_json(&json_answer(key, &found, &explanation, &lines))?,
        AnswerFormat::Text => {
            if arguments.explain {
                text.insert_str(0, &explained(key, &explanation, &lines, is_colored));
            }
            if matches!(found, LookupOutcome::Nothing | LookupOutcome::Perhaps(_)) {
                text.push_str(&near_misses(key, &analysis.data_keys(environment)?));
            }
            terminal::print_text(&text, is_colored)?;
            if let LookupOutcome::Failure(message) = &found {
                terminal::print_error(color, message);
                print_broken_configurations(&subject, &analysis, environment, key, color)?;
            }
        }
    }
    Ok(match found {
        LookupOutcome::Value(_) => CommandOutcome::Clean,
        LookupOutcome::Perhaps(_) => CommandOutcome::Inconclusive,
        LookupOutcome::Nothing => CommandOutcome::Findings,
        LookupOutcome::Failure(_) => CommandOutcome::Failure,
    })
}

/// Returns the line of the key in the file of each step, from 1, if the step found it there.
fn lines_of_steps(
    analysis: &Analysis,
    key: &str,
    explanation: &Explanation,
) -> anyhow::Result<Vec<Option<u32>>> {
    let line = |step: &LookupStep| -> anyhow::Result<Option<u32>> {
        let path = step.path.as_deref().filter(|_| matches!(step.outcome, Step::Found(_)));
        let file = path.and_then(FilePath::from_native).and_then(|path| analysis.file_id(&path));
        let Some(file) = file else { return Ok(None) };
        let (range, text) = (analysis.data_key_range(file, key)?, analysis.text(file)?);
        Ok(range.zip(text).map(|(range, text)| LineMap::new(&text).line(range.start) + 1))
    };
    explanation.steps.iter().map(line).collect()
}

/// Returns the files of the values that were found, in lookup order, with the lines of the key.
fn origins(
    analysis: &Analysis,
    key: &str,
    explanation: &Explanation,
) -> anyhow::Result<Vec<(String, Option<u32>)>> {
    let lines = lines_of_steps(analysis, key, explanation)?;
    let found =
        explanation.steps.iter().zip(lines).filter(|(step, _)| matches!(step.outcome, Step::Found(_)));
    let path = |step: &LookupStep| match &step.path {
        Some(path) => shown_path(path).to_owned(),
        None => step.written.to_string(),
    };
    Ok(found.map(|(step, line)| (path(step), line)).collect())
}

/// Returns the advice for a key that is not found: known keys with a similar name.
fn near_misses(key: &str, known: &[String]) -> String {
    let names: Vec<String> =
        similar(key, known.iter()).iter().map(|it| format!("`{}`", visible(it))).collect();
    match names.as_slice() {
        [] => String::new(),
        names => format!("help: did you mean {}?\n", names.join(" or ")),
    }
}

/// Prints the errors in the Hiera configurations that a lookup of the key reads.
fn print_broken_configurations(
    subject: &Subject,
    analysis: &Analysis,
    environment: EnvironmentId,
    key: &str,
    color: ColorChoice,
) -> anyhow::Result<()> {
    let module = key.split_once("::").map(|(module, _)| module);
    let roots = analysis.environment_root(environment).into_iter();
    let of_module = module.and_then(|module| analysis.module_root(environment, module));
    let roots =
        roots.chain(of_module).chain(subject.folder.iter().filter_map(|it| workspace::absolute_path(it)));
    let mut files: Vec<FilePath> = roots.map(|root| root.join("hiera.yaml")).collect();
    files.dedup();
    for path in files {
        let Some(file) = analysis.file_id(&path) else { continue };
        let mut found = analysis.all_diagnostics(file)?;
        found.retain(|it| it.severity() == Severity::Error);
        let text = analysis.text(file)?.unwrap_or_default();
        let text_of = |path: &_| analysis.text(analysis.file_id(path)?).ok()?;
        let found = printed(&text, found, &text_of);
        let is_colored = terminal::stderr_has_color(color);
        let shown = report::text::render_file(shown_path(path.as_str()), &text, &found, is_colored);
        terminal::print_to_stderr(&shown);
    }
    Ok(())
}

/// Describes the hierarchy levels with unknown contents.
fn unknown_levels(explanation: &Explanation) -> Vec<String> {
    let mut levels = Vec::new();
    for step in &explanation.steps {
        let reason = match &step.outcome {
            Step::Unknown => "depends on unknown values",
            Step::Unread => "cannot be read",
            Step::UnknownFunction => "is a Ruby function, which is not run",
            Step::AbsentModule => {
                levels.push(format!("module `{}` is not installed", visible(&step.written)));
                continue;
            }
            _ => continue,
        };
        let line = format!("level `{}` ({}) {reason}", visible(&step.level), visible(&step.written));
        if !levels.contains(&line) {
            levels.push(line);
        }
    }
    levels
}

/// Returns the value of the known levels, which applies if the unknown ones have none.
fn without_unknown_levels(explanation: &Explanation) -> Option<String> {
    let (step, value) = explanation.found().next()?;
    let path = step.path.as_ref().map_or(step.written.as_str(), |path| shown_path(path));
    let path = visible(path);
    Some(format!("{} ({path})", notation(&value.redacted())))
}

/// Returns how to make levels known whose paths contain unknown values. `has_facts` is true if the user gave
/// facts or a platform.
fn advice(levels: &[String], has_facts: bool) -> &'static str {
    let by_extensions = levels.iter().filter(|it| it.contains("trusted.extensions")).count();
    match by_extensions {
        0 if has_facts => "set the facts that these paths contain with `--facts FILE`",
        0 => "set facts with `--os` or `--facts`",
        count if count == levels.len() => "set certificate extensions with `--trusted`",
        _ => "set facts with `--os` or `--facts`, and certificate extensions with `--trusted`",
    }
}

fn text_answer(key: &str, found: &LookupOutcome, explanation: &Explanation, has_facts: bool) -> String {
    match found {
        LookupOutcome::Value(value) => format!("{}\n", notation(value)),
        LookupOutcome::Perhaps(ty) => {
            let what = match ty {
                types::Type::Any => "any value".to_owned(),
                ty => format!("some {}", types::display::type_text(ty, &NoTypes)),
            };
            let levels = unknown_levels(explanation);
            let has = |outcome: Step| explanation.steps.iter().any(|step| step.outcome == outcome);
            let reason = match (has(Step::UnknownFunction), has(Step::Unread)) {
                (true, _) => "some data comes from Ruby functions, which are not run",
                (false, true) => "some data files cannot be read",
                (false, false) if has(Step::AbsentModule) && !has(Step::Unknown) => {
                    "install the missing module"
                }
                (false, false) => advice(&levels, has_facts),
            };
            let mut text = format!("unknown: {what}; {reason}\n");
            for level in levels {
                let _ = writeln!(text, "open: {level}");
            }
            if let Some(value) = without_unknown_levels(explanation) {
                let _ = writeln!(text, "value if these levels have none: {value}");
            }
            text
        }
        LookupOutcome::Nothing => format!("no value found for `{key}`\n"),
        LookupOutcome::Failure(_) => String::new(),
    }
}

/// Formats the searched locations in lookup order, with their values.
fn explained(key: &str, explanation: &Explanation, lines: &[Option<u32>], is_colored: bool) -> String {
    let paint = |style: &str, text: &str| {
        if is_colored { format!("\x1b[{style}m{text}\x1b[0m") } else { text.to_owned() }
    };
    let mut out = format!("{}\n", paint("1", &visible(key)));
    if let Some(merge) = &explanation.merge {
        let reason = if explanation.merge_is_option { " (from lookup_options)" } else { "" };
        let _ = writeln!(out, "  merge strategy: {merge}{reason}");
    }
    let mut last: Option<(&Layer, &str)> = None;
    for (step, line) in explanation.steps.iter().zip(lines) {
        let here = (&step.layer, step.level.as_str());
        if last.map(|(layer, _)| layer) != Some(here.0) {
            let _ = writeln!(out, "  {}", paint("1;36", &visible(&layer_name(&step.layer))));
        }
        if last != Some(here) {
            let kind = if step.is_default { " (default hierarchy)" } else { "" };
            let _ = writeln!(out, "    {}{kind}", visible(&step.level));
        }
        last = Some(here);
        let path = step.path.as_ref().map_or(step.written.as_str(), |path| path.as_str());
        let what = match &step.outcome {
            Step::NoFile => paint("2", "file not found"),
            Step::NoKey => paint("2", "key not found"),
            Step::Found(value) => paint("32", &notation(&value.redacted())),
            Step::Unknown => paint("33", "depends on unknown values"),
            Step::Unread => paint("33", "cannot be read"),
            Step::UnknownFunction => paint("33", "Ruby function with unknown result"),
            Step::AbsentModule => paint("33", "module is not installed"),
        };
        let line = line.map(|line| format!(":{line}")).unwrap_or_default();
        let _ = writeln!(out, "      {}{line}: {what}", visible(shown_path(path)));
    }
    if explanation.steps.is_empty() {
        out.push_str("  no Hiera configuration found\n");
    }
    if explanation.converts {
        out.push_str("  converted according to lookup_options\n");
    }
    out.push('\n');
    out
}

/// Converts a value to JSON with sensitive and encrypted parts removed.
fn shown_json(value: &Value) -> Json {
    types::rich_data::to_json(&without_ciphertexts(&value.redacted()), &NoTypes)
}

/// Returns true if a value is sensitive or contains a sensitive value.
fn holds_sensitive(value: &Value) -> bool {
    value.redacted() != *value || matches!(value, Value::Sensitive(_))
}

/// Marks all values in an explanation as sensitive.
fn without_values(mut explanation: Explanation) -> Explanation {
    for step in &mut explanation.steps {
        if let Step::Found(value) = &mut step.outcome {
            *value = Value::sensitive(std::mem::replace(value, Value::Undef));
        }
    }
    explanation
}

fn layer_name(layer: &Layer) -> String {
    match layer {
        Layer::Global => "global layer".to_owned(),
        Layer::Environment => "environment".to_owned(),
        Layer::Module(name) => format!("module {name}"),
    }
}

/// Returns the path relative to the current folder, if it is below.
fn shown_path(path: &str) -> &str {
    let here = workspace::absolute_path(std::path::Path::new("."));
    let below = here.as_ref().and_then(|here| path.strip_prefix(here.as_str())?.strip_prefix('/'));
    below.unwrap_or(path)
}

/// Adds `found`, and `value` or `error`.
fn json_outcome(answer: &mut Json, found: &LookupOutcome) {
    answer["found"] = json!(matches!(found, LookupOutcome::Value(_)));
    match found {
        LookupOutcome::Value(value) => answer["value"] = shown_json(value),
        LookupOutcome::Perhaps(ty) => {
            let value = Value::unknown(ty.clone(), types::Origin::Fact);
            answer["value"] = types::rich_data::to_json(&value, &NoTypes);
        }
        LookupOutcome::Nothing => {}
        LookupOutcome::Failure(message) => answer["error"] = json!(message),
    }
}

fn json_answer(key: &str, found: &LookupOutcome, explanation: &Explanation, lines: &[Option<u32>]) -> Json {
    let steps: Vec<Json> = explanation
        .steps
        .iter()
        .zip(lines)
        .map(|(step, line)| {
            let (outcome, value) = match &step.outcome {
                Step::NoFile => ("no-file", Json::Null),
                Step::NoKey => ("no-key", Json::Null),
                Step::Found(value) => ("found", shown_json(value)),
                Step::Unknown => ("unknown", Json::Null),
                Step::Unread => ("unread", Json::Null),
                Step::UnknownFunction => ("unknown-function", Json::Null),
                Step::AbsentModule => ("absent-module", Json::Null),
            };
            json!({
                "layer": layer_name(&step.layer), "level": step.level.as_str(),
                "isDefault": step.is_default, "written": step.written.as_str(),
                "path": step.path.as_ref().map(|path| shown_path(path)), "line": line,
                "outcome": outcome, "value": value,
            })
        })
        .collect();
    let mut answer = json!({ "key": key });
    json_outcome(&mut answer, found);
    answer["open"] = json!(unknown_levels(explanation));
    answer["merge"] = json!(explanation.merge.as_deref());
    answer["steps"] = json!(steps);
    answer
}
