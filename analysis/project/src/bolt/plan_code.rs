//! Puppet code of plans in YAML: the calls that Bolt makes for the steps, with the location of each part in the
//! YAML file.

use hiera::data::{Content, DataEntry, DataNode, SYMBOL};
use syntax::{Language, TextFinding, TextRange};
use types::Value;

/// Puppet code of a plan in YAML.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PlanCode {
    pub text: String,
    /// Values that Bolt does not load, with ranges in the YAML file: invalid code, for which the code has `undef`,
    /// and values of other types.
    pub errors: Vec<(TextRange, String)>,
    /// Parts with a location in the YAML file, by position and disjoint.
    parts: Vec<CodePart>,
}

/// Part of the code that is in the YAML file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct CodePart {
    code: TextRange,
    original: TextRange,
    /// True if both texts are equal.
    is_copy: bool,
}

impl PlanCode {
    /// Returns the location in the YAML file of a range of the code: that of its first part, or `None` if none of
    /// it is in the file.
    pub fn original(&self, range: TextRange) -> Option<TextRange> {
        let at = self.parts.partition_point(|it| it.code.end <= range.start);
        let first =
            self.parts.get(at).filter(|it| it.code.start <= range.start.max(range.end.saturating_sub(1)))?;
        if !first.is_copy {
            return Some(first.original);
        }
        let offset =
            |position: u32| first.original.start + (position.max(first.code.start) - first.code.start);
        // Further lines of the same block of code.
        let mut last = first;
        for next in &self.parts[at + 1..] {
            if next.code.start >= range.end || !next.is_copy || next.code.start > last.code.end + 1 {
                break;
            }
            last = next;
        }
        let end = range.end.min(last.code.end) - last.code.start.min(range.end);
        Some(TextRange::new(offset(range.start), (last.original.start + end).max(offset(range.start))))
    }

    /// Returns true if a range of the code is a copy of the text in the YAML file.
    pub fn is_copy(&self, range: TextRange) -> bool {
        self.parts.iter().any(|it| it.is_copy && it.code.contains_range(range))
    }
}

/// Action of a step, and the keys that the step may have.
pub struct StepAction {
    /// Function that Bolt calls; empty if there is none.
    function: &'static str,
    /// Keys of the positional arguments, that of the action first.
    arguments: &'static [&'static str],
    /// Keys that become metaparameters, which begin with `_`.
    options: &'static [&'static str],
    others: &'static [&'static str],
}

impl StepAction {
    /// All actions, by name.
    pub const ALL: [StepAction; 10] = [
        StepAction {
            function: "run_command",
            arguments: &["command", "targets"],
            options: &["catch_errors", "env_vars", "run_as"],
            others: &[],
        },
        StepAction {
            function: "download_file",
            arguments: &["download", "destination", "targets"],
            options: &["catch_errors", "run_as"],
            others: &[],
        },
        StepAction { function: "", arguments: &["eval"], options: &[], others: &[] },
        StepAction { function: "out::message", arguments: &["message"], options: &[], others: &[] },
        StepAction {
            function: "run_plan",
            arguments: &["plan", "targets"],
            options: &["catch_errors", "run_as"],
            others: &["parameters"],
        },
        StepAction {
            function: "apply",
            arguments: &["resources", "targets"],
            options: &["catch_errors", "noop", "run_as"],
            others: &[],
        },
        StepAction {
            function: "run_script",
            arguments: &["script", "targets"],
            options: &["catch_errors", "env_vars", "run_as"],
            others: &["arguments", "pwsh_params"],
        },
        StepAction {
            function: "run_task",
            arguments: &["task", "targets"],
            options: &["catch_errors", "noop", "run_as"],
            others: &["parameters"],
        },
        StepAction {
            function: "upload_file",
            arguments: &["upload", "destination", "targets"],
            options: &["catch_errors", "run_as"],
            others: &[],
        },
        StepAction { function: "out::verbose", arguments: &["verbose"], options: &[], others: &[] },
    ];

