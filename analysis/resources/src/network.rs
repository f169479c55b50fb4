//! `host`, `mount`, `ssh_authorized_key`, `sshkey`, and `yumrepo`.

use std::net::Ipv6Addr;

use scalars::uri::Uri;
use types::Value;

use crate::problem::{RuleResult, ValueProblem};
use crate::values::{is_boolean, is_match, matches, no_whitespace, pattern, string, text, word};
use crate::{AgentResource, Conflict};

/// Returns the rule on an attribute.
pub(crate) fn rule(type_name: &str, attribute: &str) -> Option<fn(&Value) -> RuleResult> {
    let rule: fn(&Value) -> RuleResult = match (type_name, attribute) {
        ("host", "ip") => ip,
        ("host", "host_aliases") => host_alias,
        ("host", "comment") => single_line,
        ("host", "name") => host_name,
        ("mount", "blockdevice") => no_whitespace,
        ("mount", "fstype" | "options") => mount_word,
        ("mount", "atboot") => is_boolean,
        ("ssh_authorized_key", "key") => key,
        ("ssh_authorized_key", "options") => key_option,
        ("sshkey", "host_aliases") => key_alias,
        ("sshkey", "name") => key_name,
        ("yumrepo", "mirrorlist" | "include" | "gpgcakey" | "metalink") => url,
        ("yumrepo", "baseurl" | "gpgkey") => urls,
        ("yumrepo", "proxy") => proxy,
        _ => return None,
    };
    Some(rule)
}

fn ip(value: &Value) -> RuleResult {
    match value {
        Value::String(text) if is_ip(text) => Ok(()),
        value => ValueProblem::expected("an IP address", value),
    }
}

fn is_ip(text: &str) -> bool {
    if text.contains(['\n', '\r']) {
        return false;
    }
    let parts: Vec<&str> = text.split('.').collect();
    let is_byte = |it: &&str| {
        (1..=3).contains(&it.len())
            && it.bytes().all(|c| c.is_ascii_digit())
            && it.parse::<u32>().is_ok_and(|it| it <= 255)
    };
    let v6 = text.trim().split('%').next().unwrap_or_default();
    parts.len() == 4 && parts.iter().all(is_byte) || v6.parse::<Ipv6Addr>().is_ok()
}

fn host_alias(value: &Value) -> RuleResult {
    string(value)?;
    word(value)
}

fn single_line(value: &Value) -> RuleResult {
    match value {
        Value::String(text) if text.contains(['\n', '\r']) => ValueProblem::expected("a single line", value),
        Value::String(_) | Value::Array(_) | Value::Hash(_) => Ok(()),
        value => ValueProblem::expected("a string", value),
    }
}

fn host_name(value: &Value) -> RuleResult {
    let Value::String(name) = value else { return ValueProblem::expected("a host name", value) };
    let mut parts: Vec<&str> = name.split('.').collect();
    // Ruby drops empty parts at the end.
    while parts.last().is_some_and(|it| it.is_empty()) {
        parts.pop();
    }
    let is_part = |part: &&str| matches(pattern!(r"^([\w]+|[\w][\w\-]+[\w])$"), part);
    if parts.iter().all(is_part) && !name.contains(['\n', '\r']) {
        Ok(())
    } else {
        ValueProblem::expected("a host name", value)
    }
}

fn mount_word(value: &Value) -> RuleResult {
    match value {
        Value::Integer(_) | Value::Float(_) | Value::Boolean(_) => ValueProblem::expected("a string", value),
        value => word(value),
    }
}

fn key(value: &Value) -> RuleResult {
    string(value)?;
    no_whitespace(value)
}

fn key_option(value: &Value) -> RuleResult {
    if is_match(pattern!(r#"^[-a-z0-9A-Z_]+(?:=\".*?\")?$"#), value) {
        Ok(())
    } else {
        ValueProblem::expected("`NAME` or `NAME=\"VALUE\"`", value)
    }
}

fn key_alias(value: &Value) -> RuleResult {
    string(value)?;
    no_whitespace(value)?;
    no_comma(value)
}

fn key_name(value: &Value) -> RuleResult {
    string(value)?;
    no_whitespace(value)?;
    no_comma(value)
}

/// Checks that the file of a key is known.
pub(crate) fn check_ssh_authorized_key(resource: &AgentResource<'_>) -> Option<Conflict> {
    let is_lost = resource.is_absent("user") && resource.is_absent("target");
    let problem = || "`user` or `target` is required".to_owned();
    is_lost.then(|| Conflict { problem: problem(), cause: None, missing: &["user", "target"] })
}

fn no_comma(value: &Value) -> RuleResult {
    if value.as_str().is_some_and(|it| it.contains(',')) {
        ValueProblem::expected("a single name; `host_aliases` takes an array of further names", value)
    } else {
        Ok(())
    }
}

fn url(value: &Value) -> RuleResult {
    match text(value).as_deref() {
        Some("absent") => Ok(()),
        Some(text) if is_url(text) => Ok(()),
        _ => ValueProblem::expected("a URL with `http:`, `https:`, `ftp:`, or `file:`", value),
    }
}

fn is_url(text: &str) -> bool {
    let scheme = Uri::parse(text).ok().and_then(|uri| uri.scheme().map(str::to_owned));
    matches!(scheme.as_deref(), Some("file" | "http" | "https" | "ftp"))
}

/// Checks URLs that are separated by whitespace.
fn urls(value: &Value) -> RuleResult {
    let Value::String(text) = value else { return url(value) };
    if text.split_ascii_whitespace().all(is_url) || text == "absent" {
        Ok(())
    } else {
        ValueProblem::expected("URLs with `http:`, `https:`, `ftp:`, or `file:`", value)
    }
}

fn proxy(value: &Value) -> RuleResult {
    match text(value).as_deref() {
        // Valid on some platforms.
        Some("" | "_none_") => Ok(()),
        _ => url(value),
    }
}
