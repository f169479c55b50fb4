//! `exec`: commands without a path, and the numbers that control them.

use types::Value;

use crate::attributes::{environment_variable, single_path};
use crate::problem::{RuleResult, ValueProblem};
use crate::values::{self, absolute_path, elements, float, integer, is_absolute_path, is_match, pattern};
use crate::{AgentResource, Conflict};

/// Returns the rule on an attribute.
pub(crate) fn rule(attribute: &str) -> Option<fn(&Value) -> RuleResult> {
    let rule: fn(&Value) -> RuleResult = match attribute {
        "command" => command,
        "path" => search_path,
        "cwd" => single_path,
        "creates" => creates,
        "environment" => |value| elements(value).iter().try_for_each(environment_variable),
        "umask" => umask,
        "timeout" => timeout,
        "tries" => tries,
        "try_sleep" => try_sleep,
        _ => return None,
    };
    Some(rule)
}

fn command(value: &Value) -> RuleResult {
    match value {
        Value::String(_) | Value::Array(_) => Ok(()),
        value => ValueProblem::expected("a string or an array of strings", value),
    }
}

/// Checks a search path, which may be an array of arrays.
pub(crate) fn search_path(value: &Value) -> RuleResult {
    match value {
        Value::Array(parts) => parts.iter().try_for_each(search_path),
        Value::String(_) => Ok(()),
        value => ValueProblem::expected("a search path", value),
    }
}

fn creates(value: &Value) -> RuleResult {
    elements(value).iter().try_for_each(absolute_path)
}

fn umask(value: &Value) -> RuleResult {
    if is_match(pattern!("^0?[0-7]{1,4}$"), value) {
        Ok(())
    } else {
        ValueProblem::expected("an octal number as a string", value)
    }
}

fn timeout(value: &Value) -> RuleResult {
    let first = match value {
        Value::Array(elements) => elements.first(),
        value => Some(value),
    };
    let is_number = match first {
        Some(Value::Integer(_) | Value::Float(_)) => true,
        Some(Value::String(text)) => float(text).is_some(),
        _ => false,
    };
    if is_number { Ok(()) } else { ValueProblem::expected("a number", value) }
}

fn tries(value: &Value) -> RuleResult {
    let is_valid = match value {
        Value::Integer(value) => *value >= 1,
        Value::Float(_) => value.as_number().is_some_and(|it| it >= 1.0),
        Value::String(text) => {
            is_match(pattern!(r"^[\d]+$"), value) && integer(text).is_some_and(|it| it >= 1)
        }
        _ => false,
    };
    if is_valid { Ok(()) } else { ValueProblem::expected("an integer greater than 0", value) }
}

fn try_sleep(value: &Value) -> RuleResult {
    let is_valid = match value {
        Value::Integer(value) => *value >= 0,
        Value::Float(_) => value.as_number().is_some_and(|it| it >= 0.0),
        Value::String(text) => {
            is_match(pattern!(r"^[-\d.]+$"), value) && float(text).is_some_and(|it| it >= 0.0)
        }
        _ => false,
    };
    if is_valid { Ok(()) } else { ValueProblem::expected("a number that is not negative", value) }
}

/// Attributes that make any command acceptable.
const MISSING: &[&str] = &["path", "provider", "command"];

/// Checks that commands are qualified if there is no search path. Providers other than `posix` and `windows`
/// accept any command.
pub(crate) fn check(resource: &AgentResource<'_>) -> Option<Conflict> {
    let validates = match resource.get("provider") {
        None => resource.is_complete,
        Some(provider) => matches!(provider.as_str(), Some("posix" | "windows")),
    };
    if !validates {
        return None;
    }
    let title = resource.title.map(Value::string);
    let command = resource.get("command").or_else(|| resource.get("name"));
    let command = match command {
        Some(_) => command,
        None => title.as_ref().filter(|_| resource.is_complete),
    };
    let commands = command.into_iter().map(|it| ("command", it));
    let lists = ["refresh", "unless", "onlyif"].into_iter();
    let others = lists.filter_map(|name| Some((name, resource.get(name)?))).flat_map(|(name, value)| {
        // `refresh` is one command, the others are lists of commands.
        let list = if name == "refresh" { std::slice::from_ref(value) } else { elements(value) };
        list.iter().map(move |it| (name, it))
    });
    let is_pathless = resource.is_absent("path");
    let mut all = others.chain(commands);
    all.find_map(|(name, command)| {
        let problem = match Executable::of(command)? {
            Executable::None => {
                format!("expected a command in `{name}`, got {}", crate::problem::shown(command))
            }
            Executable::Named(program) if is_pathless && !is_absolute_path(&program) => {
                if resource.is_sensitive(name) || program.is_empty() {
                    format!("the program in `{name}` has no absolute path, and `path` is not set")
                } else {
                    format!("`{program}` is not an absolute path, and `path` is not set")
                }
            }
            Executable::Named(_) => return None,
        };
        let cause = resource.is_set(name).then_some(name);
        Some(Conflict { problem, cause, missing: MISSING })
    })
}

/// Program that a command runs.
enum Executable {
    Named(String),
    /// The value is not a command.
    None,
}

impl Executable {
    /// Returns the program of a command; `None` if it is unknown.
    fn of(command: &Value) -> Option<Executable> {
        match command {
            Value::String(text) => {
                let quoted = pattern!(r#"^"([^"]+)"|^'([^']+)'"#).captures_at(text, 0).ok()?;
                let program = match quoted {
                    Some(groups) => {
                        let range = groups.get(1).or_else(|| groups.get(2))?;
                        text.get(range)?
                    }
                    None => text.split(' ').next().unwrap_or_default(),
                };
                Some(Executable::Named(program.to_owned()))
            }
            Value::Array(parts) => match parts.first() {
                Some(Value::String(program)) => Some(Executable::Named(program.to_string())),
                Some(first) if !values::is_plain(first) => None,
                _ => Some(Executable::Named(String::new())),
            },
            value if values::is_plain(value) => Some(Executable::None),
            _ => None,
        }
    }
}