    /// Keys of all steps.
    const KEYS: [&'static str; 3] = ["description", "name", "targets"];

    /// Returns the key that selects the action.
    pub fn name(&self) -> &'static str {
        self.arguments[0]
    }

    /// Returns the keys that a step must have besides that of the action.
    pub fn required_keys(&self) -> &'static [&'static str] {
        if self.name() == "plan" { &[] } else { &self.arguments[1..] }
    }

    /// Returns all keys that a step may have.
    pub fn keys(&self) -> impl Iterator<Item = &'static str> {
        let own = self.arguments.iter().chain(self.options).chain(self.others);
        own.copied().chain(StepAction::KEYS)
    }
}

/// Call with an unknown result, in place of a step that Bolt rejects.
const UNKNOWN_RESULT: &str = "run_plan('unknown')";

/// Returns the code of the plan `name`, whose file has the text `source` and the data `root`.
pub(super) fn plan_code(name: &str, source: &str, root: &DataNode) -> PlanCode {
    let mut writer = PlanWriter { source, code: PlanCode::default() };
    writer.raw(&format!("plan {name}("));
    for entry in root.entry("parameters").map_or(&[][..], |it| it.value.entries()) {
        writer.parameter(entry);
    }
    writer.raw("\n) {\n");
    for step in root.entry("steps").map_or(&[][..], |it| it.value.elements()) {
        writer.step(step);
    }
    if let Some(value) = root.entry("return") {
        writer.raw("  return ");
        writer.value(&value.value);
        writer.raw("\n");
    }
    writer.raw("}\n");
    root.walk(&mut |node: &DataNode| {
        writer.code.errors.extend(unsupported_value(node).map(|it| (node.range, it)));
    });
    writer.code
}

fn invalid_code(problem: &str) -> String {
    format!("invalid Puppet code: {}", codes::single_line(problem))
}

/// Returns the problem of a value of YAML that Bolt does not load.
fn unsupported_value(node: &DataNode) -> Option<String> {
    let (kind, help) = match &node.content {
        Content::Alias(_) => ("aliases", "repeat the value"),
        Content::Scalar { quoted: false, .. } if node.value == SYMBOL => ("symbols", "quote the value"),
        Content::Scalar { quoted: false, text } if is_date(text) => ("dates", "quote the value"),
        _ => return None,
    };
    Some(codes::with_help(format!("{kind} are not supported in plans"), help))
}

/// Returns true for a plain scalar that Ruby loads as a date or a time.
fn is_date(text: &str) -> bool {
    let (date, time) = text.split_at_checked(10).unwrap_or((text, ""));
    let parts: Vec<&str> = date.split('-').collect();
    let are_digits = parts.iter().all(|it| it.bytes().all(|it| it.is_ascii_digit()));
    let is_date = are_digits && parts.iter().map(|it| it.len()).eq([4, 2, 2]);
    is_date && (time.is_empty() || time.starts_with(['T', 't', ' ']) && time.contains(':'))
}

struct PlanWriter<'a> {
    source: &'a str,
    code: PlanCode,
}

