//! `user` and `group`.

use types::Value;

use crate::problem::{RuleResult, ValueProblem};
use crate::values::{elements, id, integer, is_absolute_path, is_boolean, is_match, matches, pattern, text};

/// Returns the rule on an attribute.
pub(crate) fn rule(type_name: &str, attribute: &str) -> Option<fn(&Value) -> RuleResult> {
    let rule: fn(&Value) -> RuleResult = match (type_name, attribute) {
        ("user", "uid" | "gid") => id,
        ("user", "groups") => group_name,
        ("user", "managehome") => is_boolean,
        ("user", "purge_ssh_keys") => purge_ssh_keys,
        ("group", "gid") => gid,
        _ => return None,
    };
    Some(rule)
}

/// Checks an element of a list of groups.
fn group_name(value: &Value) -> RuleResult {
    match value {
        Value::String(name) if name.is_empty() => ValueProblem::expected("the name of a group", value),
        Value::String(_) if is_match(pattern!(r"^\d+$"), value) => {
            ValueProblem::expected("the name of a group, not its number", value)
        }
        Value::String(name) if name.contains(',') => {
            ValueProblem::expected("an array of groups, not a list with commas", value)
        }
        Value::Integer(_) | Value::Float(_) | Value::Boolean(_) => {
            ValueProblem::expected("the name of a group", value)
        }
        _ => Ok(()),
    }
}

fn gid(value: &Value) -> RuleResult {
    match value {
        Value::String(text) if !matches(pattern!("^[-0-9]+$"), text) || integer(text).is_none() => {
            ValueProblem::expected("a number", value)
        }
        _ => Ok(()),
    }
}

/// Checks a boolean or paths of files with keys.
fn purge_ssh_keys(value: &Value) -> RuleResult {
    if matches!(text(value).as_deref(), Some("true" | "false")) {
        return Ok(());
    }
    let path = |it: &Value| match it {
        Value::String(path) if is_absolute_path(path) || matches(pattern!("^~/|^%h/"), path) => Ok(()),
        it => ValueProblem::expected("an absolute path, or one below `~` or `%h`", it),
    };
    match value {
        Value::String(_) | Value::Array(_) => elements(value).iter().try_for_each(path),
        value => ValueProblem::expected("`true`, `false`, or an array of paths", value),
    }
}
