//! Facts in files: external facts of modules, and the fact files from the user's settings.

use hiera::DataFormat;
use hir::Name;
use plugins::CustomFact;
use syntax::TextRange;
use types::{CachedValue, HashValue, Indistinguishable, Value};

use crate::{Db, Environment, File};

/// Returns the facts of a file (`name: value` in YAML or JSON, `name=value` in text) in source order; empty
/// for executable facts. Facts in Puppet's stored form are under `values`.
#[salsa::tracked(returns(ref))]
pub(crate) fn external_facts(db: &dyn Db, file: File) -> Box<[CustomFact]> {
    let Some(text) = file.contents(db).text() else { return Box::default() };
    let path = file.path(db);
    match DataFormat::of_path(path.as_str()) {
        Some(format @ (DataFormat::Yaml | DataFormat::Json)) => facts_of_data(&text, format),
        _ if path.extension() == Some("txt") => facts_of_lines(&text),
        _ => Box::default(),
    }
}

fn facts_of_data(text: &str, format: DataFormat) -> Box<[CustomFact]> {
    let data = hiera::data::read(format, text);
    let stored = data.entry("name").and(data.entry("values")).map(|it| it.value.entries());
    let entries = stored.unwrap_or(data.entries());
    let facts = entries.iter().filter_map(|it| Some(fact(it.key.value.as_str()?, it.key.range)));
    facts.collect()
}

/// Returns the values of the facts in a file, by name.
#[salsa::tracked(returns(ref))]
fn fact_values(db: &dyn Db, file: File) -> CachedValue<HashValue> {
    let text = file.contents(db).text();
    let text = text.as_deref().unwrap_or_default();
    CachedValue(match DataFormat::of_path(file.path(db).as_str()) {
        Some(format) => {
            let data = hiera::data::read(format, text);
            let stored = data.entry("name").and(data.entry("values")).map(|it| &it.value.value);
            let all = stored.or(data.root.as_ref().map(|root| &root.value));
            all.and_then(Value::as_hash).cloned().unwrap_or_default()
        }
        None => {
            let lines = text.lines().filter_map(|line| line.split_once('='));
            lines.map(|(name, value)| (Value::string(name.trim()), Value::string(value.trim()))).collect()
        }
    })
}

/// Returns the facts in files of modules (`facts.d/*.yaml`, `*.json`, `*.txt`) by lowercase name. The value
/// is `None` if several files disagree.
pub fn external_fact_values(db: &dyn Db, environment: Environment) -> Vec<(Name, Option<Value>)> {
    let mut found: Vec<(Name, Option<Value>)> = Vec::new();
    for file in crate::external_fact_files(db, environment) {
        // The others are executables.
        if external_facts(db, file).is_empty() {
            continue;
        }
        for (name, value) in fact_values(db, file).0.iter() {
            let Some(name) = name.as_str().map(|name| Name::new(name.to_lowercase())) else { continue };
            match found.iter_mut().find(|(known, _)| *known == name) {
                Some((_, known)) => {
                    if known.as_ref().is_some_and(|known| !known.is_indistinguishable(value)) {
                        *known = None;
                    }
                }
                None => found.push((name, Some(value.clone()))),
            }
        }
    }
    found
}

/// Returns the distinct values that the user's fact files have at a path into the facts (`["os", "family"]`).
pub fn given_facts(db: &dyn Db, environment: Environment, path: &[&str]) -> Vec<(File, Value)> {
    let mut found: Vec<(File, Value)> = Vec::new();
    let Some((name, keys)) = path.split_first() else { return found };
    for file in environment.fact_files(db).iter() {
        let mut value = fact_values(db, *file).get_text(name);
        for key in keys {
            value = value.and_then(|it| it.as_hash()?.get_text(key));
        }
        if let Some(value) =
            value.filter(|value| !found.iter().any(|(_, known)| known.is_indistinguishable(value)))
        {
            found.push((*file, value.clone()));
        }
    }
    found
}

fn facts_of_lines(text: &str) -> Box<[CustomFact]> {
    let mut offset = 0;
    let mut facts = Vec::new();
    for line in text.split_inclusive('\n') {
        if let Some((name, _)) = line.split_once('=') {
            let start = (offset + name.len() - name.trim_start().len()) as u32;
            let name = name.trim();
            facts.push(fact(name, TextRange::new(start, start + name.len() as u32)));
        }
        offset += line.len();
    }
    facts.into()
}

fn fact(name: &str, range: TextRange) -> CustomFact {
    // Facter knows names in lower case only.
    CustomFact { name: name.to_lowercase().into(), range, documentation: Name::default() }
}