impl PlanWriter<'_> {
    fn position(&self) -> u32 {
        self.code.text.len() as u32
    }

    /// Appends code that is not in the YAML file.
    fn raw(&mut self, code: &str) {
        self.code.text.push_str(code);
    }

    /// Appends code for `original`.
    fn mapped(&mut self, code: &str, original: TextRange) {
        let start = self.position();
        self.code.text.push_str(code);
        let is_copy = self.source.get(original.as_range()) == Some(code);
        let code = TextRange::new(start, self.position());
        self.code.parts.push(CodePart { code, original, is_copy });
    }

    fn parameter(&mut self, entry: &DataEntry) {
        let Some(name) = entry.key.value.as_str().filter(|it| is_variable_name(it)) else { return };
        self.raw("\n  ");
        let ty = entry.value.entry("type").map(|it| &it.value);
        if let Some((ty, text)) = ty.and_then(|it| Some((it, it.value.as_str()?)))
            && syntax::parse(&format!("type A = {text}"), Language::Manifest).errors().is_empty()
            && !text.trim().is_empty()
        {
            self.mapped(text, without_quotes(ty.range, text, self.source));
            self.raw(" ");
        }
        self.raw("$");
        self.mapped(name, without_quotes(entry.key.range, name, self.source));
        if let Some(default) = entry.value.entry("default") {
            self.raw(" = ");
            self.constant(&default.value);
        }
        self.raw(",");
    }

    fn step(&mut self, step: &DataNode) {
        if !matches!(step.content, Content::Mapping(_)) {
            return;
        }
        self.raw("  ");
        let name = step.entry("name").map(|it| &it.value);
        let name = name.and_then(|it| Some((it, it.value.as_str().filter(|it| is_variable_name(it))?)));
        if let Some((node, name)) = name {
            self.raw("$");
            self.mapped(name, without_quotes(node.range, name, self.source));
            self.raw(" = ");
        }
        let is_hash = |it: &DataEntry| matches!(it.value.content, Content::Mapping(_));
        let is_valid = step.entry("parameters").is_none_or(is_hash);
        let action =
            StepAction::ALL.iter().filter(|_| is_valid).find_map(|it| Some((it, step.entry(it.name())?)));
        match action {
            Some((action, _)) if action.required_keys().iter().any(|it| step.entry(it).is_none()) => {
                self.raw(UNKNOWN_RESULT);
            }
            Some((action, value)) if action.name() == "eval" => self.evaluation(&value.value, name.is_some()),
            Some((action, value)) if action.name() == "resources" => self.resources(step, value),
            Some((action, value)) => self.call(step, action, value.key.range),
            None => self.raw(UNKNOWN_RESULT),
        }
        self.raw("\n");
    }

    fn evaluation(&mut self, value: &DataNode, is_named: bool) {
        // A call, since a value alone has no effect.
        if !is_named {
            self.raw("out::verbose(");
        }
        self.value(value);
        if !is_named {
            self.raw(")");
        }
    }

    fn call(&mut self, step: &DataNode, call: &StepAction, key: TextRange) {
        self.mapped(call.function, key);
        self.raw("(");
        for (at, value) in call.arguments.iter().filter_map(|key| step.entry(key)).enumerate() {
            self.raw(if at > 0 { ", " } else { "" });
            self.value(&value.value);
        }
        let has_description = !matches!(call.name(), "message" | "plan" | "verbose");
        if let Some(description) = step.entry("description").filter(|_| has_description) {
            self.raw(", ");
            self.value(&description.value);
        }
        self.options(step, call);
        self.raw(")");
    }

    /// Appends the parameters and options of a call as a hash.
    fn options(&mut self, step: &DataNode, call: &StepAction) {
        let mut options: Vec<(String, &DataEntry)> = Vec::new();
        for entry in call.others.iter().filter_map(|key| step.entry(key)) {
            let key = entry.key.value.as_str().unwrap_or_default();
            let entries =
                if key == "parameters" { entry.value.entries() } else { std::slice::from_ref(entry) };
            options.extend(entries.iter().filter_map(|it| Some((it.key.value.as_str()?.to_owned(), it))));
        }
        let given = call.options.iter().filter_map(|key| Some((format!("_{key}"), step.entry(key)?)));
        options.extend(given);
        if options.is_empty() {
            return;
        }
        self.raw(", {");
        for (key, entry) in options {
            self.raw(" ");
            self.key(&key, entry.key.range);
            self.raw(" => ");
            self.value(&entry.value);
            self.raw(",");
        }
        self.raw(" }");
    }

    fn resources(&mut self, step: &DataNode, resources: &DataEntry) {
        let Some(targets) = step.entry("targets") else { return self.raw(UNKNOWN_RESULT) };
        self.mapped("apply", resources.key.range);
        self.raw("(");
        self.value(&targets.value);
        self.raw(") {\n");
        for resource in resources.value.elements() {
            self.resource(resource);
        }
        self.raw("  }");
    }

    fn resource(&mut self, resource: &DataNode) {
        let named = |key: &str| resource.entry(key).map(|it| &it.value);
        let (ty, title) = match (named("type"), named("title")) {
            (Some(ty), Some(title)) => (ty, title),
            (None, None) => {
                let is_type = |it: &&DataEntry| it.key.value.as_str() != Some("parameters");
                let mut types = resource.entries().iter().filter(is_type);
                let (Some(only), None) = (types.next(), types.next()) else { return };
                (&only.key, &only.value)
            }
            _ => return,
        };
        let Some(name) = ty.value.as_str().filter(|it| is_type_name(it)) else { return };
        self.raw("    ");
        self.mapped(name, without_quotes(ty.range, name, self.source));
        self.raw(" { ");
        self.value(title);
        self.raw(":\n");
        for entry in named("parameters").map_or(&[][..], |it| it.entries()) {
            let Some(name) = entry.key.value.as_str().filter(|it| is_variable_name(it)) else { continue };
            self.raw("      ");
            self.mapped(name, without_quotes(entry.key.range, name, self.source));
            self.raw(" => ");
            self.value(&entry.value);
            self.raw(",\n");
        }
        self.raw("    }\n");
    }

    /// Appends a value in which Bolt evaluates code.
    fn value(&mut self, node: &DataNode) {
        match &node.content {
            Content::Scalar { text, quoted } => self.scalar(node, text, *quoted),
            _ => self.collection(node, Self::value),
        }
    }

    fn scalar(&mut self, node: &DataNode, content: &str, is_quoted: bool) {
        let first = self.source.get(node.range.as_range()).and_then(|it| it.bytes().next());
        match first {
            Some(b'"') if is_quoted => self.checked(node, ("", ""), |it| it.double_quoted(node, content)),
            Some(b'\'') if is_quoted => self.constant(node),
            _ if is_quoted => match block_lines(self.source, node.range) {
                Some(start) => self.checked(node, ("with() || {\n", "}"), |it| it.block(start, content)),
                None => self.constant(node),
            },
            Some(b'$') => {
                let is_one = syntax::parse(&format!("({content})"), Language::Plan).errors().is_empty();
                let around = if is_one { ("", "") } else { ("with() || { ", " }") };
                self.checked(node, around, |it| it.mapped(content, node.range));
            }
            _ => {
                // Bolt parses the string, but never evaluates it.
                let is_simple = content.contains("${") && !content.contains(['\\', '"']);
                let parse = is_simple.then(|| syntax::parse(&format!("\"{content}\""), Language::Plan));
                if let Some(error) = parse.as_ref().and_then(|it| it.errors().first()) {
                    self.code.errors.push((node.range, invalid_code(&error.message)));
                }
                self.constant(node);
            }
        }
    }

    /// Appends the code that `write` appends, between the texts `around`; `undef` and an error if it is invalid.
    fn checked(&mut self, node: &DataNode, around: (&str, &str), write: impl FnOnce(&mut Self)) {
        let (start, parts) = (self.code.text.len(), self.code.parts.len());
        self.raw(around.0);
        let inner = self.code.text.len();
        write(self);
        let parse = syntax::parse(&self.code.text[inner..], Language::Plan);
        let Some(error) = parse.errors().first() else { return self.raw(around.1) };
        let TextFinding { range, message, .. } = error;
        let original = self.code.original(range.shifted(inner as u32)).unwrap_or(node.range);
        self.code.errors.push((original, invalid_code(message)));
        self.code.text.truncate(start);
        self.code.parts.truncate(parts);
        self.mapped("undef", node.range);
    }

    /// Appends a string with variables.
    fn double_quoted(&mut self, node: &DataNode, content: &str) {
        let inner = without_quotes(node.range, content, self.source);
        if inner != node.range && !content.contains(['\\', '"']) {
            self.raw("\"");
            self.mapped(content, inner);
            return self.raw("\"");
        }
        let escaped = content.replace('\\', "\\\\").replace('"', "\\\"");
        self.mapped(&format!("\"{escaped}\""), node.range);
    }

    /// Appends the lines of a block of code, the first of which begins at `start`.
    fn block(&mut self, mut start: u32, content: &str) {
        let source = self.source;
        let mut lines = source.get(start as usize..).unwrap_or_default().split_inclusive('\n').map(|line| {
            let range = TextRange::new(start, start + line.trim_end().len() as u32);
            start += line.len() as u32;
            range
        });
        for line in content.lines() {
            let original = lines.next();
            let written = original.and_then(|it| source.get(it.as_range())).unwrap_or_default();
            let kept = line.trim_end();
            match original.filter(|_| written.ends_with(kept) && !kept.is_empty()) {
                Some(it) => self.mapped(kept, TextRange::new(it.end - kept.len() as u32, it.end)),
                None => self.raw(kept),
            }
            self.raw("\n");
        }
    }

    fn key(&mut self, key: &str, original: TextRange) {
        self.mapped(&quoted(key), original);
    }

    /// Appends a value without code.
    fn constant(&mut self, node: &DataNode) {
        let Content::Scalar { text, .. } = &node.content else {
            return self.collection(node, Self::constant);
        };
        match &node.value {
            Value::Integer(number) => self.mapped(&number.to_string(), node.range),
            Value::Float(_) if text.bytes().all(|it| it.is_ascii_digit() || it == b'.') => {
                self.mapped(text, node.range);
            }
            Value::Boolean(boolean) => self.mapped(&boolean.to_string(), node.range),
            Value::Undef => self.mapped("undef", node.range),
            _ => {
                let inner = without_quotes(node.range, text, self.source);
                let is_copy = self.source.get(inner.as_range()) == Some(text.as_str());
                if is_copy && !text.contains(['\\', '\'']) {
                    self.raw("'");
                    self.mapped(text, inner);
                    self.raw("'");
                } else {
                    self.mapped(&quoted(text), node.range);
                }
            }
        }
    }

    /// Appends an array or a hash; `write` appends an element. Aliases are not resolved.
    fn collection(&mut self, node: &DataNode, write: fn(&mut Self, &DataNode)) {
        match &node.content {
            Content::Sequence(elements) => {
                self.raw("[");
                for element in elements {
                    write(self, element);
                    self.raw(", ");
                }
                self.raw("]");
            }
            Content::Mapping(entries) => {
                self.raw("{ ");
                for entry in entries {
                    let Some(key) = entry.key.value.as_str() else { continue };
                    self.key(key, entry.key.range);
                    self.raw(" => ");
                    write(self, &entry.value);
                    self.raw(", ");
                }
                self.raw("}");
            }
            _ => self.mapped("undef", node.range),
        }
    }
}

