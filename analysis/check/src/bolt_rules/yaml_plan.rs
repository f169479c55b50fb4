//! Plans in YAML (`plans/*.yaml`): what Bolt rejects when it loads or runs them.

use std::collections::BTreeSet;

use codes::Code;
use hiera::data::{Content, DataEntry, DataNode};
use hir::Name;
use project::{Db, File, NameKind};
use syntax::{Language, TextRange};
use types::Value;

use super::{first_line, has_type_of_bolt, unknown_key};
use crate::Diagnostic;

/// Keys of the file.
const KEYS: [&str; 6] = ["description", "parameters", "private", "return", "steps", "version"];
const PARAMETER_KEYS: [&str; 3] = ["default", "description", "type"];
/// Keys of all steps.
const STEP_KEYS: [&str; 3] = ["description", "name", "targets"];

/// Action of a step.
struct StepAction {
    name: &'static str,
    /// Keys besides the action that the step must have.
    required: &'static [&'static str],
    optional: &'static [&'static str],
}

const ACTIONS: [StepAction; 10] = [
    StepAction { name: "command", required: &["targets"], optional: &["catch_errors", "env_vars", "run_as"] },
    StepAction {
        name: "download",
        required: &["destination", "targets"],
        optional: &["catch_errors", "run_as"],
    },
    StepAction { name: "eval", required: &[], optional: &[] },
    StepAction { name: "message", required: &[], optional: &[] },
    StepAction { name: "plan", required: &[], optional: &["catch_errors", "parameters", "run_as"] },
    StepAction { name: "resources", required: &["targets"], optional: &["catch_errors", "noop", "run_as"] },
    StepAction {
        name: "script",
        required: &["targets"],
        optional: &["arguments", "catch_errors", "env_vars", "pwsh_params", "run_as"],
    },
    StepAction {
        name: "task",
        required: &["targets"],
        optional: &["catch_errors", "noop", "parameters", "run_as"],
    },
    StepAction {
        name: "upload",
        required: &["destination", "targets"],
        optional: &["catch_errors", "run_as"],
    },
    StepAction { name: "verbose", required: &[], optional: &[] },
];

pub(super) fn check(db: &dyn Db, file: File, text: &str, root: &DataNode, found: &mut Vec<Diagnostic>) {
    let mut plan = YamlPlanCheck { db, file, text, names: BTreeSet::new(), found };
    for DataEntry { key, .. } in root.entries() {
        if let Some(name) = key.value.as_str().filter(|it| !KEYS.contains(it)) {
            plan.found.push(unknown_key(Code::YamlPlan, "key", name, key.range, KEYS.into_iter()));
        }
    }
    if let Some(private) = root.entry("private")
        && !matches!(private.value.value, Value::Boolean(_) | Value::Undef | Value::Unknown(_))
    {
        plan.error(private.value.range, "`private` must be `true` or `false`");
    }
    if let Some(parameters) = root.entry("parameters") {
        plan.parameters(&parameters.value);
    }
    match root.entry("steps") {
        None => plan.error(TextRange::new(root.range.start, root.range.start + 1), "missing key `steps`"),
        Some(steps) if !matches!(steps.value.content, Content::Sequence(_)) => {
            plan.error(first_line(steps.value.range, text), "`steps` must be an array");
        }
        Some(steps) => steps.value.elements().iter().for_each(|it| plan.step(it)),
    }
    plan.code(root);
}

struct YamlPlanCheck<'a> {
    db: &'a dyn Db,
    file: File,
    text: &'a str,
    /// Names of parameters and earlier steps.
    names: BTreeSet<String>,
    found: &'a mut Vec<Diagnostic>,
}

