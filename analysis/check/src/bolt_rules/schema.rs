//! Check of the options in files of Bolt.

use hiera::data::{Content, DataEntry, DataNode};
use plugins::built_in::bolt_options::{BoltOption, BoltOptionKind, options_of};
use types::Value;

use super::findings::{error, unknown_option};
use crate::Diagnostic;

fn accepts(kind: BoltOptionKind, node: &DataNode) -> bool {
    match kind {
        BoltOptionKind::Any => true,
        BoltOptionKind::Array => matches!(node.content, Content::Sequence(_)),
        BoltOptionKind::Boolean => matches!(node.value, Value::Boolean(_)),
        BoltOptionKind::Hash => matches!(node.content, Content::Mapping(_)),
        BoltOptionKind::Integer => matches!(node.value, Value::Integer(_)),
        BoltOptionKind::String => matches!(node.value, Value::String(_)),
    }
}

/// Checks a file whose options have the name `file` in the table.
pub(super) fn check(file: &str, root: &DataNode, found: &mut Vec<Diagnostic>) {
    let Some(known) = options_of(file) else { return };
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
    if !option.kinds.iter().any(|it| accepts(*it, value)) {
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
            let others = option.kinds.iter().filter(|it| **it != BoltOptionKind::String);
            accepted.extend(others.map(|it| it.describe().to_owned()));
            found.push(error(value.range, format!("`{name}` must be {}", one_of(&accepted))));
        }
        _ => {}
    }
    if let Some(element) = option.options.iter().find(|it| it.name == "[]") {
        value.elements().iter().for_each(|it| check_value(&format!("{name}[]"), it, element, found));
    } else {
        let group = option.group.and_then(options_of);
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
