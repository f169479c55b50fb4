//! `schedule` and `tidy`.

use types::Value;

use crate::problem::{RuleResult, ValueProblem};
use crate::values::{elements, integer, is_match, is_plain, matches, pattern, string, text};
use crate::{AgentResource, Conflict};

/// Returns the rule on an attribute.
pub(crate) fn rule(type_name: &str, attribute: &str) -> Option<fn(&Value) -> RuleResult> {
    let rule: fn(&Value) -> RuleResult = match (type_name, attribute) {
        ("schedule", "range") => |value| elements(value).iter().try_for_each(range),
        ("schedule", "weekday") => |value| elements(value).iter().try_for_each(weekday),
        ("schedule", "repeat") => repeat,
        ("tidy", "path") => string,
        ("tidy", "recurse") => recurse,
        ("tidy", "age") => |value| amount(value, "smhdw", "an age such as `2w`"),
        ("tidy", "size") => |value| amount(value, "bkmgt", "a size such as `10m`"),
        _ => return None,
    };
    Some(rule)
}

/// Checks a range of times: `2 - 4`, `22:00 - 04:30`.
fn range(value: &Value) -> RuleResult {
    let refused = || ValueProblem::expected("a range of times such as `22:00 - 04:00`", value);
    let Value::String(range) = value else { return refused() };
    if !matches(pattern!(r"\d+(:\d+){0,2}\s*-\s*\d+(:\d+){0,2}"), range) {
        return refused();
    }
    let mut times: Vec<&str> = range.split('-').map(str::trim).collect();
    // Ruby drops empty parts at the end.
    while times.last().is_some_and(|it| it.is_empty()) {
        times.pop();
    }
    let number = |text: &str| leading_number(text);
    let is_time = |time: &&str| {
        let mut parts = time.split(':').map(number);
        let hour = parts.next().unwrap_or_default();
        let minute = parts.next().unwrap_or_default();
        (0..=23).contains(&hour) && (0..=59).contains(&minute)
    };
    if times.len() == 2 && times.iter().all(is_time) { Ok(()) } else { refused() }
}

/// Returns the number at the start of a string; 0 if there is none.
fn leading_number(text: &str) -> i64 {
    let text = text.trim_start();
    let end = text.bytes().position(|it| !it.is_ascii_digit()).unwrap_or(text.len());
    text.get(..end).and_then(|it| it.parse().ok()).unwrap_or_default()
}

fn weekday(value: &Value) -> RuleResult {
    let is_day = match value {
        Value::Integer(day) => (0..=6).contains(day),
        Value::String(_) => {
            is_match(pattern!("^[0-6]$"), value)
                || is_match(
                    pattern!("(?i)^(Mon|Tues?|Wed(?:nes)?|Thu(?:rs)?|Fri|Sat(?:ur)?|Sun)(day)?$"),
                    value,
                )
        }
        _ => false,
    };
    if is_day { Ok(()) } else { ValueProblem::expected("a day of the week", value) }
}

fn repeat(value: &Value) -> RuleResult {
    let is_number = match value {
        Value::Integer(_) => true,
        Value::String(text) => is_match(pattern!(r"^\d+$"), value) && integer(text).is_some(),
        _ => false,
    };
    if is_number { Ok(()) } else { ValueProblem::expected("a number", value) }
}

fn recurse(value: &Value) -> RuleResult {
    let is_valid = match value {
        Value::Integer(_) => true,
        Value::String(number) if matches(pattern!(r"^\d+$"), number) => integer(number).is_some(),
        value => matches!(text(value).as_deref(), Some("true" | "false" | "inf")),
    };
    if is_valid { Ok(()) } else { ValueProblem::expected("`true`, `false`, `inf`, or a number", value) }
}

/// Checks a number with a unit, of which only the first letter counts.
fn amount(value: &Value, units: &str, described: &'static str) -> RuleResult {
    let Value::String(text) = value else { return ValueProblem::expected(described, value) };
    let found = pattern!(r"^([0-9]+)(\w)\w*$").captures_at(text, 0).ok().flatten();
    let unit = found.and_then(|groups| text.get(groups.get(2)?)).map(str::to_lowercase);
    let is_valid = match unit {
        Some(unit) => units.contains(&unit),
        None => matches(pattern!("^([0-9]+)$"), text),
    };
    if is_valid { Ok(()) } else { ValueProblem::expected(described, value) }
}

/// Checks that only schedules by distance repeat.
pub(crate) fn check_schedule(resource: &AgentResource<'_>) -> Option<Conflict> {
    let repeat = resource.get("repeat").filter(|it| is_plain(it))?;
    let is_number = resource.text("periodmatch") == Some("number");
    let problem = || Conflict::between("`repeat` must be `1` if `periodmatch` is `number`", "repeat");
    (is_number && *repeat != Value::Integer(1)).then(problem)
}

/// Checks that patterns come with recursion.
pub(crate) fn check_tidy(resource: &AgentResource<'_>) -> Option<Conflict> {
    if !resource.has_known("matches") {
        return None;
    }
    let is_flat = match resource.get("recurse") {
        None => resource.is_complete,
        Some(value) => matches!(text(value).as_deref(), Some("0" | "false")),
    };
    is_flat.then(|| {
        let problem = "`matches` requires `recurse`".to_owned();
        Conflict { problem, cause: Some("matches"), missing: &["recurse"] }
    })
}
