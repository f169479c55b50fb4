//! `file` and `filebucket`.

use types::Value;

use crate::problem::{RuleResult, ValueProblem};
use crate::values::{
    absolute_path, boolean, elements, integer, is_absolute_path, is_plain, matches, pattern, string, text,
};
use crate::{AgentResource, Conflict};

/// Returns the rule on an attribute.
pub(crate) fn rule(attribute: &str) -> Option<fn(&Value) -> RuleResult> {
    let rule: fn(&Value) -> RuleResult = match attribute {
        "path" | "staging_location" => absolute_path,
        "mode" => mode,
        "group" => group,
        "content" => content,
        "source" => |value| elements(value).iter().try_for_each(source),
        "backup" => backup,
        "recurse" => recurse,
        "recurselimit" => limit,
        "ignore" => ignore,
        "checksum" => |_| Ok(()),
        "type" | "ctime" | "mtime" => |_| ValueProblem::other("the attribute is read-only"),
        _ => return None,
    };
    Some(rule)
}

/// Checks the mode of a file.
fn mode(value: &Value) -> RuleResult {
    let Value::String(text) = value else {
        return ValueProblem::expected("a mode as a string", value);
    };
    let octal = pattern!("^0?[0-7]{1,4}$");
    let symbolic = pattern!("^([ugoa]*[-=+][-=+rstwxXugo]*)(,[ugoa]*[-=+][-=+rstwxXugo]*)*$");
    if matches(octal, text) || matches(symbolic, text) {
        Ok(())
    } else {
        ValueProblem::expected("an octal or symbolic mode", value)
    }
}

fn group(value: &Value) -> RuleResult {
    match value {
        Value::Boolean(false) => ValueProblem::expected("the name of a group", value),
        Value::String(name) if name.is_empty() => ValueProblem::expected("the name of a group", value),
        _ => Ok(()),
    }
}

fn content(value: &Value) -> RuleResult {
    string(value)
}

/// Checks an absolute path or a URL that Puppet can read files from.
fn source(value: &Value) -> RuleResult {
    let Value::String(text) = value else {
        return ValueProblem::expected("an absolute path or a URL", value);
    };
    if is_absolute_path(text) {
        return Ok(());
    }
    let scheme = pattern!(r"\A([A-Za-z][A-Za-z0-9+.-]*):(/?)").captures_at(text, 0).ok().flatten();
    let part = |index| text.get(scheme.as_ref()?.get(index)?);
    let Some(scheme) = part(1) else {
        return ValueProblem::expected("an absolute path or a URL", value);
    };
    let is_known = matches!(scheme.to_ascii_lowercase().as_str(), "file" | "puppet" | "http" | "https");
    let has_host_with_space = matches(pattern!(r"\A[^:]*://[^/]*\s"), text);
    if is_known && part(2) == Some("/") && !has_host_with_space {
        Ok(())
    } else {
        ValueProblem::expected(
            "an absolute path or a URL with `puppet:`, `http:`, `https:`, or `file:`",
            value,
        )
    }
}

fn backup(value: &Value) -> RuleResult {
    let first = match value {
        Value::Array(elements) => elements.first(),
        value => Some(value),
    };
    match first {
        Some(Value::String(_) | Value::Boolean(_)) => Ok(()),
        _ => ValueProblem::expected("a boolean or a string", value),
    }
}

fn recurse(value: &Value) -> RuleResult {
    match text(value).as_deref() {
        Some("true" | "false" | "remote") => Ok(()),
        _ => ValueProblem::expected("`true`, `false`, or `remote`", value),
    }
}

/// Checks a decimal number.
pub(crate) fn limit(value: &Value) -> RuleResult {
    let is_number = match value {
        Value::Integer(value) => *value >= 0,
        Value::String(text) => matches(pattern!("^[0-9]+$"), text) && integer(text).is_some(),
        _ => false,
    };
    if is_number { Ok(()) } else { ValueProblem::expected("an integer that is not negative", value) }
}

fn ignore(value: &Value) -> RuleResult {
    match value {
        Value::String(_) | Value::Array(_) | Value::Boolean(false) => Ok(()),
        value => ValueProblem::expected("a string or an array", value),
    }
}

