//! Legacy facts, derived from the structured ones. Puppet 7 sends them, Puppet 8 does not.

use std::sync::Arc;

use plugins::built_in::{self, Fact};
use types::{HashValue, Value};

/// Adds the legacy facts derived from `facts`, and sorts by name. Existing facts are kept.
pub fn with_legacy_facts(mut facts: HashValue) -> HashValue {
    let mut found = Vec::new();
    for legacy in built_in::facts().iter().filter(|it| it.is_legacy) {
        if let Some(replacement) = &legacy.replacement {
            found.extend(values_of(legacy, replacement, &facts));
        }
    }
    found.extend(fingerprints(&facts));
    for (name, value) in found {
        facts.entry(Value::string(name)).or_insert(value);
    }
    facts.sort_by(|a, _, b, _| a.as_str().cmp(&b.as_str()));
    facts
}

/// Removes legacy facts.
pub fn without_legacy_facts(mut facts: HashValue) -> HashValue {
    facts.retain(|name, _| !name.as_str().and_then(built_in::fact).is_some_and(|it| it.is_legacy));
    facts
}

/// Returns the facts of a node for checks: adds the facts that the agent adds, and for Puppet 7 legacy facts,
/// which agents send whether or not the output of Facter includes them. Puppet 8 has those of the file.
pub fn complete(facts: HashValue, puppet_version: u8) -> HashValue {
    let facts = with_agent_facts(facts, puppet_version);
    if puppet_version >= 8 { facts } else { with_legacy_facts(facts) }
}

/// Returns the contents of `$facts` for the output of Facter, as read from a file: adds the facts that the
/// agent adds. Legacy facts are those of the file.
pub fn with_agent_facts(mut facts: HashValue, puppet_version: u8) -> HashValue {
    let networking = facts.get_text("networking").and_then(Value::as_hash);
    let fqdn = networking.and_then(|it| it.get_text("fqdn")).or_else(|| facts.get_text("fqdn")).cloned();
    let puppet = crate::layers::newest_puppet(puppet_version);
    let puppet = facts.get_text("puppetversion").cloned().unwrap_or_else(|| Value::string(puppet));
    for (name, value) in [
        ("clientcert", fqdn),
        ("clientnoop", Some(Value::Boolean(false))),
        ("clientversion", Some(puppet.clone())),
        ("puppetversion", Some(puppet)),
    ] {
        if let Some(value) = value {
            facts.entry(Value::string(name)).or_insert(value);
        }
    }
    facts
}

/// Returns the facts of a platform with the host name `node`, including the legacy facts that are present.
pub fn of_node(facts: &HashValue, node: &str) -> HashValue {
    let (hostname, domain) = match node.split_once('.') {
        Some((hostname, domain)) => (hostname, Some(domain)),
        None => (node, None),
    };
    let names =
        [("fqdn", Some(node)), ("hostname", Some(hostname)), ("domain", domain), ("clientcert", Some(node))];
    let rename = |facts: &mut HashValue| {
        for (name, value) in names {
            match value {
                Some(value) if facts.get_text(name).is_some() => {
                    facts.insert(Value::string(name), Value::string(value));
                }
                Some(_) => {}
                None => facts.retain(|key, _| key.as_str() != Some(name)),
            }
        }
    };
    let mut facts = facts.clone();
    rename(&mut facts);
    if let Some(Value::Hash(networking)) = facts.get_text("networking") {
        let mut networking = (**networking).clone();
        rename(&mut networking);
        facts.insert(Value::string("networking"), Value::Hash(Arc::new(networking)));
    }
    facts
}

/// Returns `sshfp_rsa` and similar facts: both fingerprints of a host key, one per line.
fn fingerprints(facts: &HashValue) -> Vec<(String, Value)> {
    let keys = facts.get_text("ssh").and_then(Value::as_hash);
    let of_key = |(algorithm, key): (&Value, &Value)| {
        let text = |digest| follow(key.as_hash()?, &["fingerprints", digest])?.as_str();
        let lines = format!("{}\n{}", text("sha1")?, text("sha256")?);
        Some((format!("sshfp_{}", algorithm.as_str()?), Value::string(lines)))
    };
    keys.into_iter().flat_map(|it| it.iter()).filter_map(of_key).collect()
}

/// Returns the names and values of a legacy fact; several for a pattern like `mtu_*`.
fn values_of(legacy: &Fact, replacement: &str, facts: &HashValue) -> Vec<(String, Value)> {
    let Some((keys, function)) = access(replacement) else { return Vec::new() };
    let Some(wildcard) = keys.iter().position(|it| matches!(*it, "*" | "#")) else {
        let value = follow(facts, &keys).and_then(|it| apply(it, function));
        return value.map(|it| (legacy.name.to_string(), it)).into_iter().collect();
    };
    let (before, after) = (&keys[..wildcard], &keys[wildcard + 1..]);
    let elements: Vec<(String, &Value)> = match follow(facts, before) {
        Some(Value::Hash(entries)) => {
            entries.iter().filter_map(|(key, value)| Some((key.as_str()?.to_owned(), value))).collect()
        }
        Some(Value::Array(elements)) => {
            elements.iter().enumerate().map(|(index, value)| (index.to_string(), value)).collect()
        }
        _ => Vec::new(),
    };
    let value_of = |element| match after {
        [] => Some(element),
        _ => Value::as_hash(element).and_then(|it| follow(it, after)),
    };
    elements
        .into_iter()
        .filter_map(|(name, element)| {
            Some((legacy.name.replace(['*', '#'], &name), apply(value_of(element)?, function)?))
        })
        .collect()
}

/// Splits `$facts['a']['b'][#]...` into the keys and the rest.
fn access(replacement: &str) -> Option<(Vec<&str>, &str)> {
    let mut rest = replacement.strip_prefix("$facts")?;
    let mut keys = Vec::new();
    while let Some((key, after)) = rest.strip_prefix('[').and_then(|it| it.split_once(']')) {
        keys.push(key.trim_matches('\''));
        rest = after;
    }
    Some((keys, rest))
}

fn follow<'a>(facts: &'a HashValue, keys: &[&str]) -> Option<&'a Value> {
    let (first, rest) = keys.split_first()?;
    let value = facts.get_text(first)?;
    if rest.is_empty() { Some(value) } else { follow(value.as_hash()?, rest) }
}

/// Applies the end of a replacement to a value. Returns `None` if it is not supported.
fn apply(value: &Value, function: &str) -> Option<Value> {
    match function {
        "" => Some(value.clone()),
        ".keys.join(',')" => {
            let names: Vec<_> = value.as_hash()?.keys().filter_map(Value::as_str).collect();
            Some(Value::string(names.join(",")))
        }
        ".length" => Some(Value::Integer(value.as_hash()?.len() as i64)),
        " / 1048576.0" => Some(Value::float((value.as_number()? / 1_048_576.0 * 100.0).round() / 100.0)),
        _ => None,
    }
}

#[cfg(test)]
#[path = "legacy_tests.rs"]
mod tests;
