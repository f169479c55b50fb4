//! `lookup`: what Hiera says of a key, and how it comes to that.

use std::fmt::Write;

use catalog_view::values::{notation, without_ciphertexts};
use clap::ValueEnum;
use compile::EntryPoint;
use hiera::config::Layer;
use hiera::lookup::{Explanation, StepOutcome as Step};
use hiera::merge::Answer;
use ide::{Analysis, EnvironmentId, FilePath};
use output::visible;
use serde_json::{Value as Json, json};
use syntax::Severity;
use types::{NoTypes, Type, Value};

use super::compile::subject::{self, NodeArguments, ProjectArguments, Subject, classification};
use super::printed_diagnostic::printed;
use super::{AnswerFormat, ColorChoice, CommandOutcome, files, report, terminal, workspace};

#[derive(clap::Args, Debug)]
pub(super) struct LookupArguments {
    /// The key; a way into a value is written with dots: `ntp::servers.0`
    #[arg(value_name = "KEY")]
    key: String,

    /// Print where was looked, in order, and what was found there
    #[arg(long)]
    explain: bool,

    /// The name of the node [default: what the facts say]
    #[arg(long, value_name = "NODE")]
    node: Option<String>,

    /// How values of several places become one [default: what `lookup_options` say, then first]
    #[arg(long, value_enum, value_name = "STRATEGY")]
    merge: Option<MergeStrategy>,

    /// What counts when there is no value: a text
    #[arg(long, value_name = "VALUE")]
    default: Option<String>,

    #[command(flatten)]
    project: ProjectArguments,

    #[command(flatten)]
    facts: NodeArguments,

