//! Facts of the platforms, read from `data/layers.yaml`.

use std::sync::{Arc, LazyLock};

use hiera::{DataFormat, data};
use rustc_hash::FxHashMap;
use smol_str::SmolStr;
use types::{HashValue, Value};

use crate::Platform;

const LAYERS_FILE: &str = include_str!("../data/layers.yaml");

/// Entries that cannot be parsed are omitted here; a test makes sure that there are none.
static LAYERS: LazyLock<HashValue> =
    LazyLock::new(|| data::read(DataFormat::Yaml, LAYERS_FILE).hash().cloned().unwrap_or_default());

/// Maximum depth of fields within fields; deeper nesting is a cycle.
const MAX_FIELD_DEPTH: usize = 8;

/// Returns the core facts of a platform, without legacy facts.
pub(crate) fn facts(platform: &Platform, puppet_version: u8) -> HashValue {
    fill_part(platform, "facts", puppet_version)
}

/// Returns the facts of modules.
pub(crate) fn module_facts(platform: &Platform) -> HashValue {
    fill_part(platform, "modules", 8)
}

#[cfg(test)]
pub(crate) fn exists(layer: &str) -> bool {
    LAYERS.get_text(layer).is_some()
}

/// Returns a layer and its ancestors, the most distant first.
fn layers_of(name: &str) -> Vec<&'static HashValue> {
    let mut found = Vec::new();
    let mut name = Some(name);
    while let Some(layer) = name.and_then(|it| LAYERS.get_text(it)).and_then(Value::as_hash)
        && found.len() < LAYERS.len()
    {
        found.push(layer);
        name = layer.get_text("like").and_then(Value::as_str);
    }
    found.reverse();
    found
}

fn fill_part(platform: &Platform, part: &str, puppet_version: u8) -> HashValue {
    let layers = layers_of(&platform.layer);
    let mut fields = fields_of_versions(puppet_version);
    let mut facts = HashValue::default();
    for layer in layers {
        for (name, text) in
            layer.get_text("with").and_then(Value::as_hash).into_iter().flat_map(|it| it.iter())
        {
            if let (Some(name), Some(text)) = (name.as_str(), text.as_str()) {
                fields.insert(name.into(), text.into());
            }
        }
        if let Some(over) = layer.get_text(part).and_then(Value::as_hash) {
            merge(&mut facts, over);
        }
    }
    fields.extend(platform.fields.iter().map(|(name, text)| (name.clone(), text.clone())));
    fill_hash(&facts, &fields)
}

/// Returns the newest release of a major version of Puppet or OpenVox.
pub(crate) fn newest_puppet(major: u8) -> &'static str {
    match major {
        ..8 => "7.34.0",
        8 => "8.10.0",
        9.. => "9.0.0",
    }
}

/// Returns the fields for the newest release of each version.
fn fields_of_versions(puppet_version: u8) -> FxHashMap<SmolStr, SmolStr> {
    let (facter, ruby) = match puppet_version {
        ..8 => ("4.10.0", "2.7.8"),
        8 => ("4.10.0", "3.2.5"),
        // OpenVox 9 requires Ruby 3.2.
        9.. => ("6.0.0", "3.2.5"),
    };
    let versions = [("puppet", newest_puppet(puppet_version)), ("facter", facter), ("ruby", ruby)];
    versions.into_iter().map(|(name, text)| (name.into(), text.into())).collect()
}

/// Merges `over` into `facts`: hashes in both are merged, `undef` removes the key, and any other value in
/// `over` wins.
fn merge(facts: &mut HashValue, over: &HashValue) {
    for (key, value) in over.iter() {
        match (facts.get_mut(key), value) {
            (_, Value::Undef) => {
                facts.shift_remove(key);
            }
            (Some(Value::Hash(facts)), Value::Hash(over)) => merge(Arc::make_mut(facts), over),
            _ => {
                facts.insert(key.clone(), value.clone());
            }
        }
    }
}

/// Replaces the fields in a value; `None` if a field has no value.
fn fill(value: &Value, fields: &FxHashMap<SmolStr, SmolStr>) -> Option<Value> {
    match value {
        Value::String(text) => Some(Value::string(fill_string(text, fields, 0)?)),
        Value::Array(elements) => {
            Some(Value::array(elements.iter().filter_map(|it| fill(it, fields)).collect::<Vec<_>>()))
        }
        Value::Hash(entries) => Some(Value::Hash(Arc::new(fill_hash(entries, fields)))),
        other => Some(other.clone()),
    }
}

/// Replaces the fields in a hash and sorts it by key, as Facter does.
fn fill_hash(entries: &HashValue, fields: &FxHashMap<SmolStr, SmolStr>) -> HashValue {
    let mut entries: Vec<(Value, Value)> =
        entries.iter().filter_map(|(key, value)| Some((fill(key, fields)?, fill(value, fields)?))).collect();
    entries.sort_by(|(a, _), (b, _)| a.as_str().cmp(&b.as_str()));
    entries.into_iter().collect()
}

fn fill_string(text: &str, fields: &FxHashMap<SmolStr, SmolStr>, depth: usize) -> Option<String> {
    if depth > MAX_FIELD_DEPTH {
        return None;
    }
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, name, after)) = rest
        .split_once('{')
        .and_then(|(before, it)| it.split_once('}').map(|(name, after)| (before, name, after)))
    {
        out.push_str(before);
        let (name, part) = name.split_once('.').map_or((name, None), |(name, part)| (name, Some(part)));
        let field = fill_string(fields.get(name)?, fields, depth + 1)?;
        out.push_str(match part {
            Some(part) => part_of_version(&field, part)?,
            None => &field,
        });
        rest = after;
    }
    out.push_str(rest);
    Some(out)
}

/// Returns part of the version at the start of a string: `2` is the second number, `1-2` the first two,
/// `digits` all of them.
fn part_of_version<'a>(text: &'a str, part: &str) -> Option<&'a str> {
    let end = text.find(|it: char| !it.is_ascii_digit() && it != '.').unwrap_or(text.len());
    let digits = text[..end].trim_end_matches('.');
    match part {
        "digits" => Some(digits).filter(|it| !it.is_empty()),
        "1-2" => {
            let end = digits.match_indices('.').nth(1).map_or(digits.len(), |(at, _)| at);
            digits.get(..end).filter(|it| !it.is_empty())
        }
        _ => digits.split('.').nth(part.parse::<usize>().ok()?.checked_sub(1)?).filter(|it| !it.is_empty()),
    }
}

#[cfg(test)]
#[path = "layers_tests.rs"]
mod tests;