/// Checks the path of a file bucket.
pub(crate) fn bucket_path(value: &Value) -> RuleResult {
    match value {
        Value::Array(_) => ValueProblem::expected("a single path", value),
        Value::String(_) => absolute_path(value),
        _ => Ok(()),
    }
}

/// Checks where the contents of a file come from.
pub(crate) fn check(resource: &AgentResource<'_>) -> Option<Conflict> {
    let checksum = resource.get("checksum").and_then(text);
    let has_content = resource.get("content").is_some_and(is_given);
    let has_source = resource.has_known("source");
    let target = resource.get("target").filter(|it| is_given(it));
    let link = resource.get("ensure").filter(|it| is_link_target(it));
    let mut creators = Vec::new();
    creators.extend(has_content.then_some("content"));
    creators.extend(has_source.then_some("source"));
    creators.extend(target.map(|_| "target").or(link.map(|_| "ensure")));
    if let [first, .., last] = creators[..] {
        return Some(Conflict::between(format!("`{first}` and `{last}` exclude each other"), last));
    }
    if resource.is_absent("source") && resource.get("recurse").and_then(text).as_deref() == Some("remote") {
        let problem = "`recurse => remote` requires `source`".to_owned();
        return Some(Conflict { problem, cause: Some("recurse"), missing: &["source"] });
    }
    match checksum.as_deref() {
        Some("none") if has_source => {
            return Some(Conflict::between("`source` excludes `checksum => none`", "checksum"));
        }
        Some(kind @ ("none" | "ctime" | "mtime")) if has_content => {
            return Some(Conflict::between(format!("`content` excludes `checksum => {kind}`"), "checksum"));
        }
        _ => {}
    }
    check_checksum(resource, checksum.as_deref(), has_content)
}

/// Returns true for a value that is neither unknown nor an empty array.
fn is_given(value: &Value) -> bool {
    match value {
        Value::Binary(_) => true,
        // Puppet takes `false` for an absent value.
        Value::Boolean(false) => false,
        Value::Array(elements) if elements.is_empty() => false,
        value => is_plain(value),
    }
}

/// Returns true for a value of `ensure` that is the target of a link.
fn is_link_target(value: &Value) -> bool {
    let states = ["absent", "false", "file", "present", "directory", "link"];
    let is_target = |it: &Value| text(it).is_some_and(|text| !states.contains(&text.as_str()));
    is_plain(value) && elements(value).iter().any(is_target) && boolean(value) != Some(false)
}

/// Checks that `checksum_value` is a checksum of the kind `checksum`.
fn check_checksum(resource: &AgentResource<'_>, kind: Option<&str>, has_content: bool) -> Option<Conflict> {
    // The default depends on a setting.
    let digits: &[usize] = match kind {
        None if resource.is_absent("checksum") => &[32, 56, 64, 96, 128],
        None => return None,
        Some("md5" | "md5lite") => &[32],
        Some("sha1" | "sha1lite") => &[40],
        Some("sha224") => &[56],
        Some("sha256" | "sha256lite") => &[64],
        Some("sha384") => &[96],
        Some("sha512") => &[128],
        Some("none") => &[0],
        Some("mtime" | "ctime") => return None,
        Some(_) => {
            let is_used = has_content || resource.get("checksum_value").is_some_and(is_given);
            return is_used.then(|| Conflict::between("the kind of checksum is unknown", "checksum"));
        }
    };
    let value = elements(resource.get("checksum_value").filter(|it| is_given(it))?).first()?;
    if *value == Value::Boolean(false) {
        return None;
    }
    let value = text(value).unwrap_or_else(|| "?".into());
    let is_checksum =
        |line: &str| digits.contains(&line.len()) && line.bytes().all(|it| it.is_ascii_hexdigit());
    let problem = || Conflict {
        problem: "`checksum_value` is not a checksum of the kind `checksum`".to_owned(),
        cause: Some("checksum_value"),
        missing: if kind.is_none() { &["checksum"] } else { &[] },
    };
    (!value.split('\n').any(is_checksum)).then(problem)
}
