//! `cron` and `augeas`.

use types::Value;

use crate::problem::{RuleResult, ValueProblem};
use crate::values::{elements, is_match, is_plain, matches, pattern, string, text};
use crate::{AgentResource, Conflict};

const WEEKDAYS: &[&str] = &["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"];
const MONTHS: &[&str] = &[
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];
const SPECIALS: &[&str] =
    &["reboot", "yearly", "annually", "monthly", "weekly", "daily", "midnight", "hourly", "absent"];

/// Attributes that `special` replaces.
const FIELDS: &[&str] = &["minute", "hour", "weekday", "monthday", "month"];

/// Returns the rule on an attribute.
pub(crate) fn rule(type_name: &str, attribute: &str) -> Option<fn(&Value) -> RuleResult> {
    let rule: fn(&Value) -> RuleResult = match (type_name, attribute) {
        ("augeas", "context") => context,
        ("cron", "command") => string,
        ("cron", "special") => special,
        ("cron", "minute") => |value| slot(value, 0, 59, &[]),
        ("cron", "hour") => |value| slot(value, 0, 23, &[]),
        ("cron", "weekday") => |value| slot(value, 0, 7, WEEKDAYS),
        ("cron", "month") => |value| slot(value, 1, 12, MONTHS),
        ("cron", "monthday") => |value| slot(value, 1, 31, &[]),
        ("cron", "environment") => environment,
        _ => return None,
    };
    Some(rule)
}

fn context(value: &Value) -> RuleResult {
    match value {
        Value::String(_) | Value::Array(_) | Value::Hash(_) => Ok(()),
        value => ValueProblem::expected("a path", value),
    }
}

fn special(value: &Value) -> RuleResult {
    if value.as_str().is_some_and(|it| SPECIALS.contains(&it)) {
        Ok(())
    } else {
        ValueProblem::expected("`reboot`, `hourly`, `daily`, `weekly`, `monthly`, or `yearly`", value)
    }
}

fn environment(value: &Value) -> RuleResult {
    match value.as_str() {
        Some("absent") => Ok(()),
        Some(_) if is_match(pattern!(r"^\s*(\w+)\s*=\s*(.*)\s*$"), value) => Ok(()),
        _ => ValueProblem::expected("`NAME=VALUE`", value),
    }
}

/// Checks a field of a schedule: a number, a name, a range, or a step.
fn slot(value: &Value, lowest: i64, highest: i64, names: &[&str]) -> RuleResult {
    let described = || format!("a number from {lowest} to {highest}, a range, or a step such as `*/5`");
    let Some(text) = text(value) else { return ValueProblem::expected(described(), value) };
    if text == "absent" || text == "*" {
        return Ok(());
    }
    let is_range =
        [pattern!(r"^\*/[0-9]+$"), pattern!("^[0-9]+-[0-9]+$"), pattern!("^[0-9]+-[0-9]+/[0-9]+$")];
    if is_range.iter().any(|it| matches(it, &text)) {
        return Ok(());
    }
    let is_number = matches!(value, Value::Integer(_)) || is_match(pattern!(r"^\d+$"), value);
    let is_valid = if is_number {
        leading_integer(&text).is_some_and(|it| (lowest..=highest).contains(&it))
    } else {
        let name = text.to_lowercase();
        matches!(value, Value::String(_))
            && names.iter().any(|it| *it == name || name.len() == 3 && it.starts_with(&name))
    };
    if is_valid { Ok(()) } else { ValueProblem::expected(described(), value) }
}

/// Returns the integer at the start of a string, as `to_i` does.
fn leading_integer(text: &str) -> Option<i64> {
    let end = text.bytes().skip(1).position(|it| !it.is_ascii_digit()).map_or(text.len(), |it| it + 1);
    text.get(..end)?.parse().ok()
}

/// Checks that a job has either a special schedule or fields.
pub(crate) fn check_cron(resource: &AgentResource<'_>) -> Option<Conflict> {
    let special = resource.text("special").filter(|it| *it != "absent")?;
    let is_set = |name: &str| {
        let value = resource.get(name).filter(|it| is_plain(it));
        let first = value.and_then(|it| elements(it).first());
        first.is_some_and(|it| !matches!(it.as_str(), Some("absent" | "*")))
    };
    let field = FIELDS.iter().find(|name| is_set(name))?;
    Some(Conflict::between(format!("`{field}` excludes `special => {special}`"), field))
}

/// Checks that a lens comes with a file.
pub(crate) fn check_augeas(resource: &AgentResource<'_>) -> Option<Conflict> {
    let (set, absent) = match (resource.has_known("lens"), resource.has_known("incl")) {
        (true, false) => ("lens", "incl"),
        (false, true) => ("incl", "lens"),
        _ => return None,
    };
    let problem = || format!("`{set}` requires `{absent}`");
    resource.is_absent(absent).then(|| Conflict {
        problem: problem(),
        cause: Some(set),
        missing: &["lens", "incl"],
    })
}
