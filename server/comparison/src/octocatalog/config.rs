//! `.octocatalog-diff.cfg.rb`: the simple assignments of ignores and filters. The file is parsed and never
//! executed; all other settings are ignored, among them those that name programs, paths, and servers.

use plugins::code::{AssignTarget, RubyExpression, RubyExpressionKind as Kind, RubyHashEntry, TextPart};
use scalars::regexp::Regexp;

use super::{
    AttributeCondition, AttributePattern, CheckedReference, DiffFilter, DiffRules, IgnorePattern, IgnoreRule,
};

/// Name of the file.
pub const CONFIG_FILE: &str = ".octocatalog-diff.cfg.rb";

/// Settings that are read.
const SETTINGS: [&str; 6] = [
    "additional_ignores",
    "ignore_tags",
    "filters",
    "suppress_absent_file_details",
    "include_tags",
    "validate_references",
];

/// Setting that octocatalog-diff itself does not read from the file.
const WITHOUT_EFFECT: &str = "ignore";

/// Maximum nesting of the expressions that are read.
const MAX_DEPTH: usize = 32;

/// Settings of a file.
#[derive(Default, Debug)]
pub struct OctoConfig {
    pub rules: DiffRules,
    pub suppresses_absent_files: Option<bool>,
    pub includes_tags: Option<bool>,
    pub checked_references: Vec<CheckedReference>,
    /// Settings on ignores and filters that are not simple values, with their lines.
    pub unread: Vec<String>,
}

/// A literal.
#[derive(Clone, PartialEq, Debug)]
enum ConfigLiteral {
    Nil,
    Boolean(bool),
    Text(String),
    Regexp(String),
    Array(Vec<ConfigLiteral>),
    Hash(Vec<(String, ConfigLiteral)>),
}

/// Reads a file.
pub fn read(text: &str) -> OctoConfig {
    let program = plugins::code::read(CONFIG_FILE, text);
    let mut reader = OctoConfigReader { text, config: OctoConfig::default(), line: |at| program.line(at) };
    reader.statements(&program.statements, 0);
    reader.config
}

struct OctoConfigReader<'t, L> {
    text: &'t str,
    config: OctoConfig,
    line: L,
}

