//! The value of a key, and an explanation of its lookup.

use std::fmt::Write;
use std::sync::LazyLock;

use catalog_view::values::{notation, without_ciphertexts};
use cli_common::workspace;
use compile::{CompileRequest, ExplainedLookup, FileReader};
use hiera::config::Layer;
use hiera::lookup::{Explanation, LookupStep, StepOutcome as Step};
use hiera::merge::Answer;
use ide::{Analysis, EnvironmentId, FilePath};
use output::visible;
use serde_json::{Value as Json, json};
use smol_str::{SmolStr, format_smolstr};
use types::{NoTypes, Type, Value};

/// Number of keys that are looked up together: their explanations are in memory at the same time.
pub const BATCH_SIZE: usize = 1000;

/// Looks keys up for nodes of a project.
pub struct Resolver<'a> {
    pub analysis: &'a Analysis,
    pub environment: EnvironmentId,
    pub reader: &'a dyn FileReader,
    /// Merge strategy; `None` for that of `lookup_options`.
    pub merge: Option<Value>,
    /// Value of keys without data.
    pub default: Option<Value>,
}

impl Resolver<'_> {
    /// Looks a key up. Secrets are removed from the value and from the explanation.
    ///
    /// # Errors
    /// Fails if the analysis is cancelled.
    pub fn resolve(
        &self,
        request: &CompileRequest,
        key: &str,
    ) -> anyhow::Result<(LookupOutcome, Explanation)> {
        let found = self.resolve_all(request, &[key])?.pop();
        Ok(found.unwrap_or_else(|| (LookupOutcome::Nothing, Explanation::default())))
    }

    /// Looks keys up, like [`Resolver::resolve`]. Callers with many keys pass [`BATCH_SIZE`] at a time.
    ///
    /// # Errors
    /// Fails if the analysis is cancelled.
    pub fn resolve_all(
        &self,
        request: &CompileRequest,
        keys: &[&str],
    ) -> anyhow::Result<Vec<(LookupOutcome, Explanation)>> {
        let Resolver { analysis, environment, merge, reader, .. } = self;
        let found = analysis.look_up(*environment, request, keys, merge.as_ref(), Some(*reader))?;
        keys.iter().zip(found).map(|(key, found)| self.without_secrets(key, found)).collect()
    }

    fn without_secrets(
        &self,
        key: &str,
        (answer, explanation): ExplainedLookup,
    ) -> anyhow::Result<(LookupOutcome, Explanation)> {
        let is_secret = self.analysis.is_secret_key(self.environment, key)?
            || matches!(&answer, Ok(Answer::Found(value)) if holds_sensitive(value));
        let explanation = if is_secret { without_values(explanation) } else { explanation };
        let found = match answer {
            Ok(Answer::Found(value)) if is_secret && !holds_sensitive(&value) => {
                LookupOutcome::Value(Value::sensitive(value).redacted())
            }
            Ok(Answer::Found(value)) => LookupOutcome::Value(value.redacted()),
            Ok(Answer::Unknown(ty)) => LookupOutcome::Perhaps(ty),
            Ok(Answer::Missing) => self.default.clone().map_or(LookupOutcome::Nothing, LookupOutcome::Value),
            Err(message) => LookupOutcome::Failure(message),
        };
        Ok((found, explanation))
    }
}

/// Result of a lookup.
pub enum LookupOutcome {
    Value(Value),
    /// Depends on unknown values.
    Perhaps(Type),
    Nothing,
    Failure(String),
}

/// Returns the line of the key in the file of each step, from 1, if the step found it there.
///
/// # Errors
/// Fails if the analysis is cancelled.
pub fn lines_of_steps(
    analysis: &Analysis,
    key: &str,
    explanation: &Explanation,
) -> anyhow::Result<Vec<Option<u32>>> {
    let line = |step: &LookupStep| -> anyhow::Result<Option<u32>> {
        let path = step.path.as_deref().filter(|_| matches!(step.outcome, Step::Found(_)));
        path.map_or(Ok(None), |path| line_of_key(analysis, path, key))
    };
    explanation.steps.iter().map(line).collect()
}

/// Returns the line of a key in a data file, from 1.
pub(crate) fn line_of_key(analysis: &Analysis, path: &str, key: &str) -> anyhow::Result<Option<u32>> {
    let file = FilePath::from_native(path).and_then(|path| analysis.file_id(&path));
    let Some(file) = file else { return Ok(None) };
    let Some(range) = analysis.data_key_range(file, key)? else { return Ok(None) };
    Ok(Some(analysis.line_map(file)?.line(range.start) + 1))
}

/// Returns the files of the values that were found, in lookup order, with the lines of the key.
///
/// # Errors
/// Fails if the analysis is cancelled.
pub fn origins(
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

/// Describes the hierarchy levels with unknown contents.
pub fn unknown_levels(explanation: &Explanation) -> Vec<String> {
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

pub fn text_answer(key: &str, found: &LookupOutcome, explanation: &Explanation, has_facts: bool) -> String {
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
pub fn explained(key: &str, explanation: &Explanation, lines: &[Option<u32>], is_colored: bool) -> String {
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

pub(crate) fn layer_name(layer: &Layer) -> SmolStr {
    match layer {
        Layer::Global => "global layer".into(),
        Layer::Environment => "environment".into(),
        Layer::Module(name) => format_smolstr!("module {name}"),
    }
}

/// Returns the path relative to the current folder, if it is below.
pub fn shown_path(path: &str) -> &str {
    static HERE: LazyLock<Option<FilePath>> =
        LazyLock::new(|| workspace::absolute_path(std::path::Path::new(".")));
    let below = HERE.as_ref().and_then(|here| path.strip_prefix(here.as_str())?.strip_prefix('/'));
    below.unwrap_or(path)
}

/// Adds `found`, and `value` or `error`.
pub fn json_outcome(answer: &mut Json, found: &LookupOutcome) {
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

pub fn json_answer(
    key: &str,
    found: &LookupOutcome,
    explanation: &Explanation,
    lines: &[Option<u32>],
) -> Json {
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
                "layer": layer_name(&step.layer).as_str(), "level": step.level.as_str(),
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
