//! `zone` and `zpool`.

use std::net::IpAddr;

use types::Value;

use crate::problem::{RuleResult, ValueProblem};
use crate::values::{elements, is_match, is_plain, pattern, text};
use crate::{AgentResource, Conflict};

/// Returns the rule on an attribute.
pub(crate) fn rule(type_name: &str, attribute: &str) -> Option<fn(&Value) -> RuleResult> {
    let rule: fn(&Value) -> RuleResult = match (type_name, attribute) {
        ("zone", "path" | "inherit") => unix_path,
        ("zone", "dataset") => dataset,
        ("zpool", "mirror" | "raidz") => devices,
        _ => return None,
    };
    Some(rule)
}

fn unix_path(value: &Value) -> RuleResult {
    if is_match(pattern!("^/"), value) { Ok(()) } else { ValueProblem::expected("an absolute path", value) }
}

fn dataset(value: &Value) -> RuleResult {
    match value {
        Value::String(_) if !is_match(pattern!("^/"), value) => Ok(()),
        value => ValueProblem::expected("the name of a ZFS file system", value),
    }
}

fn devices(value: &Value) -> RuleResult {
    match value {
        Value::String(text) if text.contains(',') => {
            ValueProblem::expected("devices that are separated by spaces", value)
        }
        Value::Integer(_) | Value::Float(_) | Value::Boolean(_) => {
            ValueProblem::expected("devices that are separated by spaces", value)
        }
        _ => Ok(()),
    }
}

/// Checks the addresses of a zone.
pub(crate) fn check_zone(resource: &AgentResource<'_>) -> Option<Conflict> {
    let is_shared = match resource.get("iptype") {
        None if resource.is_complete => true,
        None => return None,
        Some(value) => match text(value).as_deref() {
            Some("shared") => true,
            Some("exclusive") => false,
            _ => return None,
        },
    };
    for address in elements(resource.get("ip")?) {
        let Value::String(address) = address else {
            if is_plain(address) {
                return Some(Conflict::between("`ip` must be a string", "ip"));
            }
            continue;
        };
        let mut parts = address.split(':');
        let (_, ip) = (parts.next(), parts.next().filter(|it| !it.is_empty()));
        let problem = match (is_shared, ip) {
            (true, Some(ip)) if ip.parse::<IpAddr>().is_ok() => continue,
            (false, None) if !address.is_empty() => continue,
            (true, _) => "`ip` must have the form `INTERFACE:ADDRESS`",
            (false, _) => "`ip` must be an interface if `iptype` is `exclusive`",
        };
        let missing: &[&str] = if resource.is_set("iptype") { &[] } else { &["iptype"] };
        return Some(Conflict { problem: problem.to_owned(), cause: Some("ip"), missing });
    }
    None
}

/// Checks that a pool has one kind of devices.
pub(crate) fn check_zpool(resource: &AgentResource<'_>) -> Option<Conflict> {
    let is_set = |name: &&str| resource.has_known(name);
    let mut given = ["disk", "mirror", "raidz"].into_iter().filter(is_set);
    let (first, second) = (given.next()?, given.next()?);
    Some(Conflict::between(format!("`{first}` and `{second}` exclude each other"), second))
}