impl<L: Fn(u32) -> u32> OctoConfigReader<'_, L> {
    fn statements(&mut self, statements: &[RubyExpression], depth: usize) {
        if depth < MAX_DEPTH {
            statements.iter().for_each(|it| self.statement(it, depth));
        }
    }

    fn statement(&mut self, statement: &RubyExpression, depth: usize) {
        match &*statement.kind {
            Kind::Module(module) => self.statements(&module.body, depth + 1),
            Kind::SingletonClass(body) => self.statements(body, depth + 1),
            Kind::Define(method) => self.statements(&method.body, depth + 1),
            Kind::Sequence(body) => self.statements(body, depth + 1),
            Kind::Return(Some(value)) => self.statement(value, depth + 1),
            Kind::Hash { entries, .. } => self.entries(entries),
            Kind::Assignment { value, .. } => match &*value.kind {
                Kind::Hash { entries, .. } => self.entries(entries),
                _ => self.note_unread(statement),
            },
            Kind::Call { name, arguments, block: None, .. } if name == "[]=" => match arguments.as_slice() {
                [key, value] => self.assign(statement, std::slice::from_ref(key), value),
                _ => self.note_unread(statement),
            },
            Kind::OperatorAssignment { target: AssignTarget::Index { arguments, .. }, value, .. } => {
                self.assign(statement, arguments, value);
            }
            Kind::Call { receiver: Some(list), name, arguments, block: None, .. }
                if matches!(name.as_str(), "<<" | "push" | "concat") =>
            {
                match &*list.kind {
                    Kind::Call { name: index, arguments: key, .. } if index == "[]" => {
                        for argument in arguments {
                            self.assign(statement, key, argument);
                        }
                    }
                    _ => self.note_unread(statement),
                }
            }
            _ => self.note_unread(statement),
        }
    }

    /// Notes a statement that mentions one of the settings.
    fn note_unread(&mut self, statement: &RubyExpression) {
        let source = self.text.get(statement.range.as_range()).unwrap_or_default();
        let names = SETTINGS
            .iter()
            .filter(|name| source.contains(&format!(":{name}")) || source.contains(&format!("{name}:")));
        let line = (self.line)(statement.range.start);
        let notes: Vec<String> = names.map(|name| format!("`{name}` in line {line}")).collect();
        self.config.unread.extend(notes);
    }

    fn entries(&mut self, entries: &[RubyHashEntry]) {
        for entry in entries {
            if let RubyHashEntry::Pair(key, value) = entry {
                self.assign(value, std::slice::from_ref(key), value);
            }
        }
    }

    fn assign(&mut self, statement: &RubyExpression, key: &[RubyExpression], value: &RubyExpression) {
        let [key] = key else { return self.note_unread(statement) };
        let Some(name) = symbol(key) else { return self.note_unread(statement) };
        let line = (self.line)(statement.range.start);
        if name == WITHOUT_EFFECT {
            let note = format!(
                "`ignore` in line {line}, which octocatalog-diff does not read (it reads `additional_ignores`)"
            );
            self.config.unread.push(note);
        }
        if !SETTINGS.contains(&name.as_str()) {
            return;
        }
        let is_read = literal(value, 0).is_some_and(|value| self.set(&name, value).is_some());
        if !is_read {
            self.config.unread.push(format!("`{name}` in line {line}"));
        }
    }

    /// Applies a setting; `None` if its value has another form.
    fn set(&mut self, name: &str, value: ConfigLiteral) -> Option<()> {
        let OctoConfig { rules, suppresses_absent_files, includes_tags, .. } = &mut self.config;
        match (name, value) {
            (_, ConfigLiteral::Nil) => {}
            ("suppress_absent_file_details", ConfigLiteral::Boolean(value)) => {
                *suppresses_absent_files = Some(value)
            }
            ("include_tags", ConfigLiteral::Boolean(value)) => *includes_tags = Some(value),
            ("validate_references", value) => {
                let checked: Option<Vec<CheckedReference>> =
                    texts(value)?.iter().map(|name| name.parse().ok()).collect();
                self.config.checked_references.extend(checked?);
            }
            ("ignore_tags", value) => rules.ignored_tags.extend(texts(value)?),
            ("filters", value) => {
                let filters: Option<Vec<DiffFilter>> =
                    texts(value)?.iter().map(|name| name.parse().ok()).collect();
                rules.filters.extend(filters?);
            }
            ("additional_ignores", ConfigLiteral::Array(elements)) => {
                let added: Option<Vec<IgnoreRule>> = elements.into_iter().map(rule).collect();
                rules.ignored.extend(added?);
            }
            ("additional_ignores", value @ ConfigLiteral::Hash(_)) => rules.ignored.push(rule(value)?),
            _ => return None,
        }
        Some(())
    }
}

fn texts(value: ConfigLiteral) -> Option<Vec<String>> {
    let text = |value| match value {
        ConfigLiteral::Text(text) => Some(text),
        _ => None,
    };
    match value {
        ConfigLiteral::Array(elements) => elements.into_iter().map(text).collect(),
        value => text(value).map(|text| vec![text]),
    }
}