impl YamlPlanCheck<'_> {
    fn error(&mut self, range: TextRange, message: impl Into<String>) {
        self.found.push(Diagnostic::new(Code::YamlPlan, range, message));
    }

    fn parameters(&mut self, parameters: &DataNode) {
        if !matches!(parameters.content, Content::Mapping(_)) {
            return self.error(first_line(parameters.range, self.text), "`parameters` must be a hash");
        }
        for DataEntry { key, value } in parameters.entries() {
            let Some(name) = key.value.as_str() else { continue };
            if !is_variable_name(name) {
                self.error(key.range, format!("invalid parameter name `{name}`"));
            }
            self.names.insert(name.to_owned());
            for entry in value.entries() {
                if let Some(name) = entry.key.value.as_str().filter(|it| !PARAMETER_KEYS.contains(it)) {
                    let range = entry.key.range;
                    let keys = PARAMETER_KEYS.into_iter();
                    self.found.push(unknown_key(Code::YamlPlan, "key", name, range, keys));
                }
            }
            let Some(ty) = value.entry("type").map(|it| &it.value) else { continue };
            if let Some(problem) = ty.value.as_str().and_then(|it| type_problem(self.db, self.file, it)) {
                self.error(ty.range, problem);
            }
        }
    }

    fn step(&mut self, step: &DataNode) {
        let start = TextRange::new(step.range.start, step.range.start + 1);
        if !matches!(step.content, Content::Mapping(_)) {
            return self.error(first_line(step.range, self.text), "each step must be a hash");
        }
        let actions: Vec<(&StepAction, &DataEntry)> =
            ACTIONS.iter().filter_map(|it| Some((it, step.entry(it.name)?))).collect();
        match actions.as_slice() {
            [] => {
                let keys =
                    step.entries().iter().map(|it| (it.key.value.as_str().unwrap_or_default(), it.key.range));
                let misspelled = keys.map(|(name, range)| {
                    unknown_key(Code::YamlPlan, "action", name, range, ACTIONS.iter().map(|it| it.name))
                });
                let misspelled = misspelled.into_iter().find(|it| it.data.is_some());
                match misspelled {
                    Some(finding) => self.found.push(finding),
                    None => self.error(start, "step has no action"),
                }
            }
            [(action, entry)] => {
                self.keys(step, action, start);
                match action.name {
                    "task" => self.task(step, &entry.value),
                    "plan" => self.plan(step, &entry.value),
                    _ => {}
                }
            }
            [(first, _), (_, second), ..] => {
                let second_name = second.key.value.as_str().unwrap_or_default();
                let message = format!("step has several actions: `{}` and `{second_name}`", first.name);
                self.error(second.key.range, message);
            }
        }
        if let Some(name) = step.entry("name")
            && let Some(text) = name.value.value.as_str()
        {
            if !is_variable_name(text) {
                self.error(
                    name.value.range,
                    format!("invalid step name `{text}`; it is the name of a variable"),
                );
            }
            if !self.names.insert(text.to_owned()) {
                self.error(name.value.range, format!("duplicate step or parameter `{text}`"));
            }
        }
    }

    /// Checks the keys of a step.
    fn keys(&mut self, step: &DataNode, action: &StepAction, start: TextRange) {
        let known = || {
            let of_action = action.required.iter().chain(action.optional);
            of_action.chain(&STEP_KEYS).copied().chain([action.name])
        };
        for DataEntry { key, value } in step.entries() {
            let Some(name) = key.value.as_str() else { continue };
            if !known().any(|it| it == name) {
                let noun = format!("key of a step `{}`:", action.name);
                self.found.push(unknown_key(Code::YamlPlan, &noun, name, key.range, known()));
                continue;
            }
            let problem = match name {
                "parameters" | "pwsh_params" if !is_evaluated(value) && value.value.as_str().is_some() => {
                    "a hash"
                }
                "parameters" if matches!(value.content, Content::Sequence(_)) => "a hash",
                "arguments" if matches!(value.content, Content::Mapping(_)) => "an array",
                "env_vars" if matches!(value.content, Content::Sequence(_)) => "a hash",
                _ => continue,
            };
            self.error(first_line(value.range, self.text), format!("`{name}` must be {problem}"));
        }
        let missing: Vec<_> = action.required.iter().filter(|it| step.entry(it).is_none()).collect();
        if !missing.is_empty() {
            let names: Vec<_> = missing.iter().map(|it| format!("`{it}`")).collect();
            let noun = if names.len() == 1 { "key" } else { "keys" };
            self.error(start, format!("missing {noun} {} of the step `{}`", names.join(", "), action.name));
        }
    }

    fn task(&mut self, step: &DataNode, task: &DataNode) {
        let Some(name) = task.value.as_str().filter(|_| !is_evaluated(task)) else { return };
        if project::lacks_task(self.db, self.file, name) {
            let message = format!("unknown task `{name}`");
            return self.found.push(Diagnostic::new(Code::UnknownTask, task.range, message));
        }
        let Some(metadata) = project::task_file(self.db, self.file, name) else { return };
        let Some(parameters) = project::task_metadata(self.db, metadata).parameters.as_deref() else {
            return;
        };
        let known: Vec<(Name, bool)> =
            parameters.iter().map(|it| (it.name.clone(), it.is_required())).collect();
        self.arguments(step, task, &format!("task `{name}`"), &known);
    }

    fn plan(&mut self, step: &DataNode, plan: &DataNode) {
        let Some(name) = plan.value.as_str().filter(|_| !is_evaluated(plan)) else { return };
        if project::lacks_plan(self.db, self.file, name) {
            let message = format!("unknown plan `{name}`");
            return self.found.push(Diagnostic::new(Code::UnknownPlan, plan.range, message));
        }
        let target = project::resolve_in_file(self.db, self.file, NameKind::Plan, name);
        let Some(signature) = target.and_then(|it| project::signature(self.db, it).as_ref()) else { return };
        let has_targets = step.entry("targets").is_some();
        let is_given = |name: &str| has_targets && matches!(name, "targets" | "nodes");
        let known: Vec<(Name, bool)> = signature
            .parameters
            .iter()
            .map(|it| (it.name.clone(), !it.has_default && !is_given(&it.name)))
            .collect();
        self.arguments(step, plan, &format!("plan `{name}`"), &known);
    }

    /// Checks the names of the parameters that a step passes. Each known one is given with whether it is
    /// required.
    fn arguments(&mut self, step: &DataNode, callee: &DataNode, owner: &str, known: &[(Name, bool)]) {
        let parameters = step.entry("parameters").map(|it| &it.value);
        let is_hash = parameters.is_none_or(|it| matches!(it.content, Content::Mapping(_)));
        let entries = parameters.map_or(&[][..], |it| it.entries());
        if !is_hash || entries.iter().any(|it| it.key.value.as_str() == Some("<<")) {
            return;
        }
        let mut given = BTreeSet::new();
        for entry in entries {
            let Some(name) = entry.key.value.as_str() else { continue };
            given.insert(name);
            if !name.starts_with('_') && !known.iter().any(|it| it.0 == name) {
                self.error(entry.key.range, format!("{owner} has no parameter `{name}`"));
            }
        }
        let is_missing = |it: &&(Name, bool)| it.1 && !given.contains(it.0.as_str());
        let missing: Vec<_> = known.iter().filter(is_missing).map(|it| format!("`{}`", it.0)).collect();
        if !missing.is_empty() {
            let noun = if missing.len() == 1 { "parameter" } else { "parameters" };
            self.error(callee.range, format!("missing {noun} {} of {owner}", missing.join(", ")));
        }
    }

    /// Checks the syntax of values that are Puppet code.
    fn code(&mut self, root: &DataNode) {
        let values = ["steps", "return"].into_iter().filter_map(|it| root.entry(it));
        let mut broken = Vec::new();
        for value in values {
            value.value.walk(&mut |node: &DataNode| {
                let Some(code) = code_of(node, self.text) else { return };
                let parsed = syntax::parse(code, Language::Plan);
                if let Some(first) = parsed.errors().first() {
                    broken.push((first_line(node.range, self.text), first.message.clone()));
                }
            });
        }
        for (range, message) in broken {
            self.error(range, format!("invalid Puppet code: {}", codes::single_line(&message)));
        }
    }
}