    /// How the answer is printed
    #[arg(long, value_enum, default_value_t = AnswerFormat::Text)]
    format: AnswerFormat,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
enum MergeStrategy {
    /// The first value there is
    First,
    /// One list of all elements, each once
    Unique,
    /// One hash of all keys
    Hash,
    /// One hash, and so are the hashes and lists in it
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

/// What came of a lookup.
enum LookupOutcome {
    Value(Value),
    /// It depends on what is not known.
    Perhaps(Type),
    Nothing,
    Failure(String),
}

pub(super) fn run(arguments: &LookupArguments, color: ColorChoice) -> anyhow::Result<CommandOutcome> {
    files::on_deep_stack(|| look_up(arguments, color))?
}

fn look_up(arguments: &LookupArguments, color: ColorChoice) -> anyhow::Result<CommandOutcome> {
    let subject = Subject::load(&arguments.project)?;
    let facts = subject::facts_of_node(subject.facts(&arguments.facts)?, arguments.node.as_deref())?;
    let classification = classification(&arguments.facts)?;
    subject.workspace.print_notes(color);
    let is_invented = arguments.node.is_none() && facts.node_name.is_none();
    let analysis = subject.workspace.analysis();
    let environment = subject.environment(&analysis)?;
    let (entry, node) = (EntryPoint::Code("".into()), arguments.node.as_deref());
    let request = subject.request(&analysis, environment, entry, node, &facts, &classification);
    if is_invented {
        let name = &request.node_name;
        terminal::print_to_stderr(&format!("no node is named (--node): this is looked up for {name}\n"));
    }
    let merge = arguments.merge.map(MergeStrategy::value);
    let (answer, explanation) =
        analysis.look_up(environment, &request, &arguments.key, merge, Some(&subject.workspace.disk()))?;
    let is_secret = analysis.is_secret_key(environment, &arguments.key)?
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
    let is_colored = terminal::stdout_has_color(color);
    let mut text = text_answer(&arguments.key, &found, &explanation);
    match arguments.format {
        AnswerFormat::Json => terminal::print_json(&json_answer(&arguments.key, &found, &explanation))?,
        AnswerFormat::Text => {
            if arguments.explain {
                text.insert_str(0, &explained(&arguments.key, &explanation, is_colored));
            }
            terminal::print_text(&text, is_colored)?;
            if let LookupOutcome::Failure(message) = &found {
                terminal::print_error(color, message);
                print_broken_configurations(&subject, &analysis, environment, &arguments.key, color)?;
            }
        }
    }
    Ok(match found {
        LookupOutcome::Value(_) => CommandOutcome::Clean,
        LookupOutcome::Perhaps(_) => CommandOutcome::Open,
        LookupOutcome::Nothing => CommandOutcome::Findings,
        LookupOutcome::Failure(_) => CommandOutcome::Failure,
    })
}

/// Shows what is wrong with the configurations that a lookup of a key reads, where it stands.
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

/// The levels of which nobody knows what they hold, each in words.
fn unknown_levels(explanation: &Explanation) -> Vec<String> {
    let mut levels = Vec::new();
    for step in &explanation.steps {
        let reason = match &step.outcome {
            Step::Unknown => "depends on what is not known",
            Step::Unread => "is not read",
            Step::UnknownFunction => "is a function in Ruby, which is not run",
            _ => continue,
        };
        let line = format!("the level '{}' ({}) {reason}", visible(&step.level), visible(&step.written));
        if !levels.contains(&line) {
            levels.push(line);
        }
    }
    levels
}

/// What the levels that are known have, should the others have nothing.
fn without_unknown_levels(explanation: &Explanation) -> Option<String> {
    let (step, value) = explanation.found().next()?;
    let path = step.path.as_ref().map_or(step.written.as_str(), |path| shown_path(path));
    let path = visible(path);
    Some(format!("{} ({path})", notation(&value.redacted())))
}

fn text_answer(key: &str, found: &LookupOutcome, explanation: &Explanation) -> String {
    match found {
        LookupOutcome::Value(value) => format!("{}\n", notation(value)),
        LookupOutcome::Perhaps(ty) => {
            let what = match ty {
                types::Type::Any => "any value".to_owned(),
                ty => format!("some {}", types::display::type_text(ty, &NoTypes)),
            };
            let has = |outcome: Step| explanation.steps.iter().any(|step| step.outcome == outcome);
            let reason = match (has(Step::UnknownFunction), has(Step::Unread)) {
                (true, _) => "functions in Ruby, which are not run, give data",
                (false, true) => "files that may have it are not read",
                (false, false) => "give facts with --os or --facts",
            };
            let mut text = format!("not known: {what}; {reason}\n");
            for level in unknown_levels(explanation) {
                let _ = writeln!(text, "open: {level}");
            }
            if let Some(value) = without_unknown_levels(explanation) {
                let _ = writeln!(text, "if no such level has it: {value}");
            }
            text
        }
        LookupOutcome::Nothing => format!("nothing has a value for {key}\n"),
        LookupOutcome::Failure(_) => String::new(),
    }
}

/// The places in the order in which Hiera looks, with what is there.
fn explained(key: &str, explanation: &Explanation, is_colored: bool) -> String {
    let paint = |style: &str, text: &str| match is_colored {
        true => format!("\x1b[{style}m{text}\x1b[0m"),
        false => text.to_owned(),
    };
    let mut out = format!("{}\n", paint("1", &visible(key)));
    if let Some(merge) = &explanation.merge {
        let reason = if explanation.merge_is_option { " (lookup_options say so)" } else { "" };
        let _ = writeln!(out, "  values are merged: {merge}{reason}");
    }
    let mut last: Option<(&Layer, &str)> = None;
    for step in &explanation.steps {
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
            Step::NoFile => paint("2", "no such file"),
            Step::NoKey => paint("2", "does not have it"),
            Step::Found(value) => paint("32", &notation(&value.redacted())),
            Step::Unknown => paint("33", "depends on what is not known"),
            Step::Unread => paint("33", "is not read"),
            Step::UnknownFunction => paint("33", "a function in Ruby: what it gives is not known"),
        };
        let _ = writeln!(out, "      {}: {what}", visible(shown_path(path)));
    }
    if explanation.steps.is_empty() {
        out.push_str("  there is no configuration of Hiera to look into\n");
    }
    if explanation.converts {
        out.push_str("  lookup_options convert it\n");
    }
    out.push('\n');
    out
}

/// A value for programs, without what is sensitive or encrypted.
fn shown_json(value: &Value) -> Json {
    types::rich_data::to_json(&without_ciphertexts(&value.redacted()), &NoTypes)
}

/// Is a value sensitive, or a part of it?
fn holds_sensitive(value: &Value) -> bool {
    value.redacted() != *value || matches!(value, Value::Sensitive(_))
}

/// What every place has stands for what the lookup gives, and that is sensitive.
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

/// A path as short as it can be said in the current folder.
fn shown_path(path: &str) -> &str {
    let here = workspace::absolute_path(std::path::Path::new("."));
    let below = here.as_ref().and_then(|here| path.strip_prefix(here.as_str())?.strip_prefix('/'));
    below.unwrap_or(path)
}

fn json_answer(key: &str, found: &LookupOutcome, explanation: &Explanation) -> Json {
    let steps: Vec<Json> = explanation
        .steps
        .iter()
        .map(|step| {
            let (outcome, value) = match &step.outcome {
                Step::NoFile => ("no-file", Json::Null),
                Step::NoKey => ("no-key", Json::Null),
                Step::Found(value) => ("found", shown_json(value)),
                Step::Unknown => ("unknown", Json::Null),
                Step::Unread => ("unread", Json::Null),
                Step::UnknownFunction => ("unknown-function", Json::Null),
            };
            json!({
                "layer": layer_name(&step.layer), "level": step.level.as_str(),
                "isDefault": step.is_default, "written": step.written.as_str(),
                "path": step.path.as_ref().map(|path| shown_path(path)), "outcome": outcome, "value": value,
            })
        })
        .collect();
    let mut answer = json!({ "key": key, "found": matches!(found, LookupOutcome::Value(_)) });
    match found {
        LookupOutcome::Value(value) => answer["value"] = shown_json(value),
        LookupOutcome::Perhaps(ty) => {
            let value = Value::unknown(ty.clone(), types::Origin::Fact);
            answer["value"] = types::rich_data::to_json(&value, &NoTypes);
        }
        LookupOutcome::Nothing => {}
        LookupOutcome::Failure(message) => answer["error"] = json!(message),
    }
    answer["open"] = json!(unknown_levels(explanation));
    answer["merge"] = json!(explanation.merge.as_deref());
    answer["steps"] = json!(steps);
    answer
}
