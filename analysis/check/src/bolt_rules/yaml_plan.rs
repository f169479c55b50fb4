//! Plans in YAML (`plans/*.yaml`): what Bolt rejects when it loads or runs them.

use std::collections::BTreeSet;

use codes::Code;
use hiera::data::{Content, DataEntry, DataNode};
use project::{Db, File, StepAction};
use syntax::TextRange;
use types::Value;

use super::findings::{first_line, unknown_key};
use crate::Diagnostic;

/// Keys of the file.
const KEYS: [&str; 6] = ["description", "parameters", "private", "return", "steps", "version"];
const PARAMETER_KEYS: [&str; 3] = ["default", "description", "type"];
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
            if !matches!(value.content, Content::Mapping(_)) && !matches!(value.value, Value::Undef) {
                self.error(first_line(value.range, self.text), "each parameter must be a hash");
            }
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
        if matches!(step.content, Content::Alias(_)) {
            return;
        }
        if !matches!(step.content, Content::Mapping(_)) {
            return self.error(first_line(step.range, self.text), "each step must be a hash");
        }
        let actions: Vec<(&StepAction, &DataEntry)> =
            StepAction::ALL.iter().filter_map(|it| Some((it, step.entry(it.name())?))).collect();
        match actions.as_slice() {
            [] => {
                let keys =
                    step.entries().iter().map(|it| (it.key.value.as_str().unwrap_or_default(), it.key.range));
                let misspelled = keys.map(|(name, range)| {
                    unknown_key(
                        Code::YamlPlan,
                        "action",
                        name,
                        range,
                        StepAction::ALL.iter().map(StepAction::name),
                    )
                });
                let misspelled = misspelled.into_iter().find(|it| it.data.is_some());
                match misspelled {
                    Some(finding) => self.found.push(finding),
                    None => self.error(start, "step has no action"),
                }
            }
            [(action, entry)] => {
                self.keys(step, action, start);
                if action.name() == "resources" {
                    self.resources(&entry.value);
                }
            }
            [(first, _), (_, second), ..] => {
                let second_name = second.key.value.as_str().unwrap_or_default();
                let message = format!("step has several actions: `{}` and `{second_name}`", first.name());
                self.error(second.key.range, message);
            }
        }
        let Some(name) = step.entry("name") else { return };
        let Some(text) = name.value.value.as_str() else {
            let message = "invalid step name; it is the name of a variable";
            return self.error(first_line(name.value.range, self.text), message);
        };
        if !is_variable_name(text) {
            let message = format!("invalid step name `{text}`; it is the name of a variable");
            self.error(name.value.range, message);
        }
        if !self.names.insert(text.to_owned()) {
            self.error(name.value.range, format!("duplicate step or parameter `{text}`"));
        }
    }

    /// Checks the keys of a step.
    fn keys(&mut self, step: &DataNode, action: &StepAction, start: TextRange) {
        for DataEntry { key, value } in step.entries() {
            let Some(name) = key.value.as_str() else { continue };
            if !action.keys().any(|it| it == name) {
                let noun = format!("key of a step `{}`:", action.name());
                self.found.push(unknown_key(Code::YamlPlan, &noun, name, key.range, action.keys()));
                continue;
            }
            let (is_null, is_hash) =
                (matches!(value.value, Value::Undef), matches!(value.content, Content::Mapping(_)));
            let is_array = matches!(value.content, Content::Sequence(_));
            // Bolt only evaluates code in elements of these.
            let problem = match name {
                "parameters" if !is_hash => "a hash",
                "pwsh_params" if !is_hash && !is_null => "a hash",
                "arguments" if !is_array && !is_null => "an array",
                "env_vars" if !is_hash && !is_literal_string(value, self.text) => "a hash",
                _ => continue,
            };
            self.error(first_line(value.range, self.text), format!("`{name}` must be {problem}"));
        }
        let passed = step.entry("parameters").map_or(&[][..], |it| it.value.entries());
        for DataEntry { key, .. } in passed {
            let option = key.value.as_str().and_then(|it| it.strip_prefix('_'));
            if let Some(option) = option.filter(|it| step.entry(it).is_some()) {
                self.error(key.range, format!("parameter `_{option}` is also a key of the step: `{option}`"));
            }
        }
        let missing: Vec<_> = action.required_keys().iter().filter(|it| step.entry(it).is_none()).collect();
        if !missing.is_empty() {
            let names: Vec<_> = missing.iter().map(|it| format!("`{it}`")).collect();
            let noun = if names.len() == 1 { "key" } else { "keys" };
            self.error(start, format!("missing {noun} {} of the step `{}`", names.join(", "), action.name()));
        }
    }

    /// Checks the type and title of each resource.
    fn resources(&mut self, resources: &DataNode) {
        if !matches!(resources.content, Content::Sequence(_)) {
            return self.error(first_line(resources.range, self.text), "`resources` must be an array");
        }
        for resource in resources.elements() {
            let start = TextRange::new(resource.range.start, resource.range.start + 1);
            let keys: Vec<&DataEntry> = resource.entries().iter().collect();
            let is_given = |name: &str| resource.entry(name).is_some();
            let types = keys.iter().filter(|it| it.key.value.as_str() != Some("parameters"));
            let types: Vec<&str> = types.filter_map(|it| it.key.value.as_str()).collect();
            match (is_given("type"), is_given("title"), types.as_slice()) {
                _ if !matches!(resource.content, Content::Mapping(_)) => {
                    self.error(first_line(resource.range, self.text), "each resource must be a hash");
                }
                (true, false, _) => self.error(start, "missing key `title` of a resource with `type`"),
                (false, true, _) => self.error(start, "missing key `type` of a resource with `title`"),
                (false, false, []) => self.error(start, "resource has no type"),
                (false, false, [first, second, ..]) => {
                    self.error(start, format!("resource has several types: `{first}` and `{second}`"));
                }
                _ => {}
            }
        }
    }
}

/// Returns true for a string in which Bolt evaluates nothing.
fn is_literal_string(node: &DataNode, text: &str) -> bool {
    let Content::Scalar { quoted: true, .. } = node.content else { return false };
    !text[node.range.as_range()].starts_with('"')
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

/// Types that Bolt adds to the language.
pub(crate) const TYPES: [&str; 8] =
    ["ApplyResult", "ContainerResult", "Error", "Future", "Result", "ResultSet", "Target", "TargetSpec"];

/// Returns true if a type contains one that only Bolt has.
pub(crate) fn has_type_of_bolt(text: &str) -> bool {
    let mut words = text.split(|it: char| !it.is_ascii_alphanumeric() && it != '_' && it != ':');
    words.any(|it| TYPES.contains(&it))
}