/// Returns the Puppet code in a value: a block, or a plain string that begins with `$`.
fn code_of<'n>(node: &'n DataNode, text: &str) -> Option<&'n str> {
    let Content::Scalar { text: content, .. } = &node.content else { return None };
    let written = text.get(node.range.as_range())?;
    (written.starts_with('$') || written.starts_with('|')).then_some(content.as_str())
}

/// Returns true if the value may depend on variables.
fn is_evaluated(node: &DataNode) -> bool {
    node.value.as_str().is_none_or(|it| it.contains('$'))
}

fn is_variable_name(name: &str) -> bool {
    name.starts_with(|it: char| it.is_ascii_lowercase() || it == '_')
        && name.bytes().all(|it| it.is_ascii_lowercase() || it.is_ascii_digit() || it == b'_')
}

/// Returns the problem of the type of a parameter. Bolt adds its own types, and a module that is not
/// installed may define one with a namespace.
fn type_problem(db: &dyn Db, file: File, text: &str) -> Option<String> {
    if text.contains("::") || has_type_of_bolt(text) {
        return None;
    }
    let known = compile::with_world_of_file(db, file, |world| compile::known_type(text, world))?;
    match known {
        Ok(Some(_)) => None,
        Ok(None) => Some(format!("invalid type `{text}`: unknown type")),
        Err(problem) => Some(format!("invalid type `{text}`: {}", codes::single_line(&problem))),
    }
}
