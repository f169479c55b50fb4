//! Fact files: the output of `facter --json` and `--yaml`, facts stored by Puppet, and the files of facterdb.

use std::fmt;

use hiera::{DataFormat, data};
use rustc_hash::FxHashMap;
use smol_str::SmolStr;
use types::{HashValue, Value};

/// Facts of a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FactSet {
    /// File name without extension: `web01`, `debian-12-x86_64`.
    pub name: SmolStr,
    /// Operating system according to the facts: `Debian 12`.
    pub platform: Option<SmolStr>,
    /// Facts as stored in the file; [`with_agent_facts`](crate::with_agent_facts) adds those that the agent
    /// adds.
    pub facts: HashValue,
    /// `$trusted['extensions']` according to the key `trusted` of the file.
    pub trusted_extensions: HashValue,
    /// Name of the node according to the file, if it has more than facts.
    pub certname: Option<SmolStr>,
    /// `$trusted` according to the file.
    pub trusted: Option<HashValue>,
}

/// Error for a file without readable facts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReadError {
    /// Line number, from 1; `None` if the error concerns the whole file.
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

/// Tag at the start of a file in which Puppet stores facts.
const STORED_FACTS_TAG: &str = "!ruby/object:Puppet::Node::Facts";

/// Returns the name of the node that the facts belong to.
pub fn node_name(facts: &HashValue) -> Option<&str> {
    let text = |name: &str| facts.get_text(name)?.as_str();
    let networking = || facts.get_text("networking")?.as_hash()?.get_text("fqdn")?.as_str();
    text("clientcert").or_else(networking).or_else(|| text("fqdn"))
}

/// Parses a fact file: JSON (`.json`, `.facts`) or YAML (`.yaml`, `.yml`). Files with other extensions are
/// JSON if they begin with a brace, else YAML. Facts as stored by Puppet (`puppet facts`, `facts.yaml`) are
/// read from the key `values`, those of PuppetDB from the key `facts` (`inventory`, `factsets`) or `values` (archives).
///
/// # Errors
/// Returns an error if the file is malformed or contains no facts.
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
        return Err(whole("file is empty; expected the output of `facter --json`"));
    }
    // Data cannot contain Ruby objects; an object of Puppet's own class is read as a hash.
    let text = &if text.contains(STORED_FACTS_TAG) {
        without_dates(&text.replacen(STORED_FACTS_TAG, &" ".repeat(STORED_FACTS_TAG.len()), 1))
    } else {
        text.to_owned()
    };
    let data = data::read(format, text);
    let hash = data.hash().map_err(|failure| ReadError {
        line: Some(line_of(text, failure.range.start as usize)),
        message: failure.message.clone(),
    })?;
    if data.is_not_hash() {
        return Err(whole("not a hash of facts; expected the output of `facter --json`"));
    }
    let forms = [("name", "values"), ("certname", "facts"), ("certname", "values")];
    let stored = forms.into_iter().find_map(|(name, facts)| {
        let name = hash.get_text(name)?.as_str()?;
        Some((SmolStr::new(name), facts_of_store(hash.get_text(facts)?)?))
    });
    let (certname, mut facts) = match stored {
        Some((name, facts)) => (Some(name), facts),
        None => (None, hash.clone()),
    };
    let trusted = facts.shift_remove(&Value::string("trusted")).or_else(|| hash.get_text("trusted").cloned());
    let trusted = trusted.as_ref().and_then(Value::as_hash).cloned();
    let extensions = trusted.as_ref().and_then(|it| it.get_text("extensions"));
    let trusted_extensions = extensions.and_then(Value::as_hash).cloned().unwrap_or_default();
    // A store may know a node without facts.
    if facts.is_empty() && certname.is_none() {
        return Err(whole("file contains no facts"));
    }
    if let Some(key) = facts.keys().find(|it| it.as_str().is_none()) {
        return Err(whole(&format!(
            "name of a fact must be a string, got {}",
            types::infer::infer_generic(key, &types::NoTypes)
        )));
    }
    let (name, platform) = (name.into(), platform_of(&facts));
    Ok(FactSet { name, platform, facts, trusted_extensions, certname, trusted })
}

/// Removes the dates that Puppet stores with the facts, since data cannot contain dates. Lines keep their numbers.
fn without_dates(text: &str) -> String {
    let is_date = |line: &&str| line.starts_with("timestamp:") || line.starts_with("expiration:");
    text.split_inclusive('\n').map(|line| if is_date(&line) { "\n" } else { line }).collect()
}

/// Returns the facts of a node in a store: a hash, or PuppetDB's list of names and values (`factsets`).
fn facts_of_store(facts: &Value) -> Option<HashValue> {
    let facts = facts.as_hash()?;
    let Some(Value::Array(rows)) = facts.get_text("data").filter(|_| facts.get_text("href").is_some()) else {
        return Some(facts.clone());
    };
    let row = |row: &Value| {
        let row = row.as_hash()?;
        Some((row.get_text("name")?.clone(), row.get_text("value")?.clone()))
    };
    rows.iter().map(row).collect()
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

/// Returns, for each system in a facterdb folder, the `.facts` file made by the newest Facter, sorted by
/// name. `paths` are relative to the folder and consist of the version of Facter and the system:
/// `4.2/debian-11-x86_64.facts`.
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
