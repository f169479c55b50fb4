//! Options that Bolt accepts in its files, and their check.

use std::sync::LazyLock;

use hiera::data::{Content, DataEntry, DataNode};
use types::Value;

use super::{error, unknown_option};
use crate::Diagnostic;

/// Option of a file, or of a hash in it.
#[derive(Debug)]
struct BoltOption {
    name: &'static str,
    kinds: Vec<Kind>,
    minimum: Option<i64>,
    /// Accepted strings; empty if all are.
    accepted: Vec<&'static str>,
    /// Name of the group that has the options of a hash.
    group: Option<&'static str>,
    options: Vec<BoltOption>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Any,
    Array,
    Boolean,
    Hash,
    Integer,
    String,
}

impl Kind {
    fn of(word: &str) -> Option<Kind> {
        Some(match word {
            "any" => Kind::Any,
            "array" => Kind::Array,
            "bool" => Kind::Boolean,
            "hash" => Kind::Hash,
            "int" => Kind::Integer,
            "string" => Kind::String,
            _ => return None,
        })
    }

    fn accepts(self, node: &DataNode) -> bool {
        match self {
            Kind::Any => true,
            Kind::Array => matches!(node.content, Content::Sequence(_)),
            Kind::Boolean => matches!(node.value, Value::Boolean(_)),
            Kind::Hash => matches!(node.content, Content::Mapping(_)),
            Kind::Integer => matches!(node.value, Value::Integer(_)),
            Kind::String => matches!(node.value, Value::String(_)),
        }
    }

    fn describe(self) -> &'static str {
        match self {
            Kind::Any => "any value",
            Kind::Array => "an array",
            Kind::Boolean => "`true` or `false`",
            Kind::Hash => "a hash",
            Kind::Integer => "an integer",
            Kind::String => "a string",
        }
    }
}

/// Empty if the table is malformed; `tests/defective_files.rs` makes sure that it is not.
static FILES: LazyLock<Vec<BoltOption>> =
    LazyLock::new(|| read(include_str!("options.txt")).unwrap_or_default());

/// Reads the table. Each line is deeper by one step at most than the one above it.
fn read(text: &'static str) -> Option<Vec<BoltOption>> {
    let mut open: Vec<BoltOption> = vec![option("root hash")?];
    for line in text.lines().filter(|it| !it.trim().is_empty() && !it.starts_with('#')) {
        let depth = (line.len() - line.trim_start().len()) / 2 + 1;
        while open.len() > depth {
            let last = open.pop()?;
            open.last_mut()?.options.push(last);
        }
        (open.len() == depth).then_some(())?;
        open.push(match line.strip_prefix("file ") {
            Some(name) => BoltOption { name, ..option("file hash")? },
            None => option(line.trim())?,
        });
    }
    while open.len() > 1 {
        let last = open.pop()?;
        open.last_mut()?.options.push(last);
    }
    Some(open.pop()?.options)
}

fn option(line: &'static str) -> Option<BoltOption> {
    let mut words = line.split(' ');
    let name = words.next()?;
    let kinds = words.next()?.split('|').map(Kind::of).collect::<Option<_>>()?;
    let mut option =
        BoltOption { name, kinds, minimum: None, accepted: Vec::new(), group: None, options: Vec::new() };
    for word in words {
        match (word.strip_prefix("min="), word.strip_prefix('=')) {
            (Some(minimum), _) => option.minimum = Some(minimum.parse().ok()?),
            (_, Some(group)) => option.group = Some(group),
            _ => option.accepted.push(word),
        }
    }
    Some(option)
}

/// Checks a file whose options have the name `file` in the table.
pub(super) fn check(file: &str, root: &DataNode, found: &mut Vec<Diagnostic>) {
    let Some(known) = FILES.iter().find(|it| it.name == file) else { return };
    options(root, &known.options, found);
}

/// Returns true if a plug-in supplies the value.
pub(super) fn is_plugin_reference(node: &DataNode) -> bool {
    node.entry("_plugin").is_some()
}

fn options(node: &DataNode, known: &[BoltOption], found: &mut Vec<Diagnostic>) {
    if known.is_empty() || is_plugin_reference(node) {
        return;
    }
    let others = known.iter().find(|it| it.name == "*");
    for DataEntry { key, value } in node.entries() {
        let Some(name) = key.value.as_str() else { continue };
        match known.iter().find(|it| it.name == name).or(others) {
            Some(option) => check_value(name, value, option, found),
            // Entries that `<<` merges are those of another hash.
            None if name == "<<" => {}
            None => found.push(unknown_option(name, key.range, known.iter().map(|it| it.name))),
        }
    }
}

fn check_value(name: &str, value: &DataNode, option: &BoltOption, found: &mut Vec<Diagnostic>) {
    let is_unknown = matches!(value.value, Value::Undef | Value::Unknown(_))
        || matches!(value.content, Content::Alias(_))
        || is_plugin_reference(value);
    if is_unknown {
        return;
    }
    if !option.kinds.iter().any(|it| it.accepts(value)) {
        let kinds: Vec<_> = option.kinds.iter().map(|it| it.describe()).collect();
        found.push(error(value.range, format!("`{name}` must be {}", kinds.join(" or "))));
        return;
    }
    match &value.value {
        Value::Integer(number) if option.minimum.is_some_and(|it| *number < it) => {
            let minimum = option.minimum.unwrap_or_default();
            found.push(error(value.range, format!("`{name}` must be at least {minimum}")));
        }
        Value::String(text) if !option.accepted.is_empty() && !option.accepted.contains(&text.as_str()) => {
            let mut accepted: Vec<_> = option.accepted.iter().map(|it| format!("`{it}`")).collect();
            let others = option.kinds.iter().filter(|it| **it != Kind::String);
            accepted.extend(others.map(|it| it.describe().to_owned()));
            found.push(error(value.range, format!("`{name}` must be {}", one_of(&accepted))));
        }
        _ => {}
    }
    if let Some(element) = option.options.iter().find(|it| it.name == "[]") {
        value.elements().iter().for_each(|it| check_value(&format!("{name}[]"), it, element, found));
    } else {
        let group = option.group.and_then(|group| FILES.iter().find(|it| it.name == group));
        options(value, group.map_or(&option.options, |it| &it.options), found);
    }
}

/// Joins alternatives: `a, b, or c`.
fn one_of(alternatives: &[String]) -> String {
    match alternatives {
        [] => String::new(),
        [one] => one.clone(),
        [one, other] => format!("{one} or {other}"),
        [first @ .., last] => format!("{}, or {last}", first.join(", ")),
    }
}