/// Returns the rule of a hash with `type`, `title`, and `attr`.
fn rule(value: ConfigLiteral) -> Option<IgnoreRule> {
    let ConfigLiteral::Hash(entries) = value else { return None };
    let is_known = |(name, _): &(String, ConfigLiteral)| matches!(name.as_str(), "type" | "title" | "attr");
    if entries.is_empty() || !entries.iter().all(is_known) {
        return None;
    }
    let get = |name: &str| entries.iter().rev().find(|(it, _)| it == name).map(|(_, value)| value);
    let regexp = |source: &String| Regexp::new(source).ok();
    let type_name = match get("type") {
        None | Some(ConfigLiteral::Nil) => IgnorePattern::Any,
        Some(ConfigLiteral::Text(name)) => IgnorePattern::of_type(name),
        Some(ConfigLiteral::Regexp(source)) => IgnorePattern::Regexp(regexp(source)?),
        Some(_) => return None,
    };
    let title = match get("title") {
        None | Some(ConfigLiteral::Nil) => IgnorePattern::Any,
        Some(ConfigLiteral::Text(title)) => IgnorePattern::of_title(title).ok()?,
        Some(ConfigLiteral::Regexp(source)) => IgnorePattern::Regexp(regexp(source)?),
        Some(_) => return None,
    };
    let attribute = match get("attr") {
        None | Some(ConfigLiteral::Nil) => AttributePattern::Any,
        Some(ConfigLiteral::Text(text)) => AttributePattern::parse(text).ok()?,
        Some(ConfigLiteral::Regexp(source)) => AttributePattern::Regexp(regexp(source)?),
        Some(array @ ConfigLiteral::Array(_)) => {
            let conditions = texts(array.clone())?;
            let parsed: Result<_, _> = conditions.iter().map(|it| AttributeCondition::parse(it)).collect();
            AttributePattern::Conditions(parsed.ok()?)
        }
        Some(_) => return None,
    };
    Some(IgnoreRule { type_name, title, attribute })
}

fn symbol(expression: &RubyExpression) -> Option<String> {
    match &*expression.kind {
        Kind::Symbol(name) => Some(name.to_string()),
        _ => None,
    }
}

/// Returns the value of a literal; `None` for other code.
fn literal(expression: &RubyExpression, depth: usize) -> Option<ConfigLiteral> {
    let depth = depth + 1;
    if depth > MAX_DEPTH {
        return None;
    }
    let text = |expression: &RubyExpression| match &*expression.kind {
        Kind::String(text) | Kind::FrozenString(text) => Some(text.to_string()),
        _ => None,
    };
    Some(match &*expression.kind {
        Kind::Nil => ConfigLiteral::Nil,
        Kind::Boolean(value) => ConfigLiteral::Boolean(*value),
        Kind::String(text) | Kind::FrozenString(text) => ConfigLiteral::Text(text.to_string()),
        Kind::Pattern { parts, options } => {
            let part = |part: &TextPart| match part {
                TextPart::Text(text) => Some(text.to_string()),
                TextPart::Code(_) => None,
            };
            let source: Option<String> = parts.iter().map(part).collect();
            ConfigLiteral::Regexp(with_options(&source?, options))
        }
        Kind::Array(elements) => {
            ConfigLiteral::Array(elements.iter().map(|it| literal(it, depth)).collect::<Option<_>>()?)
        }
        Kind::Hash { entries, .. } => {
            let entry = |entry: &RubyHashEntry| match entry {
                RubyHashEntry::Pair(key, value) => Some((symbol(key)?, literal(value, depth)?)),
                RubyHashEntry::Splat(_) => None,
            };
            ConfigLiteral::Hash(entries.iter().map(entry).collect::<Option<_>>()?)
        }
        Kind::Call { receiver: Some(receiver), name, arguments, block: None, .. } => {
            match (&*receiver.kind, name.as_str(), arguments.as_slice()) {
                (_, "freeze", []) => literal(receiver, depth)?,
                (Kind::Constant(class), "new", [source]) if class == "Regexp" => {
                    ConfigLiteral::Regexp(text(source)?)
                }
                (Kind::Constant(class), "new", [source, options]) if class == "Regexp" => {
                    let is_ignored_case = match &*options.kind {
                        Kind::Boolean(value) => *value,
                        Kind::Constant(name) => name == "Regexp::IGNORECASE",
                        Kind::ConstantOf(_, name) => name == "IGNORECASE",
                        _ => return None,
                    };
                    ConfigLiteral::Regexp(with_options(
                        &text(source)?,
                        if is_ignored_case { "i" } else { "" },
                    ))
                }
                _ => return None,
            }
        }
        _ => return None,
    })
}

/// Adds options (`imx`) to the source of a regular expression.
fn with_options(source: &str, options: &str) -> String {
    if options.is_empty() { source.to_owned() } else { format!("(?{options}:{source})") }
}
