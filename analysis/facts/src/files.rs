//! Facts that stand in files: what `facter --json` and `--yaml` print, what Puppet stores, and the files of facterdb.

use std::fmt;

use hiera::{DataFormat, data};
use rustc_hash::FxHashMap;
use smol_str::SmolStr;
use types::{HashValue, Value};

/// The facts of a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FactSet {
    /// The name of the file without its ending: `web01`, `debian-12-x86_64`.
    pub name: SmolStr,
    /// What they say of the operating system: `Debian 12`.
    pub platform: Option<SmolStr>,
    /// As they stand there; `complete` adds what the agent does.
    pub facts: HashValue,
}

/// Why a file has no facts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReadError {
    /// Counts from 1; `None` when it is about the file as a whole.
    pub line: Option<usize>,
    pub message: String,
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "line {line}: {}", self.message),
            None => f.write_str(&self.message),
        }
    }
}

impl std::error::Error for ReadError {}

/// How a file begins in which Puppet stores facts.
const STORED: &str = "!ruby/object:Puppet::Node::Facts";

/// The name of the node that facts are of.
pub fn node_name(facts: &HashValue) -> Option<&str> {
    let text = |name: &str| facts.get_text(name)?.as_str();
    let networking = || facts.get_text("networking")?.as_hash()?.get_text("fqdn")?.as_str();
    text("clientcert").or_else(networking).or_else(|| text("fqdn"))
}

/// Reads a file of facts: JSON (`.json`, `.facts`) or YAML (`.yaml`, `.yml`); what has another ending is JSON when it begins
/// with a brace. Facts as Puppet stores them (`puppet facts`, `facts.yaml`) stand under `values`.
///
/// # Errors
/// The text is no such file, or holds no facts.
pub fn read(path: &str, text: &str) -> Result<FactSet, ReadError> {
    let file = path.rsplit(['/', '\\']).next().unwrap_or(path);
    let (name, ending) = file.rsplit_once('.').unwrap_or((file, ""));
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let format = match ending.to_ascii_lowercase().as_str() {
        "yaml" | "yml" => DataFormat::Yaml,
        "json" | "facts" => DataFormat::Json,
        _ if text.trim_start().starts_with('{') => DataFormat::Json,
        _ => DataFormat::Yaml,
    };
    let whole = |message: &str| ReadError { line: None, message: message.to_owned() };
    if text.trim().is_empty() {
        return Err(whole("the file is empty; it should hold what `facter --json` prints"));
    }
    // Data may hold no objects; that of Puppet's own class is a hash by another name.
    let text = &text.replacen(STORED, &" ".repeat(STORED.len()), 1);
    let data = data::read(format, text);
    let hash = data.hash().map_err(|failure| ReadError {
        line: Some(line_of(text, failure.range.start as usize)),
        message: failure.message.clone(),
    })?;
    if data.is_no_hash() {
        return Err(whole(
            "these are no facts; it should be a hash of names and values, as `facter --json` prints it",
        ));
    }
    let stored = hash.get_text("name").and(hash.get_text("values")).and_then(Value::as_hash);
    let facts = stored.unwrap_or(hash).clone();
    if facts.is_empty() {
        return Err(whole("the file holds no facts"));
    }
    if let Some(key) = facts.keys().find(|it| it.as_str().is_none()) {
        return Err(whole(&format!(
            "the name of a fact is a text, but this is {}",
            types::infer::infer_generic(key, &types::NoTypes)
        )));
    }
    Ok(FactSet { name: name.into(), platform: platform_of(&facts), facts })
}

/// `Debian 12`
fn platform_of(facts: &HashValue) -> Option<SmolStr> {
    let os = facts.get_text("os").and_then(Value::as_hash);
    let text = |legacy: &str, structured: Option<&Value>| {
        structured.or_else(|| facts.get_text(legacy)).and_then(Value::as_str).map(SmolStr::new)
    };
    let name = text("operatingsystem", os.and_then(|it| it.get_text("name")))?;
    let release = os.and_then(|it| it.get_text("release")).and_then(Value::as_hash);
    match text("operatingsystemmajrelease", release.and_then(|it| it.get_text("major"))) {
        Some(major) => Some(format!("{name} {major}").into()),
        None => Some(name),
    }
}

fn line_of(text: &str, offset: usize) -> usize {
    text.as_bytes().iter().take(offset).filter(|it| **it == b'\n').count() + 1
}

/// Of the paths below a facterdb folder (`4.2/debian-11-x86_64.facts`: version of Facter, then system), the `.facts` files of
/// each system that were made by the newest Facter, by name.
pub fn newest_of_each<'a>(paths: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let mut newest: FxHashMap<&str, (Vec<u32>, &str)> = FxHashMap::default();
    for path in paths {
        let (folder, file) = path.rsplit_once(['/', '\\']).unwrap_or(("", path));
        if !file.ends_with(".facts") {
            continue;
        }
        let version = folder.rsplit(['/', '\\']).next().unwrap_or_default();
        let version: Vec<u32> = version.split('.').map(|it| it.parse().unwrap_or(0)).collect();
        let best = newest.entry(file).or_insert_with(|| (version.clone(), path));
        if version > best.0 {
            *best = (version, path);
        }
    }
    let mut found: Vec<_> = newest.into_iter().map(|(file, (_, path))| (file, path)).collect();
    found.sort_unstable();
    found.into_iter().map(|(_, path)| path).collect()
}