/// Returns a literal of Puppet code.
fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\\', "\\\\").replace('\'', "\\'"))
}

/// Returns the range of `content` in a scalar: without the quotes, if it has no escapes.
fn without_quotes(range: TextRange, content: &str, source: &str) -> TextRange {
    let inner = TextRange::new(range.start + 1, range.end.saturating_sub(1).max(range.start + 1));
    if source.get(inner.as_range()) == Some(content) { inner } else { range }
}

/// Returns the start of the first line of the block `|` with this range; `None` for a block of another style.
fn block_lines(source: &str, range: TextRange) -> Option<u32> {
    let is_header = source[range.as_range()].starts_with(['|', '>']);
    let before = source[..range.start as usize + usize::from(is_header)].trim_end();
    let header = &before[before.rfind('\n').map_or(0, |it| it + 1)..];
    let header = header.split(" #").next().unwrap_or_default().trim_end();
    let header = header.trim_end_matches(|it: char| it.is_ascii_digit() || matches!(it, '+' | '-'));
    let end = before.len() + source[before.len()..].find('\n')? + 1;
    header.ends_with('|').then_some(end as u32)
}

fn is_variable_name(name: &str) -> bool {
    name.starts_with(|it: char| it.is_ascii_lowercase() || it == '_')
        && name.bytes().all(|it| it.is_ascii_lowercase() || it.is_ascii_digit() || it == b'_')
}

fn is_type_name(name: &str) -> bool {
    let is_part = |it: &str| is_variable_name(it) && !it.starts_with('_');
    name.split("::").all(is_part)
}
